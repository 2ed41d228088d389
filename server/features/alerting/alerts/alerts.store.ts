import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Alert, AlertsEvent } from '#contract/http/alerting/alerts.ts'
import { ALERT_STATUS } from '#domain/alerts/alertLabels.ts'
import type { DeviceId, FieldId } from '#domain/ids.ts'
import type { Db } from '#server/db/database.ts'
import { onlyRow } from '#server/db/queries/onlyRow.ts'
import { type TitleRow, titleJson } from '#server/fleet/alertTitles.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { keyTime } from '#server/http/reading/keyTime.store.ts'
import { exactTotal, type PageRequest, ROWS_TO_COUNT } from '#server/http/reading/pages.ts'
import { type AlertKey, type AlertListFilter, isOlderThan, matching, NEWEST_FIRST } from './alertFilter.store.ts'
import { alertRowsIn, alertsIn, deviceName, toAlerts } from './alertRows.store.ts'
import {
  devicesOfAlerts,
  devicesOfNamed,
  findNamed,
  hasText,
  keysOfPage,
  namesNothing,
  type Searched,
} from './alertSearch.store.ts'

const MOST_CHANGED = 20
/** This is longer than a notice takes, and shorter than anybody would wait. */
const CHANGED_WITHIN_SECONDS = 10
const MOST_MARKERS = 1000

interface ListedAlert {
  readonly alert: Alert
  /** The key of this row; the next page begins behind it. */
  readonly key: AlertKey
}

export interface FoundAlerts {
  readonly page: (page: PageRequest<AlertKey>) => Promise<readonly ListedAlert[]>
  /** Counts alerts and their devices; both are null beyond 10,000 alerts. */
  readonly count: () => Promise<{ readonly total: number | null; readonly deviceCount: number | null }>
}

const NONE: FoundAlerts = { page: async () => [], count: async () => ({ total: 0, deviceCount: 0 }) }

export async function findAlerts(db: Db, scope: Scope, filter: AlertListFilter): Promise<FoundAlerts> {
  const { alertText: text, customerId, deviceId, id } = filter
  // One device has few alerts, so reading them all is quickest.
  const isNarrow = deviceId !== undefined || id !== undefined
  if (!text || isNarrow) return foundByLooking(db, scope, filter)
  const named = await findNamed(db, customerId === undefined ? scope : { kind: 'customer', customerId }, text)
  return namesNothing(named) ? NONE : foundByName(db, { scope, filter, text, named })
}

/** Reads the alerts that changed within the last seconds. A device without any has an event without alerts. */
export async function readJustChanged(
  db: Db,
  scope: Scope,
  deviceIds: readonly DeviceId[],
): Promise<readonly AlertsEvent[]> {
  if (deviceIds.length === 0) return []
  const rows = await alertRowsIn(db, scope)
    .where(
      sql<SqlBool>`(alert.device_id, alert.id) in (
        select newest.device_id, newest.alert_id from unnest(${[...deviceIds]}::int[]) as asked (device_id)
        cross join lateral (
          select e.device_id, e.alert_id from alert_event e where e.device_id = asked.device_id
            and e.inserted > now() - make_interval(secs => ${CHANGED_WITHIN_SECONDS})
          order by e.inserted desc limit ${MOST_CHANGED}
        ) as newest)`,
    )
    .orderBy('alert.created_at', 'desc')
    .orderBy('alert.id', 'desc')
    .execute()
  const byDevice = Map.groupBy(await toAlerts(db, scope, rows), ({ deviceId }) => deviceId)
  return deviceIds.map((deviceId) => ({ deviceId, alerts: byDevice.get(deviceId) ?? [] }))
}

interface MarkersQuery {
  readonly deviceId: DeviceId
  readonly fieldId: FieldId
  readonly from: Date
  readonly to: Date
}

/** Reads the alerts of one field of one device that opened within the period, newest first, at most 1,000. */
export const readMarkers = (db: Db, scope: Scope, { deviceId, fieldId, from, to }: MarkersQuery) =>
  alertsIn(db, scope)
    .where('alert.device_id', '=', deviceId)
    .where('alert.field_id', '=', fieldId)
    .where('alert.created_at', '>=', from)
    .where('alert.created_at', '<', to)
    .orderBy('alert.created_at', 'desc')
    .orderBy('alert.id', 'desc')
    .limit(MOST_MARKERS)
    .select([
      'alert.id',
      'alert.created_at as createdAt',
      deviceName.as('deviceName'),
      sql.raw<TitleRow>(titleJson('alert')).as('named'),
    ])
    .execute()

function foundByLooking(db: Db, scope: Scope, filter: AlertListFilter): FoundAlerts {
  const { alertText: text } = filter
  const isWanted = text ? sql<SqlBool>`${matching(filter)} and ${hasText(text)}` : matching(filter)
  return {
    page: ({ after, skip, size }) =>
      shownAlerts(
        db,
        scope,
        alertRowsIn(db, scope).where(isWanted).where(isOlderThan(after)).orderBy(NEWEST_FIRST).offset(skip).limit(size),
      ),
    count: () => {
      if (!text) return countsOf(db, devicesOfAlerts({ scope, filter }))
      const devices = alertsIn(db, scope).where(isWanted).select('alert.device_id').limit(ROWS_TO_COUNT)
      return countsOf(db, sql`(${devices})`)
    },
  }
}

/** Finds alerts by listed matches. When the lists are incomplete, the newest are found by reading alerts. */
function foundByName(db: Db, asked: Searched): FoundAlerts {
  const { scope, filter, named } = asked
  const byLooking = foundByLooking(db, scope, filter)
  return {
    page: named.isWhole
      ? (page) =>
          shownAlerts(
            db,
            scope,
            alertRowsIn(db, scope)
              .where(sql<SqlBool>`(alert.device_id, alert.id) in (${keysOfPage(asked, page)})`)
              .orderBy(NEWEST_FIRST),
          )
      : byLooking.page,
    count: async () => {
      // Incomplete lists still name enough alerts to exceed the count, unless only open alerts are wanted.
      if (!named.isWhole && filter.statusId === ALERT_STATUS.opened) return byLooking.count()
      const counts = await countsOf(db, devicesOfNamed(asked))
      return named.isWhole || counts.total === null ? counts : byLooking.count()
    },
  }
}

async function shownAlerts(db: Db, scope: Scope, query: ReturnType<typeof alertRowsIn>): Promise<ListedAlert[]> {
  const rows = await query.select(keyTime('alert.created_at').as('key_time')).execute()
  const keys = rows.map(({ key_time, id }): AlertKey => ({ createdAt: key_time, id }))
  return (await toAlerts(db, scope, rows)).map((alert, index) => ({ alert, key: keys[index] as AlertKey }))
}

/** @param devices SQL: the device of each alert */
async function countsOf(db: Db, devices: RawBuilder<unknown>) {
  const counted = await sql<{ total: number; deviceCount: number }>`
    select count(*)::int as total, count(distinct device_id)::int as "deviceCount" from ${devices} found`.execute(db)
  const { total, deviceCount } = onlyRow(counted)
  return exactTotal(total) === null ? { total: null, deviceCount: null } : { total, deviceCount }
}
