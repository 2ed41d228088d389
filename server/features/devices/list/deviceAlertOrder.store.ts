import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { DeviceId } from '#domain/ids.ts'
import { IS_WRONG, WORST_RANK } from '#server/fleet/wrongDevices.ts'
import type { PageRequest } from '#server/http/reading/pages.ts'
import { ACTIVE_ALERT } from '../deviceRows.store.ts'
import type { DeviceListKey } from './deviceListKey.ts'

interface Request {
  /** `now` ranks what needs attention below zero, the worst first, and everything else as zero. */
  readonly by: 'alerts' | 'now'
  /** The filter as SQL, for a statement that knows `device`. */
  readonly where: RawBuilder<SqlBool>
  /** The filter as SQL for a statement that knows `counted.device_id`, where no device has to be read for it. */
  readonly known: RawBuilder<SqlBool> | undefined
  readonly isDescending: boolean
  readonly page: PageRequest<DeviceListKey>
}

const COUNTED = {
  alerts: sql`
      select alert.device_id, count(*)::int as alerts from alert
      where ${ACTIVE_ALERT} and alert.device_id not in (select id from device where deleted_at is not null)
      group by alert.device_id`,
  now: sql.raw(`select n.device_id, ${WORST_RANK} as alerts from device_now n where ${IS_WRONG}`),
}

/** Active alerts rank above the devices without any, and what needs attention below the devices that are fine. */
const isRankedFirst = ({ by, isDescending }: Request) => isDescending === (by === 'alerts')

/**
 * SQL: the ids of a page of devices ordered by active alerts or by what needs attention, then name and id. Most devices
 * have neither and are read in the order of their names; the others are found without reading devices.
 */
export function idsByRank(asked: Request): RawBuilder<DeviceId> {
  const { isDescending, page } = asked
  const direction = sql.raw(isDescending ? 'desc' : 'asc')
  const order = sql`order by alerts ${direction}, name ${direction}, id ${direction}`
  const enough = page.skip + page.size
  // The second group is read only when the first does not fill the page.
  const [first, second] = isRankedFirst(asked) ? ['alerting', 'calm'] : ['calm', 'alerting']
  const isReached = sql`(select count(*) from ${sql.id(first as string)}) < ${enough}`
  const rows = {
    alerting: (also: RawBuilder<unknown>) => sql`
      select device.id, counted.alerts, device.name_order as name from ${alertingDevices(asked, enough)}
      and ${asked.where} and ${isBeyondAlerting(asked)} and ${also} ${order} limit ${enough}`,
    calm: (also: RawBuilder<unknown>) => sql`
      select device.id, 0 as alerts, device.name_order as name from device
      where ${asked.where} and device.id not in (select device_id from counted) and ${isBeyondCalm(asked)} and ${also}
      order by device.name_order ${direction}, device.id ${direction} limit ${enough}`,
  }
  return sql<DeviceId>`
    with counted as materialized (${COUNTED[asked.by]}),
    ${sql.id(first as string)} as materialized (${rows[first as keyof typeof rows](sql`true`)}),
    ${sql.id(second as string)} as materialized (${rows[second as keyof typeof rows](isReached)})
    select id from (select * from alerting union all select * from calm) either
    ${order} offset ${page.skip} limit ${page.size}`
}

/**
 * The counts alone show which devices have too few alerts for this page. So few remain that each is looked up, where
 * the planner would read them all.
 */
function alertingDevices({ by, known, isDescending, page: { after } }: Request, enough: number) {
  if (known === undefined || !isDescending || by === 'now')
    return sql`counted join device on device.id = counted.device_id where true`
  const fewer = after === undefined ? sql`true` : sql`counted.alerts < ${after.rank}`
  return sql`counted cross join lateral (select * from device where device.id = counted.device_id offset 0) device
    where ${known} and counted.alerts >= coalesce((
      select counted.alerts from counted where ${known} and ${fewer}
      order by counted.alerts desc offset ${enough - 1} limit 1), 1)`
}

function isBeyondAlerting({ isDescending, page: { after } }: Request): RawBuilder<SqlBool> {
  if (after === undefined) return sql`true`
  const comparison = sql.raw(isDescending ? '<' : '>')
  return sql`(counted.alerts, device.name_order, device.id) ${comparison} (${after.rank}, ${after.name}, ${after.id})`
}

function isBeyondCalm(asked: Request): RawBuilder<SqlBool> {
  const { isDescending, page } = asked
  const { after } = page
  if (after === undefined) return sql`true`
  if (after.rank !== 0) return isRankedFirst(asked) ? sql`true` : sql`false`
  const comparison = sql.raw(isDescending ? '<' : '>')
  return sql`(device.name_order, device.id) ${comparison} (${after.name}, ${after.id})`
}
