import { connectAsync } from 'mqtt'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { HOUR_MS, SECOND_MS } from '#domain/units/time.ts'
import { eventually } from '#server/testing/devices/gatewayFixture.ts'
import { type CommandFixture, commandFixture, type PlayedDevice } from '#server/testing/wholeServer/commandFixture.ts'
import { passTime } from '#testing/passTime.ts'

let fixture: CommandFixture
beforeAll(async () => {
  fixture = await commandFixture({ devices: 8 })
  await fixture.rows('update device set status_id = 2')
}, 120_000)
afterAll(() => fixture.close())

let next = 0
function newDevice(): PlayedDevice['device'] {
  const played = fixture.devices[next++]
  if (!played) throw new Error('More devices are needed.')
  return played.device
}
type Device = ReturnType<typeof newDevice>

/** Publishes one message like `mosquitto_pub`: it connects, subscribes to nothing, and leaves. */
async function say({ guid, key }: Device, payload: string | Buffer, topic = 'events/device') {
  const client = await connectAsync(fixture.here.localAddresses.mqttUrl, { username: guid, password: key })
  await client.publishAsync(`v1/devices/${guid}/${topic}`, payload, { qos: 1 })
  await client.endAsync()
}
const reportOf = (values: object, aheadMs = 0) =>
  JSON.stringify({ at: new Date(Date.now() + aheadMs).toISOString(), values })

const ask = async (path: string, query: Readonly<Record<string, string | number>>) =>
  (await fixture.ask(path, { query })).body as never
const deviceOf = ({
  id,
}: Device): Promise<{
  connStatusId: number
  lastEvent: string | null
  clockErrorMs: number | null
  refusedSince: string | null
  wrong: string | null
  lightCause: string | null
}> => ask('Device/GetDeviceById', { id })
const healthOf = ({ id }: Device): Promise<{ refused: { count: number; detail: string; payload: string } | null }> =>
  ask('Device/GetDeviceHealth', { deviceId: id })
const tileOf = async ({ id }: Device, name: string) =>
  ((await ask('Device/GetDeviceDashboardData', { deviceId: id })) as { field_db_name: string }[]).find(
    ({ field_db_name }) => field_db_name === name,
  )
const period = () => ({
  dateFrom: new Date(Date.now() - 24 * HOUR_MS).toISOString(),
  dateTo: new Date(Date.now() + HOUR_MS).toISOString(),
})
const messagesOf = async ({ id }: Device) =>
  ((await ask('EventType/GetDeviceEvTypeMsgData', { deviceId: id, ...period() })) as { msg: string }[]).map(
    ({ msg }) => msg,
  )
const listed = async (filter: string) =>
  ((await ask('Device/GetDeviceList', { filter })) as { id: number }[]).map(({ id }) => id)

test('a device whose reports are refused is connected, and page, list and messages say since when, how many and why', async () => {
  const device = newDevice()
  const beganMs = Date.now()
  await say(device, `{"at":"${new Date().toISOString()}","values":{"cpu_temp":NaN}}`)
  await say(device, reportOf({ cpu_temp: '41' }))
  const detail = 'cpu_temp is the text "41", not a number. Send it without quotes.'
  const found = await eventually(
    () => deviceOf(device),
    ({ wrong }) => wrong === 'reportsRefused',
  )
  expect(found).toMatchObject({ connStatusId: 1, wrong: 'reportsRefused' })
  expect(Date.parse(found.refusedSince ?? '')).toBeGreaterThanOrEqual(beganMs)
  const { refused } = await healthOf(device)
  expect(refused).toMatchObject({ count: 2, reason: 'bad_value', detail, topic: 'events/device' })
  expect(refused?.payload).toContain('"cpu_temp":"41"')
  expect(await messagesOf(device)).toEqual([
    `Report refused (events/device): ${detail}`,
    'Report refused (events/device): cpu_temp is not a finite number. JSON has no NaN and no Infinity: send null, or leave the field out.',
  ])
  expect(await listed('reportsRefused')).toEqual([device.id])
  expect(await listed('wrong')).toContain(device.id)
})

test('a stretch of refusals is over an hour after the last one, and the next one begins another', async () => {
  const device = newDevice()
  await say(device, '{')
  await fixture.rows(
    `update device_refusal set since = since - interval '2 hours', last_at = last_at - interval '2 hours', count = 7
     where device_id = $1`,
    [device.id],
  )
  expect(await healthOf(device)).toMatchObject({ refused: null })
  expect(await deviceOf(device)).toMatchObject({ refusedSince: null })
  await say(device, '{')
  expect((await healthOf(device)).refused).toMatchObject({ count: 1 })
})

test.each([-2 * HOUR_MS, HOUR_MS])(
  'a device whose clock is %i ms ahead is online by what comes of it, its clock is told, and its readings are of now',
  async (aheadMs) => {
    const device = newDevice()
    for (let report = 0; report < 5; report++) {
      await say(device, reportOf({ cpu_temp: 40 + report, uptime: 1000 }, aheadMs))
      await passTime(2_600, 'a clock is measured over some seconds')
    }
    const found = await eventually(
      () => deviceOf(device),
      ({ wrong }) => wrong === 'clockWrong',
    )
    expect(found).toMatchObject({ connStatusId: 1, wrong: 'clockWrong' })
    expect(Math.abs((found.clockErrorMs ?? 0) - aheadMs)).toBeLessThan(5 * SECOND_MS)
    expect(Math.abs(Date.parse(found.lastEvent ?? '') - Date.now())).toBeLessThan(60 * SECOND_MS)
    expect(found.lightCause ?? '').not.toContain('offline')
    const tile = await tileOf(device, 'cpu_temp')
    expect(tile).toMatchObject({ field_value: 44 })
    const rows = await fixture.rows<{ device_dt: Date; inserted: Date; claimed_at: Date; is_corrected: boolean }>(
      'select device_dt, inserted, claimed_at, is_corrected from readings_of_device where device_id = $1 order by inserted',
      [device.id],
    )
    expect(rows).toHaveLength(5)
    const { device_dt, inserted, claimed_at, is_corrected } = rows.at(-1) ?? {}
    expect(is_corrected).toBe(true)
    expect(Math.abs((device_dt?.getTime() ?? 0) - (inserted?.getTime() ?? 0))).toBeLessThan(5 * SECOND_MS)
    expect(Math.abs((claimed_at?.getTime() ?? 0) - (inserted?.getTime() ?? 0) - aheadMs)).toBeLessThan(5 * SECOND_MS)
  },
)

test('a single report from 1970 is kept at the time when it came, its tile is marked, and the next good one takes its place', async () => {
  const device = newDevice()
  await say(device, '{"at":"1970-01-01T00:03:00Z","values":{"cpu_temp":33}}')
  expect(await tileOf(device, 'cpu_temp')).toMatchObject({ field_value: 33, claimed_dt: '1970-01-01T00:03:00.000Z' })
  const found = await eventually(
    () => deviceOf(device),
    ({ clockErrorMs }) => clockErrorMs !== null,
  )
  expect(new Date(Date.now() + (found.clockErrorMs ?? 0)).getUTCFullYear()).toBe(1970)
  expect(found.refusedSince).toBeNull()
  expect(Math.abs(Date.parse(found.lastEvent ?? '') - Date.now())).toBeLessThan(60 * SECOND_MS)
  await say(device, reportOf({ cpu_temp: 35 }))
  const tile = await tileOf(device, 'cpu_temp')
  expect(tile).toMatchObject({ field_value: 35 })
  expect(tile).not.toHaveProperty('claimed_dt')
})

test('times with any offset, as Python and Go print them, are the moments that they mean', async () => {
  const device = newDevice()
  const now = new Date(Math.floor(Date.now() / 1000) * 1000)
  const texts = [
    now.toISOString().replace('.000Z', '+00:00'),
    new Date(now.getTime() + 5.5 * HOUR_MS - 1000).toISOString().replace('.000Z', '.000000000+05:30'),
    new Date(now.getTime() - 8 * HOUR_MS - 2000).toISOString().replace('.000Z', '-08:00').replace('T', ' '),
  ]
  for (const at of texts) await say(device, JSON.stringify({ at, values: { cpu_temp: 41 } }))
  const rows = await fixture.rows<{ device_dt: Date }>(
    'select device_dt from readings_of_device where device_id = $1 order by device_dt desc',
    [device.id],
  )
  expect(rows.map(({ device_dt }) => device_dt.getTime() - now.getTime())).toEqual([0, -1000, -2000])
  expect((await healthOf(device)).refused).toBeNull()
})
