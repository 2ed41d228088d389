import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FleetFile } from '#contract/fleet.ts'
import type { ClientUpdateDetails } from '#contract/http/software/rollouts.ts'
import type { DeviceModelId } from '#domain/ids.ts'
import { writeFleetFile } from '../demo/fleetFile.ts'
import { startSimulator } from '../demo/simulatorProcess.ts'
import { runFolder } from '../testing/database/freshDatabase.ts'
import { eventually } from '../testing/devices/gatewayFixture.ts'
import { TEST_RELEASE_KEY } from '../testing/releases.ts'
import { type ClientFixture, clientFixture } from '../testing/wholeServer/clientFixture.ts'

const COUNT = 200
const FIRST_GROUP = 20
const NEW = '99.0.0'
/** Every tenth device starts no new client while it has the fault. */
const isBroken = (index: number) => index % 10 === 3

let fixture: ClientFixture
let folder: string
let simulator: ReturnType<typeof startSimulator> | undefined
beforeAll(async () => {
  fixture = await clientFixture({ devices: COUNT })
  folder = runFolder('fleet-update')
  mkdirSync(join(folder, 'simulator'), { recursive: true })
})
afterAll(async () => {
  await simulator?.stop()
  await fixture.close()
})

const MINUTES_MS = 240_000
const one = async <Row extends pg.QueryResultRow>(sql: string) => (await fixture.owner.query<Row>(sql)).rows[0] as Row
const counted = async (condition: string) =>
  (await one<{ count: number }>(`select count(*)::int as count from client_update u where ${condition}`)).count
const connected = async () =>
  (await one<{ count: number }>('select count(distinct device_id)::int as count from device_connection')).count

async function beTheFleet({ hasFaults }: { readonly hasFaults: boolean }): Promise<void> {
  await simulator?.stop()
  const fault = { kind: 'clientUpdateFails' as const, everyMinutes: 60, forMinutes: 60 }
  const content: FleetFile = {
    ...fixture.here.localAddresses,
    releaseKeys: [TEST_RELEASE_KEY],
    historyDays: 0,
    devices: fixture.devices.map(({ device: { guid, key } }, index) => ({
      guid,
      key,
      name: `Display ${index}`,
      modelId: 1 as DeviceModelId,
      latitude: 48,
      longitude: 11,
      timeZone: 'Europe/Berlin',
      components: [],
      seed: index,
      faults: hasFaults && isBroken(index) ? [fault] : [],
    })),
  }
  await writeFleetFile(join(folder, 'fleet.json'), content)
  simulator = startSimulator(join(folder, 'fleet.json'), join(folder, 'simulator'), () => undefined)
  expect(await eventually(connected, (count) => count === COUNT, MINUTES_MS)).toBe(COUNT)
}

test('200 devices in waves, a tenth of which cannot start the new client: it halts, holds, loses nobody, and ends well', async () => {
  await beTheFleet({ hasFaults: true })
  const { id: releaseId } = (await fixture.upload(NEW)).body as { id: number }
  const made = await fixture.post('ClientUpdate/CreateUpdate', {
    releaseId,
    choice: {},
    firstGroup: fixture.devices.slice(0, FIRST_GROUP).map(({ device }) => device.id),
    wavePercents: [50, 100],
    waitMinutes: 0,
    observeMinutes: 0,
  })
  const { id, waves } = made.body as ClientUpdateDetails
  expect(waves.map(({ deviceCount }) => deviceCount)).toEqual([20, 90, 90])
  const details = async () =>
    (await fixture.ask('ClientUpdate/GetUpdate', { query: { id } })).body as ClientUpdateDetails

  const halted = await eventually(details, ({ state }) => state === 'halted', MINUTES_MS)
  expect([halted.state, halted.stateReason, halted.begunWave]).toEqual([
    'halted',
    expect.stringMatching(/^[1-2] of \d+ devices? failed, which is 5 % or more\.$/),
    1,
  ])
  const busy = () => counted(`u.state in ('offered', 'downloading', 'verifying', 'restarting')`)
  expect(await eventually(busy, (count) => count === 0, MINUTES_MS)).toBe(0)
  // Later waves were never assigned a release; failed devices say why, and are connected.
  expect(await counted('u.wave > 1 and (u.tries > 0 or u.offered_at is not null or u.state <> $$waiting$$)')).toBe(0)
  expect(await counted(`u.state = 'failed' and u.reason not like 'Version ${NEW} ended with code 1%'`)).toBe(0)
  expect(await eventually(connected, (count) => count === COUNT, MINUTES_MS)).toBe(COUNT)
  expect((await one<{ count: number }>('select count(*)::int as count from device where status_id <> 2')).count).toBe(0)

  await beTheFleet({ hasFaults: false })
  expect((await fixture.post('ClientUpdate/RetryFailed', { id })).body).toMatchObject({ counts: { failed: 0 } })
  expect((await fixture.post('ClientUpdate/ResumeUpdate', { id })).body).toMatchObject({ state: 'running' })
  const ended = await eventually(details, ({ state }) => state !== 'running', MINUTES_MS)
  expect([ended.state, ended.counts.done]).toEqual(['finished', COUNT])
  expect(await eventually(connected, (count) => count === COUNT, MINUTES_MS)).toBe(COUNT)
  expect(
    await counted('u.device_id in (select device_id from device_version where version is distinct from $$99.0.0$$)'),
  ).toBe(0)
  // Each was assigned once, and those that failed once more.
  expect(await counted('u.tries not in (1, 2)')).toBe(0)
}, 900_000)
