import type pg from 'pg'
import {
  GIVEN_UP_AFTER_MS,
  GIVEN_UP_AFTER_REFUSALS,
  MAIL_HOUR_MS,
  MOST_MAILS_PER_HOUR,
  retryAfterMs,
} from '#domain/notifications/mailRules.ts'
import type { AlertMailKind, MailedAlert } from './alertMailWords.ts'
import { IS_TOLD } from './alertNotices.ts'
import type { MailFailure } from './mailer.ts'
import { CLAIMED_FOR_MS } from './mailSource.ts'

/** A message that this queue alone is to send now. */
export interface ClaimedMessage {
  readonly messageId: string
  readonly kind: AlertMailKind
  readonly claimedAt: Date
  /** With this one. */
  readonly tries: number
  readonly refusals: number
  readonly queuedAt: Date
}

const IS_WAITING = `n.channel = 'email' and n.sent_at is null and n.given_up_at is null`
/** Over and again are about how things are: of a closed alert, or one that has turned since, they would be wrong. */
const IS_OLD_NEWS = `(o.tells <> 'opened' and (a.status_id = 2 or (o.tells = 'over') <> (a.condition_state_id = 2)))`
/** $1 now, $2 before which a claim is a dead one's. */
const IS_DUE = `${IS_WAITING} and n.next_try_at <= $1 and (n.claimed_at is null or n.claimed_at < $2)`

/**
 * Takes messages that are due, oldest first, of each recipient one. Recipients who have had their share of the hour
 * wait. In the caller's transaction, which no other queue runs beside.
 */
export async function claimMessages(connection: pg.ClientBase, now: Date, atMost: number): Promise<ClaimedMessage[]> {
  const { rows } = await connection.query<{
    message_id: string
    kind: AlertMailKind
    tries: number
    refusals: number
    queued_at: Date
  }>(
    `with full_up as (
       select user_id from notification where channel = 'email' and sent_at > $3
       group by user_id having count(distinct message_id) >= $4),
     next as (
       select distinct on (n.user_id) n.message_id, n.next_try_at from notification n
       where ${IS_DUE} and n.user_id not in (select user_id from full_up)
         and not exists (select from notification o where o.user_id = n.user_id and o.channel = 'email'
           and o.sent_at is null and o.given_up_at is null and o.claimed_at >= $2)
       order by n.user_id, n.next_try_at, n.queued_at),
     due as (select message_id from next order by next_try_at limit $5),
     claimed as (
       update notification n set claimed_at = $1, tries = n.tries + 1,
         may_have_arrived = n.may_have_arrived or n.claimed_at is not null
       from due where n.message_id = due.message_id and ${IS_WAITING}
       returning n.message_id, n.kind, n.tries, n.refusals, n.queued_at)
     select message_id, min(kind) as kind, max(tries)::int as tries, max(refusals)::int as refusals,
       min(queued_at) as queued_at
     from claimed group by message_id`,
    [
      now,
      new Date(now.getTime() - CLAIMED_FOR_MS),
      new Date(now.getTime() - MAIL_HOUR_MS),
      MOST_MAILS_PER_HOUR,
      atMost,
    ],
  )
  return rows.map(({ message_id, kind, tries, refusals, queued_at }) => ({
    messageId: message_id,
    kind,
    claimedAt: now,
    tries,
    refusals,
    queuedAt: queued_at,
  }))
}

export async function nextDueAt(pool: pg.Pool): Promise<Date | undefined> {
  const { rows } = await pool.query<{ at: Date | null }>(
    `select min(n.next_try_at) as at from notification n where ${IS_WAITING} and n.claimed_at is null`,
  )
  return rows[0]?.at ?? undefined
}

export interface MessageContent {
  readonly to: string
  readonly alerts: readonly MailedAlert[]
}

/**
 * What a message is about, as it is now: alerts that never were are left out, and what the recipient may not see any
 * more. Their rows end here.
 */
export async function readMessage(pool: pg.Pool, { messageId }: ClaimedMessage, now: Date): Promise<MessageContent> {
  await pool.query(
    `update notification n set given_up_at = $2, claimed_at = null, failure = case
       when a.id is null or a.withdrawn_at is not null then 'Readings that came late show that it never was.'
       when ${IS_OLD_NEWS} then 'It changed again before this was sent.'
       else 'The recipient is not told of it any more.' end
     from notification o left join alert a on a.device_id = o.device_id and a.id = o.alert_id
     where o.message_id = $1 and n.device_id = o.device_id and n.alert_id = o.alert_id and n.user_id = o.user_id
       and n.channel = o.channel and n.turn = o.turn and ${IS_WAITING}
       and (a.id is null or a.withdrawn_at is not null or ${IS_OLD_NEWS} or not exists (
         select from device d join app_user u on u.id = n.user_id where d.id = n.device_id and ${IS_TOLD}))`,
    [messageId, now],
  )
  // What the mail says; a try that fails is written anew.
  await pool.query(
    `update notification n set told_over = a.condition_state_id = 2 from alert a
     where n.message_id = $1 and ${IS_WAITING} and a.device_id = n.device_id and a.id = n.alert_id`,
    [messageId],
  )
  const { rows } = await pool.query<MessageRow>(
    `select u.email as to, a.id, a.device_id as "deviceId", a.field_id as "fieldId", d.model_id as "deviceModelId",
       a.condition_text as "conditionText", d.name as "deviceName", d.address as "deviceAddress",
       c.name as "customerName", coalesce(nullif(u.time_zone, ''), d.time_zone) as "timeZone",
       a.created_at as "createdAt", a.status_id = 2 as "isClosed", n.told_over as "isOver",
       a.state_since as "stateSince", a.active_count as "activeCount", a.operator_code as "operatorCode",
       a.value_dec as threshold_dec, a.value_text as threshold_text, a.metric_value_dec as metric_dec,
       a.metric_value_text as metric_text, n.tells,
       case when ac.id is not null then ac.model_id is not null end as "isOfModel"
     from notification n join alert a on a.device_id = n.device_id and a.id = n.alert_id
     join device d on d.id = n.device_id join customer c on c.id = d.customer_id join app_user u on u.id = n.user_id
     left join alert_condition ac on ac.id = a.condition_id
     where n.message_id = $1 and ${IS_WAITING} order by n.turn`,
    [messageId],
  )
  // Of several about one alert in a digest the last counts.
  const newest = [...new Map(rows.map((row) => [row.id, row])).values()]
  return {
    to: rows[0]?.to ?? '',
    alerts: newest.map(({ to: _, metric_dec, metric_text, threshold_dec, threshold_text, ...alert }) => ({
      ...alert,
      metric: metric_dec ?? metric_text ?? undefined,
      threshold: threshold_dec ?? threshold_text,
    })),
  }
}

interface MessageRow extends Omit<MailedAlert, 'metric' | 'threshold'> {
  readonly to: string
  readonly metric_dec: number | null
  readonly metric_text: string | null
  readonly threshold_dec: number | null
  readonly threshold_text: string | null
}

export async function noteSent(pool: pg.Pool, messageId: string, now: Date, file: string | undefined): Promise<void> {
  await pool.query(
    `update notification n set sent_at = $2, outbox_file = $3, claimed_at = null, failure = ''
     where n.message_id = $1 and ${IS_WAITING}`,
    [messageId, now, file ?? null],
  )
}

/** When to try again, or that it is no use. A claim that somebody else has taken over meanwhile is theirs. */
export async function noteFailed(
  pool: pg.Pool,
  claimed: ClaimedMessage,
  now: Date,
  failure: MailFailure,
): Promise<void> {
  const refusals = claimed.refusals + (failure.kind === 'refused' ? 1 : 0)
  const isOver = refusals >= GIVEN_UP_AFTER_REFUSALS || now.getTime() - claimed.queuedAt.getTime() > GIVEN_UP_AFTER_MS
  await pool.query(
    `update notification n set claimed_at = null, next_try_at = $3, refusals = $4, failure = $5,
       waits_for_server = $6, may_have_arrived = n.may_have_arrived or $7, given_up_at = $8
     where n.message_id = $1 and n.claimed_at = $2 and ${IS_WAITING}`,
    [
      claimed.messageId,
      claimed.claimedAt,
      new Date(now.getTime() + retryAfterMs(claimed.tries)),
      refusals,
      failure.message,
      failure.kind === 'server',
      failure.mayHaveArrived,
      isOver ? now : null,
    ],
  )
}

/** The server takes mails again: what failed for its sake need not wait any longer. */
export async function wakeWaiting(pool: pg.Pool, now: Date): Promise<void> {
  await pool.query(
    `update notification n set next_try_at = $1, waits_for_server = false where ${IS_WAITING} and n.waits_for_server`,
    [now],
  )
}
