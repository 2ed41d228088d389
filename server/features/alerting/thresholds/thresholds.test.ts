import { expect, test } from 'vitest'
import type { AlertCondition, ConditionPreview } from '#contract/http/alerting/thresholds.ts'
import { DEVICE_MODELS } from '#domain/devices/models.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { addCustomer, addDevice, ask, auditActionId } from '#server/testing/callers.ts'
import { MONTH_DAYS } from '#server/testing/database/keptDays.ts'

const LOAD = 5104
const UPS_STATUS = 5101
const FAN_TARGET = 4109
const TOUCH = 4126

const api = await apiTest({ keptDays: MONTH_DAYS })
const { pool } = api
const customerId = await addCustomer(pool, 'Harbour')
const deviceId = (await addDevice(pool, { name: 'Pier', customerId })).id
const foreignId = (await addDevice(pool, { name: 'Airport', customerId: await addCustomer(pool, 'Airport') })).id
const staff = await api.signedIn({ username: 'staff@a.example', functions: [1] })
const customersAdmin = await api.signedIn({ username: 'admin@harbour.example', functions: [1], customerId })

const overload = { eventTypeFieldId: LOAD, operatorId: 1, valueDec: 60.5 }
const set = (body: object, token = staff) => ask(api, 'Alert/SetAlertCondition', { token, method: 'POST', body })
const list = async (query: Record<string, number>, token = staff) =>
  (await ask(api, 'Alert/GetAlertConditionList', { token, query })).json() as AlertCondition[]

test('a condition is stored as it reads, listed with those of its model, changed and removed', async () => {
  const added = (await set({ deviceId, ...overload, periodId: 3 })).json() as AlertCondition
  expect(added).toMatchObject({ deviceId, modelId: null, operatorCode: 'GT', valueDec: 60.5, actionTypeId: 1 })
  expect(added.conditionText).toContain('> 60.5 for 15 minutes')
  const ofModel = (await set({ modelId: 1, eventTypeFieldId: UPS_STATUS, operatorId: 6, valueText: 'x' })).json()
  expect(ofModel.conditionText).toMatch(/^UPS: UPS status /)
  expect(await list({ deviceId })).toEqual([added, ofModel])
  expect(await list({ deviceId, fieldGroupId: 4 })).toEqual([])
  expect(await list({ modelId: 1 })).toEqual([ofModel])

  // A record can be sent back as it was read.
  const changed = (await set({ ...added, valueDec: 70 })).json() as AlertCondition
  expect(changed).toMatchObject({ id: added.id, valueDec: 70, periodId: 3 })
  const { rows } = await api.pool.query(
    'select revision, effective_at > created_at as later from alert_condition where id = $1',
    [added.id],
  )
  expect(rows).toEqual([{ revision: 2, later: true }])
  const audited = await api.pool.query(
    `select entity_name as name, action_id, before -> 'valueDec' as before, after -> 'valueDec' as after, customer_id from audit_log
     where entity_id = $1 and outcome = 'done' order by id`,
    [added.id],
  )
  expect(audited.rows).toEqual([
    {
      name: 'UPS: UPS load (%) > 60.5 for 15 minutes · Pier',
      action_id: auditActionId('Create'),
      before: null,
      after: 60.5,
      customer_id: customerId,
    },
    {
      name: expect.stringMatching(/70.* · Pier$/),
      action_id: auditActionId('Update'),
      before: 60.5,
      after: 70,
      customer_id: customerId,
    },
  ])
  for (const { id } of [added, ofModel]) {
    expect((await ask(api, 'Alert/DelAlertCondition', { token: staff, method: 'POST', body: { id } })).json()).toBe(
      true,
    )
  }
  expect(await list({ deviceId })).toEqual([])
  expect((await set({ ...changed })).statusCode).toBe(404)
})

test('a title names the condition and its alerts, judges nothing anew, and can be taken back', async () => {
  const added = (await set({ deviceId, ...overload })).json() as AlertCondition
  expect(added).toMatchObject({ title: null, shownTitle: 'UPS load too high' })
  await pool.query(
    `insert into alert (device_id, condition_id, created_at, found_at, field_id, operator_code, value_dec, period_id,
       action_type_id, condition_text, metric_value_dec, state_since)
     values ($1, $2, now(), now(), $3, 'GT', 60.5, 1, 1, $4, 71.25, now())`,
    [deviceId, added.id, LOAD, added.conditionText],
  )
  const titles = async () => {
    const page = (await ask(api, 'Alert/GetAlertList', { token: staff, query: { deviceId } })).json()
    return page.rows.map(({ title }: { title: string }) => title)
  }
  expect(await titles()).toEqual(['UPS load too high: 71.25 %, limit 60.5 %'])
  const renamed = (await set({ ...added, title: ' Cabinet overloaded ' })).json() as AlertCondition
  expect(renamed).toMatchObject({ title: 'Cabinet overloaded', shownTitle: 'Cabinet overloaded' })
  expect(await titles()).toEqual(['Cabinet overloaded: 71.25 %, limit 60.5 %'])
  const { rows } = await pool.query('select revision from alert_condition where id = $1', [added.id])
  expect(rows).toEqual([{ revision: 1 }])
  // Programs that know no titles leave it as it is.
  const { title: _, ...withoutTitle } = renamed
  expect((await set({ ...withoutTitle, valueDec: 65 })).json()).toMatchObject({ shownTitle: 'Cabinet overloaded' })
  expect((await set({ ...renamed, title: '' })).json()).toMatchObject({ title: null, shownTitle: 'UPS load too high' })
  expect((await set({ ...renamed, title: 'x'.repeat(81) })).statusCode).toBe(400)
  await ask(api, 'Alert/DelAlertCondition', { token: staff, method: 'POST', body: { id: added.id } })
  await pool.query('delete from alert where condition_id = $1', [added.id])
})

test.each([
  ['a number field without a value', { valueDec: null }, 'valueDec is required'],
  [
    'an operator that needs an order, for a text',
    { eventTypeFieldId: UPS_STATUS, valueDec: null, valueText: 'x' },
    'operatorId is not valid',
  ],
  ['a field that is excluded', { eventTypeFieldId: FAN_TARGET }, 'eventTypeFieldId is not valid'],
  ['the touch screen', { eventTypeFieldId: TOUCH, operatorId: 5, valueDec: null }, 'eventTypeFieldId is not valid'],
  ['a field that there is not', { eventTypeFieldId: 999_999 }, 'eventTypeFieldId is not valid'],
  ['a period that there is not', { periodId: 9 }, 'periodId is not valid'],
  ['an action that there is not', { actionTypeId: 9 }, 'actionTypeId is not valid'],
  ['neither device nor model', { deviceId: null }, 'deviceId is required'],
  ['device and model', { modelId: 1 }, 'modelId is not valid'],
])('%s is refused', async (_, more, message) => {
  const answer = await set({ deviceId, ...overload, ...more })
  expect([answer.statusCode, answer.json().message]).toEqual([400, message])
})

test('an empty text is a value of a text field', async () => {
  const answer = await set({ deviceId, eventTypeFieldId: UPS_STATUS, operatorId: 5 })
  expect(answer.json()).toMatchObject({ valueText: '', valueDec: null })
})

test('a model-wide condition is for staff to set, change, try and remove; others read it', async () => {
  const { id } = (await set({ modelId: 1, ...overload })).json() as AlertCondition
  expect((await list({ deviceId }, customersAdmin)).map((one) => one.id)).toContain(id)
  const tries = [
    set({ modelId: 1, ...overload }, customersAdmin),
    set({ id, ...overload }, customersAdmin),
    ask(api, 'Alert/DelAlertCondition', { token: customersAdmin, method: 'POST', body: { id } }),
    ask(api, 'Alert/PreviewAlertCondition', {
      token: customersAdmin,
      method: 'POST',
      body: { modelId: 1, ...overload },
    }),
  ]
  expect((await Promise.all(tries)).map(({ statusCode }) => statusCode)).toEqual([403, 403, 403, 403])
})

test('conditions of another customer are nobody else’s', async () => {
  const { id } = (await set({ deviceId: foreignId, ...overload })).json() as AlertCondition
  expect((await list({}, customersAdmin)).map((one) => one.id)).not.toContain(id)
  expect((await list({})).map((one) => one.id)).toContain(id)
  expect((await set({ id, ...overload }, customersAdmin)).statusCode).toBe(404)
  const { rows } = await api.pool.query('select revision from alert_condition where id = $1', [id])
  expect(rows).toEqual([{ revision: 1 }])
})

test('a condition stays with the device that it was made for', async () => {
  const { id } = (await set({ deviceId, ...overload })).json() as AlertCondition
  expect((await set({ id, deviceId: foreignId, ...overload })).json().message).toBe('deviceId is not valid')
})

test('the fields that are offered are those the device reports, without the excluded ones', async () => {
  const of = async (query: Record<string, number>) =>
    (await ask(api, 'EventType/GetDeviceEtFieldList', { token: staff, query })).json() as { id: number }[]
  const offered = (await of({ modelId: 1 })).map(({ id }) => id)
  expect(offered).toContain(LOAD)
  expect(offered).not.toContain(FAN_TARGET)
  expect(offered).not.toContain(TOUCH)
  // This device was never fitted with parts, so only the computer and its power switch report.
  expect((await of({ deviceId })).map(({ id }) => Math.floor(id / 1000)).filter((type) => type === 5)).toEqual([])
})

test('for a customer or a tag the fields of all models are offered', async () => {
  const fieldsOf = async (query: Record<string, number>) =>
    ((await ask(api, 'EventType/GetDeviceEtFieldList', { token: staff, query })).json() as { id: number }[]).map(
      ({ id }) => id,
    )
  const ofAll = await fieldsOf({})
  for (const { id } of DEVICE_MODELS) expect(ofAll).toEqual(expect.arrayContaining(await fieldsOf({ modelId: id })))
  expect(new Set(ofAll).size).toBe(ofAll.length)
})

test('a preview of thirty days of minutes tells how often, how long and where, before it is given up', async () => {
  const minutes = 30 * 24 * 60
  const newest = Math.floor(Date.now() / 60_000) * 60_000
  await api.pool.query(
    `insert into reading_ups (device_id, number, device_dt, inserted, load)
     select $1, 1, timestamptz 'epoch' + ($2::bigint - minute::bigint * 60000) * interval '1 millisecond', now(),
       case when minute % 1440 < 30 then 70 else 20 end
     from generate_series(0, $3::int - 1) as minute`,
    [deviceId, newest, minutes],
  )
  const answer = await ask(api, 'Alert/PreviewAlertCondition', {
    token: staff,
    method: 'POST',
    body: { deviceId, ...overload, days: 30 },
  })
  const preview = answer.json() as ConditionPreview
  // The condition is met half an hour a day; the newest still lasts.
  expect(preview.counts.map(({ days, timesMet, deviceCount }) => [days, timesMet, deviceCount])).toEqual([
    [7, 7, 1],
    [30, 30, 1],
  ])
  expect(preview.counts[1]?.activeMinutes).toBeGreaterThanOrEqual(29 * 30 + 29)
  expect(preview.stretches).toHaveLength(30)
  expect(preview.stretches.at(-1)?.to).toBeNull()
}, 60_000)
