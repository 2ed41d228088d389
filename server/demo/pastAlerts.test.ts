import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { SUGGESTED_CONDITIONS } from '#domain/alerts/suggestedConditions.ts'
import type { DeviceId, FieldId } from '#domain/ids.ts'
import { DAY_MS } from '#domain/units/time.ts'
import { openPool } from '#server/db/connect/pool.ts'
import { openDatabase } from '#server/db/database.ts'
import { ensureDefaultConditions } from '#server/features/alerting/thresholds/defaultConditions.ts'
import { ensureFirstAdmin } from '#server/features/people/signIn/firstAdmin.ts'
import { AlertRules } from '#server/telemetry/alerts/alertRules.ts'
import { readSeriesRows } from '#server/telemetry/read/seriesRows.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { PASSWORD } from '#server/testing/callers.ts'
import { demoConditionRows } from './demoConditions.ts'
import { DEMO_ADMIN, DEMO_MANAGER } from './demoUsers.ts'
import { createPastAlertStore } from './pastAlerts.store.ts'
import { makePastAlerts } from './pastAlerts.ts'
import { makePastMonths } from './pastHours.store.ts'
import { readPast } from './pastReadings.ts'
import { createSeedStore } from './seed.store.ts'
import { seedDemo } from './seedDemo.ts'

const FROM = new Date('2026-06-01T00:00:00Z')
const TO = new Date(FROM.getTime() + 60 * DAY_MS)
/** The fourth of these overheats and the seventh loses its mains, again and again. */
const DEVICES = 8

const folder = mkdtempSync(join(tmpdir(), 'wayside-past-'))
const fleetFile = join(folder, 'fleet.json')
const api = await apiTest()
const db = openDatabase(api.pool)
const owner = openPool(api.ownerUrl, { maximumConnections: 2, name: 'past' })
await makePastMonths(owner, FROM, TO)
await ensureFirstAdmin(db, { username: DEMO_ADMIN, password: PASSWORD })
const addresses = { mqttUrl: 'mqtt://127.0.0.1:1883', httpUrl: 'http://127.0.0.1:8080' }
await ensureDefaultConditions(db)
await seedDemo({ db, store: createSeedStore(db), deviceCount: DEVICES, historyDays: 30, fleetFile, addresses })
afterAll(async () => {
  await owner.end()
  rmSync(folder, { recursive: true })
})

const make = (signal = new AbortController().signal) =>
  makePastAlerts({
    store: createPastAlertStore(openDatabase(owner), DEMO_MANAGER),
    readPast,
    readRules: () => AlertRules.read(api.pool),
    ...{ fleetFile, from: FROM, to: TO, signal },
  })
const count = async (sql: string) => (await api.pool.query(`select count(*)::int as count from ${sql}`)).rows[0].count

/** Returns by device and field when the past begins to meet its condition, without the fold. */
async function beginnings() {
  const question = {
    fleetFile,
    from: FROM,
    to: TO,
    everyMinutes: 15,
    fieldIds: [4101, 4201, 4301, 1105, 5101] as FieldId[],
  }
  const times = new Map<string, string[]>()
  for await (const told of readPast({ ...question, signal: new AbortController().signal })) {
    const isMet = (value: number | string | null | undefined) =>
      Math.floor(told.fieldId / 1000) === 4
        ? Number(value) > 40
        : told.fieldId === 1105
          ? value === 1
          : typeof value === 'string' && value !== 'on line interactive normal'
    times.set(
      `${told.guid} ${told.fieldId}`,
      told.values.flatMap((value, index) =>
        isMet(value) && !isMet(told.values[index - 1])
          ? [new Date(told.fromMs + index * told.everyMs).toISOString()]
          : [],
      ),
    )
  }
  return times
}

test('the demo begins with closed alerts of its past, as its devices would have raised them', async () => {
  const stopped = new AbortController()
  stopped.abort()
  await make(stopped.signal)
  expect(await count('alert')).toBe(0)

  const added = await make()
  expect(added).toBeGreaterThan(100)
  expect(await count('alert')).toBe(added)
  // The conditions of every installation stand beside the demo's own and an override.
  expect(await count('alert_condition where model_id is not null')).toBe(demoConditionRows().length)
  expect(await count('alert_condition where part_of_id is null and model_id is null and tag is null')).toBe(
    SUGGESTED_CONDITIONS.length,
  )
  expect(await count('alert_condition o join alert_condition b on b.id = o.overrides_id')).toBe(1)
  expect(await count('alert where status_id <> 2 or closed_at < created_at or closed_by is null')).toBe(0)
  expect(await count(`alert where created_at < '${FROM.toISOString()}' or closed_at > '${TO.toISOString()}'`)).toBe(0)
  expect(await count('alert_notice')).toBe(0)
  expect(await count('alert_state')).toBe(0)
  expect(
    await count(`alert a where active_count <> (select count(*) from alert_event e
    where (e.device_id, e.alert_id) = (a.device_id, a.id) and kind in ('opened', 'active'))`),
  ).toBe(0)

  // Each beginning until somebody closed it stands in the history of one alert.
  const { rows } = await api.pool.query<{ guid: string; field_id: number; began: string[] }>(
    `select d.guid, a.field_id,
       array_agg(to_char(e.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') order by e.at) as began
     from alert a join alert_event e on (e.device_id, e.alert_id) = (a.device_id, a.id) and e.kind in ('opened', 'active')
     join device d on d.id = a.device_id group by 1, 2`,
  )
  expect(new Set(rows.map(({ field_id }) => field_id))).toEqual(new Set([4101, 4201, 4301, 1105, 5101]))
  const expected = await beginnings()
  for (const { guid, field_id, began } of rows) expect(began, guid).toEqual(expected.get(`${guid} ${field_id}`))
})

test('behind each alert of a temperature are the hours that raised it, as its chart asks for them', async () => {
  const { rows: alerts } = await api.pool.query<{ device_id: DeviceId; created_at: Date; metric_value_dec: number }>(
    'select device_id, created_at, metric_value_dec from alert where field_id = 4101 order by created_at',
  )
  expect(alerts.length).toBeGreaterThan(50)
  for (const { device_id, created_at, metric_value_dec } of [...alerts.slice(0, 5), ...alerts.slice(-5)]) {
    const hours = await readSeriesRows(api.pool, {
      ...{ deviceIds: [device_id], fieldIds: [4101 as FieldId], stepMinutes: 60, withRange: true },
      from: created_at,
      to: new Date(created_at.getTime() + 1),
    })
    const [hour] = hours
    expect(hour?.maxima?.[0]).toBeGreaterThanOrEqual(metric_value_dec)
    expect(hour?.minima?.[0]).toBeLessThanOrEqual(metric_value_dec)
  }
  const { rows } = await api.pool.query('select min(day)::text as first, max(day)::text as last from rollup')
  expect(rows).toEqual([{ first: '2026-06-01', last: '2026-07-30' }])
})

test('made once: a later start adds nothing, and conditions that were removed stay so', async () => {
  await api.pool.query('update alert_condition set deleted_at = now() where field_id = 1105')
  const before = await count('alert')
  expect(await make()).toBe(0)
  expect(await count('alert')).toBe(before)
  // The demo may have been made by a version that made no hours.
  await owner.query('delete from rollup')
  expect(await make()).toBe(0)
  expect([await count('alert'), (await count('rollup')) > 0]).toEqual([before, true])
  expect(await count('alert_condition where deleted_at is null')).toBeLessThan(await count('alert_condition'))
})
