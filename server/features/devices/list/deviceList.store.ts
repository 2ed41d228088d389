import { type Expression, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type pg from 'pg'
import type { DeviceFilter, DeviceSortColumn } from '#contract/call/listOptions.ts'
import type { Device } from '#contract/http/devices/devices.ts'
import { WRONG_KINDS } from '#domain/darkness/wrongKinds.ts'
import { DEVICE_MODELS, deviceModelName } from '#domain/devices/models.ts'
import { DEVICE_STATUS, DEVICE_STATUSES } from '#domain/devices/status.ts'
import type { DeviceId, DeviceModelId } from '#domain/ids.ts'
import type { Db } from '#server/db/database.ts'
import { byNames, bySearch, holds, holdsNeedles } from '#server/db/queries/containing.ts'
import { onlyRow } from '#server/db/queries/onlyRow.ts'
import { prepared } from '#server/db/queries/prepared.ts'
import type { Database } from '#server/db/schema.ts'
import { deviceExists, existingDevices, isOnline } from '#server/fleet/existingDevices.store.ts'
import { type CountedDevices, fleetCount } from '#server/fleet/fleetCounts.store.ts'
import type { Scope } from '#server/http/call/caller.ts'
import type { JsonRows } from '#server/http/call/route.ts'
import { exactTotal, type PageRequest, ROWS_TO_COUNT } from '#server/http/reading/pages.ts'
import { activeAlertsOf, inOrder, toDevice, withDeviceColumns, withIds } from '../deviceRows.store.ts'
import { idsByRank } from './deviceAlertOrder.store.ts'
import type { DeviceListKey } from './deviceListKey.ts'
import { isOfNow, type RequestedOfNow, rankOfKind, wrongBy } from './devicesWrong.store.ts'
import { deviceTexts } from './deviceTexts.store.ts'
import { type ClientRequest, clientsThat, moreRun, runs } from './deviceVersions.store.ts'

export interface DeviceListFilter extends RequestedOfNow {
  readonly deviceName?: string | undefined
  /** Words that the folded text has to contain (domain/devices/searchText.ts). */
  readonly needles?: readonly string[] | undefined
  /** Words that the folded place has to contain; `needles` contains them too. */
  readonly placeNeedles?: readonly string[] | undefined
  readonly modelId?: DeviceModelId | undefined
  readonly attrSerial?: string | undefined
  /** The device has to have all of these, written as in `tag_keys`. */
  readonly tags?: readonly string[] | undefined
  readonly client?: ClientRequest | undefined
  readonly statusId?: number | undefined
  readonly connStatusId?: number | undefined
}

export interface DeviceListOrder {
  readonly sort: DeviceSortColumn
  readonly isDescending: boolean
}

export interface ListedDevice {
  readonly device: Device
  /** The key of this row; the next page begins behind it. */
  readonly key: DeviceListKey
}

/** Ranks ids by their names, so that the list is ordered as it reads; ids without a name come last. */
function rankOfName(column: string, named: readonly { readonly id: number; readonly name: string }[]) {
  const inOrder = [...named].sort((a, b) => a.name.localeCompare(b.name, 'en')).map(({ id }) => id)
  return sql<Rank>`coalesce(array_position(${inOrder}::int[], ${sql.ref(column)}::int), 1000 + ${sql.ref(column)})`
}

const modelNames = DEVICE_MODELS.map(({ id }) => ({ id, name: deviceModelName(id) }))

const NAME_ORDER = sql<string>`device.name_order`

type Rank = number | string | null

/** The value that a column sorts by before name and id. The name needs no other. */
const RANKS: Record<DeviceSortColumn, RawBuilder<Rank> | undefined> = {
  name: undefined,
  address: sql<Rank>`name_order(device.address)`,
  model: rankOfName('device.model_id', modelNames),
  status: rankOfName('device.status_id', DEVICE_STATUSES),
  connected: sql<Rank>`case when ${isOnline('device.id')} then 0 else 1 end`,
  now: sql<Rank>`case ${sql.join(WRONG_KINDS.map(rankOfKind), sql` `)} else 0 end`,
  alerts: activeAlertsOf('device.id'),
}

const listed = (query: SelectQueryBuilder<Database, 'device', object>, sort: DeviceSortColumn) =>
  withDeviceColumns(query).select([(RANKS[sort] ?? sql<Rank>`null`).as('rank'), NAME_ORDER.as('name_order')])

type ListedRow = Awaited<ReturnType<ReturnType<typeof listed>['execute']>>[number]

/** Whole lists are read in batches of this size. */
const ROWS_OF_BATCH = 100

interface Databases {
  readonly db: Db
  readonly pool: pg.Pool
}

export async function devicesOfPage(
  { db, pool }: Databases,
  scope: Scope,
  filter: DeviceListFilter,
  order: DeviceListOrder,
  page: PageRequest<DeviceListKey> | undefined,
): Promise<ListedDevice[]> {
  const { sort, isDescending } = order
  const rows = page
    ? await rowsOf({ db, pool }, scope, await idsOfPage(db, scope, filter, order, page), sort)
    : await listed(allOf(db, scope, filter), sort)
        .orderBy(orderBy(order))
        .execute()
  return rows.map((row) => ({
    device: toDevice(row),
    key: {
      sort,
      descending: isDescending,
      ...(row.rank === null ? {} : { rank: row.rank }),
      name: row.name_order,
      id: row.id,
    },
  }))
}

async function rowsOf({ db, pool }: Databases, scope: Scope, ids: readonly DeviceId[], sort: DeviceSortColumn) {
  const { sql: text, parameters } = listed(withIds(db, scope, ids), sort).compile()
  return inOrder(ids, (await pool.query<ListedRow>(prepared(text, parameters))).rows)
}

/**
 * Reads all that the filter found when this began, in its order, without devices that were deleted meanwhile. The ids
 * are sorted once; reading page after page would sort the fleet for each page.
 */
export async function* allDevices(
  db: Db,
  scope: Scope,
  filter: DeviceListFilter,
  order: DeviceListOrder,
): AsyncGenerator<JsonRows, void> {
  const sorted = sql<{ ids: DeviceId[] }>`
    select array(select device.id from device
      where ${deviceExists(scope)} and ${devicesMatching(filter)} order by ${orderBy(order)}) as ids`
  const { ids } = onlyRow(await sorted.execute(db))
  for (let from = 0; from < ids.length; from += ROWS_OF_BATCH) {
    const rowsJson = await deviceTexts(db, scope, ids.slice(from, from + ROWS_OF_BATCH))
    if (rowsJson !== '') yield { rowsJson }
  }
}

/** The count is exact up to 10,000 and null beyond. */
export async function countDevices(db: Db, scope: Scope, filter: DeviceListFilter): Promise<number | null> {
  const counted = countedIn(filter)
  if (counted) return exactTotal(onlyRow(await fleetCount(scope, counted).execute(db)).devices)
  const found = foundWithoutDevices(scope, filter)
  if (found) return exactTotal(onlyRow(await countUpTo(found).execute(db)).count)
  const count = (named?: RawBuilder<SqlBool>) => sql<number>`(select count(*)::int from (
    select from device where ${deviceExists(scope)} and ${devicesMatching(filter, named, true)} limit ${ROWS_TO_COUNT}) found)`
  const matching = sql<{ count: number }>`
    select ${asksForText(filter) ? byText(filter, count) : count()} as count`
  return exactTotal(onlyRow(await matching.execute(db)).count)
}

function allOf(db: Db, scope: Scope, filter: DeviceListFilter) {
  return db
    .selectFrom('device')
    .where((eb) => existingDevices(eb, scope))
    .where(devicesMatching(filter))
}

const asksForText = ({ deviceName, needles }: DeviceListFilter): boolean => Boolean(deviceName) || needles !== undefined

/** SQL: a value about what a text finds, by an index or by reading each device. */
function byText<Value>(
  { deviceName, needles }: DeviceListFilter,
  valueBy: (found: RawBuilder<SqlBool>) => RawBuilder<Value>,
): RawBuilder<Value> {
  if (needles === undefined) return byNames(deviceName ?? '', valueBy)
  if (!deviceName) return bySearch(needles, valueBy)
  return bySearch(needles, (found) => valueBy(sql<SqlBool>`(${found} and ${holds('device.name', deviceName)})`))
}

/** An expensive condition may be checked on so many rows. */
const MOST_WALKED = 1_000
/** When more devices match, reading in the order of the list soon fills a page. */
const MOST_GATHERED = 1_000

/**
 * A page is chosen by ids, in a statement planned for each request, because the best plan depends on the filter. Its
 * columns are read by one prepared statement, whose planning would take longer than its run.
 */
async function idsOfPage(
  db: Db,
  scope: Scope,
  filter: DeviceListFilter,
  order: DeviceListOrder,
  page: PageRequest<DeviceListKey>,
): Promise<DeviceId[]> {
  const ids = (named?: RawBuilder<SqlBool>, isGatheredFirst = false) =>
    idsOf(scope, filter, order, page, { named, isGatheredFirst })
  const isNear = page.skip < MOST_WALKED
  const areMany = manyBy(filter)
  const wanted =
    isNear && asksForText(filter)
      ? byText(filter, (named) => sql`array(${ids(named)})`)
      : isNear && areMany
        ? sql`case when ${areMany} then array(${ids()}) else array(${ids(undefined, true)}) end`
        : sql`array(${ids()})`
  return onlyRow(await sql<{ ids: DeviceId[] }>`select ${wanted} as ids`.execute(db)).ids
}

/** SQL: whether so many match that gathering would be slower; undefined where the planner estimates well. */
function manyBy(filter: DeviceListFilter): RawBuilder<boolean> | undefined {
  if (filter.tags) return sql<boolean>`are_common_tags(${[...filter.tags]}::text[])`
  const wrong = wrongBy(filter, true)
  if (wrong === undefined) return filter.client && moreRun(filter.client, MOST_GATHERED)
  const some = sql`select from (${wrong}) wrong limit ${MOST_GATHERED + 1}`
  return sql<boolean>`(select count(*) > ${MOST_GATHERED} from (${some}) counted)`
}

interface Way {
  readonly named: RawBuilder<SqlBool> | undefined
  /** All matches are found before they are ordered, instead of reading in the order of the list. */
  readonly isGatheredFirst: boolean
}

function idsOf(
  scope: Scope,
  filter: DeviceListFilter,
  order: DeviceListOrder,
  page: PageRequest<DeviceListKey>,
  { named, isGatheredFirst }: Way,
) {
  const where = sql<SqlBool>`${deviceExists(scope)} and ${devicesMatching(filter, named, isGatheredFirst)}`
  const { sort, isDescending } = order
  if (sort === 'alerts' || sort === 'now') {
    return idsByRank({ by: sort, where, known: knownByAlerts(scope, filter), isDescending, page })
  }
  const { after, skip, size } = page
  const beyond = after ? isBeyond(keysOf(sort), after, isDescending) : sql`true`
  return sql<DeviceId>`
    select device.id from ${isGatheredFirst ? sql`(select * from device where ${where} offset 0) device` : sql`device`}
    where ${isGatheredFirst ? sql`true` : where} and ${beyond} order by ${orderBy(order)} offset ${skip} limit ${size}`
}

/**
 * Tells whether the filter asks only for what is wrong now, which is kept only for devices that exist and are Paired.
 */
function asksOnlyOfNow({ filter, forMinutes: _, since: __, ...others }: DeviceListFilter): boolean {
  return isOfNow(filter) && countsAll(others)
}

/** SQL: the ids that match, where no device has to be read: what is wrong now is kept for the present customer only. */
function foundWithoutDevices(scope: Scope, filter: DeviceListFilter): RawBuilder<unknown> | undefined {
  if (asksOnlyOfNow(filter)) return wrongBy(filter, true, scope)
  const { client, ...others } = filter
  return scope.kind === 'everything' && client && countsAll(others) ? clientsThat(client) : undefined
}

const countUpTo = (ids: RawBuilder<unknown>) => sql<{ count: number }>`
  select count(*)::int as count from (select from (${ids}) every limit ${ROWS_TO_COUNT}) found`

function knownByAlerts(scope: Scope, filter: DeviceListFilter): RawBuilder<SqlBool> | undefined {
  if (scope.kind !== 'everything') return undefined
  if (countsAll(filter)) return sql`true`
  const wrong = asksOnlyOfNow(filter) ? wrongBy(filter, true) : undefined
  return wrong && sql<SqlBool>`counted.device_id in (${wrong})`
}

const keysOf = (sort: DeviceSortColumn): readonly RawBuilder<unknown>[] => [
  ...(RANKS[sort] ? [RANKS[sort]] : []),
  NAME_ORDER,
  sql<DeviceId>`device.id`,
]

function orderBy({ sort, isDescending }: DeviceListOrder) {
  const direction = sql.raw(isDescending ? 'desc' : 'asc')
  return sql`${sql.join(keysOf(sort).map((key) => sql`${key} ${direction}`))}`
}

function isBeyond(
  keys: readonly RawBuilder<unknown>[],
  after: DeviceListKey,
  isDescending: boolean,
): RawBuilder<SqlBool> {
  const values = [...(after.rank === undefined ? [] : [after.rank]), after.name, after.id]
  const comparison = sql.raw(isDescending ? '<' : '>')
  return sql<SqlBool>`(${sql.join(keys)}) ${comparison} (${sql.join(values)})`
}

const statusOfFilter: Record<DeviceFilter, number> = {
  activeConnected: DEVICE_STATUS.active,
  pending: DEVICE_STATUS.pending,
  maintenance: DEVICE_STATUS.maintenance,
  outOfOrder: DEVICE_STATUS.outOfOrder,
  dark: DEVICE_STATUS.active,
  silent: DEVICE_STATUS.active,
  alerted: DEVICE_STATUS.active,
  unanswered: DEVICE_STATUS.active,
  onBattery: DEVICE_STATUS.active,
  inMaintenance: DEVICE_STATUS.active,
  reportsRefused: DEVICE_STATUS.active,
  clockWrong: DEVICE_STATUS.active,
  restarting: DEVICE_STATUS.active,
  identityConflict: DEVICE_STATUS.active,
  wrong: DEVICE_STATUS.active,
}

/** Finds the maintained count that answers the filter; undefined where rows have to be read. */
function countedIn(wanted: DeviceListFilter): CountedDevices | undefined {
  const { attrSerial, tags, client, modelId, statusId, connStatusId, filter } = wanted
  const isLookedAt = [attrSerial, tags, client, modelId, wrongBy(wanted)].some((one) => one !== undefined)
  if (asksForText(wanted) || isLookedAt) return undefined
  const ofFilter = filter && statusOfFilter[filter]
  const isOnline = connStatusId === undefined ? undefined : connStatusId === 1
  const isContradiction =
    (ofFilter !== undefined && statusId !== undefined && ofFilter !== statusId) ||
    (filter === 'activeConnected' && isOnline === false)
  if (isContradiction) return undefined
  return { statusId: ofFilter ?? statusId, isOnline: filter === 'activeConnected' ? true : isOnline }
}

/** Tells whether a filter accepts all devices of its scope. */
export const countsAll = (filter: DeviceListFilter): boolean => {
  const counted = countedIn(filter)
  return counted !== undefined && counted.statusId === undefined && counted.isOnline === undefined
}

/**
 * Makes the filter's condition, for a statement that knows `device`.
 * @param named replaces reading each name and text
 * @param isByIndex finds faults by their index, which suits few matches
 */
export function devicesMatching(
  wanted: DeviceListFilter,
  named?: RawBuilder<SqlBool>,
  isByIndex = false,
): Expression<SqlBool> {
  const { deviceName, needles, placeNeedles, attrSerial, tags, client, modelId, statusId, connStatusId, filter } =
    wanted
  const conditions: RawBuilder<SqlBool>[] = [sql<SqlBool>`true`]
  if (named) conditions.push(named)
  else {
    if (deviceName !== undefined) conditions.push(holds('device.name', deviceName))
    if (needles !== undefined) conditions.push(holdsNeedles('search_text', needles))
  }
  if (placeNeedles !== undefined) conditions.push(holdsNeedles('place_text', placeNeedles))
  if (attrSerial !== undefined) conditions.push(holds('device.attr_serial', attrSerial))
  if (tags !== undefined) conditions.push(sql`device.tag_keys @> ${[...tags]}::text[]`)
  if (client) conditions.push(runs(client))
  if (modelId !== undefined) conditions.push(sql`device.model_id = ${modelId}`)
  if (statusId !== undefined) conditions.push(sql`device.status_id = ${statusId}`)
  if (filter !== undefined) conditions.push(sql`device.status_id = ${statusOfFilter[filter]}`)
  const wrong = wrongBy(wanted, isByIndex)
  if (wrong) conditions.push(sql`device.id in (${wrong})`)
  if (connStatusId === 1 || filter === 'activeConnected') conditions.push(isOnline('device.id'))
  if (connStatusId === 0) conditions.push(sql`not ${isOnline('device.id')}`)
  return sql.join(conditions, sql` and `) as RawBuilder<SqlBool>
}
