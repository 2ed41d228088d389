import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Device } from '#contract/http/devices/devices.ts'
import type { DevicePins } from '#contract/http/devices/pins.ts'
import type { CustomerId, DeviceId } from '#domain/ids.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { addCustomer, ask } from '#server/testing/callers.ts'

type Query = Record<string, string | number>

const NAMES = ['Brno', '100 %', 'a_b', 'back\\slash', `"O'Hara"`, 'line\nbreak', '东京 \u0001', '</script>']

const api = await apiTest()
const { pool } = api
const customers = [await addCustomer(pool, 'A'), await addCustomer(pool, 'B')]
await pool.query(
  `insert into device (guid, name, status_id, model_id, customer_id, attr_serial, iot_device_id, latitude, longitude, deleted_at)
   select gen_random_uuid(), ($1::text[])[1 + n % 8] || ' ' || n, 1 + n % 6, (array[1, 15, 22])[1 + n % 3],
     ($2::int[])[1 + n % 2], 'SN-' || n % 10, '', case when n % 7 <> 0 then 49.123456789 - n / 3.0 end,
     case when n % 7 <> 1 then -179.5 + n * 2.75 end, case when n % 11 = 0 then now() end
   from generate_series(1, 120) n`,
  [NAMES, customers],
)
const [alive, dead] = [randomUUID(), randomUUID()]
await pool.query(`insert into server_process (id, lease_until) values ($1, now() + interval '1 hour'), ($2, now())`, [
  alive,
  dead,
])
// Devices are connected once, twice, silently, or by a server process that is gone.
await pool.query(
  `insert into device_connection (device_id, connection_id, process_id, is_silent)
   select id, gen_random_uuid(), case when id % 5 = 2 then $2::uuid else $1::uuid end, id % 5 = 1 from device
   where id % 5 < 3
   union all select id, gen_random_uuid(), $1::uuid, false from device where id % 10 = 0`,
  [alive, dead],
)
// Alerts are Opened and Active, Opened and no longer Active, Closed, or withdrawn.
await pool.query(
  `insert into alert (device_id, condition_id, status_id, condition_state_id, withdrawn_at, created_at, found_at,
     field_id, operator_code, period_id, action_type_id, condition_text, state_since)
   select id, kind, case when kind = 4 then 2 else 1 end, case when kind = 3 then 2 else 1 end,
     case when kind = 5 then now() end, now(), now(), 4101, '>', 1, 1, 'warm', now()
   from device, generate_series(1, 5) kind where id % 4 = 0`,
)
// Something is wrong now with some devices.
await pool.query(
  `update device_now n set customer_id = d.customer_id, wrong_kinds = 1 + id % 2
   from device d where d.id = n.device_id and id % 3 = 0 and id > 10 and status_id = 2`,
)
const staff = await api.signedIn({ username: 'staff@a.example', functions: [2] })
const customer = { username: 'customer@a.example', functions: [2], customerId: customers[1] as CustomerId } as const
const ofCustomer = await api.signedIn(customer)

async function answered<Answer>(path: string, query: Query, token: string): Promise<Answer> {
  const answer = await ask(api, path, { token, query })
  if (answer.statusCode !== 200) throw new Error(answer.body)
  return answer.json() as Answer
}

function records(pins: DevicePins) {
  return pins.ids
    .map((id, index) => ({
      id,
      guid: pins.guids[index],
      name: pins.names[index],
      latitude: pins.latitudes[index],
      longitude: pins.longitudes[index],
      statusId: pins.statusIds[index],
      connStatusId: pins.connStatusIds[index],
      activeAlerts: pins.activeAlerts[index],
    }))
    .sort((one, other) => one.id - other.id)
}

const FILTERS: readonly Query[] = [
  {},
  { customerId: -1 },
  { deviceName: 'o' },
  { deviceName: '%' },
  { deviceName: '_' },
  { modelId: 15 },
  { attrSerial: 'sn-3' },
  { statusId: 2 },
  { statusId: 99 },
  { connStatusId: 1 },
  { connStatusId: 0, statusId: 2 },
  { filter: 'activeConnected' },
  { filter: 'dark' },
  { filter: 'wrong', search: 'brno' },
  { deviceName: 'brno', modelId: 22, statusId: 3, attrSerial: '1' },
]

test.each(FILTERS)(
  'of %j the pins are the devices of the list, and those without a position are counted',
  async (query) => {
    for (const token of [staff, ofCustomer]) {
      const listed = await answered<Device[]>('Device/GetDeviceList', query, token)
      const pins = await answered<DevicePins>('Device/GetDevicePins', query, token)
      const placed = listed.filter(({ latitude, longitude }) => latitude !== null && longitude !== null)
      const expected = placed
        .map(({ id, guid, name, latitude, longitude, statusId, connStatusId, activeAlerts }) => {
          return { id, guid, name, latitude, longitude, statusId, connStatusId, activeAlerts }
        })
        .sort((one, other) => one.id - other.id)
      expect(records(pins)).toEqual(expected)
      expect(pins.withoutPosition).toBe(listed.length - placed.length)
    }
  },
)

test('the fleet of this test has pins with alerts and without, online and offline, and devices without a position', async () => {
  const pins = await answered<DevicePins>('Device/GetDevicePins', {}, staff)
  expect(new Set(pins.activeAlerts)).toEqual(new Set([0, 2]))
  expect(new Set(pins.connStatusIds)).toEqual(new Set([0, 1]))
  expect(new Set(pins.statusIds).size).toBe(6)
  expect(pins.withoutPosition).toBeGreaterThan(10)
  const { rows } = await api.pool.query<{ count: number }>(
    `select count(*)::int as count from device
     where deleted_at is null and latitude is not null and longitude is not null`,
  )
  expect(pins.ids).toHaveLength(rows[0]?.count ?? 0)
})

test('a pin says what was judged of its device, and null of one that was not', async () => {
  const cause = { displayNumber: 1, displayName: 'Front', sentence: 'No "mains".', action: null }
  await pool.query(
    `update device_now n set light = v.light, light_since = v.light_since::timestamptz, light_is_at_least = v.light is not null, is_on_battery = v.on_battery,
       is_silent = v.silent, silent_since = '2026-07-01T11:00:00Z', cause = v.cause, wrong_kinds = v.kinds, customer_id = v.customer
     from (values (2, 'unplanned', '2026-07-01T10:00:00.5Z', false, true, $1::jsonb, 3, 1),
       (3, null, null, null, false, null, 2, null)) v (id, light, light_since, on_battery, silent, cause, kinds, customer)
     where n.device_id = v.id`,
    [cause],
  )
  const pins = await answered<DevicePins>('Device/GetDevicePins', {}, staff)
  const judged = (id: number) => {
    const { lights, lightSince, lightIsAtLeast, onBattery, wrong, silentSince, causes, ids } = pins
    const index = ids.indexOf(id as DeviceId)
    return [lights, lightSince, lightIsAtLeast, onBattery, wrong, silentSince, causes].map((column) => column[index])
  }
  expect(judged(2)).toEqual([
    'unplanned',
    '2026-07-01T10:00:00.500Z',
    true,
    false,
    'dark',
    '2026-07-01T11:00:00.000Z',
    'No "mains".',
  ])
  expect(judged(3)).toEqual([null, null, false, null, null, null, null])
  expect(judged(4)).toEqual([null, null, false, null, null, null, null])
})

test('staff see one customer when they ask for it, a customer user sees that customer always', async () => {
  const [, own] = customers
  const asked = await answered<DevicePins>('Device/GetDevicePins', { customerId: own as number }, staff)
  expect(asked.ids.length).toBeGreaterThan(20)
  const without = await answered<DevicePins>('Device/GetDevicePins', {}, ofCustomer)
  expect(records(without)).toEqual(records(asked))
})

test('another customer is as unknown as one that never was, byte for byte', async () => {
  const [foreign] = customers
  const answers = await Promise.all(
    [foreign as number, 2_000_000_000].map((customerId) =>
      ask(api, 'Device/GetDevicePins', { token: ofCustomer, query: { customerId } }),
    ),
  )
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404])
  expect(new Set(answers.map(({ body }) => body)).size).toBe(1)
})
