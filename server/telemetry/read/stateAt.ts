import { fieldsOfComponent } from '#domain/catalogue/fieldId.ts'
import type { DeviceId } from '#domain/ids.ts'
import { DAY_MS } from '#domain/units/time.ts'
import { isBelieved } from '#server/db/partitions/readingTables.ts'
import type { Queryable } from '#server/db/transaction.ts'
import { isoText } from '#server/telemetry/ingress/deviceTime.ts'
import { EVENT_LAYOUTS, type EventLayout } from '#server/telemetry/ingress/eventLayout.ts'
import type { FieldReading } from '#server/telemetry/state/currentState.ts'
import { findSettled } from '../settled/settledDays.ts'
import { believedRows, msAt, valueAt } from '../settled/settledValues.ts'

/** An older value tells nothing about the moment. */
const LOOK_BACK_MS = DAY_MS
/** A full report comes every period, so few reports hold nearly everything. */
const NEWEST_ROWS = 48
/** In milliseconds. */
const A_MICROSECOND = 0.001

interface Search {
  readonly layout: EventLayout
  readonly number: number
  readonly missing: Set<number>
}

type Values = readonly (number | string | null)[]

/**
 * Reads the newest value of every field at or before a moment, none older than a day, in the order of the catalogue. It
 * takes two round trips: first the newest reports of every component, then the whole day for what those did not carry,
 * and then the settled part of that day.
 * Readings whose clock was not believed do not count, as they do not in the current state.
 */
export async function readStateAt(queryable: Queryable, deviceId: DeviceId, at: Date): Promise<FieldReading[]> {
  const searches = EVENT_LAYOUTS.flatMap((layout) =>
    layout.type.prefixes.map(
      (_, index): Search => ({ layout, number: index + 1, missing: new Set(layout.fields.keys()) }),
    ),
  )
  const [afterMs, atMs] = [at.getTime() - LOOK_BACK_MS, at.getTime()]
  const settled = await findSettled(
    queryable,
    searches.map(({ layout, number }) => ({
      ...{ deviceId, eventTypeId: layout.type.id, number },
      ...{ fromMs: afterMs + A_MICROSECOND, toMs: atMs + A_MICROSECOND },
    })),
  )
  const openFrom = Math.max(settled.openFromMs, 0)
  const span = `t.device_dt > ${moment(afterMs)} and t.device_dt >= ${moment(openFrom)} and t.device_dt <= ${moment(atMs)}`
  const found: FieldReading[] = []
  const take = (search: Search, index: number, value: number | string | null | undefined, atMs: number) => {
    if (value === null || value === undefined || !search.missing.delete(index)) return
    const field = search.layout.fields[index]
    const numbered = fieldsOfComponent(search.layout.type.id, search.number).find(
      (one) => one.field.ordinal === field?.ordinal,
    )
    if (numbered) found.push({ numbered, value, at: new Date(atMs) })
  }

  const newest = EVENT_LAYOUTS.map((layout) => newestSql(layout, deviceId, span))
  const { rows } = await queryable.query<{ type_id: number; number: number; at_ms: number; values: Values }>(
    newest.join('\nunion all\n'),
  )
  const reports = new Map<string, typeof rows>()
  for (const row of rows) {
    const key = `${row.type_id}/${row.number}`
    reports.set(key, [...(reports.get(key) ?? []), row])
  }
  const others = searches.filter((search) => {
    const of = reports.get(`${search.layout.type.id}/${search.number}`) ?? []
    for (const { at_ms, values } of of.toSorted((a, b) => b.at_ms - a.at_ms)) {
      values.forEach((value, index) => {
        take(search, index, value, Math.floor(at_ms))
      })
    }
    return of.length === NEWEST_ROWS && search.missing.size > 0
  })
  if (others.length > 0) {
    const older = await queryable.query<{ place: number; index: number; at_ms: number; value: Values[number] }>(
      others.map((search, place) => olderSql(search, place, deviceId, span)).join('\nunion all\n'),
    )
    for (const { place, index, at_ms, value } of older.rows) {
      const search = others[place]
      if (search) take(search, index, value, Math.floor(at_ms))
    }
  }
  for await (const day of settled.days({ withClaims: true }, 'newestFirst')) {
    const { eventTypeId, number } = day.span
    const search = searches.find(({ layout, ...of }) => layout.type.id === eventTypeId && of.number === number)
    if (search === undefined) continue
    for (const row of believedRows(day, 'newestFirst')) {
      for (const index of search.missing) {
        take(
          search,
          index,
          valueAt(day.columns.fields.get(search.layout.fields[index]?.name ?? ''), row),
          msAt(day, row),
        )
      }
      if (search.missing.size === 0) break
    }
  }
  return found.sort((a, b) => a.numbered.id - b.numbered.id)
}

/** The times are literals in the text, so that the planner visits only the days in question. */
const newestSql = ({ type, table, columns }: EventLayout, deviceId: DeviceId, span: string) => `
  (select ${type.id} as type_id, n.number, r.at_ms, r.values
   from generate_series(1, ${type.prefixes.length}) as n (number) cross join lateral (
     select (extract(epoch from t.device_dt) * 1000)::float8 as at_ms, json_build_array(${columns.join(',')}) as values
     from ${table} t
     where t.device_id = ${deviceId} and t.number = n.number and ${span} and ${isBelieved('t.')}
     order by t.device_dt desc limit ${NEWEST_ROWS}) r)`

/** One scan of the day finds when each field was last reported, and a key lookup finds the value. */
function olderSql({ layout, number, missing }: Search, place: number, deviceId: DeviceId, span: string): string {
  const isOfComponent = `t.device_id = ${deviceId} and t.number = ${number}`
  const indexes = [...missing]
  const newest = indexes.map((index) => `max(t.device_dt) filter (where t.${layout.columns[index]} is not null)`)
  const branches = indexes.map(
    (index, nth) => `
    select ${index} as index, told.at[${nth + 1}] as at,
      (select to_json(t.${layout.columns[index]}) from ${layout.table} t
       where ${isOfComponent} and ${span} and t.device_dt = told.at[${nth + 1}]) as value`,
  )
  return `
  (select ${place} as place, one.index, (extract(epoch from one.at) * 1000)::float8 as at_ms, one.value
   from (select array[${newest.join(',')}] as at from ${layout.table} t
         where ${isOfComponent} and ${span} and ${isBelieved('t.')}) told
   cross join lateral (${branches.join('\n    union all')}) one
   where one.at is not null)`
}

const moment = (ms: number) => `'${isoText(ms)}'::timestamptz`
