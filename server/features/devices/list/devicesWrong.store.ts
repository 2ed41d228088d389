import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { DeviceFilter } from '#contract/call/listOptions.ts'
import { WRONG_KINDS, type WrongKind } from '#domain/darkness/wrongKinds.ts'
import { atWorst, IS_WRONG, isOfKind, WORST_RANK, worstRankOf } from '#server/fleet/wrongDevices.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { isActiveNow } from '#server/telemetry/alerts/alertStates.ts'

export interface RequestedOfNow {
  readonly filter?: DeviceFilter | undefined
  readonly forMinutes?: number | undefined
  readonly since?: string | undefined
}

/** Tells whether a filter asks only for something that may be wrong. */
export const isOfNow = (filter: DeviceFilter | undefined): boolean =>
  filter === undefined || filter === 'wrong' || WRONG_KINDS.some((kind) => kind === filter)

/**
 * SQL: the devices with this fault, each once; undefined for filters on the device itself.
 * @param isByIndex suits few matches that are gathered or counted
 * @param scope is needed when no surrounding statement reads the devices
 */
export function wrongBy(
  { filter, forMinutes, since }: RequestedOfNow,
  isByIndex = false,
  scope: Scope = { kind: 'everything' },
): RawBuilder<unknown> | undefined {
  const kind = WRONG_KINDS.find((one) => one === filter)
  const isTimed = forMinutes !== undefined || since !== undefined
  if (kind === undefined && filter !== 'wrong' && !isTimed) return undefined
  const ofKind = kind === undefined ? 'true' : isByIndex ? `${isOfKind(kind)} and ${atWorst(kind)}` : isOfKind(kind)
  const isSo = sql.raw(`${IS_WRONG} and ${ofKind}`)
  const isTheirs = scope.kind === 'everything' ? sql`true` : sql`n.customer_id = ${scope.customerId}`
  const these = sql`select n.device_id from device_now n where ${isSo} and ${isTheirs}`
  if (!isTimed) return these
  const within = (begun: string) => sql<SqlBool>`(
    ${forMinutes === undefined ? sql`true` : sql`${sql.raw(begun)} <= now() - ${forMinutes} * interval '1 minute'`}
    and ${since === undefined ? sql`true` : sql`${sql.raw(begun)} >= ${since}::timestamptz`})`
  const byAlerts = sql`${these} and n.device_id in (
    select a.device_id from alert a where ${sql.raw(isActiveNow('a'))} and ${within('a.state_since')})`
  if (kind === 'alerted') return byAlerts
  if (kind === 'reportsRefused') {
    return sql`${these} and n.device_id in (select r.device_id from device_refusal r where ${within('r.since')})`
  }
  // A fault whose beginning is unknown matches no period.
  if (kind !== undefined) return sql`${these} and ${within(BEGUN[kind])}`
  return sql`${these} and ${within(BEGUN.any)} union ${byAlerts}`
}

/** SQL: the beginning of each fault, beside `IS_WRONG`. Alerts and refusals have their own. */
const BEGUN: Readonly<Record<Exclude<WrongKind, 'alerted' | 'reportsRefused'> | 'any', string>> = {
  dark: 'n.light_since',
  silent: 'n.silent_since',
  unanswered: `(n.unknown_command ->> 'at')::timestamptz`,
  onBattery: 'n.battery_since',
  inMaintenance: 'n.wrong_since',
  // The beginning of a wrong clock is not known.
  clockWrong: 'null::timestamptz',
  restarting: 'n.restarting_since',
  identityConflict: 'n.conflict_since',
  any: 'n.wrong_since',
}

/** SQL: the rank of devices whose worst problem is of this kind. Each set is read once, and not once a device. */
export const rankOfKind = (kind: WrongKind) => sql`when device.id in (
  select n.device_id from device_now n where ${sql.raw(`${IS_WRONG} and ${WORST_RANK} = ${worstRankOf(kind)}`)}
) then ${sql.raw(String(worstRankOf(kind)))}`
