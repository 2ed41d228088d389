import { conditionText } from '#domain/alerts/conditionText.ts'
import type { OperatorCode } from '#domain/alerts/operators.ts'
import { REFUSED_FOR_MS } from '#domain/devices/refusedReports.ts'
import type { DeviceId, FieldId } from '#domain/ids.ts'
import { onlyRow } from '#server/db/queries/onlyRow.ts'
import type { Queryable } from '#server/db/transaction.ts'
import type { Scope } from '#server/http/call/caller.ts'

export interface ReadingLimit {
  readonly fieldId: FieldId
  readonly operator: OperatorCode
  readonly value: number
  readonly text: string
  readonly severityId: number
}

export interface RefusedStretch {
  readonly since: Date
  readonly lastAt: Date
  readonly count: number
  readonly reason: string
  readonly detail: string
  readonly topic: string
  readonly payload: Buffer
}

export interface Visit {
  readonly id: number
  readonly startAt: Date
  readonly endAt: Date | null
  readonly comment: string
  readonly componentName: string
}

export interface HealthComponent {
  readonly id: number
  readonly componentModelId: number
  readonly number: number
  readonly label: string
  readonly isExpected: boolean
}

const COMPONENTS = `
  select id, component_model_id as "componentModelId", number, label, is_expected as "isExpected"
  from device_component where device_id = $1 order by category_id, number`

/** Two lines of a narrow cell hold no more. */
const SHOWN_COMMENT_LENGTH = 200

const LIMITS = `
  select field_id as "fieldId", operator_code as operator, value_dec as value, period_id as "periodId",
    severity_id as "severityId"
  from alert_condition c join device d on d.id = $1 and condition_applies(c, d)
  where c.kind = 'level' and value_dec is not null
    -- What is meant for every display is compared with each of them by its parts.
    and (c.field_id / 100) % 10 > 0
  order by field_id, c.id`

const REFUSED = `
  select since, last_at as "lastAt", count::float8 as count, reason, detail, topic, payload from device_refusal
  where device_id = $1 and last_at > $2::timestamptz - interval '${REFUSED_FOR_MS} milliseconds'`

const openAlertsSql = (isWithin: string) => `
  select count(*) filter (where condition_state_id = 1)::int as now,
    min(severity_id) filter (where condition_state_id = 1) as "severityId",
    count(*) filter (where condition_state_id <> 1)::int as over
  from alert where device_id = $1 and status_id = 1 and withdrawn_at is null and ${isWithin}`

const lastVisitSql = (isWithin: string) => `
  select id, start_at as "startAt", end_at as "endAt", component_name as "componentName",
    left(action_comment, ${SHOWN_COMMENT_LENGTH}) as comment
  from maintenance_entry where device_id = $1 and start_at <= $2 and ${isWithin}
  order by start_at desc, id desc limit 1`

const OPEN_ALERTS = { ofAll: openAlertsSql('true'), ofCustomer: openAlertsSql('customer_id = $2') }
const LAST_VISIT = { ofAll: lastVisitSql('true'), ofCustomer: lastVisitSql('customer_id = $3') }

const asked = (
  sql: { readonly ofAll: string; readonly ofCustomer: string },
  scope: Scope,
  ...values: readonly unknown[]
) =>
  scope.kind === 'everything'
    ? { text: sql.ofAll, values: [...values] }
    : { text: sql.ofCustomer, values: [...values, scope.customerId] }

export async function readLimits(queryable: Queryable, id: DeviceId): Promise<readonly ReadingLimit[]> {
  const { rows } = await queryable.query<Omit<ReadingLimit, 'text'> & { periodId: number }>(LIMITS, [id])
  return rows.map(({ periodId, ...limit }) => ({
    ...limit,
    text: conditionText({ ...limit, threshold: limit.value, periodId }),
  }))
}

export const listHealthComponents = async (queryable: Queryable, id: DeviceId) =>
  (await queryable.query<HealthComponent>(COMPONENTS, [id])).rows

/** Counts Opened alerts of the customer of their time: those that are active now, and those that ended. */
export const countOpenAlerts = async (queryable: Queryable, id: DeviceId, scope: Scope) =>
  onlyRow(
    await queryable.query<{ now: number; severityId: number | null; over: number }>(asked(OPEN_ALERTS, scope, id)),
  )

export const readRefused = async (queryable: Queryable, id: DeviceId, now: Date): Promise<RefusedStretch | undefined> =>
  (await queryable.query<RefusedStretch>(REFUSED, [id, now])).rows[0]

/** Reads the newest visit that had begun, if it was made for the reader's customer. */
export const readLastVisit = async (
  queryable: Queryable,
  id: DeviceId,
  scope: Scope,
  now: Date,
): Promise<Visit | undefined> => (await queryable.query<Visit>(asked(LAST_VISIT, scope, id, now))).rows[0]
