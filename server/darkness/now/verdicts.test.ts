import type { MqttClient } from 'mqtt'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventsTopic } from '#contract/mqtt/topics.ts'
import type { EventTypeTopic } from '#domain/catalogue/eventTypes.ts'
import { componentModelById } from '#domain/components/componentModels.ts'
import { alertConsequence } from '#domain/darkness/alertConsequence.ts'
import { bitOf } from '#domain/darkness/wrongKinds.ts'
import type { FieldId } from '#domain/ids.ts'
import { HOUR_MS } from '#domain/units/time.ts'
import type { RunningServer } from '#server/app/server.ts'
import { openPool } from '#server/db/connect/pool.ts'
import { addUser, openSession } from '#server/testing/callers.ts'
import { freshDatabase } from '#server/testing/database/freshDatabase.ts'
import { connectDevice, eventually, insertDevices, type TestDevice } from '#server/testing/devices/gatewayFixture.ts'
import { askServer, startWholeServer } from '#server/testing/wholeServer/wholeServer.ts'
import { seededRandom } from '#testing/seededRandom.ts'
import { readNowFacts } from './nowFacts.ts'
import { judged, readKept } from './verdictRows.ts'

/** The condition says that the battery of the UPS is below 50 %. */
const FIELD_ID = 5102 as FieldId
const UPS = {
  status: 'on line interactive normal',
  input_voltage: 231,
  output_voltage: 230,
  battery_charge: 97,
}
const ON_BATTERY = { ...UPS, status: 'on battery', input_voltage: 0 }
const DISPLAY = { internal_temp: 31, intake_temp: 24, backlight_level: 80, out_of_order_status: 'HDMI-1' }
const COMPUTER = { uptime: 4000, status_id: 1 }

let database: Awaited<ReturnType<typeof freshDatabase>>
let owner: ReturnType<typeof openPool>
let server: RunningServer
let token: string
let devices: TestDevice[]
const clients: MqttClient[] = []

beforeAll(async () => {
  database = await freshDatabase()
  owner = openPool(database.ownerUrl, { maximumConnections: 3, name: 'test owner' })
  devices = await insertDevices(owner, 6)
  for (const { id } of devices) await addComponents(id)
  await owner.query('update device set status_id = 2')
  await owner.query(
    `insert into alert_condition (device_id, field_id, operator_code, value_dec, severity_id) values ($1, ${FIELD_ID}, 'LT', 50, 1)`,
    [devices[2]?.id],
  )
  server = await startWholeServer(database)
  token = await openSession(owner, await addUser(owner, { username: 'manager@staff.example', functions: [1, 2] }))
}, 60_000)
afterAll(async () => {
  for (const client of clients) client.end(true)
  await server.stop()
  await owner.end()
  await database.drop()
})

/** Adds a display, a UPS and a relay, wired as the model is. */
async function addComponents(deviceId: number) {
  for (const [componentModelId, label] of [
    [17, 'Display'],
    [5, 'UPS'],
    [4, 'Relay'],
  ]) {
    await owner.query(
      `insert into device_component (device_id, component_model_id, category_id, number, label)
       values ($1, $2, $3, 1, $4)`,
      [deviceId, componentModelId, componentModelById(Number(componentModelId))?.categoryId, label],
    )
  }
}

async function connect(device: TestDevice): Promise<MqttClient> {
  const client = await connectDevice(Number(new URL(server.localAddresses.mqttUrl).port), device)
  clients.push(client)
  return client
}

async function report(client: MqttClient, device: TestDevice, topic: EventTypeTopic, values: object, at = new Date()) {
  const text = JSON.stringify({ at: at.toISOString(), values })
  await client.publishAsync(eventsTopic(device.guid, topic), text, { qos: 1 })
}

async function reportHealthy(client: MqttClient, device: TestDevice, at = new Date()) {
  await report(client, device, 'device', COMPUTER, at)
  await report(client, device, 'relay', { port1_status: 1, port2_status: 0 }, at)
  await report(client, device, 'ups', UPS, at)
  await report(client, device, 'display', DISPLAY, at)
}

interface Row {
  readonly light: string | null
  readonly light_since: Date | null
  readonly cause: { readonly finding: string } | null
  readonly is_on_battery: boolean | null
  readonly battery_since: Date | null
  readonly is_silent: boolean | null
  readonly silent_since: Date | null
  readonly active_alerts: number | null
  readonly wrong_kinds: number
  readonly restarting_since: Date | null
}

const rowOf = async ({ id }: TestDevice) =>
  (await owner.query<Row>('select * from device_now where device_id = $1', [id])).rows[0]

/** The clock would not find a change this soon, so a notice must have. */
const TOLD_MS = 6_000
const becomes = (device: TestDevice, is: (row: Row) => boolean) =>
  eventually(
    () => rowOf(device),
    (row) => row !== undefined && is(row),
    TOLD_MS,
  )

const call = (path: string, body: object) =>
  askServer(server.localAddresses.httpUrl, path, { token, method: 'POST', body })

test('what a device reports turns its verdict: lit, dark for a reason since its reading, and lit again', async () => {
  const device = devices[0] as TestDevice
  const client = await connect(device)
  await reportHealthy(client, device)
  expect(await becomes(device, ({ light }) => light === 'lit')).toMatchObject({
    light: 'lit',
    cause: null,
    is_on_battery: false,
    is_silent: false,
    active_alerts: 0,
  })
  const lostAt = new Date()
  await report(client, device, 'display', { ...DISPLAY, out_of_order_status: 'ARGB' }, lostAt)
  expect(await becomes(device, ({ light }) => light !== 'lit')).toMatchObject({
    light: 'unplanned',
    light_since: lostAt,
    cause: { displayNumber: 1, finding: 'sourceLost', link: 'content' },
  })
  // A repeated report does not move the beginning.
  await report(client, device, 'display', { ...DISPLAY, out_of_order_status: 'ARGB' })
  const batteryAt = new Date()
  await report(client, device, 'ups', ON_BATTERY, batteryAt)
  expect(await becomes(device, ({ is_on_battery }) => is_on_battery === true)).toMatchObject({
    light: 'unplanned',
    light_since: lostAt,
    battery_since: batteryAt,
  })
  await report(client, device, 'display', { ...DISPLAY, out_of_order_status: 'HDMI-1' })
  expect(await becomes(device, ({ light }) => light === 'lit')).toMatchObject({ cause: { finding: 'onBattery' } })
})

test('a client that keeps restarting is something wrong since it began, until it says that it runs', async () => {
  const device = devices[0] as TestDevice
  const client = await connect(device)
  await reportHealthy(client, device)
  await becomes(device, ({ light }) => light === 'lit')
  await report(client, device, 'device', { client_starts: 4 })
  const beganAt = new Date()
  await report(client, device, 'device', { client_starts: 5 }, beganAt)
  const wrong = await becomes(device, ({ restarting_since: since }) => since !== null)
  expect(wrong?.restarting_since).toEqual(beganAt)
  expect((wrong?.wrong_kinds ?? 0) & bitOf('restarting')).toBeGreaterThan(0)
  await report(client, device, 'device', { client_starts: 6 })
  await report(client, device, 'device', { client_starts: 3 })
  const fine = await becomes(device, ({ restarting_since: since }) => since === null)
  expect((fine?.wrong_kinds ?? 0) & bitOf('restarting')).toBe(0)
})

test('what a sensor measures at the panel turns the verdict against what the display reports, and is told', async () => {
  const device = devices[0] as TestDevice
  const client = await connect(device)
  await reportHealthy(client, device)
  await becomes(device, ({ light }) => light === 'lit')
  await report(client, device, 'display', { ...DISPLAY, panel_light: 0 })
  expect(await becomes(device, ({ light }) => light === 'unplanned')).toMatchObject({
    cause: { finding: 'backlightDead' },
  })
  const answer = await askServer(server.localAddresses.httpUrl, 'Device/GetDarkness', {
    token,
    query: { deviceId: device.id },
  })
  const { walks } = answer.body as { walks: { verdict: { sentence: string } }[] }
  expect(walks[0]?.verdict.sentence).toBe(
    'Display is dark: the panel gives no light, measured at the panel, although it reports a backlight of 80 %.',
  )
  await report(client, device, 'display', { backlight_level: 0, panel_light: 45 })
  expect(await becomes(device, ({ light }) => light === 'lit')).toMatchObject({ cause: null })
})

test('a connection that comes and goes turns it', async () => {
  const device = devices[1] as TestDevice
  const client = await connect(device)
  const lastAt = new Date()
  await reportHealthy(client, device, lastAt)
  expect(await becomes(device, ({ light }) => light === 'lit')).toMatchObject({ is_silent: false })
  client.end(true)
  const gone = await becomes(device, ({ is_silent }) => is_silent === true)
  expect(gone).toMatchObject({ light: 'unknown', light_since: lastAt, cause: { finding: 'offline' } })
  const { rows } = await owner.query(
    'select at from device_presence_history where device_id = $1 order by at desc limit 1',
    [device.id],
  )
  expect(gone?.silent_since).toEqual(rows[0]?.at)
})

test('what told only of its past before it left is silent since it left, not since it measured that', async () => {
  const device = devices[5] as TestDevice
  const client = await connect(device)
  const measuredAt = new Date(Date.now() - 2 * HOUR_MS)
  const toldAtMs = Date.now()
  await reportHealthy(client, device, measuredAt)
  client.end(true)
  const gone = await becomes(device, (now) => now.is_silent === true && now.light_since !== null)
  expect(gone?.silent_since?.getTime()).toBeGreaterThan(toldAtMs)
})

test('alerts that are active now are counted, and no more when they are closed', async () => {
  const device = devices[2] as TestDevice
  const client = await connect(device)
  await reportHealthy(client, device)
  await report(client, device, 'ups', { ...UPS, battery_charge: 30 })
  expect(await becomes(device, ({ active_alerts }) => active_alerts === 1)).toMatchObject({
    active_alerts: 1,
    // Severity comes first: a critical alert ranks before every warning, whatever is at stake.
    alert_consequence: 10 + alertConsequence(FIELD_ID),
  })
  const { rows } = await owner.query<{ id: string }>('select id from alert where device_id = $1', [device.id])
  const closed = await call('Alert/CloseAlerts', {
    idList: rows.map(({ id }) => Number(id)),
    resolutionId: 1,
  })
  expect(closed.status).toBe(200)
  expect(await becomes(device, ({ active_alerts }) => active_alerts === 0)).toMatchObject({ active_alerts: 0 })
})

test('wiring turns it', async () => {
  const device = devices[3] as TestDevice
  const client = await connect(device)
  await reportHealthy(client, device)
  expect(await becomes(device, ({ light }) => light === 'lit')).toMatchObject({ cause: null })
  const wired = await call('Device/SetFeedChain', { deviceId: device.id, feeds: { 'display/1': 'relayPort/1/2' } })
  expect(wired.status).toBe(200)
  expect(await becomes(device, ({ cause }) => cause !== null)).toMatchObject({ cause: { finding: 'outletOff' } })
})

const DISPLAYS = [{ backlight_level: 0 }, { out_of_order_status: 'ARGB' }, {}]
const GRIDS = [UPS, ON_BATTERY, { output_voltage: 0 }]
const COMPUTERS = [COMPUTER, { status_id: 2 }, { uptime: 5000 }]

test('whatever happens to devices, in the end the kept verdicts are those that are found anew', async () => {
  const thrown = seededRandom()
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(thrown() * items.length)] as Item
  const some = devices.slice(3)
  const online = new Map(await Promise.all(some.map(async (device) => [device, await connect(device)] as const)))
  for (let step = 0; step < 60; step++) {
    const device = pick(some)
    const client = online.get(device)
    if (client === undefined) {
      online.set(device, await connect(device))
      continue
    }
    const [display, ups, computer] = [pick(DISPLAYS), pick(GRIDS), pick(COMPUTERS)]
    // Some reports come late.
    const at = new Date(Date.now() - (thrown() < 0.2 ? 90_000 : 0))
    switch (pick(['display', 'display', 'ups', 'device', 'goes'] as const)) {
      case 'display':
        await report(client, device, 'display', { ...DISPLAY, ...display }, at)
        break
      case 'ups':
        await report(client, device, 'ups', ups, at)
        break
      case 'device':
        await report(client, device, 'device', computer, at)
        break
      case 'goes':
        online.delete(device)
        client.end(true)
    }
  }
  const ids = some.map(({ id }) => id)
  const wrong = async () => {
    const now = new Date()
    const [facts, kept] = [await readNowFacts(owner, ids, now), await readKept(owner, ids)]
    return ids.filter((id) => {
      const [device, its] = [facts.get(id), kept.get(id)]
      return device === undefined || its === undefined || judged(id, device, its, now).isNews
    })
  }
  expect(await eventually(wrong, (ids) => ids.length === 0, TOLD_MS)).toEqual([])
})
