import { DAY_MS } from '#domain/units/time.ts'
import { microsecondsOf } from '#server/db/queries/microseconds.ts'
import type { Queryable } from '#server/db/transaction.ts'
import { type EventLayout, layoutByTypeId } from '#server/telemetry/ingress/eventLayout.ts'
import { findSettled, type Settled, spansOfType } from '../settled/settledDays.ts'
import { dayWindows } from './moments.ts'
import { NEWEST_FIRST, type RawRowKey, rawPageSql, rawPageValues } from './rawPage.ts'
import type { RawRowsQuestion } from './rawRows.ts'
import { settledReports } from './settledReports.ts'

/** Rows of the contract as JSON text with commas between. */
export interface JsonRows {
  readonly rowsJson: string
}

const MOST_OF_PAGE = 2000
/** The aim is below the most, because only a page that is not full shows that its time slice is finished. */
const AIM_OF_PAGE = 1500
const SHORTEST_SLICE_MS = 1000
const MOST_GROWTH = 8
/** More reads would take more memory than they save time. */
const READ_AT_ONCE = 2

/**
 * Writes all stored reports as JSON, newest first, with fields under the names of component 1 and absent ones left out.
 * The database writes each page as one text, because building objects for a million rows takes longer than reading
 * them. Time slices follow each other, each as long as a page takes at the recent rate. Memory stays the same, a slow
 * reader holds no transaction open, and the next slice is read while this one is sent.
 */
export async function* exportRawRowsJson(queryable: Queryable, question: RawRowsQuestion): AsyncGenerator<JsonRows> {
  const layout = layoutByTypeId(question.eventTypeId)
  if (layout === undefined) return
  // A slow reader may take hours, and open days are settled meanwhile, so each day is looked for by itself.
  for (const window of dayWindows(question.from, question.to)) {
    const whole = { from: question.from, to: window.to }
    const settled = await findSettled(queryable, spansOfType(layout, question.deviceId, whole))
    if (+window.from >= settled.openFromMs) yield* exportOpenRows(queryable, layout, { ...question, ...window })
    else return yield* exportSettled(settled, layout)
  }
}

async function* exportSettled(settled: Settled, layout: EventLayout): AsyncGenerator<JsonRows> {
  let page: string[] = []
  for await (const { json } of settledReports(settled, layout)) {
    if (page.push(json) < AIM_OF_PAGE) continue
    yield { rowsJson: page.join(',') }
    page = []
  }
  if (page.length > 0) yield { rowsJson: page.join(',') }
}

async function* exportOpenRows(
  queryable: Queryable,
  layout: EventLayout,
  question: RawRowsQuestion,
): AsyncGenerator<JsonRows> {
  const read = async (slice: Slice, after: RawRowKey | undefined): Promise<Page> => {
    const page = { deviceId: question.deviceId, ...slice, after, limit: MOST_OF_PAGE }
    const { rows } = await queryable.query<
      [json: string | null, count: number, at: number | null, number: number | null]
    >({
      text: pageSql(layout, after),
      values: rawPageValues(page),
      rowMode: 'array',
    })
    const [rowsJson, count, atMicroseconds, number] = rows[0] ?? [null, 0, null, null]
    const isFull = atMicroseconds !== null && number !== null
    return { rowsJson: rowsJson ?? '', count, last: isFull ? { atMicroseconds, number } : undefined }
  }
  const slices = sliced(question.from, question.to)
  const readings: Reading[] = []
  for (;;) {
    while (readings.length < READ_AT_ONCE) {
      const slice = slices.next()
      if (slice === undefined) break
      const page = read(slice, undefined)
      // A reader that stops early never awaits it, and its failure would end the process.
      page.catch(() => undefined)
      readings.push({ slice, page })
    }
    const first = readings.shift()
    if (first === undefined) return
    let page = await first.page
    slices.learn(first.slice, page.count)
    for (; page.last !== undefined; page = await read(first.slice, page.last)) yield { rowsJson: page.rowsJson }
    if (page.rowsJson !== '') yield { rowsJson: page.rowsJson }
  }
}

interface Slice {
  readonly from: Date
  /** The end is excluded. */
  readonly to: Date
}

interface Page extends JsonRows {
  readonly count: number
  readonly last: RawRowKey | undefined
}

interface Reading {
  readonly slice: Slice
  readonly page: Promise<Page>
}

/** Slices a period from its end backwards, never across a UTC midnight, where a partition ends. */
function sliced(from: Date, to: Date) {
  const days = dayWindows(from, to)
  let day = days.next().value ?? undefined
  let endMs = day?.to.getTime() ?? 0
  let lengthMs = DAY_MS / 64
  return {
    next: (): Slice | undefined => {
      if (day === undefined) return undefined
      const beginMs = Math.max(day.from.getTime(), endMs - lengthMs)
      const slice = { from: new Date(beginMs), to: new Date(endMs) }
      if (beginMs === day.from.getTime()) day = days.next().value ?? undefined
      endMs = beginMs
      return slice
    },
    learn: (slice: Slice, count: number): void => {
      const tookMs = slice.to.getTime() - slice.from.getTime()
      const fittingMs = count === 0 ? Number.POSITIVE_INFINITY : (tookMs * AIM_OF_PAGE) / count
      const most = Math.min(lengthMs * MOST_GROWTH, DAY_MS)
      lengthMs = Math.round(Math.max(SHORTEST_SLICE_MS, Math.min(fittingMs, most)))
    },
  }
}

/** Returns one row: the page as one text, and the key of its last report where the page is full. */
const pageSql = (layout: EventLayout, after: RawRowKey | undefined) => `
  select string_agg(${rowJson(layout)}, ',' ${NEWEST_FIRST}), count(*)::integer,
    case when count(*) = $4 then ${microsecondsOf('min(device_dt)')} end,
    case when count(*) = $4 then (array_agg(number ${NEWEST_FIRST}))[$4::integer] end
  from (${rawPageSql(layout, after)}) as page`

/** `concat` skips nulls and writes numbers itself, which costs half of casting each and joining it with its name. */
function rowJson({ type, fields, columns }: EventLayout): string {
  const moment = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
  const values = fields.map(({ name, storage }, index) => {
    const column = columns[index] ?? ''
    const json = storage === 'text' ? `to_json(${column})` : column
    return `case when ${column} is not null then ',"${type.prefixes[0]}${name}":' end, ${json}`
  })
  return `concat(
    '{"device_dt":"', ${moment('device_dt')}, '","inserted":"', ${moment('inserted')}, '","number":', number,
    ',"claimed_at":"' || ${moment('claimed_at')} || '"', ',"extra":' || extra::text, ${values.join(', ')}, '}')`
}
