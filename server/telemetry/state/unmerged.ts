import type { DeviceId } from '#domain/ids.ts'
import { HOUR_MS } from '#domain/units/time.ts'
import { isBelieved } from '#server/db/partitions/readingTables.ts'
import type { Statements } from '#server/db/statements.ts'
import { isoText } from '#server/telemetry/ingress/deviceTime.ts'
import { type EventLayout, layoutByTypeId } from '#server/telemetry/ingress/eventLayout.ts'
import { type ComponentSpan, findSettled, type SettledDay } from '../settled/settledDays.ts'
import { believedRows, msAt, valueAt } from '../settled/settledValues.ts'

/** A value with its device time in milliseconds, as it stands in `device_state`. */
export type FieldState = readonly [value: number | string, atMs: number]

export interface MarkRow {
  readonly device_id: DeviceId
  readonly event_type_id: number
  readonly number: number
  readonly from_at: Date
  /** Field ordinals. */
  readonly fields: readonly number[]
}

/** The newest values that the readings of some dirty ranges give one component. */
export interface ComponentFold {
  readonly deviceId: DeviceId
  readonly layout: EventLayout
  readonly number: number
  newestMs: number
  receivedAt: Date
  oldestMs: number
  readonly fields: Map<string, FieldState>
}

/** The newest few rows of most components hold everything. */
const FIRST_ROWS = 4
const MOST_ROWS = 256

/** A part of an hour whose readings are searched, newest first. */
interface Stretch {
  readonly fromMs: number
  toMs: number
  readonly missing: Set<number>
}

interface Search {
  readonly fold: ComponentFold
  /** The newest stretch is the last. */
  readonly stretches: Stretch[]
}

interface ReadingRow {
  readonly place: number
  readonly at_ms: number
  readonly inserted: Date
  /** Values of the fields that are looked for, in their order. */
  readonly values: readonly (number | string | null)[]
}

/** The field indexes that are looked for in each event type. */
type LookedFor = ReadonlyMap<EventLayout, readonly number[]>

/**
 * Finds the newest value of each field among the readings of these dirty ranges; nothing for components without
 * readings. A component is read from its newest reading back until all fields of its ranges were seen, so that neither
 * a long stretch nor many readings cost more.
 */
export async function foldUnmerged(statements: Statements, marks: readonly MarkRow[]): Promise<ComponentFold[]> {
  const searches = searchesOf(marks)
  const { openFromMs, hours } = await readSettledHours(statements, searches)
  let open = searches
  for (let rows = FIRST_ROWS; open.length > 0; rows = Math.min(rows * 4, MOST_ROWS)) {
    // What is settled is older than everything else of its component, and at hand.
    for (const search of open) while (isSettled(search, openFromMs)) takeInSettled(search, hours)
    open = open.filter(({ stretches }) => stretches.length > 0)
    if (open.length === 0) break
    const lookedFor = lookedForBy(open)
    const found = await newestRows(statements, open, lookedFor, rows)
    for (const [place, search] of open.entries())
      takeIn(search, found.get(place) ?? [], lookedFor.get(search.fold.layout) ?? [], rows)
    open = open.filter(({ stretches }) => stretches.length > 0)
  }
  return searches.map(({ fold }) => fold).filter(({ newestMs }) => newestMs > Number.NEGATIVE_INFINITY)
}

/** Makes one search for each component, with each hour once even when several ranges cover it. */
function searchesOf(marks: readonly MarkRow[]): Search[] {
  const components = new Map<string, { readonly search: Search; readonly byHour: Map<number, Stretch> }>()
  for (const mark of marks) {
    const { device_id: deviceId, event_type_id: typeId, number, from_at, fields } = mark
    const layout = layoutByTypeId(typeId)
    if (layout === undefined) continue
    const key = `${deviceId} ${typeId} ${number}`
    let component = components.get(key)
    if (component === undefined) {
      component = { search: { fold: emptyFold(deviceId, layout, number), stretches: [] }, byHour: new Map() }
      components.set(key, component)
    }
    const fromMs = from_at.getTime()
    const toMs = (Math.floor(fromMs / HOUR_MS) + 1) * HOUR_MS
    const known = component.byHour.get(toMs)
    const missing = known?.missing ?? new Set<number>()
    for (const ordinal of fields) {
      const index = layout.fields.findIndex((field) => field.ordinal === ordinal)
      if (index >= 0) missing.add(index)
    }
    component.byHour.set(toMs, { fromMs: Math.min(fromMs, known?.fromMs ?? fromMs), toMs, missing })
  }
  return [...components.values()].map(({ search, byHour }) => {
    search.stretches.push(...[...byHour.values()].sort((a, b) => a.toMs - b.toMs))
    return search
  })
}

function emptyFold(deviceId: DeviceId, layout: EventLayout, number: number): ComponentFold {
  return {
    deviceId,
    layout,
    number,
    newestMs: Number.NEGATIVE_INFINITY,
    receivedAt: new Date(0),
    oldestMs: Number.POSITIVE_INFINITY,
    fields: new Map(),
  }
}

function lookedForBy(searches: readonly Search[]): LookedFor {
  const lookedFor = new Map<EventLayout, Set<number>>()
  for (const { fold, stretches } of searches) {
    const indexes = lookedFor.get(fold.layout) ?? new Set()
    lookedFor.set(fold.layout, indexes)
    for (const index of stretches.at(-1)?.missing ?? []) indexes.add(index)
  }
  return new Map([...lookedFor].map(([layout, indexes]) => [layout, [...indexes]]))
}

/** @param rows newest first, of the stretch that was searched */
function takeIn(search: Search, rows: readonly ReadingRow[], indexes: readonly number[], asked: number): void {
  const { fold, stretches } = search
  const stretch = stretches.at(-1)
  if (stretch === undefined) return
  for (const { at_ms, inserted, values } of rows) {
    const atMs = Math.round(at_ms)
    if (atMs > fold.newestMs) {
      fold.newestMs = atMs
      fold.receivedAt = inserted
    }
    stretch.toMs = atMs
    for (const [place, value] of values.entries()) {
      const index = indexes[place] ?? -1
      if (value === null || !stretch.missing.has(index)) continue
      stretch.missing.delete(index)
      const name = fold.layout.fields[index]?.name ?? ''
      fold.fields.set(name, [value, atMs])
      fold.oldestMs = Math.min(fold.oldestMs, atMs)
    }
  }
  if (rows.length === asked && stretch.missing.size > 0) return
  do {
    stretches.pop()
    // A field found in a newer hour need not be searched in an older one.
    for (const name of fold.fields.keys()) stretches.at(-1)?.missing.delete(fold.layout.indexByName.get(name) ?? -1)
  } while (stretches.at(-1)?.missing.size === 0 && fold.newestMs > Number.NEGATIVE_INFINITY)
}

const isSettled = ({ stretches }: Search, openFromMs: number): boolean =>
  (stretches.at(-1)?.fromMs ?? Number.POSITIVE_INFINITY) < openFromMs

type SettledHours = ReadonlyMap<Stretch, SettledDay>

/** Reads hours of settled days, which only late readings make dirty. */
async function readSettledHours(statements: Statements, searches: readonly Search[]) {
  const all = searches.flatMap(({ fold, stretches }) => stretches.map((stretch) => ({ fold, stretch })))
  const spans = all.map(({ fold, stretch }): ComponentSpan => {
    const { deviceId, layout, number } = fold
    return { deviceId, eventTypeId: layout.type.id, number, fromMs: stretch.fromMs, toMs: stretch.toMs }
  })
  const hours = new Map<Stretch, SettledDay>()
  if (spans.length === 0) return { openFromMs: Number.NEGATIVE_INFINITY, hours }
  const settled = await findSettled(statements, spans)
  for await (const day of settled.days({ withArrivals: true, withClaims: true })) {
    const found = all[spans.indexOf(day.span)]
    if (found !== undefined) hours.set(found.stretch, day)
  }
  return { openFromMs: settled.openFromMs, hours }
}

function takeInSettled(search: Search, hours: SettledHours): void {
  const [stretch, { fields }] = [search.stretches.at(-1), search.fold.layout]
  const day = stretch && hours.get(stretch)
  const indexes = [...(stretch?.missing ?? [])]
  const rows =
    day === undefined
      ? []
      : [...believedRows(day, 'newestFirst')].map((row) => ({
          place: 0,
          at_ms: msAt(day, row),
          inserted: new Date((day.columns.inserted[row] as number) / 1000),
          values: indexes.map((index) => valueAt(day.columns.fields.get(fields[index]?.name ?? ''), row) ?? null),
        }))
  takeIn(search, rows, indexes, Number.POSITIVE_INFINITY)
}

async function newestRows(
  statements: Statements,
  searches: readonly Search[],
  lookedFor: LookedFor,
  rows: number,
): Promise<ReadonlyMap<number, readonly ReadingRow[]>> {
  const byType = new Map<EventLayout, number[]>()
  for (const [place, { fold }] of searches.entries()) {
    const places = byType.get(fold.layout)
    if (places === undefined) byType.set(fold.layout, [place])
    else places.push(place)
  }
  const branches = [...byType].map(([layout, places]) => {
    const columns = (lookedFor.get(layout) ?? []).map((index) => layout.columns[index])
    return branchSql(layout.table, columns.join(','), { places, searches, rows })
  })
  const { rows: found } = await statements.query<ReadingRow>(branches.join('\nunion all\n'))
  const byPlace = new Map<number, ReadingRow[]>()
  for (const row of found) {
    const list = byPlace.get(row.place)
    if (list === undefined) byPlace.set(row.place, [row])
    else list.push(row)
  }
  for (const list of byPlace.values()) list.sort((a, b) => b.at_ms - a.at_ms)
  return byPlace
}

interface BranchDeps {
  readonly places: readonly number[]
  readonly searches: readonly Search[]
  readonly rows: number
}

/**
 * All values are literals in the text, so that the planner visits only the days in question; the devices stand there a
 * second time, so that no worker is asked that has nothing of any, and might be away.
 */
function branchSql(table: string, columns: string, { places, searches, rows }: BranchDeps): string {
  let earliestMs = Number.POSITIVE_INFINITY
  let latestMs = Number.NEGATIVE_INFINITY
  const deviceIds = new Set<DeviceId>()
  const values = places.map((place) => {
    const { fold, stretches } = searches[place] as Search
    const { fromMs, toMs } = stretches.at(-1) as Stretch
    earliestMs = Math.min(earliestMs, fromMs)
    latestMs = Math.max(latestMs, toMs)
    deviceIds.add(fold.deviceId)
    return `(${place},${fold.deviceId},${fold.number},${moment(fromMs)},${moment(toMs)})`
  })
  return `(select m.place, (extract(epoch from r.device_dt) * 1000)::float8 as at_ms, r.inserted,
      json_build_array(${columns}) as values
    from (values ${values.join(',')}) as m (place, device_id, number, from_at, to_at)
    cross join lateral (
      select t.*, row_number() over (partition by t.device_id order by device_dt desc) as nth
      from ${table} t
      where t.device_id = m.device_id and t.device_id in (${[...deviceIds].join(',')})
        and t.number = m.number and device_dt >= m.from_at and device_dt < m.to_at
        and device_dt >= ${moment(earliestMs)} and device_dt < ${moment(latestMs)} and ${isBelieved()}) r
    where r.nth <= ${rows})`
}

const moment = (ms: number) => `'${isoText(ms)}'::timestamptz`
