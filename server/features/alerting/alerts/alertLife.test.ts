import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Alert, AlertDetails, AlertsEvent } from '#contract/http/alerting/alerts.ts'
import { eventsTopic } from '#contract/mqtt/topics.ts'
import type { CustomerId, DeviceId } from '#domain/ids.ts'
import { MINUTE_MS } from '#domain/units/time.ts'
import type { RunningServer } from '#server/app/server.ts'
import { addUser, openSession } from '#server/testing/callers.ts'
import { eventually } from '#server/testing/devices/gatewayFixture.ts'
import { listenLive } from '#server/testing/liveStream.ts'
import { type CommandFixture, commandFixture, type PlayedDevice } from '#server/testing/wholeServer/commandFixture.ts'

const LOAD = 5104

let fixture: CommandFixture
let admin: string
beforeAll(async () => {
  fixture = await commandFixture({ devices: 14 })
  await fixture.rows('update device set status_id = 2')
  const adminId = await addUser(fixture.owner, { username: 'admin@staff.example', functions: [1] })
  admin = await openSession(fixture.owner, adminId)
}, 120_000)
afterAll(() => fixture.close())

let next = 0
/** Connects a device that no other test uses to one of the two servers. */
async function newDevice(server: RunningServer = fixture.here): Promise<PlayedDevice> {
  const played = fixture.devices[next++]
  if (!played) throw new Error('More devices are needed.')
  await fixture.connect(played, server)
  return played
}

const startMs = Date.now() - 60 * MINUTE_MS
const at = (minute: number) => new Date(startMs + minute * MINUTE_MS).toISOString()

/** Resolves when the report is acknowledged, hence stored and evaluated. */
function report({ client, device }: PlayedDevice, minute: number, load: number) {
  const payload = JSON.stringify({ at: at(minute), values: { load } })
  return client?.publishAsync(eventsTopic(device.guid, 'ups'), payload, { qos: 1 })
}

const post = async (path: string, body: object, server?: RunningServer) =>
  fixture.ask(path, { token: admin, method: 'POST', body }, server)

async function setCondition(deviceId: DeviceId, valueDec: number, more: object = {}, server?: RunningServer) {
  const condition = { deviceId, eventTypeFieldId: LOAD, operatorId: 1, valueDec, ...more }
  const answer = await post('Alert/SetAlertCondition', condition, server)
  expect(answer).toMatchObject({ status: 200 })
  return answer.body as { id: number; conditionText: string }
}

async function alertsOf(deviceId: DeviceId, more: object = {}): Promise<Alert[]> {
  const answer = await fixture.ask('Alert/GetAlertList', { query: { deviceId, ...more } })
  expect(answer.status).toBe(200)
  return answer.body as Alert[]
}

const states = (alerts: readonly Alert[]) =>
  alerts.map(({ statusId, conditionStateId, activeCount }) => [statusId, conditionStateId, activeCount])

const detailsOf = async (id: number) =>
  (await fixture.ask('Alert/GetAlertDetails', { query: { id } })).body as AlertDetails

test('an alert opens with the reading that was acknowledged, lives, and is closed with a resolution', async () => {
  const played = await newDevice()
  const { id: deviceId } = played.device
  const { conditionText } = await setCondition(deviceId, 60.1)
  await report(played, 0, 60.1)
  expect(await alertsOf(deviceId)).toEqual([])
  await report(played, 1, 61)
  const [alert] = await alertsOf(deviceId)
  expect(alert).toMatchObject({ conditionText, created: at(1), statusId: 1, conditionStateId: 1, measurementId: LOAD })
  const device = async () =>
    (await fixture.ask('Device/GetDeviceById', { query: { id: deviceId } })).body as { activeAlerts: number }
  expect((await device()).activeAlerts).toBe(1)
  await report(played, 2, 5)
  expect(states(await alertsOf(deviceId))).toEqual([[1, 2, 1]])
  expect((await device()).activeAlerts).toBe(0)
  await report(played, 3, 70)
  expect(states(await alertsOf(deviceId))).toEqual([[1, 1, 2]])

  const close = { idList: [alert?.id], resolutionId: 1, comment: 'Fuse' }
  expect(await post('Alert/CloseAlerts', close)).toMatchObject({ status: 200, body: { closedCount: 1 } })
  expect(await post('Alert/CloseAlerts', close)).toMatchObject({
    status: 409,
    body: { code: 'alert_already_closed', message: expect.stringContaining(String(alert?.id)) },
  })
  // A condition that is still true is not raised again until it was false once.
  await report(played, 4, 80)
  expect(states(await alertsOf(deviceId))).toEqual([[2, 1, 2]])
  await report(played, 5, 5)
  await report(played, 6, 80)
  expect(states(await alertsOf(deviceId))).toEqual([
    [1, 1, 1],
    [2, 1, 2],
  ])
  const details = await detailsOf(alert?.id ?? 0)
  expect(details).toMatchObject({
    close_resolution_name: 'Resolved on site',
    close_comment: 'Fuse',
    closedBy: 'admin@staff.example',
    metric_value_dec: 61,
    value_dec: 60.1,
    neighbours: [{ created: at(6) }],
  })
  expect(details.history.map(({ kind, username }) => [kind, username])).toEqual([
    ['opened', ''],
    ['notActive', ''],
    ['active', ''],
    ['closed', 'admin@staff.example'],
  ])
})

test('an open screen hears of an alert at once, at every process, and of its close', async () => {
  const played = await newDevice()
  const { id: deviceId } = played.device
  await setCondition(deviceId, 50)
  const streams = await Promise.all(
    [fixture.here, fixture.there].map(({ localAddresses }) =>
      listenLive(localAddresses.httpUrl, fixture.token, { deviceIds: [deviceId] }),
    ),
  )
  // The processes know a moment later which devices are watched elsewhere.
  await eventually(
    async () => (await fixture.rows('select from live_watch where device_id = $1', [deviceId])).length,
    (count) => count === 2,
  )
  await report(played, 0, 55)
  const told = async () =>
    streams.map(({ heard }) => {
      const events = heard.filter(({ event }) => event === 'alerts').map(({ data }) => data as AlertsEvent)
      return events.at(-1)?.alerts.map(({ statusId }) => statusId)
    })
  expect(await eventually(told, (all) => all.every((one) => one?.length === 1))).toEqual([[1], [1]])
  const [alert] = await alertsOf(deviceId)
  await post('Alert/CloseAlerts', { idList: [alert?.id], resolutionId: 2 })
  expect(await eventually(told, (all) => all.every((one) => one?.[0] === 2))).toEqual([[2], [2]])
  for (const stream of streams) stream.close()
})

test('an alert is acknowledged with an owner and a note, again and again, and its tile leads to it', async () => {
  const played = await newDevice()
  const { id: deviceId } = played.device
  await setCondition(deviceId, 50)
  await report(played, 0, 55)
  const [alert] = await alertsOf(deviceId)
  const id = alert?.id ?? 0
  await post('Alert/AcknowledgeAlert', { id, note: 'On my way' })
  const answer = await post('Alert/AcknowledgeAlert', { id, ownerId: fixture.managerId, note: 'Yours' })
  expect(answer.body).toMatchObject({ acknowledged: { username: 'admin@staff.example', note: 'Yours' } })
  expect((await alertsOf(deviceId))[0]?.ownerName).toBe('manager@staff.example')
  const history = (await detailsOf(id)).history.filter(({ kind }) => kind === 'acknowledged')
  expect(history.map(({ text }) => text)).toEqual(['On my way', 'Yours'])
  const tiles = (await fixture.ask('Device/GetDeviceDashboardData', { query: { deviceId } })).body as {
    field_id: number
    alert_id: number | null
  }[]
  expect(tiles.filter(({ alert_id }) => alert_id !== null)).toMatchObject([{ field_id: LOAD, alert_id: id }])
  await post('Alert/CloseAlerts', { idList: [id], resolutionId: 2 })
  expect(await post('Alert/AcknowledgeAlert', { id, note: 'Too late' })).toMatchObject({ status: 409 })
})

test('of a device that moves, the next reading opens an alert of the next customer’s, and none changes an earlier one', async () => {
  const played = await newDevice()
  const { id: deviceId } = played.device
  await setCondition(deviceId, 60)
  await report(played, 10, 70)
  const [before] = await alertsOf(deviceId)
  const next = await fixture.rows<{ id: CustomerId }>(`insert into customer (name) values ('The next') returning id`)
  expect(await post('Device/SetDeviceDetails', { id: deviceId, customerId: next[0]?.id })).toMatchObject({
    status: 200,
  })
  const closed = await detailsOf(before?.id ?? 0)
  expect(closed).toMatchObject({ statusId: 2, close_resolution_name: 'Moved to another customer' })
  let minute = 20
  const opened = await eventually(
    async () => {
      // Every process learns of the move a moment after it.
      await report(played, minute++, 71)
      return alertsOf(deviceId, { statusId: 1 })
    },
    (alerts) => alerts.length > 0,
  )
  expect(opened).toMatchObject([{ conditionStateId: 1 }])
  const ofNext = await fixture.rows('select customer_id from alert where id = $1', [opened[0]?.id])
  expect(ofNext).toEqual([{ customer_id: next[0]?.id }])
  // This report is late: in the order of device time it would have opened the first alert, and been closed with it.
  await report(played, 5, 80)
  await eventually(
    () => fixture.rows('select from alert_refold where device_id = $1', [deviceId]),
    (marks) => marks.length === 0,
  )
  // The alert is folded into its incident a moment later.
  const after = await eventually(
    () => detailsOf(before?.id ?? 0),
    ({ incident }) => incident !== null,
  )
  const changing = { neighbours: expect.any(Array), incident: expect.anything() }
  expect(after).toEqual({ ...closed, ...changing })
  expect((await alertsOf(deviceId, { statusId: 1 })).map(({ id }) => id)).toEqual(opened.map(({ id }) => id))
})

test('a condition that is removed closes what it opened, in the same transaction, and raises nothing more', async () => {
  const played = await newDevice()
  const { id: deviceId } = played.device
  const { id } = await setCondition(deviceId, 50)
  await report(played, 0, 55)
  const removed = await fixture.ask('Alert/DelAlertCondition', { token: admin, method: 'POST', body: { id } })
  expect(removed).toMatchObject({ status: 200, body: true })
  await report(played, 1, 5)
  await report(played, 2, 55)
  const alerts = await alertsOf(deviceId)
  expect(states(alerts)).toEqual([[2, 1, 1]])
  expect(await detailsOf(alerts[0]?.id ?? 0)).toMatchObject({
    close_resolution_name: 'Condition removed',
    closedBy: null,
  })
})

test('a condition that is changed at one process counts from the very next reading at another', async () => {
  const played = await newDevice(fixture.there)
  const { id: deviceId } = played.device
  const { id } = await setCondition(deviceId, 1_000)
  for (let round = 0; round < 10; round++) {
    const minute = round * 3
    await setCondition(deviceId, 50, { id }, fixture.here)
    await report(played, minute, 55)
    const [alert] = await alertsOf(deviceId, { statusId: 1 })
    expect([round, alert?.created]).toEqual([round, at(minute)])
    await post('Alert/CloseAlerts', { idList: [alert?.id], resolutionId: 1 })
    await setCondition(deviceId, 1_000, { id }, fixture.here)
    await report(played, minute + 1, 55)
    expect(await alertsOf(deviceId, { statusId: 1 })).toEqual([])
  }
})

test('what a pending or deactivated device reports raises nothing, and nothing of it counts later', async () => {
  const played = await newDevice()
  const { id: deviceId } = played.device
  await setCondition(deviceId, 50)
  const setStatus = (statusId: number) =>
    fixture.ask('Device/SetDeviceStatus', { method: 'POST', body: { id: deviceId, statusId } })
  await setStatus(4)
  await report(played, 10, 55)
  await setStatus(3)
  await report(played, 12, 5)
  // This late report makes the period be folded again; what was reported while deactivated must stay silent.
  await report(played, 11, 5)
  await eventually(
    async () => (await fixture.rows('select from alert_refold where device_id = $1', [deviceId])).length,
    (count) => count === 0,
  )
  expect(await alertsOf(deviceId)).toEqual([])
  await report(played, 13, 55)
  expect(states(await alertsOf(deviceId))).toEqual([[1, 1, 1]])
})

test('an alert that is closed while it is true is not opened again by a process that has not seen it', async () => {
  const played = await newDevice()
  const { id: deviceId } = played.device
  await setCondition(deviceId, 50)
  await report(played, 0, 55)
  const [alert] = await alertsOf(deviceId)
  await post('Alert/CloseAlerts', { idList: [alert?.id], resolutionId: 1 })
  await played.disconnect(fixture.owner)
  await fixture.connect(played, fixture.there)
  await report(played, 1, 56)
  expect(states(await alertsOf(deviceId))).toEqual([[2, 1, 1]])
  await report(played, 2, 5)
  await report(played, 3, 57)
  expect(states(await alertsOf(deviceId))).toEqual([
    [1, 1, 1],
    [2, 1, 1],
  ])
})

test('a closed alert that was still true stays closed when its condition is changed without a reading between', async () => {
  const played = await newDevice()
  const { id: deviceId } = played.device
  const { id } = await setCondition(deviceId, 50)
  await report(played, 0, 55)
  await setCondition(deviceId, 51, { id })
  await report(played, 1, 56)
  const [alert] = await alertsOf(deviceId)
  await post('Alert/CloseAlerts', { idList: [alert?.id], resolutionId: 1 })
  await report(played, 2, 57)
  expect(states(await alertsOf(deviceId))).toEqual([[2, 1, 1]])
})
