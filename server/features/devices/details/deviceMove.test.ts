import { expect, test } from 'vitest'
import type { Alert, AlertDetails } from '#contract/http/alerting/alerts.ts'
import type { DeviceCommand } from '#contract/http/devices/commands.ts'
import type { MaintenanceEntry } from '#contract/http/devices/maintenance.ts'
import type { DeviceSettingsView } from '#contract/http/devices/setup.ts'
import type { AuditEntry } from '#contract/http/insight/auditLog.ts'
import type { CustomerId, DeviceId } from '#domain/ids.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { addCustomer, addDevice, addUser, ask, type Request } from '#server/testing/callers.ts'

type Who = 'old' | 'new' | 'staff'

const customers = {} as Record<'old' | 'new', CustomerId>
const tokens = {} as Record<Who, string>
const WORDS_OF_OLD = 'words of the old owner'
const STAFF = 'somebody@staff.example'

const api = await apiTest()
customers.old = await addCustomer(api.pool, 'Old harbour')
customers.new = await addCustomer(api.pool, 'New airport')
const token = async (username: string, customerId?: CustomerId) =>
  api.signedIn({ username, functions: [1], ...(customerId && { customerId }) })
tokens.old = await token('anna@old.example', customers.old)
tokens.new = await token('boris@new.example', customers.new)
tokens.staff = await token(STAFF)

const call = async (who: Who, path: string, asked: Omit<Request, 'token'>) => {
  const answer = await ask(api, path, { token: tokens[who], ...asked })
  return { status: answer.statusCode, body: answer.json(), text: answer.body }
}
const read = async <Answer>(who: Who, path: string, query: Request['query'] = {}) =>
  (await call(who, path, { query })).body as Answer
const post = (who: Who, path: string, body: object) => call(who, path, { method: 'POST', body })
const rows = async (sql: string, values: unknown[]) => (await api.pool.query(sql, values)).rows

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000)

async function addAlert(deviceId: DeviceId, words: string, isOpen: boolean): Promise<number> {
  const [made] = await rows(
    `with condition as (
       insert into alert_condition (device_id, field_id, operator_code, value_dec) values ($1, 4101, 'GT', 10)
       returning id, device_id),
     opened as (
       insert into alert (device_id, condition_id, created_at, found_at, field_id, operator_code, value_dec, period_id,
         action_type_id, condition_text, metric_value_dec, state_since, status_id, closed_at, closed_after)
       select device_id, id, $3, $3, 4101, 'GT', 10, 1, 1, $2, 20, $3, case when $4 then 1 else 2 end,
         case when not $4 then now() end, case when not $4 then now() end from condition returning id, condition_id),
     event as (insert into alert_event (device_id, alert_id, kind, at) select $1, id, 'opened', $3 from opened),
     notice as (
       insert into alert_notice (device_id, alert_id, found_at, is_late) select $1, id, $3, false from opened where $4)
     insert into alert_state (device_id, condition_id, revision, version, last_at, true_since, alert, is_suppressed,
       open_alert_id)
     select $1, condition_id, 1, 1, now(), $3, case when $4 then 1 else 0 end, not $4, case when $4 then id end from opened
     returning (select id from opened) as id`,
    [deviceId, words, ago(30), isOpen],
  )
  return made.id
}

async function addWithPast(name: string) {
  const { id: deviceId, guid } = await addDevice(api.pool, {
    name,
    customerId: customers.old,
    address: `${name}, old street`,
  })
  await rows(
    `insert into reading_display (device_id, number, device_dt, inserted, internal_temp) values ($1, 1, $2, $2, 20)`,
    [deviceId, ago(20)],
  )
  const closedId = await addAlert(deviceId, `${name} was warm`, false)
  const openId = await addAlert(deviceId, `${name} is warm`, true)
  await post('staff', 'Alert/AcknowledgeAlert', { id: openId, note: 'Looking at it' })
  const entry = { deviceId, startDt: '2026-11-01T08:00:00.000Z' }
  const ownEntry = await post('old', 'DeviceMaintenance/SetDeviceMaintenance', {
    ...entry,
    actionComment: WORDS_OF_OLD,
    alertId: closedId,
  })
  await post('staff', 'DeviceMaintenance/SetDeviceMaintenance', { ...entry, actionComment: 'By staff' })
  for (const who of ['old', 'staff'] as const) {
    const [{ id: userId, username }] = await rows('select id, username from app_user where username = $1', [
      who === 'old' ? 'anna@old.example' : STAFF,
    ])
    for (const state of ['done', 'sent', 'accepted']) {
      await rows(
        `insert into device_command (device_id, name, args, user_id, username, state, expires_at)
         values ($1, 'ups.reboot', '{}', $2, $3, $4, now() + interval '1 minute')`,
        [deviceId, userId, username, state],
      )
    }
  }
  await post('staff', 'Device/ApplyTurnDisplayOffSettings', { deviceId, wdTimeOffFrom: '22:00', wdTimeOffTo: '06:00' })
  await rows(
    `update device_setting set reported = desired, reported_at = now(), reported_version = waiting_version,
       waiting_version = null where device_id = $1`,
    [deviceId],
  )
  const times = { wdTimeOffFrom: '21:00', wdTimeOffTo: '05:00' }
  await post('old', 'Device/ApplyTurnDisplayOffSettings', { deviceId, ...times })
  return { deviceId, guid, closedId, openId, entryId: ownEntry.body as number }
}

const moveTo = (who: 'old' | 'new', deviceId: DeviceId, more: object = {}) =>
  post('staff', 'Device/SetDeviceDetails', { id: deviceId, customerId: customers[who], ...more })

const alertsOf = async (who: Who) => (await read<{ rows: Alert[] }>(who, 'Alert/GetAlertList', { pageSize: 100 })).rows
const commandsOf = async (who: Who, deviceId: DeviceId) =>
  (await read<{ rows: DeviceCommand[] }>(who, 'Device/GetDeviceCommandList', { deviceId })).rows
const maintenanceOf = (who: Who, deviceId: DeviceId) =>
  read<MaintenanceEntry[]>(who, 'DeviceMaintenance/GetDeviceMaintenanceList', { deviceId })
const auditOf = async (who: Who, deviceId: DeviceId) =>
  (await post(who, 'Audit/GetAuditLogList', { entityId: deviceId, entityTypeId: 1 })).body as AuditEntry[]

test('whoever had a device finds its alerts under the name of that time, and the device is not found', async () => {
  const { deviceId, guid, closedId, openId, entryId } = await addWithPast('Left')
  await moveTo('new', deviceId, { name: 'Renamed', address: 'New street', modelId: 15 })
  const found = (await alertsOf('old')).filter((alert) => alert.deviceId === deviceId)
  expect(found.map(({ id }) => id).sort()).toEqual([closedId, openId].sort())
  for (const alert of found) {
    expect(alert).toMatchObject({
      deviceName: 'Left',
      deviceAddress: 'Left, old street',
      deviceModelId: 1,
      statusId: 2,
      deviceHasLeft: true,
    })
  }
  expect((await alertsOf('staff')).find(({ id }) => id === openId)).toMatchObject({ deviceHasLeft: false })
  for (const [text, count] of [
    ['left', 2],
    ['renamed', 0],
  ] as const) {
    const listed = await read<{ total: number; rows: Alert[] }>('old', 'Alert/GetAlertList', {
      alertText: text,
      pageSize: 9,
    })
    expect([listed.total, listed.rows.length]).toEqual([count, count])
  }
  const details = await read<AlertDetails>('old', 'Alert/GetAlertDetails', { id: closedId })
  expect(details).toMatchObject({ device_name: 'Left', deviceHasLeft: true, maintenanceIds: [entryId] })
  expect(await read('old', 'DeviceMaintenance/GetDeviceMaintenance', { id: entryId })).toMatchObject({
    actionComment: WORDS_OF_OLD,
  })
  const refused = await Promise.all([
    call('old', 'Device/GetDevice', { query: { guid } }),
    call('old', 'Device/GetDeviceById', { query: { id: deviceId } }),
    call('old', 'Alert/GetAlertList', { query: { deviceId } }),
    call('old', 'Device/GetDeviceCommandList', { query: { deviceId } }),
    call('old', 'DeviceMaintenance/GetDeviceMaintenanceList', { query: { deviceId } }),
    call('old', 'Device/GetDeviceSettings', { query: { deviceId } }),
    call('old', 'DeviceMaintenance/DelDeviceMaintenance', { query: { id: entryId } }),
    post('old', 'DeviceMaintenance/SetDeviceMaintenance', {
      id: entryId,
      deviceId,
      startDt: '2026-11-01',
      actionComment: 'Changed',
    }),
  ])
  expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 404))
  const all = await call('old', 'Alert/GetAlertList', { query: {} })
  expect(all.text).not.toMatch(/Renamed|New street|New airport/)
})

test('whoever gets a device gets its readings, and nothing that people did or were told before', async () => {
  const { deviceId, closedId, openId, entryId } = await addWithPast('Got')
  await moveTo('new', deviceId)
  expect((await alertsOf('new')).filter((alert) => alert.deviceId === deviceId)).toEqual([])
  expect(await commandsOf('new', deviceId)).toEqual([])
  expect(await maintenanceOf('new', deviceId)).toEqual([])
  const settings = await call('new', 'Device/GetDeviceSettings', { query: { deviceId } })
  expect((settings.body as DeviceSettingsView).sections).toMatchObject([
    { section: 'turnOff', desired: { wdTimeOffFrom: '22:00' }, desiredAt: null, desiredBy: null, refusal: null },
  ])
  for (const [path, query] of [
    ['Alert/GetAlertDetails', { id: closedId }],
    ['Alert/GetAlertDetails', { id: openId }],
    ['DeviceMaintenance/GetDeviceMaintenance', { id: entryId }],
    ['DeviceMaintenance/DelDeviceMaintenance', { id: entryId }],
  ] as const) {
    expect((await call('new', path, { query })).status, path).toBe(404)
  }
  const linked = { deviceId, startDt: '2026-11-02', actionComment: 'Ours', alertId: closedId }
  expect((await post('new', 'DeviceMaintenance/SetDeviceMaintenance', linked)).status).toBe(404)
  const period = { dateFrom: ago(60).toISOString(), dateTo: new Date().toISOString() }
  const readings = await read<unknown[]>('new', 'Device/GetDeviceEvTypeRawDataV2', { deviceId, evTypeId: 4, ...period })
  expect(readings).toMatchObject([{ d_internal_temp: 20 }])
  const newId = await addAlert(deviceId, 'Ours is warm', true)
  expect((await alertsOf('new')).filter((alert) => alert.deviceId === deviceId)).toMatchObject([
    { id: newId, deviceName: 'Got', deviceHasLeft: false },
  ])
})

test('with the move open alerts, running commands and unsettled wishes end', async () => {
  const { deviceId, openId } = await addWithPast('Ended')
  await moveTo('new', deviceId)
  const alert = await read<AlertDetails>('old', 'Alert/GetAlertDetails', { id: openId })
  expect(alert).toMatchObject({ statusId: 2, close_resolution_name: 'Moved to another customer', closedBy: null })
  expect(alert.history.at(-1)).toMatchObject({ kind: 'closed', username: '', text: 'Moved to another customer' })
  // What was too warm for the former customer is raised again for the next one.
  expect(
    await rows('select alert, is_suppressed, true_since, open_alert_id from alert_state where device_id = $1', [
      deviceId,
    ]),
  ).toEqual(Array(2).fill({ alert: 0, is_suppressed: false, true_since: null, open_alert_id: null }))
  const states = (await commandsOf('staff', deviceId)).map(({ state, endedAt }) => [state, endedAt !== null])
  expect(states.sort()).toEqual([
    ['done', false],
    ['done', false],
    ['expired', true],
    ['expired', true],
    ['unknown', true],
    ['unknown', true],
  ])
  const view = await read<DeviceSettingsView>('staff', 'Device/GetDeviceSettings', { deviceId })
  expect(view.sections).toMatchObject([{ reason: null, desired: { wdTimeOffFrom: '22:00' } }])
})

test('a device that comes back has the rows of both times, and those between are the other one’s', async () => {
  const { deviceId, closedId } = await addWithPast('Lent')
  await moveTo('new', deviceId, { name: 'Borrowed' })
  const between = await addAlert(deviceId, 'Between', true)
  await moveTo('old', deviceId, { name: 'Back' })
  const own = (await alertsOf('old')).filter((alert) => alert.deviceId === deviceId)
  expect(own.map(({ id }) => id)).toContain(closedId)
  expect(own.map(({ id }) => id)).not.toContain(between)
  expect(own.every(({ deviceName, deviceHasLeft }) => deviceName === 'Back' && !deviceHasLeft)).toBe(true)
  expect((await alertsOf('new')).filter((alert) => alert.deviceId === deviceId)).toMatchObject([
    { id: between, deviceName: 'Borrowed', statusId: 2, deviceHasLeft: true },
  ])
  expect((await maintenanceOf('old', deviceId)).length).toBe(2)
})

test('the audit log tells one side that it left and the other that it arrived, each in one row', async () => {
  const { deviceId } = await addWithPast('Audited')
  const before = (await auditOf('staff', deviceId)).length
  await moveTo('new', deviceId, { name: 'Renamed here', address: 'Where it went' })
  const [left] = await auditOf('old', deviceId)
  expect(left).toMatchObject({
    entityName: 'Audited',
    username: 'Staff',
    details: 'The device was moved to another customer.',
    before: { customerId: customers.old },
    after: { customerId: null },
  })
  expect(JSON.stringify(await auditOf('old', deviceId))).not.toMatch(/Renamed here|Where it went/)
  expect(await auditOf('new', deviceId)).toMatchObject([
    {
      entityName: 'Renamed here',
      username: 'Staff',
      before: { customerId: null },
      after: { customerId: customers.new, address: 'Where it went' },
    },
  ])
  const ofStaff = await auditOf('staff', deviceId)
  expect(ofStaff.length).toBe(before + 1)
  expect(ofStaff[0]).toMatchObject({ before: { customerId: customers.old }, after: { customerId: customers.new } })
  const named = async (entityName: string) =>
    ((await post('new', 'Audit/GetAuditLogList', { entityName })).body as AuditEntry[]).length
  expect([await named('Audited'), await named('Renamed here')]).toEqual([0, 1])
})

test('of a user who is moved, too, one side reads that they left and the other that they arrived', async () => {
  const userId = await addUser(api.pool, { username: 'moving@old.example', functions: [], customerId: customers.old })
  expect((await post('staff', 'AppUser/SetAppUser', { id: userId, customerId: customers.new })).status).toBe(200)
  const seenBy = async (who: Who) => {
    const entries = (await post(who, 'Audit/GetAuditLogList', { entityId: userId, entityTypeId: 3 }))
      .body as AuditEntry[]
    return entries.map(({ before, after }) => ({ before, after }))
  }
  const nobody = { customerId: null }
  expect(await seenBy('old')).toEqual([{ before: { customerId: customers.old }, after: nobody }])
  expect(await seenBy('new')).toEqual([{ before: nobody, after: { customerId: customers.new } }])
})

test('to customers staff are staff, whatever they did', async () => {
  const { deviceId, openId } = await addWithPast('Served')
  const people = async (who: Who) => [
    (await maintenanceOf(who, deviceId)).map(({ username }) => username).sort(),
    [...new Set((await commandsOf(who, deviceId)).map(({ username }) => username))].sort(),
  ]
  expect(await people('old')).toEqual([
    ['Staff', 'anna@old.example'],
    ['Staff', 'anna@old.example'],
  ])
  expect(await people('staff')).toEqual([
    ['anna@old.example', STAFF],
    ['anna@old.example', STAFF],
  ])
  await post('staff', 'Device/ApplyTurnDisplayOffSettings', { deviceId, wdTimeOffFrom: '20:00', wdTimeOffTo: '06:00' })
  const wishedBy = async (who: Who) => {
    const view = await read<DeviceSettingsView>(who, 'Device/GetDeviceSettings', { deviceId })
    return view.sections.map(({ desiredBy }) => desiredBy)
  }
  expect([await wishedBy('old'), await wishedBy('staff')]).toEqual([['Staff'], [STAFF]])
  const seen = await read<AlertDetails>('old', 'Alert/GetAlertDetails', { id: openId })
  expect(seen.acknowledged).toMatchObject({ username: 'Staff', ownerName: 'Staff', ownerId: null })
  const [{ id: staffId }] = await rows('select id from app_user where username = $1', [STAFF])
  expect((await read<AlertDetails>('staff', 'Alert/GetAlertDetails', { id: openId })).acknowledged?.ownerId).toBe(
    staffId,
  )
  const audited = (await post('old', 'Audit/GetAuditLogList', { entityId: openId })).body as AuditEntry[]
  expect(audited).toMatchObject([{ username: 'Staff', after: { ownerId: null } }])
})

test('another customer’s id is not found, whatever a customer user asks for with it', async () => {
  const { id: deviceId } = await addDevice(api.pool, { name: 'Asked about', customerId: customers.old })
  const foreign = customers.new
  const [{ id: roleId }] = await rows(`select role_id as id from app_user where username = 'anna@old.example'`, [])
  const asked: readonly [string, object][] = [
    ['Device/CreateDevice', { customerId: foreign, modelId: 1, name: 'Theirs' }],
    ['Device/SetDeviceDetails', { id: deviceId, customerId: foreign }],
    ['AppUser/SetAppUser', { username: 'one@old.example', roleId, customerId: foreign }],
    ['Live/Watch', { deviceIds: [], stateDeviceIds: [], overviews: [foreign] }],
  ]
  const countAll = () =>
    rows('select (select count(*) from device) as devices, (select count(*) from app_user) as users', [])
  const before = await countAll()
  for (const [path, body] of asked) {
    if (path !== 'Live/Watch') expect((await post('old', path, body)).status, path).toBe(404)
  }
  expect(await countAll()).toEqual(before)
  const own = await post('old', 'Device/CreateDevice', { customerId: customers.old, modelId: 1, name: 'Ours' })
  expect(own.body).toMatchObject({ customerId: customers.old })
})
