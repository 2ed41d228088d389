import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { DeviceId } from '#domain/ids.ts'
import type { Db } from '#server/db/database.ts'
import { byNames, containing, holds, holdsByIndex } from '#server/db/queries/containing.ts'
import { onlyRow } from '#server/db/queries/onlyRow.ts'
import { deviceExists } from '#server/fleet/existingDevices.store.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { isOfScope } from '#server/http/call/history.store.ts'
import { type PageRequest, ROWS_TO_COUNT } from '#server/http/reading/pages.ts'
import { type AlertKey, type AlertListFilter, isOlderThan, matching, NEWEST_FIRST } from './alertFilter.store.ts'
import { deviceName } from './alertRows.store.ts'

/** Beyond these counts matches are not listed one by one, because reading the newest alerts soon fills a page then. */
const MOST_WORDS = 1_000
const MOST_DEVICES = 2_000

/**
 * Finds where a text occurs. Alerts share few distinct texts and belong to few devices, so searching those is quicker
 * than reading a million alerts.
 */
export interface Named {
  /** Values of `words_hash` as text, because they exceed the integers of JavaScript. */
  readonly words: readonly string[]
  /** Devices that have the name now and never belonged to another customer. */
  readonly deviceIds: readonly DeviceId[]
  /** Devices that had another owner before; each of their alerts shows the name that its customer knows. */
  readonly movedIds: readonly DeviceId[]
  /** True when the lists are complete. */
  readonly isWhole: boolean
}

export async function findNamed(db: Db, scope: Scope, text: string): Promise<Named> {
  const words = sql`array(
    select words_hash::text from alert_words where ${holdsByIndex('alert_words.condition_text', text)}
    limit ${MOST_WORDS + 1})`
  const called = byNames(
    text,
    (named) =>
      sql`array(select device.id from device where ${deviceExists(scope)} and ${named} limit ${MOST_DEVICES + 1})`,
  )
  const read = await sql<{ words: string[]; called: DeviceId[]; moved: DeviceId[] }>`
    with called as materialized (select ${called} as ids),
    moved as (
      select device_id from device_departure where ${holdsByIndex('device_departure.name', text)}
      union
      select p.device_id from device_departure p
      join (select unnest(ids) as id from called) here on here.id = p.device_id)
    select ${words} as words, (select ids from called) as called, array(select device_id from moved) as moved`.execute(
    db,
  )
  const found = onlyRow(read)
  const moved = new Set(found.moved)
  return {
    words: found.words,
    deviceIds: found.called.filter((id) => !moved.has(id)),
    movedIds: found.moved,
    isWhole: found.words.length <= MOST_WORDS && found.called.length <= MOST_DEVICES && moved.size <= MOST_DEVICES,
  }
}

export const namesNothing = ({ words, deviceIds, movedIds }: Named) =>
  words.length === 0 && deviceIds.length === 0 && movedIds.length === 0

/** Compares each alert itself, in a statement that knows `alert` and `device`. */
export const hasText = (text: string) =>
  sql<SqlBool>`(${holds('alert.condition_text', text)} or ${deviceName} ilike ${containing(text)})`

export interface Searched {
  readonly scope: Scope
  readonly filter: AlertListFilter
  readonly text: string
  readonly named: Named
}

const ALERTS = sql`alert left join device gone on gone.id = alert.device_id and gone.deleted_at is not null
  where gone.id is null`
const ALERTS_WITH_DEVICES = sql`alert join device on device.id = alert.device_id and device.deleted_at is null where true`

/**
 * Makes a separate query for each way to find an alert: joined by `or` they would keep the planner from their indexes.
 */
function waysTo({ text, named: { words, deviceIds, movedIds } }: Searched) {
  const isMoved = sql`alert.device_id = any(${movedIds}::integer[]) and ${deviceName} ilike ${containing(text)}`
  return [
    { isNeeded: words.length > 0, from: ALERTS, where: sql`alert.words_hash = any(${words}::bigint[])` },
    { isNeeded: deviceIds.length > 0, from: ALERTS, where: sql`alert.device_id = any(${deviceIds}::integer[])` },
    { isNeeded: movedIds.length > 0, from: ALERTS_WITH_DEVICES, where: isMoved },
  ].filter(({ isNeeded }) => isNeeded)
}

const isShown = ({ scope, filter }: Pick<Searched, 'scope' | 'filter'>) =>
  sql`alert.withdrawn_at is null and ${isOfScope(scope, 'alert.customer_id')} and ${matching(filter)}`

/** SQL: device and number of each alert on a page of those that contain the text. */
export function keysOfPage(asked: Searched, { after, skip, size }: PageRequest<AlertKey>) {
  const ways = waysTo(asked).map(
    ({ from, where }) => sql`(
      select alert.device_id, alert.id, alert.created_at from ${from}
      and ${isShown(asked)} and ${where} and ${isOlderThan(after)} order by ${NEWEST_FIRST} limit ${skip + size})`,
  )
  return sql`select device_id, id from (${sql.join(ways, sql` union `)}) alert
    order by ${NEWEST_FIRST} offset ${skip} limit ${size}`
}

/** SQL: the device of each alert that contains the text, up to as many as are counted. */
export function devicesOfNamed(asked: Searched): RawBuilder<unknown> {
  const { words } = asked.named
  const ways = waysTo(asked).map(({ from, where }, index) => {
    // The way by text is always the first, so the others leave out what it has found.
    const isAnother = index > 0 && words.length > 0 ? sql`alert.words_hash <> all(${words}::bigint[])` : sql`true`
    return sql`(select alert.device_id from ${from} and ${isShown(asked)} and ${where} and ${isAnother})`
  })
  return sql`(select device_id from (${sql.join(ways, sql` union all `)}) alert limit ${ROWS_TO_COUNT})`
}

/** SQL: the device of each alert that a filter without a text accepts, up to as many as are counted. */
export const devicesOfAlerts = (asked: Pick<Searched, 'scope' | 'filter'>): RawBuilder<unknown> =>
  sql`(select alert.device_id from ${ALERTS} and ${isShown(asked)} limit ${ROWS_TO_COUNT})`
