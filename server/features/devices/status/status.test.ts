import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { DashboardItem } from '#contract/http/devices/status.ts'
import type { DeviceId, DeviceModelId } from '#domain/ids.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { addCustomer, addDevice, ask } from '#server/testing/callers.ts'

const api = await apiTest()
const token = await api.signedIn({ username: 'manager@a.example', functions: [2] })

const AT = Date.UTC(2026, 10, 20, 10)

async function addKiosk(modelId: number, components: [model: number, category: number, number: number][]) {
  const customerId = await addCustomer(api.pool, `Customer of ${modelId} ${randomUUID()}`)
  const { id } = await addDevice(api.pool, { name: 'Kiosk', customerId, modelId: modelId as DeviceModelId })
  for (const [model, category, number] of components) {
    await api.pool.query(
      'insert into device_component (device_id, component_model_id, category_id, number) values ($1, $2, $3, $4)',
      [id, model, category, number],
    )
  }
  return id
}

function report(deviceId: DeviceId, eventTypeId: number, number: number, fields: Record<string, [unknown, number]>) {
  const newest = new Date(Math.max(...Object.values(fields).map(([, at]) => at)))
  return api.pool.query(
    `insert into device_state (device_id, event_type_id, number, newest_at, oldest_moved_at, received_at, fields)
     values ($1, $2, $3, $4, $4, now(), $5)`,
    [deviceId, eventTypeId, number, newest, JSON.stringify(fields)],
  )
}

const tiles = async (deviceId: DeviceId): Promise<DashboardItem[]> =>
  (await ask(api, 'Device/GetDeviceDashboardData', { token, query: { deviceId } })).json()

test('the flat record holds every known value under its prefixed name, and the newest device time', async () => {
  const id = await addKiosk(15, [])
  expect((await ask(api, 'Device/GetDeviceEvTypeState', { token, query: { deviceId: id } })).json()).toEqual({
    device_dt: null,
  })
  await report(id, 4, 2, { backlight_level: [80, AT], touch_matrix_status: ['', AT + 2000] })
  await report(id, 3, 1, { client_version: ['1.4.0', AT - 1000], status_id: [1, AT] })
  expect((await ask(api, 'Device/GetDeviceEvTypeState', { token, query: { deviceId: id } })).json()).toEqual({
    device_dt: new Date(AT + 2000).toISOString(),
    d2_backlight_level: 80,
    d2_touch_matrix_status: '',
    client_version: '1.4.0',
    status_id: 1,
  })
})

test('a device has a tile for each field of each component, known or not, grouped, and each value its own time', async () => {
  const id = await addKiosk(22, [
    [5, 4, 1],
    [17, 6, 1],
  ])
  await report(id, 5, 1, { battery_charge: [97, AT] })
  const found = await tiles(id)
  const groups = [...new Set(found.map(({ group_name }) => group_name))]
  expect(groups).toEqual(['Device', 'Display', 'Ups'])
  const battery = found.find(({ field_db_name }) => field_db_name === 'u_battery_charge')
  expect(battery).toMatchObject({
    field_name: 'UPS battery',
    field_value: 97,
    icon: 'battery',
    alert_id: null,
    alert_severity_id: null,
    measurement_name: 'UPS battery (%)',
    measurement_event_type_id: 5,
    value_dt: new Date(AT).toISOString(),
  })
  expect(battery?.measurement_id).toBe(battery?.field_id)
  const unknown = found.find(({ field_db_name }) => field_db_name === 'd_backlight_level')
  expect(unknown).toMatchObject({ field_value: null, value_dt: null, data_points_24h: Array(24).fill(null) })
})

test('what only some sensors tell has a tile once it was reported, and what only programs read has none', async () => {
  const id = await addKiosk(22, [[17, 6, 1]])
  const names = async () => (await tiles(id)).map(({ field_db_name }) => field_db_name)
  await report(id, 3, 1, { client_version: ['1.4.0', AT], client_features: ['dayPlans', AT] })
  expect(await names()).not.toEqual(expect.arrayContaining(['client_features']))
  expect(await names()).not.toEqual(expect.arrayContaining(['d_panel_light']))
  await report(id, 4, 1, { panel_light: [88, AT] })
  expect(await names()).toEqual(expect.arrayContaining(['d_panel_light', 'client_version']))
})

test('what a device reports beyond its components has tiles too', async () => {
  const id = await addKiosk(22, [])
  await report(id, 10, 2, { online_status: [1, AT] })
  expect((await tiles(id)).map(({ group_name }) => group_name)).toContain('Camera 2')
})

test('on an AED kiosk the liquid sensor is its compartment, without a chart, and display prefixes are gone', async () => {
  const id = await addKiosk(16, [[17, 6, 2]])
  const found = await tiles(id)
  expect(found.find(({ field_db_name }) => field_db_name === 'd2_humidity')).toMatchObject({
    field_name: 'AED Compartment',
    measurement_id: null,
  })
  expect(found.find(({ field_db_name }) => field_db_name === 'd2_backlight_level')?.field_name).toBe('Backlight level')
})

test('a tile offers analysis only where analytics offers its measurement', async () => {
  const id = await addKiosk(1, [[7, 6, 1]])
  const found = await tiles(id)
  const offered = (name: string) => found.find(({ field_db_name }) => field_db_name === name)?.measurement_id ?? null
  expect(offered('d_internal_temp')).not.toBeNull()
  expect(offered('d_fan1_speed_target')).toBeNull()
  expect(offered('client_version')).toBeNull()
})

test('the means of the last 24 hours stand oldest first, with gaps as null', async () => {
  const id = await addKiosk(1, [[7, 6, 1]])
  const hourStart = Math.floor(Date.now() / 3_600_000) * 3_600_000
  const rows: [number, number][] = [
    [hourStart - 2 * 3_600_000, 20],
    [hourStart - 2 * 3_600_000 + 60_000, 22],
    [hourStart, 30],
  ]
  for (const [at, celsius] of rows) {
    await api.pool.query(
      'insert into reading_display (device_id, number, device_dt, inserted, internal_temp) values ($1, 1, $2, now(), $3)',
      [id, new Date(at), celsius],
    )
  }
  await api.pool.query(
    `insert into rollup_mark select device_id, 4, number, date_trunc('hour', device_dt) from reading_display
     where device_id = $1`,
    [id],
  )
  const found = (await tiles(id)).find(({ field_db_name }) => field_db_name === 'd_internal_temp')
  expect(found?.data_points_24h).toEqual([...Array(21).fill(null), 21, null, 30])
})
