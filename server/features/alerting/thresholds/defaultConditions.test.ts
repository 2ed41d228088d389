import { afterAll, expect, test } from 'vitest'
import type { AlertCondition, DefaultConditions } from '#contract/http/alerting/thresholds.ts'
import { openPool } from '#server/db/connect/pool.ts'
import { openDatabase } from '#server/db/database.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { addCustomer, addDevice, ask } from '#server/testing/callers.ts'
import { ensureDefaultConditions } from './defaultConditions.ts'

const api = await apiTest()
const db = openDatabase(api.pool)
const owner = openPool(api.ownerUrl, { maximumConnections: 1, name: 'test owner' })
afterAll(() => owner.end())
const staff = await api.signedIn({ username: 'staff@a.example', functions: [1] })
const start = () => ensureDefaultConditions(db)
const list = async () => (await ask(api, 'Alert/GetAlertConditionList', { token: staff })).json<AlertCondition[]>()
const defaults = async (token = staff) =>
  (await ask(api, 'Alert/GetDefaultConditionList', { token })).json<DefaultConditions>()
const answer = (keys: string[], token = staff) =>
  ask(api, 'Alert/AnswerDefaultConditions', { token, method: 'POST', body: { keys } })

const DEFAULTS = [
  [1, 'Dark against plan for 5 minutes'],
  [1, 'Not reporting for 30 minutes'],
  [2, 'UPS: UPS status ≠ "on line interactive normal"'],
  [2, 'Every ECU: Door = "1"'],
  [2, 'Router: Data budget used (%) ≥ 90'],
  [2, 'Device: Client starts in the last hour > 4'],
  [2, 'UPS: Battery test = "failed"'],
]

test('a new installation begins with conditions for all devices, whoever of several processes starts first', async () => {
  await Promise.all([start(), start(), start()])
  const added = await list()
  expect(added.map(({ severityId, conditionText }) => [severityId, conditionText])).toEqual(DEFAULTS)
  expect(added.every(({ allDevices, actionTypeId }) => allDevices && actionTypeId === 1)).toBe(true)
  expect((await defaults()).isOffered).toBe(false)
  expect((await answer(['dark'])).statusCode).toBe(404)
  // Default conditions are ordinary ones: after a restart, removed ones stay away.
  for (const { id } of added) await ask(api, 'Alert/DelAlertCondition', { token: staff, method: 'POST', body: { id } })
  await start()
  expect(await list()).toEqual([])
})

test('an installation that was there before is offered them once, and staff alone answer', async () => {
  await owner.query('delete from default_conditions; delete from alert_condition')
  const customerId = await addCustomer(api.pool, 'Harbour')
  await addDevice(api.pool, { name: 'Pier', customerId })
  const theirs = await api.signedIn({ username: 'admin@harbour.example', functions: [1], customerId })
  const silent = { kind: 'silent', minutes: 60, modelId: 1 }
  await ask(api, 'Alert/SetAlertCondition', { token: staff, method: 'POST', body: silent })
  await start()
  expect(await list()).toHaveLength(1)
  const offered = await defaults()
  expect(offered.isOffered).toBe(true)
  expect(offered.conditions.map(({ severityId, conditionText }) => [severityId, conditionText])).toEqual(DEFAULTS)
  expect(offered.conditions.filter(({ isWatched }) => isWatched).map(({ key }) => key)).toEqual(['silent'])
  expect((await defaults(theirs)).isOffered).toBe(false)
  expect((await answer(['dark'], theirs)).statusCode).toBe(403)

  const added = await answer(['dark', 'doorOpen'])
  expect(added.statusCode, added.body).toBe(200)
  expect((await list()).map(({ conditionText }) => conditionText)).toEqual([
    'Not reporting for 60 minutes',
    'Dark against plan for 5 minutes',
    'Every ECU: Door = "1"',
  ])
  await start()
  expect((await defaults()).isOffered).toBe(false)
  expect((await answer(['silent'])).statusCode).toBe(404)
  const { rows } = await api.pool.query(
    `select after -> 'addedConditions' as added from audit_log where entity_name like 'Default conditions%' and outcome = 'done'`,
  )
  expect(rows).toEqual([{ added: ['Dark against plan for 5 minutes', 'Every ECU: Door = "1"'] }])
})
