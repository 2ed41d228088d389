import { sql, type Transaction } from 'kysely'
import { numberedFieldById } from '#domain/catalogue/fieldId.ts'
import type { AlertId, DeviceId, FieldId, UserId } from '#domain/ids.ts'
import type { Database } from '#server/db/schema.ts'
import { statementsOf } from '#server/db/statements.ts'
import { INCIDENTS_JOB } from '#server/incidents/incidentJob.ts'
import { ringSql } from '#server/jobs/JobBells.ts'
import { readComponentStates } from '#server/telemetry/state/currentState.ts'

export interface LockedAlert {
  readonly id: AlertId
  readonly deviceId: DeviceId
  readonly fieldId: FieldId
  readonly statusId: number
  readonly isWithdrawn: boolean
}

export interface Closing {
  readonly resolutionId: number
  readonly comment: string
  readonly text: string
  /** The system closes the alert when this is left out. */
  readonly by?: { readonly userId: UserId; readonly username: string }
}

/**
 * Locks alerts together with everything that a batch of readings would change, in a batch's own order, so that the two
 * cannot deadlock: conditions, states, alerts. Nothing is evaluated for them until the transaction ends.
 */
export async function lockAlerts(
  transaction: Transaction<Database>,
  ids: readonly AlertId[],
): Promise<readonly LockedAlert[]> {
  const wanted = sql`${[...ids]}::bigint[]`
  await sql`select from alert_condition
    where id in (select condition_id from alert where id = any(${wanted})) order by id for share`.execute(transaction)
  await sql`select from alert_state
    where (device_id, condition_id) in (select device_id, condition_id from alert where id = any(${wanted}))
    order by device_id, condition_id for update`.execute(transaction)
  const { rows } = await sql<LockedAlert>`
    select id, device_id as "deviceId", field_id as "fieldId", status_id as "statusId",
      withdrawn_at is not null as "isWithdrawn"
    from alert where id = any(${wanted}) order by device_id, id for update`.execute(transaction)
  return rows
}

/**
 * Closes opened alerts that `lockAlerts` locked. The close takes effect after the newest device time that was
 * evaluated. An alert closed while its condition is met is not raised again until the condition was false once
 * (rules/alerts 8).
 */
export async function closeLocked(
  transaction: Transaction<Database>,
  alerts: readonly LockedAlert[],
  { resolutionId, comment, text, by }: Closing,
): Promise<void> {
  const ids = sql`${alerts.map(({ id }) => id)}::bigint[]`
  const reportedAt = await newestReadings(transaction, alerts)
  const closed = sql`
    update alert a set status_id = 2, closed_at = now(), closed_by = ${by?.userId ?? null},
      close_resolution_id = ${resolutionId}, close_comment = ${comment},
      closed_after = greatest(a.created_at,
        (select s.last_at from alert_state s where s.device_id = a.device_id and s.condition_id = a.condition_id),
        reported.at)
    from unnest(${alerts.map(({ id }) => id)}::bigint[], ${reportedAt}::timestamptz[]) as reported (alert_id, at)
    where a.id = any(${ids}) and reported.alert_id = a.id`
  // What an older revision of the condition judged no longer counts, but the close does.
  const states = sql`
    update alert_state s set version = s.version + 1, revision = c.revision, alert = 0, open_alert_id = null,
      true_since = case when s.revision = c.revision then s.true_since end,
      is_suppressed = (s.revision = c.revision and s.is_suppressed) or s.alert = 1
    from alert_condition c
    where c.id = s.condition_id and s.open_alert_id = any(${ids})
      and s.device_id = any(${[...new Set(alerts.map(({ deviceId }) => deviceId))]}::int[])`
  const events = sql`
    insert into alert_event (device_id, alert_id, kind, at, user_id, username, text)
    select device_id, id, 'closed', now(), ${by?.userId ?? null}, ${by?.username ?? ''}, ${text}
    from alert where id = any(${ids})`
  const due = sql`
    insert into incident_due (device_id, alert_id) select device_id, id from alert where id = any(${ids})`
  for (const moved of [closed, states, events, due, sql.raw(ringSql(INCIDENTS_JOB))]) await moved.execute(transaction)
}

async function newestReadings(
  transaction: Transaction<Database>,
  alerts: readonly LockedAlert[],
): Promise<(Date | null)[]> {
  const fields = new Map(alerts.map(({ fieldId }) => [fieldId, numberedFieldById(fieldId)]))
  const known = [...fields.values()].filter((numbered) => numbered !== undefined)
  const deviceIds = [...new Set(alerts.map(({ deviceId }) => deviceId))]
  const devices = await readComponentStates(statementsOf(transaction), { kind: 'everything' }, deviceIds, {
    eventTypeIds: [...new Set(known.map(({ type }) => type.id))],
    isWanted: (eventTypeId, ordinal) =>
      known.some(({ type, field }) => type.id === eventTypeId && field.ordinal === ordinal),
  })
  return alerts.map(({ deviceId, fieldId }) => {
    const numbered = fields.get(fieldId)
    const component = devices
      .get(deviceId)
      ?.find(({ eventTypeId, number }) => eventTypeId === numbered?.type.id && number === numbered.number)
    const reading = numbered && component?.fields[numbered.field.name]
    return reading === undefined ? null : new Date(reading[1])
  })
}

/** SQL for the ids of a condition and of its parts. A part stands for itself alone. */
export const wholeAndParts = (conditionId: number) =>
  sql`select id from alert_condition where id = ${conditionId} or part_of_id = ${conditionId}`

export async function openAlertIds(
  transaction: Transaction<Database>,
  conditionId: number,
): Promise<readonly AlertId[]> {
  const { rows } = await sql<{ id: AlertId }>`
    select open_alert_id as id from alert_state
    where condition_id in (${wholeAndParts(conditionId)}) and open_alert_id is not null`.execute(transaction)
  return rows.map(({ id }) => id)
}

/** Reads the opened alerts of a locked condition on devices where it is no longer judged. */
export async function strayAlertIds(
  transaction: Transaction<Database>,
  conditionId: number,
): Promise<readonly AlertId[]> {
  const { rows } = await sql<{ id: AlertId }>`
    select s.open_alert_id as id from alert_state s
    join alert_condition c on c.id = s.condition_id join device d on d.id = s.device_id
    where s.condition_id in (${wholeAndParts(conditionId)}) and s.open_alert_id is not null and not condition_applies(c, d)`.execute(
    transaction,
  )
  return rows.map(({ id }) => id)
}

/** Deletes states of a condition where it is no longer judged, or they would count if it is judged there again. */
export async function forgetStrayStates(transaction: Transaction<Database>, conditionId: number): Promise<void> {
  await sql`delete from alert_state s using alert_condition c, device d
    where s.condition_id in (${wholeAndParts(conditionId)}) and c.id = s.condition_id and d.id = s.device_id
      and not condition_applies(c, d)`.execute(transaction)
}
