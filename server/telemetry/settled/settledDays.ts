import type { DeviceId } from '#domain/ids.ts'
import { DAY_MS } from '#domain/units/time.ts'
import { isOfThese, type OfRows } from '#server/db/queries/isOfOne.ts'
import { microsecondsOf } from '#server/db/queries/microseconds.ts'
import type { Statements } from '#server/db/statements.ts'
import type { DayColumns } from '../closed/dayColumns.ts'
import { lateDayOf } from '../closed/dayRows.ts'
import type { DayPart } from '../closed/decodeDay.ts'
import { mergeDays } from '../closed/mergeDays.ts'
import { type EventLayout, layoutByTypeId } from '../ingress/eventLayout.ts'
import { KnownBoundary } from './KnownBoundary.ts'

/** A stretch of time of one component. */
export interface ComponentSpan {
  readonly deviceId: DeviceId
  readonly eventTypeId: number
  readonly number: number
  readonly fromMs: number
  /** The end is excluded. */
  readonly toMs: number
}

/** The readings of a component on one UTC day, and those rows of them that lie within the span. */
export interface SettledDay {
  readonly span: ComponentSpan
  readonly dayMs: number
  readonly columns: DayColumns
  /** The closed day as it is stored, unless something of it lies elsewhere. */
  readonly file: Uint8Array | undefined
  readonly begin: number
  /** The end is excluded. */
  readonly end: number
}

interface Place {
  /** The index of its span. */
  readonly span: number
  readonly dayMs: number
  /** Its rows are still in the reading tables, beside late ones. */
  readonly isClosing: boolean
}

/** The row without a span is the boundary. */
interface PlaceRow extends Omit<Place, 'span'> {
  readonly span: number | null
}

export type Order = 'oldestFirst' | 'newestFirst'

/** Whoever wants a page stops after few days, and whoever wants a year needs few round trips. */
const [FIRST_DAYS, MOST_DAYS] = [8, 64]

/**
 * Days before this moment are settled: their readings are files, with late readings beside them. All others are rows of
 * the reading tables. As the moment is a midnight (UTC), the two are read one after the other and never mixed
 * (decision 314, rules/readings 7). What it says holds for a minute, so whoever reads both reads the rows first.
 */
export interface Settled {
  readonly openFromMs: number
  /** Whether any of the spans has settled readings. */
  readonly isEmpty: boolean
  /** Yields the settled days of all spans. Each is decoded when it is asked for. */
  days(part: DayPart, order?: Order): AsyncGenerator<SettledDay>
}

const boundary = new KnownBoundary()

const NOTHING_SETTLED: Settled = {
  openFromMs: Number.NEGATIVE_INFINITY,
  isEmpty: true,
  async *days() {},
}

/** Finds which days of these spans are settled, in one round trip; mostly in none where they all are of the last day. */
export async function findSettled(statements: Statements, spans: readonly ComponentSpan[]): Promise<Settled> {
  const surelyOpenFromMs = boundary.surelyOpenFromMs()
  if (spans.every(({ fromMs }) => fromMs >= surelyOpenFromMs)) return NOTHING_SETTLED
  const firstDays = spans.map(({ fromMs }) => dayText(fromMs))
  const lastDays = spans.map((span) => dayText(lastMs(span)))
  const { rows } = await statements.query<PlaceRow>(placesSql(isOfThese(spans.map(({ deviceId }) => deviceId))), [
    ...componentsOf(spans),
    ...[firstDays, lastDays, firstDays.toSorted()[0] ?? null, lastDays.toSorted().at(-1) ?? null],
  ])
  const places = rows.flatMap(({ span, ...place }) => (span === null ? [] : [{ span, ...place }]))
  const openFromMs = rows.find(({ span }) => span === null)?.dayMs ?? Number.NEGATIVE_INFINITY
  boundary.note(openFromMs)
  return {
    openFromMs,
    isEmpty: places.length === 0,
    days: (part, order = 'oldestFirst') => readDays(statements, spans, places, part, order),
  }
}

/** SQL of the moment from which on readings are rows. */
export const openFromSql = `(select closing_before::timestamp at time zone 'UTC' from closing_state)`

/** The spans of all components of an event type. */
export const spansOfType = (
  { type }: EventLayout,
  deviceId: DeviceId,
  { from, to }: { readonly from: Date; readonly to: Date },
): ComponentSpan[] =>
  type.prefixes.map((_, index) => ({
    ...{ deviceId, eventTypeId: type.id, number: index + 1, fromMs: from.getTime(), toMs: to.getTime() },
  }))

/** What is left of spans for the reading tables. */
export function openSpans<Span extends ComponentSpan>(spans: readonly Span[], openFromMs: number): Span[] {
  return spans.flatMap((span) =>
    span.toMs > openFromMs ? [{ ...span, fromMs: Math.max(span.fromMs, openFromMs) }] : [],
  )
}

/** A reading counts unless its time is not the device's own and was not corrected (decision 254). */
export const isBelievedAt = ({ claimedAt, isCorrected }: DayColumns, row: number): boolean =>
  typeof claimedAt?.[row] !== 'number' || isCorrected?.[row] === true

async function* readDays(
  statements: Statements,
  spans: readonly ComponentSpan[],
  places: readonly Place[],
  part: DayPart,
  order: Order,
): AsyncGenerator<SettledDay> {
  const sign = order === 'oldestFirst' ? 1 : -1
  const inOrder = places.toSorted((a, b) => sign * (a.dayMs - b.dayMs) || a.span - b.span)
  const read = (some: readonly Place[]) => {
    const files = readFiles(statements, spans, some)
    // A reader that stops early never awaits it, and its failure would end the process.
    files.catch(() => undefined)
    return { some, files }
  }
  const batches = batchesOf(inOrder)
  const nextBatch = () => {
    const { value } = batches.next()
    return value && read(value)
  }
  let next = nextBatch()
  if (next === undefined) return
  // The library of Parquet is loaded with the first day.
  const { decodeDay } = await import('../closed/decodeDay.ts')
  const decode = (body: Uint8Array) => decodeDay(body, part)
  while (next !== undefined) {
    const { some } = next
    const files = await next.files
    // What comes next is read while this is decoded, but a page seldom needs more than the first.
    const isFirst = some.length === FIRST_DAYS
    if (!isFirst) next = nextBatch()
    for (const [place, { span: spanIndex, dayMs, isClosing }] of some.entries()) {
      const span = spans[spanIndex] as ComponentSpan
      const { body = null, late = null } = files.get(place) ?? {}
      const columns = await columnsOf(statements, span, { dayMs, isClosing, body, late }, decode)
      if (columns === undefined) continue
      const [begin, end] = [
        firstAt(columns.at, microseconds(span.fromMs)),
        firstAt(columns.at, microseconds(span.toMs)),
      ]
      if (begin < end)
        yield { span, dayMs, columns, file: isClosing || late !== null ? undefined : (body ?? undefined), begin, end }
    }
    if (isFirst) next = nextBatch()
  }
}

function* batchesOf(places: readonly Place[]): Generator<readonly Place[], undefined> {
  for (let [index, atOnce] = [0, FIRST_DAYS]; index < places.length; atOnce = Math.min(MOST_DAYS, atOnce * 2)) {
    yield places.slice(index, index + atOnce)
    index += atOnce
  }
}

/** A late reading, as texts. */
type LateRow = Parameters<typeof lateDayOf>[1][number]

interface Stored {
  readonly dayMs: number
  readonly isClosing: boolean
  readonly body: Buffer | null
  readonly late: readonly LateRow[] | null
}

async function columnsOf(
  statements: Statements,
  span: ComponentSpan,
  { dayMs, isClosing, body, late }: Stored,
  decode: (body: Uint8Array) => DayColumns,
): Promise<DayColumns | undefined> {
  const layout = layoutByTypeId(span.eventTypeId)
  if (layout === undefined) return undefined
  const later = late === null ? undefined : lateDayOf(layout, late)
  const base = isClosing
    ? await readRows(statements, layout, span, dayMs)
    : (body ?? undefined) && decode(body as Buffer)
  return base && later ? mergeDays(base, later) : (base ?? later)
}

/** Reads a day that is being closed, which takes some minutes. */
async function readRows(
  statements: Statements,
  layout: EventLayout,
  { deviceId, number }: ComponentSpan,
  dayMs: number,
): Promise<DayColumns | undefined> {
  const { rows } = await statements.query<{ rows: readonly LateRow[] | null }>(
    `select ${rowTexts('json_strip_nulls(row_to_json(r))::text')} as rows from ${layout.table} r
     where device_id = $1 and number = $2 and device_dt >= $3 and device_dt < $4`,
    [deviceId, number, new Date(dayMs), new Date(dayMs + DAY_MS)],
  )
  const texts = rows[0]?.rows ?? []
  return texts.length === 0 ? undefined : lateDayOf(layout, texts)
}

const microseconds = (ms: number) => Math.round(ms * 1000)
/** The last day that a span reaches into. */
const lastMs = ({ toMs }: ComponentSpan) => (microseconds(toMs) - 1) / 1000

/** Finds the first row at or after a moment. */
function firstAt(at: Float64Array, microseconds: number): number {
  let [low, high] = [0, at.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((at[middle] as number) < microseconds) low = middle + 1
    else high = middle
  }
  return low
}

interface FileRow {
  readonly place: number
  readonly body: Buffer | null
  readonly late: readonly LateRow[] | null
}

async function readFiles(statements: Statements, spans: readonly ComponentSpan[], places: readonly Place[]) {
  const days = places.map(({ dayMs }) => dayText(dayMs))
  const inOrder = days.toSorted()
  const ofOne = isOfThese(places.map(({ span }) => (spans[span] as ComponentSpan).deviceId))
  const { rows } = await statements.query<FileRow>(filesSql(ofOne), [
    ...componentsOf(places.map(({ span }) => spans[span] as ComponentSpan)),
    ...[days, inOrder[0], inOrder.at(-1)],
  ])
  return new Map(rows.map(({ place, ...file }) => [place, file]))
}

/** A moment in microseconds, which a `Date` would cut. */
export function instantText(ms: number): string {
  const whole = microseconds(Math.min(LAST_MS, Math.max(FIRST_MS, ms)))
  return `${new Date(Math.floor(whole / 1000)).toISOString().slice(0, -1)}${String(whole % 1000).padStart(3, '0')}Z`
}

const componentsOf = (spans: readonly ComponentSpan[]) => [
  spans.map(({ deviceId }) => deviceId),
  spans.map(({ eventTypeId }) => eventTypeId),
  spans.map(({ number }) => number),
]

/** Years that PostgreSQL's text of a date does not have are cut, as nothing was stored then. */
const [FIRST_MS, LAST_MS] = [Date.UTC(1970, 0, 1), Date.UTC(9999, 0, 1)]
const dayText = (ms: number) => instantText(ms).slice(0, 10)

const MS_OF_DAY = (day: string) => `(extract(epoch from ${day}::timestamp) * 1000)::float8`
const UTC_DAY = (moment: string) => `(${moment} at time zone 'UTC')::date`

/** Rows of a component that lie in the days from `first` to `last`. */
const IS_OF = (row: string, span: string) =>
  `${row}.device_id = ${span}.device_id and ${row}.event_type_id = ${span}.event_type_id and ${row}.number = ${span}.number`

/** SQL of rows as the texts that `lateDayOf` reads, oldest first. */
const rowTexts = (fields: string) =>
  `json_agg(json_build_array(${['device_dt', 'inserted', 'claimed_at']
    .map((column) => `${microsecondsOf(column)}::text`)
    .join(', ')}, left(is_corrected::text, 1), extra::text, ${fields}) order by device_dt)`

/** The outer bounds of days let the planner skip other months. */
const placesSql = (isWanted: OfRows) => `
  with state as materialized (
    select closed_before, closing_before from closing_state
  ), span as materialized (
    select (place - 1)::integer as place, device_id, event_type_id, number, first, last
    from unnest($1::integer[], $2::smallint[], $3::smallint[], $4::date[], $5::date[])
      with ordinality as span (device_id, event_type_id, number, first, last, place)
  ), found as (
    select span.place, c.day from span join closed_day c on ${IS_OF('c', 'span')}
      and c.day between span.first and span.last and c.day between $6::date and $7::date
      and c.day < (select closed_before from state) and ${isWanted('c')}
    union
    select span.place, ${UTC_DAY('l.device_dt')} from span join late_reading l on ${IS_OF('l', 'span')}
      and l.device_dt >= span.first::timestamp at time zone 'UTC'
      and l.device_dt < (span.last + 1)::timestamp at time zone 'UTC' and ${isWanted('l')}
    union
    select place, closing::date from span, state, generate_series(
      greatest(first, closed_before)::timestamp, least(last, closing_before - 1)::timestamp, interval '1 day') as closing
  )
  select null::integer as span, ${MS_OF_DAY('closing_before')} as "dayMs", false as "isClosing" from state
  union all
  select place, ${MS_OF_DAY('day')}, day >= closed_before from found, state`

const filesSql = (isWanted: OfRows) => `
  with place as materialized (
    select (place - 1)::integer as place, device_id, event_type_id, number, day
    from unnest($1::integer[], $2::smallint[], $3::smallint[], $4::date[])
      with ordinality as place (device_id, event_type_id, number, day, place)
  ), late as (
    select place.place, ${rowTexts('fields::text')} as rows
    from place join late_reading l on ${IS_OF('l', 'place')}
      and l.device_dt >= place.day::timestamp at time zone 'UTC'
      and l.device_dt < (place.day + 1)::timestamp at time zone 'UTC' and ${isWanted('l')}
    group by place.place, l.device_id
  ), file as (
    select place.place, c.body from place join closed_day c on ${IS_OF('c', 'place')} and c.day = place.day
      and c.day between $5::date and $6::date and ${isWanted('c')}
  )
  select place.place, file.body, late.rows as late
  from place left join late on late.place = place.place left join file on file.place = place.place`
