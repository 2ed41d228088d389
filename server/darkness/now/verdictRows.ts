import { isDeepStrictEqual } from 'node:util'
import { alertConsequence } from '#domain/darkness/alertConsequence.ts'
import type { LightKind } from '#domain/darkness/minutes/darkMinutes.ts'
import { type Cause, type Held, type UnknownCommand, type VerdictNow, verdictNow } from '#domain/darkness/verdictNow.ts'
import { bitOf, WRONG_KINDS, type WrongKind } from '#domain/darkness/wrongKinds.ts'
import { OFFLINE_AFTER_MS } from '#domain/devices/presence.ts'
import { DEVICE_STATUS } from '#domain/devices/status.ts'
import type { CustomerId, DeviceId, FieldId } from '#domain/ids.ts'
import type { Statements } from '#server/db/statements.ts'
import { isActiveNow } from '#server/telemetry/alerts/alertStates.ts'
import type { DeviceFacts } from './nowFacts.ts'

interface VerdictRow {
  readonly device_id: DeviceId
  readonly light: LightKind | null
  readonly light_since: Date | null
  /** Whether the state may have begun earlier, at a time of which nothing is known. */
  readonly light_is_at_least: boolean
  readonly cause: Cause | null
  readonly is_on_battery: boolean | null
  readonly battery_since: Date | null
  readonly battery_is_at_least: boolean
  readonly restarting_since: Date | null
  readonly is_silent: boolean | null
  readonly silent_since: Date | null
  readonly active_alerts: number | null
  /** The rank of its worst alert: the severity first, then what is at stake. */
  readonly alert_consequence: number | null
  readonly unknown_command: UnknownCommand | null
  readonly customer_id: CustomerId | null
  readonly wrong_kinds: number
  readonly wrong_since: Date | null
  readonly maintenance_until: Date | null
  readonly conflict_since: Date | null
}

interface ActiveAlert {
  readonly fieldId: FieldId
  readonly severityId: number
}

export interface KeptVerdict {
  readonly kept: VerdictRow | undefined
  readonly activeAlerts: readonly ActiveAlert[]
}

/** Reads stored verdicts and active alerts in one statement, so that no alert is counted that has ended by then. */
export async function readKept(
  statements: Statements,
  deviceIds: readonly DeviceId[],
): Promise<ReadonlyMap<DeviceId, KeptVerdict>> {
  const { rows } = await statements.query<VerdictRow & { asked_id: DeviceId; active_now: ActiveAlert[] | null }>(
    `select asked_id, active.active_now, n.device_id, n.light, n.light_since, n.light_is_at_least,
       n.cause, n.is_on_battery, n.battery_since, n.battery_is_at_least, n.restarting_since, n.is_silent, n.silent_since, n.active_alerts,
       n.alert_consequence, n.unknown_command, n.customer_id,
       n.wrong_kinds, n.wrong_since, n.maintenance_until, n.conflict_since
     from unnest($1::int[]) asked_id
     left join device_now n on n.device_id = asked_id
     left join (select device_id, json_agg(json_build_object('fieldId', field_id, 'severityId', severity_id)) as active_now from alert
       where device_id = any($1::int[]) and ${isActiveNow('alert')} group by device_id) active on active.device_id = asked_id`,
    [deviceIds],
  )
  return new Map(
    rows.map(({ asked_id, active_now, ...row }) => [
      asked_id,
      { kept: row.device_id === null ? undefined : row, activeAlerts: active_now ?? [] },
    ]),
  )
}

/**
 * Returns until when a device that went with the server may still reconnect: nobody knows whether it is silent. A device
 * that was silent before stays so.
 */
function awaitedUntil({ leftWithServerAt }: DeviceFacts, kept: VerdictRow | undefined, ledSince: Date, now: Date) {
  if (leftWithServerAt === undefined || kept?.is_silent) return undefined
  const until = new Date(Math.max(leftWithServerAt.getTime(), ledSince.getTime()) + OFFLINE_AFTER_MS)
  return until > now ? until : undefined
}

/**
 * @param ledSince is when the leading process began to judge
 * @returns the current row with since when each state holds, and whether it differs from the stored one
 */
export function judged(
  deviceId: DeviceId,
  device: DeviceFacts,
  { kept, activeAlerts }: KeptVerdict,
  now: Date,
  ledSince = new Date(0),
): { readonly row: VerdictRow; readonly isNews: boolean; readonly nextAt: Date | undefined } {
  const { facts, chain, countsFor, lastHeardAt, conflict } = device
  const verdict = verdictNow(facts, chain, now)
  const awaited = awaitedUntil(device, kept, ledSince, now)
  const isSilent = !facts.isOnline && awaited === undefined
  const { light, cause, isOnBattery, isRestarting, isRefused, isClockWrong } = verdict
  const { unknownCommand, isDark, maintenance, nextAt } = verdict
  const found = {
    device_id: deviceId,
    light: light.value,
    light_since: sinceOf(light, kept?.light, kept?.light_since),
    light_is_at_least: isAtLeast(light, kept?.light === 'unknown' ? null : kept?.light, kept?.light_is_at_least),
    cause,
    is_on_battery: isOnBattery.value,
    battery_since: sinceOf(isOnBattery, kept?.is_on_battery, kept?.battery_since),
    battery_is_at_least: isAtLeast(isOnBattery, kept?.is_on_battery, kept?.battery_is_at_least),
    restarting_since: isRestarting.value ? (kept?.restarting_since ?? isRestarting.since) : null,
    is_silent: isSilent,
    silent_since: isSilent ? lastHeardAt : null,
    active_alerts: activeAlerts.length,
    unknown_command: unknownCommand,
    customer_id: countsFor,
    maintenance_until: maintenance?.until ?? null,
    conflict_since: conflict?.since ?? null,
  }
  const wrong = wrongOf(found, activeAlerts, { isDark, isRefused, isClockWrong })
  const isExcused = maintenance !== null && wrong.wrong_kinds > 0
  const row: VerdictRow = { ...found, ...(isExcused ? underMaintenance(maintenance.since) : wrong) }
  const isNews = kept === undefined || !isDeepStrictEqual(row, { ...kept })
  return { row, isNews, nextAt: [nextAt, conflict?.until, awaited].reduce(earlier) }
}

const earlier = (one: Date | undefined, other: Date | undefined) =>
  one && other ? (one < other ? one : other) : (one ?? other)

type Wrong = Pick<VerdictRow, 'wrong_kinds' | 'wrong_since' | 'alert_consequence'>

/** Whatever is wrong under maintenance is known to somebody, so it is ranked as maintenance only. */
const underMaintenance = (since: Date): Wrong => ({
  wrong_kinds: bitOf('inMaintenance'),
  wrong_since: since,
  alert_consequence: null,
})

/** Finds what is wrong and its rank. Since when it is alerted is read only when it is shown. */
function wrongOf(
  found: Omit<VerdictRow, keyof Wrong>,
  activeAlerts: readonly ActiveAlert[],
  { isDark, isRefused, isClockWrong }: Pick<VerdictNow, 'isDark' | 'isRefused' | 'isClockWrong'>,
): Wrong {
  const since: Readonly<Record<WrongKind, Date | null | undefined>> = {
    dark: isDark ? found.light_since : undefined,
    silent: found.is_silent ? found.silent_since : undefined,
    alerted: activeAlerts.length > 0 ? null : undefined,
    unanswered: found.unknown_command ? new Date(found.unknown_command.at) : undefined,
    onBattery: found.is_on_battery ? found.battery_since : undefined,
    inMaintenance: undefined,
    reportsRefused: isRefused.value ? isRefused.since : undefined,
    clockWrong: isClockWrong ? null : undefined,
    restarting: found.restarting_since ?? undefined,
    identityConflict: found.conflict_since ?? undefined,
  }
  const kinds = WRONG_KINDS.filter((kind) => since[kind] !== undefined)
  const [worst] = kinds
  return {
    wrong_kinds: kinds.reduce((bits, kind) => bits | bitOf(kind), 0),
    wrong_since: (worst && since[worst]) ?? null,
    alert_consequence: worst === 'alerted' ? Math.min(...activeAlerts.map(alertRank)) : null,
  }
}

/** A critical alert ranks before every other. The factor 10 exceeds the number of consequences. */
const alertRank = ({ fieldId, severityId }: ActiveAlert): number => severityId * 10 + alertConsequence(fieldId)

/** A state that still holds keeps its beginning. A new state did not begin before the previous one. */
function sinceOf<Value>(
  { value, since }: Held<Value>,
  before: Value | undefined,
  beforeSince: Date | null | undefined,
): Date | null {
  if (value === null) return null
  if (value === before && beforeSince) return beforeSince
  if (since === null || before === undefined || before === null || !beforeSince) return since
  return since > beforeSince ? since : beforeSince
}

/** Whether a state may have begun earlier, because nothing was known before it. */
function isAtLeast<Value>({ value }: Held<Value>, before: Value | undefined, wasAtLeast = false): boolean {
  if (value === null || value === 'unknown' || value === 'maintenance') return false
  return before === undefined || before === null || (value === before && wasAtLeast)
}

const COLUMNS = {
  light: 'text',
  light_since: 'timestamptz',
  light_is_at_least: 'boolean',
  cause: 'jsonb',
  is_on_battery: 'boolean',
  battery_since: 'timestamptz',
  battery_is_at_least: 'boolean',
  restarting_since: 'timestamptz',
  is_silent: 'boolean',
  silent_since: 'timestamptz',
  active_alerts: 'integer',
  alert_consequence: 'smallint',
  unknown_command: 'jsonb',
  customer_id: 'integer',
  wrong_kinds: 'smallint',
  wrong_since: 'timestamptz',
  maintenance_until: 'timestamptz',
  conflict_since: 'timestamptz',
} as const satisfies Partial<Record<keyof VerdictRow, string>>
const NAMES = Object.keys(COLUMNS) as readonly (keyof typeof COLUMNS)[]

const COUNTS_FOR = `case when d.status_id = ${DEVICE_STATUS.active} then d.customer_id end`

/** Skips a device that was deleted meanwhile. A Paired device counts for the customer that has it at the commit. */
const WRITE_SQL = `
  insert into device_now as n (device_id, ${NAMES.join(', ')})
  select v.device_id, ${NAMES.map((name) => (name === 'customer_id' ? COUNTS_FOR : `v.${name}`)).join(', ')}
  from unnest($1::integer[], ${NAMES.map((name, index) => `$${index + 2}::${COLUMNS[name]}[]`).join(', ')})
    as v (device_id, ${NAMES.join(', ')})
  join device d on d.id = v.device_id and d.deleted_at is null
  order by v.device_id for share of d skip locked
  on conflict (device_id) do update set ${NAMES.map((name) => `${name} = excluded.${name}`).join(', ')}
  returning n.device_id`

export async function dropVerdicts(statements: Statements, deviceIds: readonly DeviceId[]): Promise<void> {
  if (deviceIds.length > 0)
    await statements.query('delete from device_now where device_id = any($1::int[])', [deviceIds])
}

/** Skips rows that others are changing, so that no circle of waiting can arise. @returns the skipped devices */
export async function writeVerdicts(statements: Statements, rows: readonly VerdictRow[]): Promise<readonly DeviceId[]> {
  if (rows.length === 0) return []
  await statements.query(`select nextval('verdict_change')`)
  const { rows: written } = await statements.query<{ device_id: DeviceId }>(WRITE_SQL, [
    rows.map(({ device_id }) => device_id),
    ...NAMES.map((name) =>
      rows.map((row) => (COLUMNS[name] === 'jsonb' ? row[name] && JSON.stringify(row[name]) : row[name])),
    ),
  ])
  const done = new Set(written.map(({ device_id }) => device_id))
  return rows.map(({ device_id }) => device_id).filter((id) => !done.has(id))
}
