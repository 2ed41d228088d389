import type pg from 'pg'
import { DASHBOARD_KEYS, type DashboardKey, type DashboardValue } from '#contract/http/insight/overview.ts'
import { type CountedDay, dayWith } from '#domain/alerts/heatMap.ts'
import { numberedFieldsOf } from '#domain/catalogue/fieldId.ts'
import { DEVICE_STATUS } from '#domain/devices/status.ts'
import type { AlertId, DeviceGuid, DeviceId, FieldId } from '#domain/ids.ts'
import { DAY_MS } from '#domain/units/time.ts'
import { onlyRow } from '#server/db/queries/onlyRow.ts'
import { prepared } from '#server/db/queries/prepared.ts'
import { hottestDisplay } from '#server/fleet/hottestDisplay.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { deviceThen, hasLeft } from '#server/http/call/history.store.ts'
import type { Period } from '#server/http/reading/period.ts'
import { ALL_CUSTOMERS } from './fleetSamples.store.ts'
import { COUNTED_DEVICES, countedAlerted } from './tileCounts.ts'
import { scopeValues, withinScope } from './withinScope.ts'

/** A device by its hottest display. */
export interface HotDevice {
  readonly id: DeviceId
  readonly guid: DeviceGuid
  readonly name: string
  readonly displayNumber: number
  readonly internalCelsius: number
  readonly intakeCelsius: number | null
  /** The lowest limit that a condition watches; null when none watches it. */
  readonly limitCelsius: number | null
  /** The worst severity of the conditions whose limit the reading is above; null when it is above none. */
  readonly severityId: number | null
  readonly at: Date
}

export interface OpenedAlerts {
  readonly fieldId: FieldId
  readonly conditionText: string
  /** The title that somebody gave a condition of this text. */
  readonly ownTitle: string | null
  readonly devices: number
  /** Devices with such an alert that is Active. */
  readonly devicesNow: number
  /** Devices with such an alert that is Not Active. */
  readonly devicesOver: number
}

export interface LastAlert {
  readonly id: AlertId
  readonly name: string
  readonly guid: DeviceGuid
  /** Another customer has the device now. */
  readonly hasLeft: boolean
  readonly createdAt: Date
  readonly fieldId: FieldId
  readonly conditionText: string
  readonly statusId: number
  readonly conditionStateId: number
}

export interface AlertCounts {
  readonly days: readonly CountedDay[]
  /** Counts alerts between `from` and the first whole step behind it, which days do not separate from those before. */
  readonly first: number
}

/** What the tiles counted in the half hour that begins here. */
export interface TileSample {
  readonly at: Date
  readonly values: Readonly<Record<DashboardKey, number>>
}

const SAMPLED = DASHBOARD_KEYS.map((key) => ({ key, column: key.toLowerCase() }))

const ofEachDisplay = (everyDisplays: number) => numberedFieldsOf(everyDisplays as FieldId).map(({ id }) => id)
/** These have a field for each display, in the order of their numbers. */
export const INTERNAL_TEMPERATURES = ofEachDisplay(4001)
export const INTAKE_TEMPERATURES = ofEachDisplay(4002)

/** So many devices are looked at one by one; in a larger fleet a job has found the warmest before. */
const MOST_LOOKED_AT = 1_000
/** Some of those that the job found have cooled down or gone since. */
const CANDIDATES_FOR_ONE = 3

/** SQL: the alert `a` is within the scope, and its device exists. */
const ofVisible = (scope: Scope, place: number) =>
  `${withinScope(scope, 'a.customer_id', place)}
     and not exists (select from device d where d.id = a.device_id and d.deleted_at is not null)`

/** Statements know the customer as the last parameter, and only where there is one. */
export async function readTileValues(pool: pg.Pool, scope: Scope, now: Date): Promise<DashboardValue[]> {
  const counted = await pool.query<Record<DashboardKey, number>>(
    `select ${COUNTED_DEVICES},
         (${countedAlerted('$1')} and ${withinScope(scope, 'a.customer_id', 2)}) as "DEVICES_WITH_ALERTS_24H"
       from fleet_count where ${withinScope(scope, 'customer_id', 2)}`,
    scopeValues(scope, new Date(now.getTime() - DAY_MS)),
  )
  return Object.entries(onlyRow(counted)).map(([key, value]) => ({ key, value }) as DashboardValue)
}

/** Reads what the tiles counted since then, in order of time, without half hours in which nothing was counted. */
export async function readSamples(pool: pg.Pool, scope: Scope, since: Date): Promise<readonly TileSample[]> {
  const customerId = scope.kind === 'everything' ? ALL_CUSTOMERS : scope.customerId
  // A customer without devices was counted with all.
  const { rows } = await pool.query<{ at: Date } & Record<string, number>>(
    `select every.at, ${SAMPLED.map(({ key, column }) => `coalesce(one.${column}, 0) as "${key}"`).join(', ')}
       from (select at from fleet_sample where customer_id = ${ALL_CUSTOMERS} and at >= $1) every
       left join fleet_sample one on one.at = every.at and one.customer_id = $2 order by every.at`,
    [since, customerId],
  )
  return rows.map(({ at, ...values }) => ({ at, values: values as TileSample['values'] }))
}

export async function readHottest(pool: pg.Pool, scope: Scope, now: Date, most: number): Promise<readonly HotDevice[]> {
  const counted = await pool.query<{ devices: number }>(
    `select coalesce(sum(devices), 0)::int as devices from fleet_count where ${withinScope(scope, 'customer_id', 1)}`,
    scopeValues(scope),
  )
  const isSmall = onlyRow(counted).devices <= MOST_LOOKED_AT
  const candidates = isSmall
    ? 'true'
    : `d.id in (select device_id from hot_device where ${withinScope(scope, 'customer_id', 2)}
       order by internal_temp desc limit ${most * CANDIDATES_FOR_ONE})`
  const { rows } = await pool.query<HotDevice>(
    // The number of rows stands in the text: a plan that is kept expects a tenth of the fleet behind a parameter.
    prepared(
      `select hottest.id, hottest.guid, hottest.name, "displayNumber", "internalCelsius", "intakeCelsius", at,
         min(c.value_dec) as "limitCelsius",
         min(c.severity_id) filter (where "internalCelsius" > c.value_dec) as "severityId"
       from (
         select d.id, d.guid, d.name, hot.number as "displayNumber", hot.internal_temp as "internalCelsius",
           hot.intake_temp as "intakeCelsius", hot.at
         from device d join device_now n on n.device_id = d.id cross join ${hottestDisplay('$1')}
         where d.deleted_at is null and d.status_id = ${DEVICE_STATUS.active} and ${withinScope(scope, 'd.customer_id', 2)}
           and ${candidates}
         order by hot.internal_temp desc, d.id limit ${most}) hottest
       join device d on d.id = hottest.id
       left join alert_condition c on c.field_id = (array[${INTERNAL_TEMPERATURES.join()}])["displayNumber"]
         and c.kind = 'level' and c.operator_code in ('GT', 'GTE') and condition_applies(c, d)
       group by hottest.id, hottest.guid, hottest.name, "displayNumber", "internalCelsius", "intakeCelsius", at
       order by "internalCelsius" desc, hottest.id`,
      scopeValues(scope, new Date(now.getTime() - DAY_MS)),
    ),
  )
  return rows
}

export async function readOpenedAlerts(pool: pg.Pool, scope: Scope): Promise<readonly OpenedAlerts[]> {
  const { rows } = await pool.query<OpenedAlerts>(
    `select words."fieldId", words."conditionText", words."ownTitle", found.devices, found."devicesNow", found."devicesOver" from (
         select words_hash, count(distinct a.device_id)::int as devices,
           count(distinct a.device_id) filter (where a.condition_state_id = 1)::int as "devicesNow",
           count(distinct a.device_id) filter (where a.condition_state_id = 2)::int as "devicesOver"
         from alert a
         where a.status_id = 1 and a.withdrawn_at is null and ${ofVisible(scope, 1)} group by 1) found
       cross join lateral (
         select a.field_id as "fieldId", a.condition_text as "conditionText", c.title as "ownTitle" from alert a
         left join alert_condition c on c.id = a.condition_id
         where a.words_hash = found.words_hash and a.status_id = 1 and a.withdrawn_at is null limit 1) words
       order by found."devicesNow" desc, found.devices desc, words."conditionText", words."fieldId"`,
    scopeValues(scope),
  )
  return rows
}

interface CountedTime {
  readonly from: Date
  /** The first whole hour, or quarter of an hour, behind `from`. */
  readonly step: Date
  readonly isInQuarters: boolean
}

/** Counts alerts that opened from `from` on, in UTC. */
export async function countAlerts(
  pool: pg.Pool,
  scope: Scope,
  { from, step, isInQuarters }: CountedTime,
): Promise<AlertCounts> {
  const customerId = scope.kind === 'everything' ? ALL_CUSTOMERS : scope.customerId
  // One statement, so that no alert is seen on its way from the changes to the days.
  const { rows } = await pool.query<{ dayMs: number; atMs: number | null; counts: string }>(
    `select extract(epoch from day)::float8 * 1000 as "dayMs", null::float8 as "atMs",
         array_to_string(${isInQuarters ? 'quarters' : 'hours'}, ',') as counts
       from alert_day where customer_id = $1 and day >= ($2::timestamptz at time zone 'UTC')::date
       union all
       select null, extract(epoch from quarter)::float8 * 1000, sum(alerts)::text
       from alert_change where quarter >= $2 and ($1 = ${ALL_CUSTOMERS} or customer_id = $1) group by 2
       union all
       select null, null, count(*)::text from alert a
       where a.created_at >= $3 and a.created_at < $2 and a.withdrawn_at is null and ${ofVisible(scope, 1)}`,
    [customerId, step, from],
  )
  const counts: CountedDay[] = []
  let first = 0
  for (const { dayMs, atMs, counts: text } of rows) {
    if (dayMs !== null) counts.push({ dayMs, counts: text.split(',').map(Number) })
    else if (atMs !== null) counts.push(dayWith(atMs, Number(text), isInQuarters))
    else first = Number(text)
  }
  return { days: counts, first }
}

/** Lists the alerts that opened in a period, newest first. */
export async function readLastAlerts(
  pool: pg.Pool,
  scope: Scope,
  { from, to }: Period,
  most: number,
): Promise<readonly LastAlert[]> {
  const { rows } = await pool.query<LastAlert>(
    `select a.id::float8 as id, ${deviceThen('name', 'a', 'found_at', 'd')} as name, d.guid,
         ${hasLeft(scope, 'a', 'd')} as "hasLeft", a.created_at as "createdAt", a.field_id as "fieldId",
         a.condition_text as "conditionText", a.status_id as "statusId", a.condition_state_id as "conditionStateId"
       from alert a join device d on d.id = a.device_id and d.deleted_at is null
       where a.created_at >= $1 and a.created_at < $2 and a.withdrawn_at is null
         and ${withinScope(scope, 'a.customer_id', 4)}
       order by a.created_at desc, a.id desc limit $3`,
    scopeValues(scope, from, to, most),
  )
  return rows
}

/** Reads a number that grows with every change of any alert. */
export const readAlertChanges = async (pool: pg.Pool): Promise<string> =>
  onlyRow(await pool.query<{ changes: string }>('select last_value::text as changes from alert_event_id_seq')).changes
