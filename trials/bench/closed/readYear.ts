import pg from 'pg'
import { NUMBERED_FIELDS } from '#domain/catalogue/fieldId.ts'
import type { DeviceId, EventTypeId } from '#domain/ids.ts'
import { DAY_MS } from '#domain/units/time.ts'
import { makeClosedMonth } from '#server/db/partitions/partitions.ts'
import { closeDays } from '#server/telemetry/closed/closeDays.ts'
import { packed } from '#server/telemetry/closed/closedFile.ts'
import { decodeDay } from '#server/telemetry/closed/decodeDay.ts'
import { encodeDay } from '#server/telemetry/closed/encodeDay.ts'
import { type EventLayout, layoutByTypeId } from '#server/telemetry/ingress/eventLayout.ts'
import { readFieldReadings } from '#server/telemetry/read/fieldReadings.ts'
import { readRawRows } from '#server/telemetry/read/rawRows.ts'
import { processorMs } from '../../frame/answerMessages.ts'
import type { Run } from '../../frame/Run.ts'
import { openTable, quantile } from '../../frame/table.ts'
import { fillDay } from './dayOfReports.ts'

const MUST_YEAR_MS = 150
const MUST_PAGE_RATIO = 2
const YEAR_DAYS = 365
const DISPLAY = 4 as EventTypeId
const DEVICE = 1 as DeviceId
const DAYS_AGO = 10
const PAGE_ROWS = 100
const TURNS = 15

/** A year of one field at one minute, and a page of raw rows of a closed day beside the same one of an open day. */
export async function readYear(run: Pick<Run<never>, 'database' | 'verdict'>): Promise<void> {
  const { ownerUrl } = await run.database()
  const db = new pg.Client({ connectionString: ownerUrl })
  await db.connect()
  try {
    const closedMs = Math.floor(Date.now() / DAY_MS - DAYS_AGO) * DAY_MS
    await fillYear(db, closedMs)
    const fieldId = NUMBERED_FIELDS.find(({ wireName }) => wireName === 'd_internal_temp')?.id
    if (fieldId === undefined) throw new Error('There is no field.')
    const [from, to] = [new Date(closedMs - (YEAR_DAYS - 1) * DAY_MS), new Date(closedMs + DAY_MS)]
    const year = () => readFieldReadings(db, { deviceId: DEVICE, fieldId, from, to }, 1_000_000)
    const pageOf = (beginMs: number) => () =>
      readRawRows(db, {
        ...{ deviceId: DEVICE, eventTypeId: DISPLAY, limit: PAGE_ROWS },
        ...{ from: new Date(beginMs), to: new Date(beginMs + DAY_MS) },
      })
    const values = (await year()).values.length
    const [ofYear, closed, open] = await medians(year, pageOf(closedMs), pageOf(closedMs + DAY_MS))
    const row = openTable(['values', 'processor ms', 'ms', 'beside ms', 'ratio'])
    row(
      'a year of one field',
      [String(values), ofYear.processorMs, ofYear.ms],
      `${run.verdict('a year', ofYear.processorMs <= MUST_YEAR_MS)} (must ${MUST_YEAR_MS} of processor, which no other load changes)`,
    )
    const ratio = closed.ms / open.ms
    row(
      'a raw page, closed and open',
      [String(PAGE_ROWS), closed.processorMs, closed.ms, open.ms, ratio],
      `${run.verdict('a raw page', ratio <= MUST_PAGE_RATIO)} (must ${MUST_PAGE_RATIO})`,
    )
  } finally {
    await db.end()
  }
}

/** Each day of the year is the same day once more; the day after them is open. */
async function fillYear(db: pg.Client, closedMs: number): Promise<void> {
  await fillDay(db, 'minute', DEVICE, closedMs)
  await copyToNextDay(db)
  const before = new Date(closedMs + DAY_MS).toISOString().slice(0, 10)
  await closeDays(db, { before, isOver: () => false, rest: () => Promise.resolve() })
  const { rows } = await db.query<{ number: number; rows: number; body: Buffer }>(
    'select number, rows, body from closed_day where device_id = $1 and event_type_id = $2',
    [DEVICE, DISPLAY],
  )
  const days = rows.map(({ body, ...row }) => ({ ...row, columns: decodeDay(body) }))
  for (let ago = 1; ago < YEAR_DAYS; ago++) {
    const earlier = new Date(closedMs - ago * DAY_MS)
    await makeClosedMonth(db, earlier)
    const shifted = (at: Float64Array) => at.map((microseconds) => microseconds - ago * DAY_MS * 1000)
    for (const { number, rows: count, columns } of days) {
      const body = packed(encodeDay({ ...columns, at: shifted(columns.at), inserted: shifted(columns.inserted) }))
      await db.query('insert into closed_day values ($1, $2, $3, $4, $5, now(), $6)', [
        ...[DEVICE, DISPLAY, number, earlier.toISOString().slice(0, 10), count, body],
      ])
    }
  }
  await db.query('analyze')
}

async function copyToNextDay(db: pg.Client): Promise<void> {
  const { table, columns } = layoutByTypeId(DISPLAY) as EventLayout
  const day = `interval '1 day'`
  await db.query(
    `insert into ${table} (device_id, number, device_dt, inserted, ${columns.join(', ')})
     select device_id, number, device_dt + ${day}, inserted + ${day}, ${columns.join(', ')} from ${table}`,
  )
}

/** They take turns, so that other load of the machine slows all alike. */
async function medians<Works extends readonly (() => Promise<unknown>)[]>(...works: Works) {
  const times = works.map(() => ({ ms: [] as number[], processorMs: [] as number[] }))
  for (let turn = -TURNS; turn < TURNS; turn++) {
    for (const [index, work] of works.entries()) {
      const [beganAt, processorAt] = [performance.now(), processorMs()]
      await work()
      if (turn < 0) continue
      times[index]?.ms.push(performance.now() - beganAt)
      times[index]?.processorMs.push(processorMs() - processorAt)
    }
  }
  return times.map(({ ms, processorMs: used }) => ({ ms: quantile(ms, 0.5), processorMs: quantile(used, 0.5) })) as {
    [Index in keyof Works]: { readonly ms: number; readonly processorMs: number }
  }
}
