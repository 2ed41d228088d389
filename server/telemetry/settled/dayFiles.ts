import type { DeviceId } from '#domain/ids.ts'
import { DAY_MS } from '#domain/units/time.ts'
import { findDayTables } from '#server/db/partitions/oldPartitions.ts'
import { isReadingTable } from '#server/db/partitions/readingTables.ts'
import type { Queryable } from '#server/db/transaction.ts'
import { unpacked } from '../closed/closedFile.ts'
import { readOpenDay } from '../closed/dayRows.ts'
import { encodeDay } from '../closed/encodeDay.ts'
import { EVENT_LAYOUTS, type EventLayout, layoutByTypeId } from '../ingress/eventLayout.ts'
import { findSettled, type SettledDay } from './settledDays.ts'

export interface DayFilesQuestion {
  /** UTC days like `2026-05-07`, both included. */
  readonly firstDay: string
  readonly lastDay: string
  /** All devices if not said. */
  readonly deviceIds?: readonly DeviceId[] | undefined
}

/** The readings of one component on one UTC day, as a Parquet file (decision 312). */
export interface DayFile {
  readonly deviceId: DeviceId
  readonly layout: EventLayout
  readonly number: number
  readonly day: string
  readonly body: Uint8Array
}

/** Yields all readings of some days, oldest first. Closed days come as they are, open ones by the same writer. */
export async function* dayFiles(queryable: Queryable, question: DayFilesQuestion): AsyncGenerator<DayFile> {
  const { deviceIds = null } = question
  for (const day of await daysWithReadings(queryable, question)) {
    const dayMs = Date.parse(day)
    const { rows } = await queryable.query<ComponentRow>(COMPONENTS_SQL, [
      ...[day, deviceIds, new Date(dayMs), new Date(dayMs + DAY_MS)],
    ])
    for (const { device_id: deviceId, event_type_id, number } of rows) {
      const layout = layoutByTypeId(event_type_id)
      const body = layout && (await bodyOf(queryable, { layout, deviceId, number, day }))
      if (layout && body) yield { deviceId, layout, number, day, body }
    }
  }
}

/** Planning a question for each day takes longer than asking first which days there are. */
async function daysWithReadings(queryable: Queryable, question: DayFilesQuestion): Promise<readonly string[]> {
  const { firstDay, lastDay, deviceIds = null } = question
  // A day that is closed meanwhile is found as an open one.
  const tables = await findDayTables(queryable)
  const open = tables.flatMap(({ parent, name }) => {
    const [, year, month, day] = /(\d{4})(\d{2})(\d{2})$/.exec(name) ?? []
    return isReadingTable(parent) ? [`${year}-${month}-${day}`] : []
  })
  const asked = open.filter((day) => day >= firstDay && day <= lastDay)
  const { rows } = await queryable.query<{ day: string }>(DAYS_SQL, [firstDay, deviceIds, lastDay])
  return [...new Set([...rows.map(({ day }) => day), ...asked])].sort()
}

interface ComponentRow {
  readonly device_id: DeviceId
  readonly event_type_id: number
  readonly number: number
}

const IS_WANTED = '($2::integer[] is null or device_id = any ($2))'
const DAYS_SQL = `
  select distinct day::text as day from closed_day where day between $1::date and $3::date and ${IS_WANTED}
  union select distinct (device_dt at time zone 'UTC')::date::text from late_reading
    where device_dt >= $1::timestamp at time zone 'UTC'
      and device_dt < ($3::date + 1)::timestamp at time zone 'UTC' and ${IS_WANTED}`

const COMPONENTS_SQL = `
  select device_id, event_type_id, number from closed_day where day = $1::date and ${IS_WANTED}
  union select device_id, event_type_id, number from late_reading
    where device_dt >= $3 and device_dt < $4 and ${IS_WANTED}
  ${EVENT_LAYOUTS.map(
    ({ type, table }) => `union select device_id, ${type.id}, number from ${table}
    where device_dt >= $3 and device_dt < $4 and number is not null and ${IS_WANTED}`,
  ).join('\n  ')}
  order by 1, 2, 3`

async function bodyOf(queryable: Queryable, of: Omit<DayFile, 'body'>): Promise<Uint8Array | undefined> {
  const fromMs = Date.parse(of.day)
  const { deviceId, layout, number } = of
  const span = { deviceId, eventTypeId: layout.type.id, number, fromMs, toMs: fromMs + DAY_MS }
  const settled = await findSettled(queryable, [span])
  if (settled.openFromMs <= fromMs) {
    const columns = await readOpenDay(queryable, of, layout.table)
    return columns.rows === 0 ? undefined : encodeDay(columns)
  }
  const found = await onlyOf(settled.days({ fields: [] }))
  if (found === undefined || found.file !== undefined) return found?.file && unpacked(found.file)
  const whole = await onlyOf(settled.days({ withArrivals: true, withClaims: true, withExtra: true }))
  return whole && encodeDay(whole.columns)
}

async function onlyOf(days: AsyncIterable<SettledDay>): Promise<SettledDay | undefined> {
  for await (const day of days) return day
  return undefined
}
