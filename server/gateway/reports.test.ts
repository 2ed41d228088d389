import type { MqttClient } from 'mqtt'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readCurrentState } from '#server/telemetry/state/currentState.ts'
import {
  eventually,
  type GatewayFixture,
  gatewayFixture,
  insertDevices,
  type TestDevice,
} from '#server/testing/devices/gatewayFixture.ts'

let fixture: GatewayFixture
beforeAll(async () => {
  fixture = await gatewayFixture()
})
afterAll(() => fixture.close())

/** Each test has its own device, so that none sees another's rows. */
async function newDevice(): Promise<TestDevice> {
  return (await insertDevices(fixture.owner, 1))[0] as TestDevice
}

const root = ({ guid }: TestDevice) => `v1/devices/${guid}/`
const reportOf = (values: object, atMs = Date.now()) => JSON.stringify({ at: new Date(atMs).toISOString(), values })
const send = (client: MqttClient, device: TestDevice, topic: string, payload: string | Buffer, qos: 0 | 1 | 2 = 1) =>
  client.publishAsync(root(device) + topic, payload, { qos })

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
const manyKeys = () => Array.from({ length: 6000 }, (_, n) => `"${n.toString(36)}":1`).join(',')

const displayRows = (device: TestDevice) =>
  fixture.rows(
    `select number, device_dt, claimed_at, backlight_level, contrast, source, extra from reading_display
     where device_id = $1 order by device_dt`,
    [device.id],
  )
const rejectionsOf = (device: TestDevice) =>
  fixture.rows<{ reason: string; detail: string; topic: string; payload: Buffer }>(
    'select reason, detail, topic, payload from rejected_report where device_id = $1 order by received_at',
    [device.id],
  )
const countsOf = (device: TestDevice) =>
  fixture.rows('select reason, count from rejected_report_count where device_id = $1 order by reason', [device.id])

test('a report is acknowledged when it is in the database, and it is the current state', async () => {
  const device = await newDevice()
  const client = await fixture.connect(device)
  const atMs = Date.now()
  const values = { backlight_level: 60.1, source: "HDMI '1'", wobble: true, contrast: null }
  await send(client, device, 'events/display/2', reportOf(values, atMs))
  expect(await displayRows(device)).toEqual([
    {
      number: 2,
      device_dt: new Date(atMs),
      claimed_at: null,
      backlight_level: 60.1,
      contrast: null,
      source: "HDMI '1'",
      extra: { wobble: true },
    },
  ])
  const state = await readCurrentState(fixture.pool, device.id)
  expect(state.map(({ numbered, value, at }) => [numbered.wireName, value, at.getTime()])).toEqual([
    ['d2_backlight_level', 60.1, atMs],
    ['d2_source', "HDMI '1'", atMs],
  ])
})

test.each([
  ['events/display', 'bad_shape', `{"at":"2026-11-20T10:00:00.000Z","values":{"a":${nested(30_000)}}}`],
  ['events/display', 'too_many_fields', `{"at":"2026-11-20T10:00:00.000Z","values":{${manyKeys()}}}`],
  ['messages', 'bad_shape', nested(30_000)],
  ['messages', 'bad_shape', '{"at":"2026-11-20T10:00:00.000Z","msg":"x","msg":"y"}'],
  ['messages', 'too_many_fields', `{${manyKeys()}}`],
  ['replies/0b5e9a52-3f3e-4a2e-9a51-000000000001', 'bad_shape', nested(30_000)],
  [
    'replies/0b5e9a52-3f3e-4a2e-9a51-000000000001',
    'bad_shape',
    `{"ok":true,"text":"","errors":[${'1,'.repeat(30_000)}1]}`,
  ],
  ['replies/0b5e9a52-3f3e-4a2e-9a51-000000000001', 'bad_shape', '{"ok":false,"ok":true,"text":"","errors":[]}'],
  ['replies/settings-1', 'too_many_fields', `{"version":1,"results":[{${manyKeys()}}]}`],
  ['replies/client-0b5e9a52-3f3e-4a2e-9a51-000000000001', 'bad_shape', `{"${'x'.repeat(60_000)}":1}`],
])('below %s hostile JSON is rejected as %s, acknowledged, counted and kept with a short reason', async (...given) => {
  const [topic, reason, payload] = given
  const device = await newDevice()
  const client = await fixture.connect(device)
  await send(client, device, topic, payload)
  expect(await countsOf(device)).toEqual([{ reason, count: 1 }])
  expect((await rejectionsOf(device)).map(({ detail }) => detail.length < 400)).toEqual([true])
  await send(client, device, 'events/display', reportOf({ contrast: 1 }))
  expect(await displayRows(device)).toMatchObject([{ contrast: 1 }])
})

test.each([0, 1, 2] as const)('a report with quality of service %i is stored', async (qos) => {
  const device = await newDevice()
  const client = await fixture.connect(device)
  await send(client, device, 'events/display', reportOf({ contrast: 5 }), qos)
  expect(
    await eventually(
      () => displayRows(device),
      (rows) => rows.length > 0,
    ),
  ).toMatchObject([{ contrast: 5 }])
})

test('a report that is sent twice is stored once, and what it adds later fills only what was missing', async () => {
  const device = await newDevice()
  const client = await fixture.connect(device)
  const atMs = Date.now()
  for (const values of [
    { contrast: 1, a: 1 },
    { contrast: 1, a: 1 },
    { contrast: 2, backlight_level: 3, a: 2, b: 3 },
  ]) {
    await send(client, device, 'events/display', reportOf(values, atMs))
  }
  expect(await displayRows(device)).toMatchObject([{ contrast: 1, backlight_level: 3, extra: { a: 1, b: 3 } }])
})

test('what can never be stored is acknowledged, counted and kept with its reason, and its neighbours are stored', async () => {
  const device = await newDevice()
  const client = await fixture.connect(device)
  await send(client, device, 'events/display', '{"at":')
  await send(client, device, 'events/display', reportOf({ contrast: 'high' }))
  await send(client, device, 'events/toaster', reportOf({ contrast: 1 }))
  await send(client, device, 'events/display/4', reportOf({ contrast: 1 }))
  await send(client, device, 'events/display', Buffer.alloc(70_000, 0x20))
  await send(client, device, 'messages', reportOf({}))
  await send(client, device, 'events/display', reportOf({ contrast: 9 }))
  expect(await displayRows(device)).toMatchObject([{ contrast: 9 }])
  const kept = await rejectionsOf(device)
  expect(kept.map(({ reason, topic }) => `${reason} ${topic}`)).toEqual([
    'not_json events/display',
    'bad_value events/display',
    'unknown_topic events/toaster',
    'unknown_topic events/display/4',
    'too_large events/display',
    'bad_shape messages',
  ])
  expect(kept[1]?.detail).toBe('contrast is the text "high", not a number.')
  expect(kept[0]?.payload.toString()).toBe('{"at":')
  expect(kept[4]?.detail).toBe('70000 bytes, at most 65536 are read.')
  expect(await countsOf(device)).toEqual([
    { reason: 'bad_shape', count: 1 },
    { reason: 'bad_value', count: 1 },
    { reason: 'not_json', count: 1 },
    { reason: 'too_large', count: 1 },
    { reason: 'unknown_topic', count: 2 },
  ])
  expect(client.connected).toBe(true)
})

test('a packet of two megabytes is skipped, acknowledged and counted, and the next report is stored', async () => {
  const device = await newDevice()
  const client = await fixture.connect(device)
  const before = process.memoryUsage().rss
  for (let index = 0; index < 20; index++) await send(client, device, 'events/display', Buffer.alloc(2_000_000, 0x61))
  await send(client, device, 'events/display', reportOf({ contrast: 4 }))
  expect(await countsOf(device)).toEqual([{ reason: 'too_large', count: 20 }])
  expect(await displayRows(device)).toMatchObject([{ contrast: 4 }])
  expect(process.memoryUsage().rss - before).toBeLessThan(300_000_000)
})

test.each([-365, 365])(
  'a clock that is %i days off neither loses its neighbours nor freezes the state',
  async (days) => {
    const device = await newDevice()
    const client = await fixture.connect(device)
    const now = Date.now()
    const wrongMs = now + days * 86_400_000
    await send(client, device, 'events/display', reportOf({ contrast: 1 }, now))
    await send(
      client,
      device,
      'events/display',
      `[${reportOf({ contrast: 2 }, wrongMs)},${reportOf({ contrast: 3 }, wrongMs + 1)}]`,
    )
    await send(client, device, 'events/display', reportOf({ contrast: 4 }, now + 2))
    const rows = await displayRows(device)
    const marked = rows.filter(({ claimed_at }) => claimed_at !== null)
    expect(rows.filter(({ claimed_at }) => claimed_at === null)).toMatchObject([{ contrast: 1 }, { contrast: 4 }])
    expect(marked).toMatchObject([{ contrast: 2 }, { contrast: 3 }])
    expect(marked[0]?.claimed_at).toEqual(new Date(wrongMs))
    expect(await countsOf(device)).toEqual([])
    const state = await readCurrentState(fixture.pool, device.id)
    expect(state.map(({ value }) => value)).toEqual([4])
  },
)

test('a message is kept once, however often it is sent', async () => {
  const device = await newDevice()
  const client = await fixture.connect(device)
  const at = new Date().toISOString()
  for (const msg of ['started', 'started', 'ready']) await send(client, device, 'messages', JSON.stringify({ at, msg }))
  expect(
    await fixture.rows('select msg, at from device_message where device_id = $1 order by msg', [device.id]),
  ).toEqual([
    { msg: 'ready', at: new Date(at) },
    { msg: 'started', at: new Date(at) },
  ])
})

test('two processes may store reports of one device, even of the same instants', async () => {
  const device = await newDevice()
  const one = await fixture.connect(device, { clientId: 'one' })
  const other = await fixture.connect(device, { clientId: 'other', to: await fixture.another() })
  const firstMs = Date.now() - 1000
  const instants = Array.from({ length: 200 }, (_, index) => firstMs + index)
  const halves = instants.flatMap((at) => [
    send(one, device, 'events/display', reportOf({ contrast: at - firstMs }, at)),
    send(other, device, 'events/display', reportOf({ backlight_level: at - firstMs }, at)),
  ])
  await Promise.all(halves)
  const rows = await displayRows(device)
  expect(rows.map(({ contrast, backlight_level }) => [contrast, backlight_level])).toEqual(
    instants.map((_, index) => [index, index]),
  )
  const state = await readCurrentState(fixture.pool, device.id)
  expect(state.map(({ value, at }) => [value, at.getTime()])).toEqual([
    [199, firstMs + 199],
    [199, firstMs + 199],
  ])
})
