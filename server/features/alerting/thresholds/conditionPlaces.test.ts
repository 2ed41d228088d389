import { expect, test } from 'vitest'
import { AUDIT_ENTITY_IDS } from '#contract/call/call.ts'
import type { AlertCondition, ConditionPreview } from '#contract/http/alerting/thresholds.ts'
import type { AuditEntry } from '#contract/http/insight/auditLog.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { addCustomer, addDevice, ask } from '#server/testing/callers.ts'

const LOAD = 5104
const UPS_STATUS = 5101
const PANEL_TEMP = 4101

const api = await apiTest()
const { pool } = api
const customerId = await addCustomer(pool, 'Harbour')
const foreignCustomerId = await addCustomer(pool, 'Airport')
const pier = (await addDevice(pool, { name: 'Pier', customerId })).id
const quay = (await addDevice(pool, { name: 'Quay', customerId })).id
const airport = (await addDevice(pool, { name: 'Airport', customerId: foreignCustomerId })).id
await pool.query(`update device set tags = '{North}', tag_keys = '{north}' where id = any($1)`, [[quay, airport]])
const staff = await api.signedIn({ username: 'staff@a.example', functions: [1] })
const theirs = await api.signedIn({ username: 'admin@harbour.example', functions: [1], customerId })

const set = (body: object, token = staff) => ask(api, 'Alert/SetAlertCondition', { token, method: 'POST', body })
const made = async (body: object, token = staff) => {
  const answer = await set(body, token)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json() as AlertCondition
}
const list = async (query: Record<string, number | string>, token = staff) =>
  (await ask(api, 'Alert/GetAlertConditionList', { token, query })).json() as AlertCondition[]
const remove = (id: number) => ask(api, 'Alert/DelAlertCondition', { token: staff, method: 'POST', body: { id } })
const HOT = { eventTypeFieldId: LOAD, operatorId: 1, valueDec: 60 }

test('a condition of a customer or a tag names their devices, and says how many', async () => {
  const ofCustomer = await made({ ...HOT, customerId })
  const ofTag = await made({ ...HOT, tag: ' north ' })
  const ofBoth = await made({ ...HOT, tag: 'NORTH', customerId })
  expect([ofCustomer, ofTag, ofBoth].map(({ deviceCount }) => deviceCount)).toEqual([2, 2, 1])
  const names = ['Harbour', '#north', '#NORTH of Harbour']
  expect([ofCustomer, ofTag, ofBoth].map(({ placeName }) => placeName)).toEqual(names)
  expect((await list({ deviceId: quay })).map(({ placeName }) => placeName)).toEqual(names)
  expect((await list({ deviceId: quay })).map(({ id }) => id)).toEqual([ofCustomer.id, ofTag.id, ofBoth.id])
  expect((await list({ deviceId: airport })).map(({ id }) => id)).toEqual([ofTag.id])
  expect((await list({ tag: 'North' })).map(({ id }) => id)).toEqual([ofTag.id, ofBoth.id])
  // Customers see their own conditions and everybody's, counted over their own devices.
  const seen = await list({}, theirs)
  expect(seen.map(({ id, deviceCount }) => [id, deviceCount])).toEqual([
    [ofCustomer.id, 2],
    [ofTag.id, 1],
    [ofBoth.id, 1],
  ])
  for (const { id } of [ofCustomer, ofTag, ofBoth]) await remove(id)
})

test("a customer's admin sets conditions of its own devices, tags and customer, and of nobody else", async () => {
  const ofTag = await made({ ...HOT, tag: 'North' }, theirs)
  expect(ofTag).toMatchObject({ tag: 'North', customerId, deviceCount: 1 })
  expect((await set({ ...HOT, customerId: foreignCustomerId }, theirs)).statusCode).toBe(404)
  const ofAll = await made({ ...HOT, tag: 'North' })
  expect((await set({ ...ofAll, valueDec: 70 }, theirs)).statusCode).toBe(403)
  expect((await list({}, theirs)).map(({ id }) => id)).toEqual([ofTag.id, ofAll.id])
  for (const { id } of [ofTag, ofAll]) await remove(id)
})

test('a condition of all devices is made by staff, read by everybody, and replaced for fewer devices', async () => {
  const ofAll = await made({ ...HOT, allDevices: true })
  expect(ofAll).toMatchObject({ allDevices: true, placeName: 'All devices', deviceId: null, deviceCount: 3 })
  expect((await set({ ...ofAll, valueDec: 70 })).json()).toMatchObject({ id: ofAll.id, valueDec: 70 })
  expect(await list({ deviceId: airport })).toMatchObject([{ id: ofAll.id, allDevices: true }])
  // Customers count only their own devices, and change nothing for others.
  expect(await list({}, theirs)).toMatchObject([{ id: ofAll.id, deviceCount: 2 }])
  const refusals = [
    await set({ ...HOT, allDevices: true }, theirs),
    await set({ ...ofAll, valueDec: 80 }, theirs),
    await ask(api, 'Alert/DelAlertCondition', { token: theirs, method: 'POST', body: { id: ofAll.id } }),
  ]
  expect(refusals.map(({ statusCode }) => statusCode)).toEqual([403, 403, 403])
  const theirOwn = await made({ ...HOT, customerId, overridesId: ofAll.id, isOff: true }, theirs)
  const ofModel = await made({ ...HOT, modelId: 1, overridesId: ofAll.id })
  expect((await list({ customerId: foreignCustomerId })).length).toBe(0)
  expect((await list({ deviceId: quay })).map(({ id }) => id)).toEqual([ofAll.id, theirOwn.id, ofModel.id])
  for (const { id } of [ofAll, theirOwn]) await remove(id)
  expect(await list({ deviceId: quay })).toEqual([])
})

test.each([
  ['a device beside', { deviceId: 1 }, 'allDevices is not valid'],
  ['a model beside', { modelId: 1 }, 'allDevices is not valid'],
  ['a tag beside', { tag: 'North' }, 'allDevices is not valid'],
])('all devices with %s is refused', async (_, more, message) => {
  const answer = await set({ ...HOT, allDevices: true, ...more })
  expect([answer.statusCode, answer.json().message]).toEqual([400, message])
})

test('what holds for as many devices or more replaces nothing', async () => {
  const ofModel = await made({ ...HOT, modelId: 1 })
  const answer = await set({ ...HOT, allDevices: true, overridesId: ofModel.id })
  expect([answer.statusCode, answer.json().message]).toEqual([400, 'overridesId is not valid'])
  await remove(ofModel.id)
})

test('an override replaces the wider condition on its devices, tells what it replaces, and goes with it', async () => {
  const wide = await made({ ...HOT, customerId })
  const narrow = await made({ ...HOT, valueDec: 80, deviceId: quay, overridesId: wide.id })
  const off = await made({ ...HOT, deviceId: pier, overridesId: wide.id, isOff: true })
  expect(narrow).toMatchObject({ overridesId: wide.id, deviceId: quay })
  expect((await list({ overridesId: wide.id })).map(({ id }) => id)).toEqual([narrow.id, off.id])
  expect((await list({ customerId }))[0]).toMatchObject({ deviceCount: 2, overriddenCount: 2 })
  // Nothing can be narrower than one device, and an override cannot be overridden.
  expect((await set({ ...HOT, deviceId: quay, overridesId: narrow.id })).body).toContain('overridesId')
  await remove(wide.id)
  expect(await list({ overridesId: wide.id })).toEqual([])
  // The one audit row names what was removed along with it.
  const { rows } = await pool.query(
    `select after -> 'removedOverrides' as removed from audit_log where entity_id = $1 order by id desc limit 1`,
    [wide.id],
  )
  expect(rows).toEqual([{ removed: [narrow.id, off.id] }])
})

test('a tag that overrides tells of the devices that differ from it in turn, and from no other', async () => {
  const wide = await made({ ...HOT, customerId })
  const ofTag = await made({ ...HOT, valueDec: 70, tag: 'North', customerId, overridesId: wide.id })
  const ofQuay = await made({ ...HOT, valueDec: 80, deviceId: quay, overridesId: wide.id })
  // This condition does not name the tag, so it differs only from the customer's.
  await made({ ...HOT, valueDec: 90, deviceId: pier, overridesId: wide.id })
  const counts = (await list({ customerId })).map(({ id, overriddenCount }) => [id, overriddenCount])
  expect(counts).toEqual([
    [wide.id, 2],
    [ofTag.id, 1],
  ])
  expect((await list({ overridesId: ofTag.id })).map(({ id }) => id)).toEqual([ofQuay.id])
  expect(await list({ overridesId: ofQuay.id })).toEqual([])
  await remove(wide.id)
})

test('an override ends when its device leaves the reach of what it replaces, and does not come back with the tag', async () => {
  const wide = await made({ ...HOT, tag: 'North' })
  const [ofQuay, ofAirport] = [
    await made({ ...HOT, valueDec: 80, deviceId: quay, overridesId: wide.id }),
    await made({ ...HOT, valueDec: 80, deviceId: airport, overridesId: wide.id }),
  ]
  const tag = (body: object) =>
    ask(api, 'Device/ChangeDeviceTags', { token: staff, method: 'POST', body: { id: quay, ...body } })
  expect((await tag({ add: ['Other'] })).statusCode).toBe(200)
  expect((await list({ overridesId: wide.id })).map(({ id }) => id)).toEqual([ofQuay.id, ofAirport.id])
  await tag({ remove: ['North', 'Other'] })
  expect((await list({ overridesId: wide.id })).map(({ id }) => id)).toEqual([ofAirport.id])
  // This audit row names what was removed along with it; that of the previous change names nothing.
  const { rows } = await pool.query(
    `select username, before, after from audit_log
     where entity_id = $1 and call = 'Device/ChangeDeviceTags' order by id desc limit 2`,
    [quay],
  )
  expect(rows.map(({ before }) => before.overrides)).toEqual([['UPS: UPS load (%) > 80'], undefined])
  expect(rows[0].after).toEqual({ tags: [] })
  await tag({ add: ['North'] })
  expect((await list({ deviceId: quay })).map(({ id }) => id)).toEqual([wide.id])
  await remove(wide.id)
})

test('which overrides end with a move to another customer is in the log, and not for the next customer', async () => {
  const wharf = (await addDevice(pool, { name: 'Wharf', customerId })).id
  const wide = await made({ ...HOT, customerId })
  await made({ ...HOT, deviceId: wharf, overridesId: wide.id, isOff: true })
  const body = { id: wharf, customerId: foreignCustomerId }
  expect((await ask(api, 'Device/SetDeviceDetails', { token: staff, method: 'POST', body })).statusCode).toBe(200)
  const next = await api.signedIn({ username: 'admin@airport.example', functions: [1], customerId: foreignCustomerId })
  const read = async (token: string) => {
    const asked = { entityId: wharf, entityTypeId: AUDIT_ENTITY_IDS.Device }
    const answer = await ask(api, 'Audit/GetAuditLogList', { token, method: 'POST', body: asked })
    return (answer.json() as AuditEntry[]).map(({ before }) => before)
  }
  expect(await read(staff)).toEqual([{ customerId, overrides: ['UPS: UPS load (%) > 60 (switched off)'] }])
  expect(await read(next)).toEqual([{ customerId: null }])
  await remove(wide.id)
})

test('an override closes what the wider condition opened there, and nothing elsewhere', async () => {
  const wide = await made({ ...HOT, customerId })
  const open = (deviceId: number) =>
    pool.query(
      `with opened as (
         insert into alert (device_id, condition_id, created_at, found_at, field_id, operator_code, value_dec, period_id,
           action_type_id, condition_text, state_since)
         values ($1, $2, now(), now(), ${LOAD}, 'GT', 60, 1, 1, 'hot', now()) returning id)
       insert into alert_state (device_id, condition_id, revision, version, alert, is_suppressed, open_alert_id)
       select $1, $2, 1, 1, 1, false, id from opened`,
      [deviceId, wide.id],
    )
  await open(pier)
  await open(quay)
  await made({ ...HOT, valueDec: 80, deviceId: quay, overridesId: wide.id })
  const { rows } = await pool.query(
    'select device_id, status_id, close_resolution_id from alert where condition_id = $1 order by device_id',
    [wide.id],
  )
  expect(rows).toEqual([
    { device_id: pier, status_id: 1, close_resolution_id: null },
    { device_id: quay, status_id: 2, close_resolution_id: 6 },
  ])
  await remove(wide.id)
})

test.each([
  ['a level of its own', { ...HOT, clearDec: 55 }, '> 60, cleared at < 55'],
  [
    'two fields',
    {
      ...HOT,
      kind: 'pair',
      joinedBy: 'and',
      secondFieldId: UPS_STATUS,
      secondOperatorId: 5,
      secondValueText: 'on battery',
      periodId: 2,
    },
    '> 60 and UPS status = "on battery" for 5 minutes',
  ],
  [
    'a change',
    { eventTypeFieldId: PANEL_TEMP, kind: 'change', valueDec: 5, minutes: 15 },
    'changes by more than 5 within 15 minutes',
  ],
  ['no value', { eventTypeFieldId: LOAD, kind: 'absent', minutes: 30 }, 'not reported for 30 minutes'],
  ['silence', { kind: 'silent', minutes: 30 }, 'Not reporting for 30 minutes'],
  ['darkness', { kind: 'dark', minutes: 10, severityId: 1 }, 'Dark against plan for 10 minutes'],
])('a condition that asks for %s is stored and reads as such', async (_what, body, words) => {
  const condition = await made({ ...body, deviceId: pier })
  expect(condition.conditionText).toContain(words)
  expect(await list({ deviceId: pier })).toEqual([condition])
  // A record can be sent back as it was read.
  expect((await made({ ...condition })).conditionText).toBe(condition.conditionText)
  await remove(condition.id)
})

test.each([
  ['clearDec', { ...HOT, clearDec: 61 }],
  ['clearDec', { ...HOT, operatorId: 3, clearDec: 59 }],
  ['minutes', { kind: 'silent' }],
  ['minutes', { kind: 'change', eventTypeFieldId: LOAD, valueDec: 5, minutes: 61 }],
  ['valueDec', { kind: 'change', eventTypeFieldId: LOAD, minutes: 5 }],
  ['eventTypeFieldId', { kind: 'change', eventTypeFieldId: UPS_STATUS, valueDec: 5, minutes: 5 }],
  ['eventTypeFieldId', { kind: 'absent', minutes: 5 }],
  ['joinedBy', { ...HOT, kind: 'pair', secondFieldId: PANEL_TEMP, secondOperatorId: 1, secondValueDec: 1 }],
  ['secondFieldId', { ...HOT, kind: 'pair', joinedBy: 'or' }],
  ['secondValueDec', { ...HOT, kind: 'pair', joinedBy: 'or', secondFieldId: PANEL_TEMP, secondOperatorId: 1 }],
  ['isOff', { ...HOT, isOff: true }],
  ['customerId', { ...HOT, customerId }],
])('what is wrong with %s is named', async (field, body) => {
  const answer = await set({ ...body, deviceId: pier })
  expect(answer.statusCode).toBe(400)
  expect(answer.body).toContain(field)
})

test('what silence would have done is told by the presence of the device', async () => {
  const at = (minutesAgo: number) => new Date(Date.now() - minutesAgo * 60_000)
  for (const [minutesAgo, isOnline] of [
    [300, true],
    [200, false],
    [150, true],
    [100, false],
    [95, true],
    [50, false],
  ] as const) {
    await pool.query(
      `insert into device_presence_history (device_id, at, is_online, reason) values ($1, $2, $3, 'connected')`,
      [pier, at(minutesAgo), isOnline],
    )
  }
  const body = { deviceId: pier, kind: 'silent', minutes: 20, days: 7 }
  const answer = await ask(api, 'Alert/PreviewAlertCondition', { token: staff, method: 'POST', body })
  const { counts, stretches } = answer.json() as ConditionPreview
  expect(counts).toMatchObject([{ days: 7, timesMet: 2, deviceCount: 1 }])
  const minutesAgo = (moment: string | null) => moment && Math.round((Date.now() - Date.parse(moment)) / 60_000)
  expect(stretches.map(({ from, to }) => [minutesAgo(from), minutesAgo(to)])).toEqual([
    [180, 150],
    [30, null],
  ])
})

test('what a condition of darkness would have done goes by readings, off times and maintenance', async () => {
  const minute = (minutesAgo: number) => new Date(Math.floor(Date.now() / 60_000 - minutesAgo) * 60_000)
  await pool.query(
    `insert into device_component (device_id, component_model_id, category_id, number) values ($1, 17, 6, 1)`,
    [pier],
  )
  // The display is dark for 40 minutes, for 5, and for 60 of which half an hour is maintenance; then it is dark until
  // it reports no more.
  const isDark = (ago: number) => ago > 400 || ago < 90 || (ago <= 300 && ago > 295) || (ago <= 250 && ago > 190)
  for (let ago = 440; ago > 70; ago--)
    await pool.query(
      `insert into reading_display (device_id, device_dt, inserted, number, backlight_level) values ($1, $2, $2, 1, $3)`,
      [pier, minute(ago), isDark(ago) ? 0 : 80],
    )
  const window = { deviceId: pier, reason: 'Filter', from: minute(230), to: minute(200) }
  await pool.query(
    `with made as (insert into maintenance_window (target_kind, customer_id, target_device_id, reason, from_at, to_at, time_zone,
         username, ends_at) values ('device', $5, $1, $2, $3, $4, 'UTC', 'staff', $4) returning id)
     insert into device_maintenance (device_id, window_id, from_at, to_at, occurrence_at, due_to)
       select $1, id, $3, $4, $3, $4 from made`,
    [window.deviceId, window.reason, window.from, window.to, customerId],
  )
  const body = { deviceId: pier, kind: 'dark', minutes: 15, days: 7 }
  const answer = await ask(api, 'Alert/PreviewAlertCondition', { token: staff, method: 'POST', body })
  expect(answer.statusCode, answer.body).toBe(200)
  const { counts, stretches } = answer.json() as ConditionPreview
  const minutesAgo = (moment: string | null) => moment && Math.floor((Date.now() - Date.parse(moment)) / 60_000)
  expect(stretches.map(({ from, to }) => [minutesAgo(from), minutesAgo(to)])).toEqual([
    [425, 400],
    [235, 230],
    [74, null],
  ])
  expect(counts).toMatchObject([{ days: 7, timesMet: 3, deviceCount: 1 }])
})
