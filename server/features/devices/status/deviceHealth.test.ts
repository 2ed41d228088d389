import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { type DeviceHealth, getDeviceDashboard, getDeviceHealth } from '#contract/http/devices/status.ts'
import type { CustomerId, DeviceId, DeviceModelId } from '#domain/ids.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { addCustomer, addDevice, ask } from '#server/testing/callers.ts'

const api = await apiTest()
const staff = await api.signedIn({ username: 'manager@a.example', functions: [2] })
const MODEL = 22 as DeviceModelId
const INTERNAL = 4101
const TOUCH = 4126

const addTotem = async (modelId = MODEL, customerId?: CustomerId): Promise<DeviceId> =>
  (
    await addDevice(api.pool, {
      name: 'Totem',
      modelId,
      customerId: customerId ?? (await addCustomer(api.pool, `Customer ${randomUUID()}`)),
    })
  ).id

async function health(deviceId: DeviceId, token = staff): Promise<DeviceHealth> {
  const answer = await ask(api, 'Device/GetDeviceHealth', { token, query: { deviceId } })
  expect(answer.statusCode, answer.body).toBe(200)
  return getDeviceHealth.answer.parse(answer.json())
}

const condition = (
  place: { device: DeviceId } | { model: DeviceModelId },
  operator: string,
  value: number | string,
  fieldId = INTERNAL,
) =>
  api.pool.query(
    `insert into alert_condition (device_id, model_id, field_id, operator_code, value_dec, value_text)
     values ($1, $2, $3, $4, $5, $6)`,
    [
      'device' in place ? place.device : null,
      'model' in place ? place.model : null,
      fieldId,
      operator,
      typeof value === 'number' ? value : null,
      typeof value === 'string' ? value : null,
    ],
  )

let conditionId = 0
const alert = (deviceId: DeviceId, changes: Readonly<Record<string, unknown>> = {}) => {
  const row = { condition_state_id: 1, status_id: 1, withdrawn_at: null, severity_id: 2, ...changes }
  return api.pool.query(
    `insert into alert (device_id, condition_id, condition_state_id, status_id, withdrawn_at, created_at, found_at,
       field_id, operator_code, period_id, action_type_id, condition_text, state_since, severity_id)
     values ($1, $2, $3, $4, $5, now(), now(), ${INTERNAL}, 'GT', 1, 1, 'warm', now(), $6)`,
    [deviceId, ++conditionId, row.condition_state_id, row.status_id, row.withdrawn_at, row.severity_id],
  )
}

const visit = (deviceId: DeviceId, daysAgo: number, comment: string) =>
  api.pool.query(
    `insert into maintenance_entry (device_id, start_at, action_comment, component_name)
     values ($1, now() - make_interval(days => $2), $3, 'Display')`,
    [deviceId, daysAgo, comment],
  )

test('of a device of which nothing is written down, nothing is made up', async () => {
  expect(await health(await addTotem(15 as DeviceModelId))).toEqual({
    limits: [],
    alertsNow: 0,
    alertsSeverityId: null,
    alertsOver: 0,
    lastVisit: null,
    unreported: [],
    refused: null,
  })
})

test('a component that never reported is asked about, until somebody says that it will come or removes it', async () => {
  const id = await addTotem()
  const add = (modelId: number, categoryId: number) =>
    api.pool.query(
      `insert into device_component (device_id, component_model_id, category_id, number, label)
       values ($1, $2, $3, 1, 'In the door')`,
      [id, modelId, categoryId],
    )
  await add(4, 3)
  await add(17, 6)
  const asked = async () => (await health(id)).unreported
  // A device that never reported is offline, and not incomplete.
  expect(await asked()).toEqual([])
  await api.pool.query(
    `insert into device_state (device_id, event_type_id, number, newest_at, oldest_moved_at, received_at, fields)
     values ($1, 4, 1, now(), now(), now(), '{"backlight_level": [80, 1]}')`,
    [id],
  )
  expect(await asked()).toEqual([{ componentId: expect.any(Number), modelId: 4, number: 1, label: 'In the door' }])
  const admin = await api.signedIn({ username: 'admin@a.example', functions: [1] })
  const body = [{ id: (await asked())[0]?.componentId, deviceId: id, modelId: 4, number: 1, label: 'In the door' }]
  const texts = { labelPort1: 'Port 1', labelPort2: 'Port 2' }
  const save = (changes: object) =>
    ask(api, 'Device/SetDeviceComponents', {
      token: admin,
      method: 'POST',
      body: [{ ...body[0], ...texts, ...changes }],
    })
  expect((await save({ isExpected: true })).statusCode).toBe(200)
  expect(await asked()).toEqual([])
  expect((await save({ label: 'Elsewhere' })).json()).toMatchObject([{ label: 'Elsewhere', isExpected: true }, {}])
  expect((await save({ isExpected: false })).statusCode).toBe(200)
  expect(await asked()).toHaveLength(1)
  expect((await save({ removed: true })).statusCode).toBe(200)
  expect(await asked()).toEqual([])
})

test('limits are the numbers of its own conditions and of those of its model that stand', async () => {
  const id = await addTotem()
  await condition({ device: id }, 'GT', 60.5)
  await condition({ model: MODEL }, 'GTE', 70)
  await condition({ model: 16 as DeviceModelId }, 'GT', 1)
  await condition({ device: await addTotem() }, 'GT', 2)
  await condition({ device: id }, 'EQ', 'Disabled', TOUCH)
  await condition({ device: id }, 'GT', 3)
  await api.pool.query('update alert_condition set deleted_at = now() where value_dec = 3')
  expect((await health(id)).limits).toEqual([
    {
      field_id: INTERNAL,
      operatorCode: 'GT',
      value: 60.5,
      conditionText: expect.stringMatching(/^Display: Internal temperature \(°C\) > 60.5/),
      severityId: 2,
    },
    { field_id: INTERNAL, operatorCode: 'GTE', value: 70, conditionText: expect.any(String), severityId: 2 },
  ])
})

test('open alerts are counted as now and over; closed and withdrawn ones are none', async () => {
  const id = await addTotem()
  await alert(id)
  await alert(id, { condition_state_id: 2, severity_id: 1 })
  await alert(id, { condition_state_id: 2 })
  await alert(id, { status_id: 2, severity_id: 1 })
  await alert(id, { withdrawn_at: new Date() })
  expect(await health(id)).toMatchObject({ alertsNow: 1, alertsSeverityId: 2, alertsOver: 2 })
})

test('a tile leads to its newest active alert, and has the worst severity of them all', async () => {
  const id = await addTotem()
  await api.pool.query(
    `insert into device_state (device_id, event_type_id, number, newest_at, oldest_moved_at, received_at, fields)
     values ($1, 4, 1, now(), now(), now(), '{"internal_temp": [48, 1]}')`,
    [id],
  )
  await alert(id, { severity_id: 1 })
  await alert(id, { severity_id: 3 })
  const answer = await ask(api, 'Device/GetDeviceDashboardData', { token: staff, query: { deviceId: id } })
  const tiles = getDeviceDashboard.answer.parse(answer.json())
  const newest = await api.pool.query('select max(id)::float8 as id from alert where device_id = $1', [id])
  expect(tiles.find(({ field_id }) => field_id === INTERNAL)).toMatchObject({
    ...{ alert_id: newest.rows[0].id, alert_severity_id: 1 },
  })
  expect((await health(id)).alertsSeverityId).toBe(1)
})

test('the last visit is the newest that has begun, with the beginning of what was written', async () => {
  const id = await addTotem()
  await visit(id, 30, 'Cleaned')
  await visit(id, 14, `Fan filter changed ${'x'.repeat(4000)}`)
  await visit(id, -3, 'Planned')
  const { lastVisit } = await health(id)
  expect(lastVisit).toMatchObject({ endDt: null, componentName: 'Display' })
  expect(lastVisit?.comment).toMatch(/^Fan filter changed x{181}$/)
  expect(Date.now() - Date.parse(lastVisit?.startDt ?? '')).toBeGreaterThan(13 * 86_400_000)
})

test('alerts and visits of the customer before are not told to the one who has it now', async () => {
  const before = await addCustomer(api.pool, 'Before')
  const id = await addTotem(MODEL, before)
  await alert(id)
  await visit(id, 2, 'Ours')
  const next = await addCustomer(api.pool, 'The next')
  await api.pool.query('update device set customer_id = $2 where id = $1', [id, next])
  const theirs = await api.signedIn({ username: 'next@b.example', functions: [2], customerId: next })
  expect(await health(id, theirs)).toMatchObject({ alertsNow: 0, alertsOver: 0, lastVisit: null })
  expect((await health(id)).lastVisit?.comment).toBe('Ours')
})

test('limits alone are told to whoever may draw its readings, of no device of another customer', async () => {
  const ours = await addCustomer(api.pool, `Customer ${randomUUID()}`)
  const id = await addTotem(MODEL, ours)
  await condition({ device: id }, 'GT', 61)
  const token = await api.signedIn({ username: 'analyst@l.example', functions: [5], customerId: ours })
  const limits = async (deviceId: DeviceId) => ask(api, 'Device/GetReadingLimits', { token, query: { deviceId } })
  expect((await limits(id)).json()).toContainEqual({
    field_id: INTERNAL,
    operatorCode: 'GT',
    value: 61,
    conditionText: expect.stringContaining('> 61'),
    severityId: 2,
  })
  expect((await limits(await addTotem())).statusCode).toBe(404)
})
