import type pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { eventTypeById } from '#domain/catalogue/eventTypes.ts'
import type { DeviceId, FieldId } from '#domain/ids.ts'
import { DAY_MS, HOUR_MS } from '#domain/units/time.ts'
import type { Queryable } from '#server/db/transaction.ts'
import { WEEK_DAYS } from '#server/testing/database/keptDays.ts'
import { telemetryFixture } from '#server/testing/devices/telemetryFixture.ts'
import { readHourlyMeans } from './hourlyMeans.ts'
import { readMessages } from './messages.ts'
import { readRawRows } from './rawRows.ts'
import { exportRawRowsJson } from './rawRowsJson.ts'
import { countMessages, countRawRows } from './recordCounts.ts'
import { readSeries } from './series.ts'

const fixture = await telemetryFixture({ keptDays: WEEK_DAYS })
afterAll(() => fixture.close())

const DISPLAY = eventTypeById(4 as never)?.id as never
const deviceId = 1 as DeviceId
/** This noon is within retention, in the middle of its day's table. */
const NOON_MS = Math.floor(Date.now() / DAY_MS) * DAY_MS - 3 * DAY_MS + DAY_MS / 2
const period = { from: new Date(NOON_MS - HOUR_MS), to: new Date(NOON_MS + HOUR_MS) }
const series = { deviceIds: [deviceId], fieldIds: [4101 as FieldId], ...period, withRange: true }

type Request = pg.QueryConfig

/** Collects the statements that run during the work, with the database's real answers. */
async function statementsOf(work: (queryable: Queryable) => Promise<unknown>): Promise<readonly Request[]> {
  const asked: Request[] = []
  const noting = (config: string | Request, values?: unknown[]) => {
    asked.push(typeof config === 'string' ? { text: config, values: values ?? [] } : config)
    return fixture.pool.query(config as Request, values)
  }
  await work({ query: noting } as unknown as Queryable)
  return asked
}

/** Finds the day tables that the planner kept, and whether it defers pruning until the statement runs. */
async function planOf({ text, values = [] }: Request) {
  const { rows } = await fixture.pool.query<{ 'QUERY PLAN': string }>({ text: `explain ${text}`, values })
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  return {
    days: new Set([...plan.matchAll(/_(20\d{6})\b/g)].map(([, day]) => day)),
    isPutOff: plan.includes('Removed'),
  }
}

async function drained(rows: AsyncIterable<unknown>) {
  for await (const _ of rows);
}

test.for<readonly [string, (queryable: Queryable) => Promise<unknown>]>([
  ['sparklines', (queryable) => readHourlyMeans(queryable, deviceId, new Date(NOON_MS))],
  ['a chart of 5 minutes', (queryable) => drained(readSeries(queryable, { ...series, stepMinutes: 5 }).parts)],
  ['a chart of hours', (queryable) => drained(readSeries(queryable, { ...series, stepMinutes: 60 }).parts)],
  ['a page of reports', (queryable) => readRawRows(queryable, { deviceId, eventTypeId: DISPLAY, ...period, limit: 9 })],
  ['the number of reports', (queryable) => countRawRows(queryable, { deviceId, eventTypeId: DISPLAY, ...period })],
  ['an export', (queryable) => drained(exportRawRowsJson(queryable, { deviceId, eventTypeId: DISPLAY, ...period }))],
  ['a page of messages', (queryable) => readMessages(queryable, { deviceId, ...period, limit: 9 })],
  ['the number of messages', (queryable) => countMessages(queryable, { deviceId, ...period })],
])('the planner looks only at the tables of the days in question: %s', async ([, work]) => {
  const asked = await statementsOf(work)
  expect(asked.length).toBeGreaterThan(0)
  for (const statement of asked) {
    const { days, isPutOff } = await planOf(statement)
    // A day of sparklines begins on the day before.
    expect(days.size, statement.text).toBeLessThanOrEqual(2)
    expect(isPutOff, statement.text).toBe(false)
  }
})
