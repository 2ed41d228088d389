import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { ClientUpdateDetails, UpdatedDevice as UpdatedRow } from '#contract/http/software/rollouts.ts'
import { addCustomer, addUser, openSession } from '#server/testing/callers.ts'
import {
  becomes,
  type ClientFixture,
  clientFixture,
  type UpdatedDevice,
} from '#server/testing/wholeServer/clientFixture.ts'

let fixture: ClientFixture
let releases = 0
beforeAll(async () => {
  fixture = await clientFixture({ devices: 4 })
})
afterAll(() => fixture.close())
afterEach(async () => {
  for (const device of fixture.devices) {
    if (device.client?.connected) await device.disconnect(fixture.owner)
    device.temper = 'updates'
    device.offers.length = 0
    device.documents.length = 0
  }
  await fixture.owner.query(
    `delete from client_update; delete from device_client; update device set status_id = 2;
     update device_now set client_version = null, client_version_at = null`,
  )
})

const deviceAt = (index: number) => fixture.devices[index] as UpdatedDevice
const ids = (...devices: readonly UpdatedDevice[]) => devices.map(({ device }) => device.id)
const nextVersion = () => `1.${++releases}.0`
async function uploaded(): Promise<{ id: number; version: string }> {
  return (await fixture.upload(nextVersion())).body as { id: number; version: string }
}
const update = async (...devices: readonly UpdatedDevice[]) =>
  (await fixture.post('Device/UpdateClientVersion', ids(...devices))).body
const check = async (...devices: readonly UpdatedDevice[]) =>
  (await fixture.post('Device/CheckClientUpdate', { deviceIds: ids(...devices) })).body
const rowOf = async ({ device }: UpdatedDevice) =>
  (
    await fixture.rows<{ state: string; reason: string; update_id: string; tries: number; rollout_id: number }>(
      'select * from client_update where device_id = $1 order by rollout_id desc limit 1',
      [device.id],
    )
  )[0]
const stateBecomes = (device: UpdatedDevice, state: string) =>
  becomes(
    async () => (await rowOf(device))?.state,
    (now) => now === state,
  )
const offered = (device: UpdatedDevice) =>
  becomes(
    async () => device.offers.at(-1),
    (offer) => offer !== undefined,
  )

test('without a release, that is what is said beforehand', async () => {
  expect(await check(deviceAt(0))).toEqual({
    ...{ version: null, waiting: [] },
    refusals: ['No release has been uploaded yet.'],
  })
})

test('a device that is connected takes the newest release, is Updating meanwhile and what it was after it', async () => {
  const device = deviceAt(0)
  device.temper = 'onlyBegins'
  await fixture.owner.query('update device set status_id = 5 where id = $1', [device.device.id])
  await fixture.connect(device)
  const { version } = await uploaded()
  expect(await update(device)).toEqual([])
  const updateId = (await offered(device)) as string
  expect(
    await becomes(
      () => fixture.statusOf(device),
      (status) => status === 6,
    ),
  ).toBe(6)
  const document = device.documents.findLast(({ client }) => client !== null)
  expect(document?.client).toMatchObject({ updateId, version, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) })

  device.version = version
  await device.say(updateId, 'done')
  expect(await stateBecomes(device, 'done')).toBe('done')
  expect(await fixture.statusOf(device)).toBe(5)
  // The device is informed that no release is assigned any more.
  expect(
    await becomes(
      async () => device.documents.at(-1)?.client,
      (client) => client === null,
    ),
  ).toBeNull()
  expect(await update(device)).toEqual([`"Device 1": already runs ${version}.`])
})

test('a status that an operator chose meanwhile stays, and a later word does not make it Updating again', async () => {
  const device = deviceAt(0)
  device.temper = 'onlyBegins'
  await fixture.connect(device)
  await uploaded()
  await update(device)
  const updateId = (await offered(device)) as string
  await becomes(
    () => fixture.statusOf(device),
    (status) => status === 6,
  )
  await fixture.ask('Device/SetDeviceStatus', { query: { id: device.device.id, statusId: 3 } })
  await device.say(updateId, 'verifying')
  expect(await stateBecomes(device, 'verifying')).toBe('verifying')
  expect(await fixture.statusOf(device)).toBe(3)
  await device.say(updateId, 'failed', { reason: 'No room on the disk.' })
  expect(await stateBecomes(device, 'failed')).toBe('failed')
  expect(await fixture.statusOf(device)).toBe(3)
  expect((await rowOf(device))?.reason).toBe('No room on the disk.')
})

test('devices that cannot be updated are named in the order in which they were chosen; the others are', async () => {
  const [first, second, third, fourth] = [deviceAt(0), deviceAt(1), deviceAt(2), deviceAt(3)]
  const { version } = await uploaded()
  await fixture.owner.query('update device set status_id = 4 where id = $1', [second.device.id])
  await fixture.owner.query('insert into device_client (device_id, version) values ($1, $2), ($3, $4)', [
    third.device.id,
    version,
    fourth.device.id,
    '99.0.0',
  ])
  const refusals = [
    `"Device 4": runs 99.0.0, which is newer than ${version}.`,
    `"Device 3": already runs ${version}.`,
    '"Device 2": is deactivated.',
  ]
  // A check before gives the same answer and begins nothing.
  expect(await check(fourth, third, second, first)).toEqual({ version, refusals, waiting: [] })
  expect(await fixture.rows('select from client_update')).toEqual([])
  expect(await update(fourth, third, second, first)).toEqual(refusals)
  expect(await check(first)).toEqual({
    ...{ version, waiting: [] },
    refusals: ['"Device 1": an update is already running.'],
  })
  expect(await update(first)).toEqual(['"Device 1": an update is already running.'])
  expect(await fixture.rows('select device_id from client_update')).toEqual([{ device_id: first.device.id }])
})

test('a list with a device of somebody else is refused whole and changes nothing', async () => {
  await uploaded()
  const customerId = await addCustomer(fixture.owner, 'Theirs')
  const theirs = deviceAt(1)
  await fixture.owner.query('update device set customer_id = $2 where id = $1', [theirs.device.id, customerId])
  const ours = (
    await fixture.rows<{ customer_id: number }>('select customer_id from device where id = $1', ids(deviceAt(0)))
  )[0]
  const userId = await addUser(fixture.owner, {
    username: 'admin@ours.example',
    functions: [1],
    customerId: ours?.customer_id as never,
  })
  const token = await openSession(fixture.owner, userId)
  const ask = (body: unknown) => fixture.ask('Device/UpdateClientVersion', { token, method: 'POST', body })
  const refusals = [
    await ask(ids(deviceAt(0), theirs)),
    await ask(ids(theirs)),
    await ask([...ids(deviceAt(0)), 2_000_000_000]),
  ]
  expect(refusals.map(({ status, body }) => [status, JSON.stringify(body)])).toEqual(
    refusals.map(() => [404, JSON.stringify(refusals[0]?.body)]),
  )
  expect(await fixture.rows('select from client_update')).toEqual([])
  expect((await ask(ids(deviceAt(0)))).body).toEqual([])
  expect(await fixture.rows('select device_id from client_update')).toEqual([{ device_id: deviceAt(0).device.id }])
})

test('an offline device is offered its update when it comes back, by whichever server, and once', async () => {
  const device = deviceAt(2)
  const { version } = await uploaded()
  await update(device)
  expect(await stateBecomes(device, 'offered')).toBe('offered')
  await fixture.connect(device, fixture.there)
  expect(await stateBecomes(device, 'done')).toBe('done')
  expect(device.offers).toHaveLength(1)
  expect((await rowOf(device))?.tries).toBe(1)
  expect(device.version).toBe(version)
})

test('after a stop, an offline device is offered nothing, and one that has begun finishes', async () => {
  const [away, busy] = [deviceAt(2), deviceAt(3)]
  busy.temper = 'onlyBegins'
  await fixture.connect(busy)
  await uploaded()
  await update(away, busy)
  const updateId = (await offered(busy)) as string
  expect(await stateBecomes(busy, 'downloading')).toBe('downloading')
  expect(await stateBecomes(away, 'offered')).toBe('offered')
  const stopped = await fixture.post('ClientUpdate/StopUpdate', { id: (await rowOf(away))?.rollout_id })
  expect(stopped.body).toMatchObject({ state: 'stopped', counts: { withdrawn: 1, downloading: 1 } })
  await fixture.connect(away)
  await becomes(
    async () => away.documents.length,
    (count) => count > 0,
  )
  expect(away.documents.every(({ client }) => client === null)).toBe(true)
  expect(await rowOf(away)).toMatchObject({ state: 'withdrawn', reason: 'The update was stopped.' })
  await busy.say(updateId, 'done')
  expect(await stateBecomes(busy, 'done')).toBe('done')
  expect((await fixture.post('ClientUpdate/StopUpdate', { id: (await rowOf(away))?.rollout_id })).status).toBe(409)
})

test('a pause takes the offer back, and resuming gives it again under the same id', async () => {
  const device = deviceAt(1)
  device.temper = 'saysNothing'
  await fixture.connect(device)
  await uploaded()
  await update(device)
  const updateId = await offered(device)
  const id = (await rowOf(device))?.rollout_id
  expect((await fixture.post('ClientUpdate/PauseUpdate', { id })).body).toMatchObject({ state: 'paused' })
  expect((await rowOf(device))?.state).toBe('waiting')
  expect(
    await becomes(
      async () => device.documents.at(-1)?.client,
      (client) => client === null,
    ),
  ).toBeNull()
  const before = device.documents.length
  expect((await fixture.post('ClientUpdate/ResumeUpdate', { id })).body).toMatchObject({ state: 'running' })
  const again = await becomes(
    async () => device.documents.slice(before).findLast(({ client }) => client !== null),
    (document) => document !== undefined,
  )
  expect(again?.client?.updateId).toBe(updateId)
})

test('a halt takes back what nobody has begun; resuming overrules it, and what failed is tried again under a new id', async () => {
  const [broken, away] = [deviceAt(0), deviceAt(1)]
  broken.temper = 'fails'
  const { id: releaseId } = await uploaded()
  const choice = { deviceIds: ids(broken, away) }
  const { id } = (await fixture.post('ClientUpdate/CreateUpdate', { releaseId, choice, observeMinutes: 0 }))
    .body as ClientUpdateDetails
  expect(await stateBecomes(away, 'offered')).toBe('offered')
  await fixture.connect(broken)
  const details = async () =>
    (await fixture.ask('ClientUpdate/GetUpdate', { query: { id } })).body as ClientUpdateDetails
  expect(await becomes(details, ({ state }) => state === 'halted')).toMatchObject({
    state: 'halted',
    stateReason: '1 of 1 device failed, which is 5 % or more.',
    counts: { failed: 1, waiting: 1 },
  })
  await fixture.connect(away)
  await becomes(
    async () => away.documents.length,
    (count) => count > 0,
  )
  expect(away.documents.every(({ client }) => client === null)).toBe(true)
  // Another rollout is refused with the one in which the device waits.
  const where = `"Device 2": waits in the halted update ${id}.`
  expect(await update(away)).toEqual([where])
  expect(await check(away)).toMatchObject({
    refusals: [where],
    waiting: [{ deviceId: away.device.id, deviceName: 'Device 2', updateId: id, state: 'halted' }],
  })
  const client = await fixture.ask('Device/GetClientVersion', { query: { deviceId: away.device.id } })
  expect(client.body).toMatchObject({ update: { state: 'waiting', waitsIn: { updateId: id, state: 'halted' } } })

  expect((await fixture.post('ClientUpdate/ResumeUpdate', { id })).body).toMatchObject({
    state: 'running',
    stateReason: '',
  })
  expect(await stateBecomes(away, 'done')).toBe('done')
  expect(await becomes(details, ({ state }) => state !== 'running')).toMatchObject({ state: 'finished' })
  broken.temper = 'updates'
  expect((await fixture.post('ClientUpdate/RetryFailed', { id })).body).toMatchObject({ state: 'running' })
  expect(await stateBecomes(broken, 'done')).toBe('done')
  expect(new Set(broken.offers).size).toBe(2)
  expect((await rowOf(broken))?.tries).toBe(2)
  expect(await becomes(details, ({ state }) => state !== 'running')).toMatchObject({
    state: 'finished',
    counts: { done: 2 },
  })
  expect((await fixture.post('ClientUpdate/RetryFailed', { id })).body).toMatchObject({ code: 'nothing_failed' })
})

test('a device that is stuck is given up with a reason, and its own word still counts after that', async () => {
  const device = deviceAt(0)
  device.temper = 'onlyBegins'
  await fixture.connect(device)
  await uploaded()
  await update(device)
  const updateId = (await offered(device)) as string
  expect(await stateBecomes(device, 'downloading')).toBe('downloading')
  await fixture.owner.query(
    `update client_update set changed_at = now() - interval '11 minutes' where device_id = $1`,
    ids(device),
  )
  await fixture.owner.query(
    `update device_connection set opened_at = now() - interval '11 minutes' where device_id = $1`,
    ids(device),
  )
  expect(await stateBecomes(device, 'failed')).toBe('failed')
  expect((await rowOf(device))?.reason).toBe('The device has not got any further for 10 minutes.')
  expect(await fixture.statusOf(device)).toBe(2)
  await device.say(updateId, 'done')
  expect(await stateBecomes(device, 'done')).toBe('done')
  expect((await rowOf(device))?.reason).toBe('')
})

test('a device that was restarting and never came back has failed; one that is merely away is waited for', async () => {
  const [lost, away] = [deviceAt(0), deviceAt(1)]
  lost.temper = 'onlyBegins'
  await fixture.connect(lost)
  await uploaded()
  await update(lost, away)
  await lost.say((await offered(lost)) as string, 'restarting')
  expect(await stateBecomes(lost, 'restarting')).toBe('restarting')
  await lost.disconnect(fixture.owner)
  await fixture.owner.query(`update client_update set changed_at = now() - interval '16 minutes'`)
  expect(await stateBecomes(lost, 'failed')).toBe('failed')
  expect((await rowOf(lost))?.reason).toBe('The device has not come back since it restarted.')
  expect((await rowOf(away))?.state).toBe('offered')
})

test('a device is left out of an update as long as it has not restarted, is what it was, and free for another', async () => {
  const [busy, away] = [deviceAt(0), deviceAt(1)]
  busy.temper = 'onlyBegins'
  await fixture.connect(busy)
  const { version } = await uploaded()
  await update(busy, away)
  const updateId = (await offered(busy)) as string
  expect(await stateBecomes(busy, 'downloading')).toBe('downloading')
  expect(await stateBecomes(away, 'offered')).toBe('offered')
  const id = (await rowOf(busy))?.rollout_id
  const leaveOut = (device: UpdatedDevice) =>
    fixture.post('ClientUpdate/LeaveOutDevice', { id, deviceId: device.device.id })

  expect((await leaveOut(busy)).body).toMatchObject({ counts: { withdrawn: 1, offered: 1 } })
  expect(await rowOf(busy)).toMatchObject({ state: 'withdrawn', reason: 'admin@staff.example has left it out.' })
  expect(await fixture.statusOf(busy)).toBe(2)
  expect(
    await becomes(
      async () => busy.documents.at(-1)?.client,
      (client) => client === null,
    ),
  ).toBeNull()
  expect(await leaveOut(busy)).toMatchObject({ status: 409, body: { code: 'device_update_over' } })
  expect(await leaveOut(deviceAt(2))).toMatchObject({ status: 404 })
  expect(await check(busy, away)).toMatchObject({ version, refusals: ['"Device 2": an update is already running.'] })
  // The device was restarting already and could not be informed: its result still counts.
  await busy.say(updateId, 'done')
  expect(await stateBecomes(busy, 'done')).toBe('done')

  await fixture.owner.query(`update client_update set state = 'restarting' where device_id = $1`, ids(away))
  expect(await leaveOut(away)).toMatchObject({ status: 409, body: { code: 'device_restarting' } })
  const told = await fixture.rows<{ details: string }>(
    `select details from audit_log where details like 'Left out%' order by id`,
  )
  expect(told.map(({ details }) => details)).toEqual(['Left out: Device 1.'])
})

test('a device that is deactivated before it begins is left out, with the reason', async () => {
  const device = deviceAt(3)
  await uploaded()
  await update(device)
  expect(await stateBecomes(device, 'offered')).toBe('offered')
  await fixture.ask('Device/SetDeviceStatus', { query: { id: device.device.id, statusId: 4 } })
  expect(await stateBecomes(device, 'withdrawn')).toBe('withdrawn')
  expect((await rowOf(device))?.reason).toBe('The device is deactivated.')
  await fixture.connect(device)
  await becomes(
    async () => device.documents.length,
    (count) => count > 0,
  )
  expect(device.documents.every(({ client }) => client === null)).toBe(true)
})

test('going back needs to be meant, says so, and works', async () => {
  const device = deviceAt(0)
  const older = await uploaded()
  const newer = await uploaded()
  await fixture.owner.query('insert into device_client (device_id, version) values ($1, $2)', [
    device.device.id,
    newer.version,
  ])
  const plan = { releaseId: older.id, choice: { deviceIds: ids(device) } }
  expect((await fixture.post('ClientUpdate/PreviewUpdate', plan)).body).toMatchObject({
    updateCount: 1,
    downgradeCount: 1,
  })
  expect(await fixture.post('ClientUpdate/CreateUpdate', plan)).toMatchObject({
    status: 409,
    body: { code: 'downgrade_not_meant' },
  })
  await fixture.connect(device)
  const made = await fixture.post('ClientUpdate/CreateUpdate', { ...plan, downgradeMeant: true })
  expect(made.body).toMatchObject({ isDowngrade: true, version: older.version })
  expect(await stateBecomes(device, 'done')).toBe('done')
  expect(device.version).toBe(older.version)
})

test('an older release than the newest is a downgrade for devices, too, that run something older still', async () => {
  const older = await uploaded()
  const newer = await uploaded()
  const plan = { releaseId: older.id, choice: { deviceIds: ids(deviceAt(1)) } }
  const refused = await fixture.post('ClientUpdate/CreateUpdate', plan)
  expect(refused).toMatchObject({
    status: 409,
    body: {
      code: 'downgrade_not_meant',
      message: `${newer.version} is newer than ${older.version}. Confirm that this downgrade is meant.`,
    },
  })
  const made = await fixture.post('ClientUpdate/CreateUpdate', { ...plan, downgradeMeant: true })
  expect(made.body).toMatchObject({ isDowngrade: true, deviceCount: 1 })
})

test('a preview counts what a choice means, the plan cuts it into waves, and pages list its devices', async () => {
  const release = await uploaded()
  await fixture.owner.query('update device set status_id = 4 where id = $1', ids(deviceAt(3)))
  const plan = {
    releaseId: release.id,
    choice: { deviceIds: ids(...fixture.devices) },
    firstGroup: ids(deviceAt(2)),
    wavePercents: [50, 100],
  }
  expect((await fixture.post('ClientUpdate/PreviewUpdate', plan)).body).toEqual({
    chosenCount: 4,
    updateCount: 3,
    offlineCount: 3,
    downgradeCount: 0,
    unknownVersionCount: 3,
    alreadyThereCount: 0,
    deactivatedCount: 1,
    beingUpdatedCount: 0,
    waves: [1, 1, 1],
  })
  for (const wrong of [{ wavePercents: [50] }, { wavePercents: [60, 50, 100] }, { firstGroup: [2_000_000_000] }]) {
    expect((await fixture.post('ClientUpdate/PreviewUpdate', { ...plan, ...wrong })).status).toBe(400)
  }
  const made = (await fixture.post('ClientUpdate/CreateUpdate', plan)).body as ClientUpdateDetails
  expect(made.waves.map(({ deviceCount }) => deviceCount)).toEqual([1, 1, 1])
  const seen: UpdatedRow[] = []
  for (let next: string | null = ''; next !== null; ) {
    const query: Record<string, string | number> = { id: made.id, pageSize: 2, ...(next ? { next } : {}) }
    const page = (await fixture.ask('ClientUpdate/GetUpdateDevices', { query })).body as {
      rows: UpdatedRow[]
      next: string | null
    }
    seen.push(...page.rows)
    next = page.next
  }
  expect(seen.map(({ deviceId, wave }) => [deviceId, wave])).toEqual([
    [deviceAt(2).device.id, 1],
    ...seen.slice(1).map(({ deviceId, wave }) => [deviceId, wave]),
  ])
  expect(seen.map(({ wave }) => wave)).toEqual([1, 2, 3])
  expect(new Set(seen.map(({ deviceId }) => deviceId))).toEqual(new Set(ids(deviceAt(0), deviceAt(1), deviceAt(2))))

  const query = { id: made.id, rowNum: 2, pageSize: 1 }
  const second = await fixture.ask('ClientUpdate/GetUpdateDevices', { query })
  expect(second.body).toMatchObject({ rows: [{ deviceId: seen[1]?.deviceId }], next: expect.any(String) })
  const before = await fixture.ask('ClientUpdate/GetUpdateList', { query: { rowNum: 1, pageSize: 1 } })
  expect(before.body).toMatchObject({ rows: [{ id: made.id }] })
  for (const path of ['ClientUpdate/GetUpdateDevices', 'ClientUpdate/GetUpdateList'] as const) {
    const beyond = await fixture.ask(path, {
      query: path.endsWith('Devices') ? { id: made.id, rowNum: 10_001 } : { rowNum: 10_001 },
    })
    expect(beyond).toMatchObject({ status: 400, body: { code: 'page_too_deep' } })
  }
})
