import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { ClientUpdateDetails, UpdatedDevice as UpdatedRow } from '#contract/http/software/rollouts.ts'
import {
  becomes,
  type ClientFixture,
  clientFixture,
  type UpdatedDevice,
} from '#server/testing/wholeServer/clientFixture.ts'

let fixture: ClientFixture
let releases = 0
beforeAll(async () => {
  fixture = await clientFixture({ devices: 2 })
})
afterAll(() => fixture.close())
afterEach(async () => {
  for (const device of fixture.devices) {
    if (device.client?.connected) await device.disconnect(fixture.owner)
    device.offers.length = 0
    device.version = '1.0.0'
  }
  await fixture.owner.query(
    `delete from client_update; delete from device_client; update client_rollout set state = 'stopped';
     update device_now set client_version = null, client_version_at = null`,
  )
})

const deviceAt = (index: number) => fixture.devices[index] as UpdatedDevice
const detailsOf = async (id: number) =>
  (await fixture.ask('ClientUpdate/GetUpdate', { query: { id } })).body as ClientUpdateDetails
const detailsBecome = (id: number, isRight: (details: ClientUpdateDetails) => boolean) =>
  becomes(() => detailsOf(id), isRight)

/** Makes a rollout of two devices: the first is done with its update, and the other is the second wave. */
async function firstIsDone(plan: object = {}) {
  const [first, second] = [deviceAt(0), deviceAt(1)]
  for (const device of [first, second]) await fixture.connect(device)
  releases++
  const { id: releaseId, version } = (await fixture.upload(`2.${releases}.0`)).body as { id: number; version: string }
  const made = await fixture.post('ClientUpdate/CreateUpdate', {
    releaseId,
    choice: {},
    firstGroup: [first.device.id],
    waitMinutes: 0,
    ...plan,
  })
  const { id } = made.body as ClientUpdateDetails
  await detailsBecome(id, ({ counts }) => counts.done === 1)
  return { first, second, id, version, updateId: first.offers[0] ?? '' }
}

const ranFor = (device: UpdatedDevice, minutes: number) =>
  fixture.owner.query(
    'update client_update set running_since = now() - make_interval(mins => $2) where device_id = $1',
    [device.device.id, minutes],
  )
const rowOf = async ({ device }: UpdatedDevice, id: number) => {
  const { rows } = (await fixture.ask('ClientUpdate/GetUpdateDevices', { query: { id } })).body as {
    rows: UpdatedRow[]
  }
  return rows.find(({ deviceId }) => deviceId === device.id)
}

test('the next wave begins only after the new version has run for as long as the update says', async () => {
  const { first, second, id } = await firstIsDone({ observeMinutes: 30 })
  const before = await detailsOf(id)
  expect(before).toMatchObject({ state: 'running', observeMinutes: 30, begunWave: 1, nextWaveAt: null })
  expect([before.counts.observed, before.waves.map(({ counts }) => counts.observed)]).toEqual([1, [1, 0]])
  await ranFor(first, 29)
  const { observedUntil } = (await rowOf(first, id)) ?? {}
  expect((Date.parse(observedUntil ?? '') - Date.now()) / 60_000).toBeCloseTo(1, 0)
  expect(second.offers).toEqual([])
  await ranFor(first, 31)
  // Each step is a run of the job, so an early start of the wave would show here.
  const begun = await detailsBecome(id, ({ begunWave }) => begunWave === 2)
  const [{ waves_begun_at: [, at] = [], proven_at: provenAt } = {}] = await fixture.rows<{
    waves_begun_at: Date[]
    proven_at: Date
  }>(
    `select waves_begun_at, proven_at from client_rollout o join client_update u on u.rollout_id = o.id
     where o.id = $1 and u.wave = 1`,
    [id],
  )
  expect(at?.getTime()).toBeGreaterThanOrEqual(provenAt?.getTime() ?? Number.POSITIVE_INFINITY)
  expect(begun.counts.observed).toBeLessThanOrEqual(1)
  expect((await rowOf(first, id))?.observedUntil).toBeNull()
  await detailsBecome(id, ({ counts }) => counts.done === 2 && counts.observed === 1)
  await ranFor(second, 31)
  expect(await detailsBecome(id, ({ state }) => state !== 'running')).toMatchObject({ state: 'finished' })
})

test('without a time to observe, a device counts as soon as it is done', async () => {
  const { id } = await firstIsDone({ observeMinutes: 0 })
  expect(await detailsBecome(id, ({ state }) => state !== 'running')).toMatchObject({
    state: 'finished',
    counts: { done: 2, observed: 0 },
  })
})

test('a version that its device takes back after it was done has failed, with its last words, and halts the update', async () => {
  const { first, second, id, updateId, version } = await firstIsDone()
  const reason = `Version ${version} ended 3 times before it had run for 30 min in one piece. The last time it ended with code 1.`
  await first.say(updateId, 'failed', { version: '1.0.0', reason })
  expect(await detailsBecome(id, ({ state }) => state !== 'running')).toMatchObject({
    state: 'halted',
    counts: { failed: 1, done: 0, waiting: 1 },
  })
  expect(await rowOf(first, id)).toMatchObject({ state: 'failed', reason, observedUntil: null })
  expect(second.offers).toEqual([])
})

test('each new start is counted from anew, and a version that keeps restarting has failed', async () => {
  const { first, id, updateId } = await firstIsDone()
  await ranFor(first, 29)
  await first.say(updateId, 'done')
  const again = await becomes(
    () => rowOf(first, id),
    (row) => Date.parse(row?.observedUntil ?? '') - Date.now() > 25 * 60_000,
  )
  expect(again?.state).toBe('done')
  for (let start = 2; start <= 4; start++) await first.say(updateId, 'done')
  expect(await detailsBecome(id, ({ state }) => state !== 'running')).toMatchObject({ state: 'halted' })
  expect((await rowOf(first, id))?.reason).toBe(
    'The new version keeps restarting, and the launcher of the device has not put the one before in its place.',
  )
})

test('a device that runs another version again has failed, also when it does not say so', async () => {
  const { first, id, updateId } = await firstIsDone()
  // The version is set as telemetry would report it.
  await fixture.owner.query(
    `update device_now set client_version = '1.0.0', client_version_at = now() where device_id = $1`,
    [first.device.id],
  )
  expect(await detailsBecome(id, ({ counts }) => counts.failed === 1)).toMatchObject({ counts: { done: 0 } })
  expect((await rowOf(first, id))?.reason).toBe('The device runs 1.0.0 again.')
  // The device's own report says more.
  await first.say(updateId, 'failed', { version: '1.0.0', reason: 'The cache is full.' })
  expect(
    await becomes(
      async () => (await rowOf(first, id))?.reason,
      (reason) => reason === 'The cache is full.',
    ),
  ).toBe('The cache is full.')
})

test('an observed device that goes away holds up the next wave, and has failed when it stays away', async () => {
  const { first, second, id } = await firstIsDone()
  await first.disconnect(fixture.owner)
  await becomes(
    () => fixture.rows('select from client_update where away_since is not null'),
    ({ length }) => length === 1,
  )
  await ranFor(first, 45)
  await fixture.owner.query(
    `update client_update set away_since = now() - interval '59 minutes' where device_id = $1`,
    [first.device.id],
  )
  expect(await detailsOf(id)).toMatchObject({ begunWave: 1, counts: { observed: 1 } })
  await fixture.owner.query(
    `update client_update set away_since = now() - interval '61 minutes' where device_id = $1`,
    [first.device.id],
  )
  expect(await detailsBecome(id, ({ state }) => state !== 'running')).toMatchObject({ state: 'halted', begunWave: 1 })
  expect((await rowOf(first, id))?.reason).toBe(
    'The device went away before the new version had run for 30 minutes, and has not come back for an hour.',
  )
  expect(second.offers).toEqual([])
})
