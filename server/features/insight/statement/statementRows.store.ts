import type pg from 'pg'
import type { LightStatement } from '#contract/http/insight/lightStatements.ts'
import type { CustomerId, DeviceId } from '#domain/ids.ts'
import type { CountedDate, OwedDevice } from '#domain/statement/lightStatement.ts'
import type { Month } from '#domain/statement/months.ts'
import type { StatementTerms } from '#domain/statement/statementTerms.ts'
import type { Period } from '#server/darkness/owedDevices.ts'
import type { Db } from '#server/db/database.ts'
import { statementsOf } from '#server/db/statements.ts'
import type { Tx } from '#server/http/call/audit.store.ts'

const KINDS = `sum(k.unplanned_min)::integer as unplanned, sum(k.planned_min)::integer as planned, sum(k.lit_min)::integer as lit,
  coalesce(sum(k.lit_in_off_min), 0)::integer as "litInOffTime", sum(k.maintenance_min)::integer as maintenance`

export async function readCountedDays(
  pool: pg.Pool,
  deviceIds: readonly DeviceId[],
  { from, to }: Period,
): Promise<ReadonlyMap<DeviceId, readonly CountedDate[]>> {
  const { rows } = await pool.query<CountedDate & { deviceId: DeviceId }>(
    `select device_id as "deviceId", to_char(day, 'YYYY-MM-DD') as date, unplanned_min as unplanned,
       planned_min as planned, lit_min as lit, lit_in_off_min as "litInOffTime", maintenance_min as maintenance, causes,
       planned_by as "plannedBy", away_min as away, (extract(epoch from counted_to) * 1000)::float8 as "countedToMs"
     from device_dark_day where device_id = any ($1::integer[]) and day between $2 and $3`,
    [deviceIds, from, to],
  )
  return Map.groupBy(rows, ({ deviceId }) => deviceId)
}

/** The counted minutes of a device in a month, within the time for which it counts. */
export interface MonthSum {
  readonly month: Month
  /** The place of the device in the list that was asked for. */
  readonly at: number
  readonly unplanned: number
  readonly planned: number
  readonly lit: number
  readonly litInOffTime: number
  readonly maintenance: number
  readonly away: number
}

/** SQL of the days for which devices count, as `owedValues` gives them. */
const OWED = `unnest($1::integer[], $2::date[], $3::date[]) with ordinality as o (id, owned_from, owned_to, at)`
const IS_OWED =
  "k.device_id = o.id and k.day between greatest(o.owned_from, $4) and least(coalesce(o.owned_to, 'infinity'), $5)"
const owedValues = (devices: readonly OwedDevice[], { from, to }: Period) => [
  devices.map(({ id }) => id),
  devices.map(({ firstDay }) => firstDay),
  devices.map(({ lastDay }) => lastDay),
  from,
  to,
]

export async function readMonthSums(
  pool: pg.Pool,
  devices: readonly OwedDevice[],
  period: Period,
): Promise<readonly MonthSum[]> {
  const { rows } = await pool.query<MonthSum>(
    `select to_char(date_trunc('month', k.day), 'YYYY-MM') as month, o.at::integer, ${KINDS},
       coalesce(sum(k.away_min), 0)::integer as away
     from ${OWED} join device_dark_day k on ${IS_OWED} group by 1, 2`,
    owedValues(devices, period),
  )
  return rows
}

/** Reads what rule sets asked for on days of these devices, and what came of it. */
export async function readRuleSums(
  pool: pg.Pool,
  devices: readonly OwedDevice[],
  period: Period,
): Promise<NonNullable<LightStatement['lightRules']>> {
  const sums = ['due', 'kept', 'broken', 'unknown', 'maintenance'].map(
    (name) => `sum(k.${name}_min)::integer as ${name}`,
  )
  const { rows } = await pool.query<NonNullable<LightStatement['lightRules']>[number]>(
    `select r.id, r.content ->> 'name' as name, r.content ->> 'source' as source, r.content ->> 'sourceUrl' as "sourceUrl",
       ${sums.join(', ')}
     from ${OWED} join light_rule_day k on ${IS_OWED} join light_rule_set r on r.id = k.rule_set_id
     group by r.id order by r.id`,
    owedValues(devices, period),
  )
  return rows
}

export async function readTerms(db: Db | Tx, customerId: CustomerId): Promise<StatementTerms | null> {
  const { rows } = await statementsOf(db).query<StatementTerms>(
    `select target_hundredths as "targetHundredths", unknown_counts as "unknownCounts", currency,
       fee_minor as "feeMinor", steps
     from statement_terms where customer_id = $1`,
    [customerId],
  )
  return rows[0] ?? null
}

export async function writeTerms(db: Db | Tx, customerId: CustomerId, terms: StatementTerms | null) {
  if (terms === null) {
    await statementsOf(db).query('delete from statement_terms where customer_id = $1', [customerId])
    return
  }
  const { targetHundredths, unknownCounts, currency, feeMinor, steps } = terms
  await statementsOf(db).query(
    `insert into statement_terms (customer_id, target_hundredths, unknown_counts, currency, fee_minor, steps)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (customer_id) do update set target_hundredths = excluded.target_hundredths,
       unknown_counts = excluded.unknown_counts, currency = excluded.currency, fee_minor = excluded.fee_minor,
       steps = excluded.steps`,
    [customerId, targetHundredths, unknownCounts, currency, feeMinor, JSON.stringify(steps)],
  )
}
