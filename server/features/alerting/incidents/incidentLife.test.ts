import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Alert } from '#contract/http/alerting/alerts.ts'
import type { Incident } from '#contract/http/alerting/incidents.ts'
import { eventsTopic } from '#contract/mqtt/topics.ts'
import { MINUTE_MS } from '#domain/units/time.ts'
import { addUser, openSession } from '#server/testing/callers.ts'
import { eventually } from '#server/testing/devices/gatewayFixture.ts'
import { type CommandFixture, commandFixture, type PlayedDevice } from '#server/testing/wholeServer/commandFixture.ts'

const LOAD = 5104
const TEMP = 5108

let fixture: CommandFixture
let admin: string
beforeAll(async () => {
  fixture = await commandFixture({ devices: 3 })
  await fixture.rows(`update device set status_id = 2, address = 'Quay 3'`)
  const adminId = await addUser(fixture.owner, { username: 'admin@staff.example', functions: [1] })
  admin = await openSession(fixture.owner, adminId)
}, 120_000)
afterAll(() => fixture.close())

const startMs = Date.now() - 60 * MINUTE_MS

const report = ({ client, device }: PlayedDevice, minute: number, values: object) =>
  client?.publishAsync(
    eventsTopic(device.guid, 'ups'),
    JSON.stringify({ at: new Date(startMs + minute * MINUTE_MS).toISOString(), values }),
    { qos: 1 },
  )

const post = async (path: string, body: object) => {
  const answer = await fixture.ask(path, { token: admin, method: 'POST', body })
  expect(answer, JSON.stringify(answer)).toMatchObject({ status: 200 })
}
const read = async (path: string, query: Readonly<Record<string, string>> = {}) =>
  (await fixture.ask(path, { token: admin, query })).body
const incidents = async (query: Readonly<Record<string, string>> = {}) =>
  ((await read('Incident/GetIncidentList', query)) as { rows: Incident[] }).rows
const shown = (rows: readonly Incident[]) =>
  rows.map(({ alertCount, activeCount, deviceCount, state }) => `${alertCount} ${activeCount} ${deviceCount} ${state}`)

test('alerts become an incident, end it, and closing or deleting takes them out', async () => {
  const [one, other] = fixture.devices as [PlayedDevice, PlayedDevice]
  await fixture.connect(one, fixture.here)
  await fixture.connect(other, fixture.here)
  for (const { device } of [one, other])
    for (const eventTypeFieldId of [LOAD, TEMP])
      await post('Alert/SetAlertCondition', { deviceId: device.id, eventTypeFieldId, operatorId: 1, valueDec: 50 })
  await report(one, 1, { load: 60, temp: 60 })
  await report(other, 4, { load: 60, temp: 20 })
  const [incident] = await eventually(
    () => incidents(),
    (rows) => shown(rows).join() === '3 3 2 active',
  )
  expect(incident?.cause.deviceId).toBe(one.device.id)

  await report(one, 10, { load: 20, temp: 20 })
  await report(other, 11, { load: 20, temp: 20 })
  await eventually(
    () => incidents(),
    (rows) => shown(rows).join() === '3 0 2 over',
  )

  const alerts = (await read('Alert/GetAlertList')) as Alert[]
  expect(alerts.map(({ incident: of }) => of?.id)).toEqual(alerts.map(() => incident?.id))
  await post('Alert/CloseAlerts', { idList: alerts.map(({ id }) => id), resolutionId: 1 })
  await eventually(
    () => incidents({ state: 'closed' }),
    (rows) => shown(rows).join() === '3 0 2 closed',
  )
  expect(await incidents()).toEqual([])

  // A late reading moves the alert to an earlier moment, and the alert stays in its incident.
  await report(one, 30, { load: 70 })
  await eventually(
    () => incidents(),
    (rows) => shown(rows).join() === '1 1 1 active',
  )

  expect(await read('Device/DelDevice', { id: String(one.device.id) })).toBe(true)
  await eventually(
    () => incidents(),
    (rows) => rows.length === 0,
  )
}, 120_000)
