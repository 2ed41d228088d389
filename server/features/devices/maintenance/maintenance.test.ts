import { expect, test } from 'vitest'
import type { MaintenanceElsewhere, MaintenanceEntry } from '#contract/http/devices/maintenance.ts'
import type { DeviceId } from '#domain/ids.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import {
  addCustomer,
  addDevice,
  addUser,
  ask,
  auditActionId,
  countAuditRows,
  openSession,
} from '#server/testing/callers.ts'

const STARTED = '2026-11-02T08:00:00.000Z'

const api = await apiTest()
const harbour = await addCustomer(api.pool, 'Harbour')
const pierDevice = await addDevice(api.pool, { name: 'Pier', customerId: harbour })
const pier = pierDevice.id
const display = await addComponent(pier, 7, 2)
const alertId = await addAlert(pier, 'Display 2: Load > 60')
const { id } = await addDevice(api.pool, { name: 'Other', customerId: await addCustomer(api.pool, 'Market') })
const other = { deviceId: id, component: await addComponent(id, 5, 1), alertId: await addAlert(id, 'canary') }
const userId = await addUser(api.pool, { username: 'marta@a.example', functions: [2], customerId: harbour })
const token = await openSession(api.pool, userId)

async function addComponent(deviceId: DeviceId, modelId: number, number: number): Promise<number> {
  const { rows } = await api.pool.query(
    `insert into device_component (device_id, component_model_id, category_id, number) values ($1, $2, $2, $3)
     returning id`,
    [deviceId, modelId, number],
  )
  return rows[0].id
}

async function addAlert(deviceId: DeviceId, text: string): Promise<number> {
  const { rows } = await api.pool.query(
    `insert into alert (device_id, condition_id, created_at, found_at, field_id, operator_code, value_dec, period_id,
       action_type_id, condition_text, state_since)
     values ($1, nextval('alert_id'), now(), now(), 5104, 'GT', 60, 1, 1, $2, now()) returning id`,
    [deviceId, text],
  )
  return rows[0].id
}

const set = (body: object) =>
  ask(api, 'DeviceMaintenance/SetDeviceMaintenance', {
    token,
    method: 'POST',
    body: { deviceId: pier, startDt: STARTED, actionComment: 'Cleaned', ...body },
  })
const get = async (id: number): Promise<MaintenanceEntry> =>
  (await ask(api, 'DeviceMaintenance/GetDeviceMaintenance', { token, query: { id } })).json()
const list = async (): Promise<MaintenanceEntry[]> =>
  (await ask(api, 'DeviceMaintenance/GetDeviceMaintenanceList', { token, query: { deviceId: pier } })).json()
const lastAudit = async () => (await api.pool.query('select * from audit_log order by id desc limit 1')).rows[0]

const everything = () => ({
  endDt: '2026-11-02T10:30:00.000Z',
  modelComponentId: display,
  reasonId: 1,
  actionId: 6,
  resolutionId: 1,
  alertId,
  actionComment: '  Replaced the panel  ',
})

test('an entry is written with its names, changed and removed, each with one audit row', async () => {
  const id = (await set(everything())).json() as number
  expect(id).toBeGreaterThan(0)
  const saved = await get(id)
  expect(saved).toEqual({
    id,
    deviceId: pier,
    startDt: STARTED,
    ...everything(),
    actionComment: 'Replaced the panel',
    modelComponentName: 'Display 2',
    reasonName: 'Alert',
    actionName: 'Component replaced',
    resolutionName: 'Solved',
    alertText: 'Display 2: Load > 60',
    username: 'marta@a.example',
  })
  const added = await lastAudit()
  expect(added).toMatchObject({
    entity_id: id,
    entity_name: 'Pier',
    customer_id: harbour,
    outcome: 'done',
    action_id: auditActionId('Create'),
    before: null,
  })
  expect(added.after).toMatchObject({ actionComment: 'Replaced the panel', componentName: 'Display 2' })

  // The record is sent back as it was read, with one change.
  expect((await set({ ...saved, resolutionId: null, endDt: null })).json()).toBe(id)
  expect(await get(id)).toEqual({ ...saved, resolutionId: null, resolutionName: '', endDt: null })
  const changed = await lastAudit()
  expect(changed.action_id).toBe(auditActionId('Update'))
  expect([changed.before.resolutionId, changed.after.resolutionId]).toEqual([1, null])

  const rows = await countAuditRows(api.pool)
  const removed = await ask(api, 'DeviceMaintenance/DelDeviceMaintenance', { token, query: { id } })
  expect(removed.json()).toBe(true)
  expect(await list()).toEqual([])
  expect(await countAuditRows(api.pool)).toBe(rows + 1)
  expect((await lastAudit()).before).toMatchObject({ actionComment: 'Replaced the panel' })
  expect((await ask(api, 'DeviceMaintenance/DelDeviceMaintenance', { token, query: { id } })).statusCode).toBe(404)
})

test.each([
  [{ startDt: undefined }, 'startDt is required'],
  [{ actionComment: undefined }, 'actionComment is required'],
  [{ actionComment: '   ' }, 'actionComment is required'],
  [{ endDt: '2026-11-02T07:59:59.999Z' }, 'endDt is not valid'],
  [{ reasonId: 99 }, 'reasonId is not valid'],
  [{ actionId: 99 }, 'actionId is not valid'],
  [{ resolutionId: 99 }, 'resolutionId is not valid'],
])('%j is refused, and nothing is written', async (wrong, message) => {
  const before = await list()
  const answer = await set(wrong)
  expect([answer.statusCode, answer.json().message]).toEqual([400, message])
  expect(await list()).toEqual(before)
})

test('maintenance may end in the moment in which it starts', async () => {
  expect((await set({ endDt: STARTED })).statusCode).toBe(200)
})

test('alerts, components and entries of another device are not found, and nothing is written', async () => {
  const id = (await set({})).json() as number
  const foreign = (
    await api.pool.query(
      `insert into maintenance_entry (device_id, start_at, action_comment) values ($1, now(), 'x') returning id`,
      [other.deviceId],
    )
  ).rows[0].id
  const before = await list()
  for (const wrong of [
    { alertId: other.alertId },
    { modelComponentId: other.component },
    { id, alertId: other.alertId },
    { id: foreign },
    { id, deviceId: other.deviceId },
    { id: 2_000_000_000 },
  ]) {
    expect((await set(wrong)).statusCode, JSON.stringify(wrong)).toBe(404)
  }
  expect(await list()).toEqual(before)
  const { rows } = await api.pool.query('select action_comment from maintenance_entry where id = $1', [foreign])
  expect(rows).toEqual([{ action_comment: 'x' }])
})

test('an entry keeps the name of a component that was taken out, and loses an alert that never was', async () => {
  const [component, alert] = [await addComponent(pier, 5, 1), await addAlert(pier, 'UPS: Load > 90')]
  const id = (await set({ modelComponentId: component, alertId: alert })).json() as number
  await api.pool.query('delete from device_component where id = $1', [component])
  await api.pool.query('update alert set withdrawn_at = now() where id = $1', [alert])
  const saved = await get(id)
  expect(saved).toMatchObject({ modelComponentName: 'UPS 1', alertText: '', alertId: alert })
  expect((await set({ ...saved, actionComment: 'Changed' })).statusCode).toBe(200)
  expect(await get(id)).toEqual({ ...saved, actionComment: 'Changed' })
  expect((await set({ modelComponentId: component })).statusCode).toBe(404)
  expect((await set({ alertId: alert })).statusCode).toBe(404)
})

test('entries come newest first, and components are named as on the Components tab', async () => {
  await set({ startDt: '2026-11-03', actionComment: 'Later' })
  const starts = (await list()).map(({ startDt }) => startDt)
  expect(starts[0]).toBe('2026-11-03T00:00:00.000Z')
  expect(starts).toEqual([...starts].sort().reverse())
  const components = await ask(api, 'DeviceMaintenance/GetMaintenanceDeviceComponentList', {
    token,
    query: { deviceId: pier },
  })
  expect(components.json()).toEqual([{ id: display, name: 'Display 2' }])
})

test('a page without entries begins with the newest of the other devices of its customer', async () => {
  const quay = await addDevice(api.pool, { name: 'Quay', customerId: harbour })
  const elsewhere = async (deviceId: DeviceId, by = token): Promise<MaintenanceElsewhere[]> =>
    (await ask(api, 'DeviceMaintenance/GetMaintenanceElsewhereList', { token: by, query: { deviceId } })).json()
  for (let day = 10; day < 17; day++) await set({ startDt: `2026-11-${day}`, actionComment: `Visit ${day}` })
  await api.pool.query(
    `insert into maintenance_entry (device_id, start_at, action_comment) values ($1, now(), 'canary')`,
    [other.deviceId],
  )
  const found = await elsewhere(quay.id)
  expect(found.map(({ actionComment }) => actionComment)).toEqual([16, 15, 14, 13, 12].map((day) => `Visit ${day}`))
  expect(found[0]).toMatchObject({ deviceId: pier, deviceGuid: pierDevice.guid, deviceName: 'Pier' })
  // Staff see the same here, because the page is about one customer's devices.
  const staff = await openSession(api.pool, await addUser(api.pool, { username: 'staff@a.example', functions: [2] }))
  expect(await elsewhere(quay.id, staff)).toEqual(found)
  // The device's own entries are not listed.
  expect((await elsewhere(pier)).filter(({ deviceId }) => deviceId === pier)).toEqual([])
  // Entries of a device that left are not listed either.
  await api.pool.query('update device set customer_id = (select customer_id from device where id = $1) where id = $2', [
    other.deviceId,
    pier,
  ])
  expect(await elsewhere(quay.id)).toEqual([])
})
