import { DEVICE_STATUS } from '#domain/devices/status.ts'
import { lastActiveAt } from '#server/telemetry/alerts/alertStates.ts'

const inStatus = (statusId: number) => `coalesce(sum(devices) filter (where status_id = ${statusId}), 0)::int`

/** SQL: the device counts of the Overview's tiles, each by its key, for a statement from `fleet_count`. */
export const COUNTED_DEVICES = `
  coalesce(sum(devices) filter (where status_id = ${DEVICE_STATUS.active} and exists (
    select from server_process p where p.id = any (process_ids) and p.lease_until > now())), 0)::int
    as "DEVICES_ACTIVE",
  ${inStatus(DEVICE_STATUS.maintenance)} as "DEVICES_MAINTENANCE",
  ${inStatus(DEVICE_STATUS.outOfOrder)} as "DEVICES_OUT_OF_ORDER",
  ${inStatus(DEVICE_STATUS.pending)} as "DEVICES_PENDING",
  coalesce(sum(devices), 0)::int as "DEVICES_ALL"`

/**
 * SQL: counts devices with an alert that was Active after a moment (rules/overview 3), from `alert` as `a`. The
 * condition has two bounds, because for an unknown lower bound alone a plan expects a third of the table.
 * @param since the moment in the statement, such as `$1`
 * @param beside selects further columns before the count
 */
export const countedAlerted = (since: string, beside = '') => `
  select ${beside} count(distinct a.device_id)::int as devices from alert a
  where ${lastActiveAt('a')} between ${since} and 'infinity' and a.withdrawn_at is null
    and not exists (select from device d where d.id = a.device_id and d.deleted_at is not null)`
