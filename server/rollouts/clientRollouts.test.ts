import { fork } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, expect, test } from 'vitest'
import type { ClientUpdateDetails } from '#contract/http/software/rollouts.ts'
import { runFolder } from '#server/testing/database/freshDatabase.ts'
import {
  becomes,
  type ClientFixture,
  clientFixture,
  type UpdatedDevice,
} from '#server/testing/wholeServer/clientFixture.ts'

let fixture: ClientFixture | undefined
afterEach(async () => {
  await fixture?.close()
  fixture = undefined
})

const ids = (devices: readonly UpdatedDevice[]) => devices.map(({ device }) => device.id)

async function createUpdate({ upload, post, devices }: ClientFixture, plan: object): Promise<ClientUpdateDetails> {
  const { id: releaseId } = (await upload('500.0.0')).body as { id: number }
  const choice = { deviceIds: ids(devices) }
  return (await post('ClientUpdate/CreateUpdate', { releaseId, choice, waitMinutes: 0, observeMinutes: 0, ...plan }))
    .body as ClientUpdateDetails
}

const detailsOf = async ({ ask }: ClientFixture, id: number) =>
  (await ask('ClientUpdate/GetUpdate', { query: { id } })).body as ClientUpdateDetails

test('with two servers on one database and devices at both, each device is offered its update once, wave by wave', async () => {
  const own = await clientFixture({ devices: 12 })
  fixture = own
  for (const [index, device] of own.devices.entries()) await own.connect(device, index % 2 === 0 ? own.here : own.there)
  const { id, waves } = await createUpdate(own, { firstGroup: 2, wavePercents: [50, 100] })
  expect(waves.map(({ deviceCount }) => deviceCount)).toEqual([2, 5, 5])
  const ended = await becomes(
    () => detailsOf(own, id),
    ({ state }) => state !== 'running',
  )
  expect([ended.state, ended.counts.done]).toEqual(['finished', 12])
  expect(own.devices.map(({ offers }) => offers.length)).toEqual(own.devices.map(() => 1))
  expect(await own.rows('select distinct tries from client_update')).toEqual([{ tries: 1 }])
  // A wave begins after every device of the one before it is done.
  const times = await own.rows<{ wave: number; first: Date; last: Date }>(
    'select wave, min(offered_at) as first, max(ended_at) as last from client_update group by wave order by wave',
  )
  for (const [index, { first }] of times.entries()) {
    expect(first.getTime()).toBeGreaterThanOrEqual(times[index - 1]?.last.getTime() ?? 0)
  }
})

test('the server that leads is killed between two steps, and another one carries on where it was', async () => {
  const own = await clientFixture({ devices: 6 })
  fixture = own
  // The process to be killed must lead, so the others leave first.
  await own.stop(own.here)
  await own.stop(own.there)
  const { ownerUrl, applicationUrl } = own.database
  const script = new URL('../testing/wholeServer/serverProcess.ts', import.meta.url)
  const child = fork(script, [ownerUrl, applicationUrl, '0', runFolder('killed')], { execArgv: [] })
  const [addresses] = (await once(child, 'message')) as [{ mqttUrl: string }]
  const killed = { localAddresses: { ...addresses, httpUrl: '' } } as typeof own.here
  const survivor = await own.startAnother()
  for (const [index, device] of own.devices.entries()) {
    device.temper = 'onlyBegins'
    await own.connect(device, index < 3 ? killed : survivor)
  }
  const { id } = await createUpdate(own, { firstGroup: 4, wavePercents: [100] })
  const begun = await becomes(
    () => detailsOf(own, id),
    ({ counts }) => counts.downloading === 4,
  )
  expect([begun.begunWave, begun.counts.waiting]).toEqual([1, 2])

  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
  for (const device of own.devices.slice(0, 3)) await own.connect(device, survivor)
  for (const device of own.devices) {
    device.temper = 'updates'
    const [updateId] = device.offers
    if (updateId !== undefined) await device.say(updateId, 'done', { version: '500.0.0' })
  }
  const ended = await becomes(
    () => detailsOf(own, id),
    ({ state }) => state !== 'running',
  )
  expect([ended.state, ended.counts.done, ended.begunWave]).toEqual(['finished', 6, 2])
  expect(own.devices.map(({ offers }) => offers.length)).toEqual(own.devices.map(() => 1))
  expect(await own.rows('select distinct status_id from device')).toEqual([{ status_id: 2 }])
})
