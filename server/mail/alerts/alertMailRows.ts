import type pg from 'pg'
import type { IncidentId, UserId } from '#domain/ids.ts'
import { MAIL_HOUR_MS, MOST_MAILS_PER_HOUR } from '#domain/notifications/mailRules.ts'
import type { MailFailure } from '../sending/mailer.ts'
import { CLAIMED_FOR_MS, fateOfFailed } from '../sending/mailSource.ts'
import type { AlertMailKind } from './alertMailTexts.ts'
import { readIncidents } from './incidentMailRows.ts'
import type { MailedIncident } from './incidentMailTexts.ts'
import type { AlertNews } from './mailedAlert.ts'

/** A message that only this queue may send now. */
export interface ClaimedMessage {
  readonly messageId: string
  readonly kind: AlertMailKind
  readonly claimedAt: Date
  /** This try is included. */
  readonly tries: number
  readonly refusals: number
  readonly queued_at: Date
}

const IS_WAITING = `n.channel = 'email' and n.sent_at is null and n.given_up_at is null`
/** $1 is now; a claim older than $2 belongs to a dead process. */
const IS_DUE = `${IS_WAITING} and n.next_try_at <= $1 and (n.claimed_at is null or n.claimed_at < $2)`

/**
 * Takes due messages, the oldest first and one for each recipient. Recipients who have had their share of the hour
 * wait. It runs in the caller's transaction, beside no other queue.
 */
export async function claimMessages(connection: pg.ClientBase, now: Date, atMost: number): Promise<ClaimedMessage[]> {
  const { rows } = await connection.query<Omit<ClaimedMessage, 'claimedAt'>>(
    `with full_up as (
       select user_id from notification where channel = 'email' and sent_at > $3
       group by user_id having count(distinct message_id) >= $4),
     next as (
       select distinct on (n.user_id) n.message_id, n.next_try_at from notification n
       left join incident i on i.id = n.incident_id and i.snoozed_until > $1 and n.kind = 'alert'
       where ${IS_DUE} and i.id is null and n.user_id not in (select user_id from full_up)
         and not exists (select from notification o where o.user_id = n.user_id and o.channel = 'email'
           and o.sent_at is null and o.given_up_at is null and o.claimed_at >= $2)
       order by n.user_id, n.next_try_at, n.queued_at),
     due as (select message_id from next order by next_try_at limit $5),
     claimed as (
       update notification n set claimed_at = $1, tries = n.tries + 1,
         may_have_arrived = n.may_have_arrived or n.claimed_at is not null
       from due where n.message_id = due.message_id and ${IS_WAITING}
       returning n.message_id, n.kind, n.tries, n.refusals, n.queued_at)
     select message_id as "messageId", min(kind) as kind, max(tries)::int as tries, max(refusals)::int as refusals,
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
  return rows.map((row) => ({ ...row, claimedAt: now }))
}

export async function nextDueAt(pool: pg.Pool): Promise<Date | undefined> {
  const { rows } = await pool.query<{ at: Date | null }>(
    `select min(greatest(n.next_try_at, case when n.kind = 'alert' then i.snoozed_until end)) as at from notification n
     left join incident i on i.id = n.incident_id where ${IS_WAITING} and n.claimed_at is null`,
  )
  return rows[0]?.at ?? undefined
}

export interface MessageContent {
  readonly userId: UserId
  readonly to: string
  /** A route notifies the recipient as the person on call. */
  readonly isOnCall: boolean
  readonly incidents: readonly MailedIncident[]
}

interface MessageRow {
  readonly incident_id: IncidentId | null
  readonly turn: number
  readonly tells: AlertNews
  readonly told_over: boolean | null
  readonly user_id: UserId
  readonly to: string
  readonly is_on_call: boolean
}

/** Reads what a message is about now, without incidents that the recipient may no longer see, and ends their rows. */
export async function readMessage(
  pool: pg.Pool,
  { messageId }: ClaimedMessage,
  now: Date,
): Promise<MessageContent | undefined> {
  const { rows } = await pool.query<MessageRow>(
    `select n.incident_id::float8 as incident_id, n.turn, n.tells, n.told_over, n.user_id, u.email as to,
       exists (select from incident_reader r where r.incident_id = n.incident_id and r.user_id = u.id) as is_on_call
     from notification n join app_user u on u.id = n.user_id
     where n.message_id = $1 and ${IS_WAITING} order by n.queued_at, n.turn`,
    [messageId],
  )
  const [first] = rows
  if (!first) return undefined
  // When a digest holds several about one incident, the last counts.
  const newest = [...new Map(rows.map((row) => [row.incident_id ?? 0, row])).values()]
  const known = await readIncidents(
    pool,
    newest.flatMap(({ incident_id }) => incident_id ?? []),
    first.user_id,
  )
  const told: MailedIncident[] = []
  const ended: { incidentId: number; reason: string }[] = []
  for (const { incident_id, tells: wanted, told_over } of newest) {
    const share = known.get(incident_id ?? (0 as IncidentId))
    const isShare = typeof share === 'object'
    const tells = isShare ? newsNow(wanted, told_over, share) : undefined
    const reason = isShare ? 'changed' : share
    if (isShare && tells) told.push({ ...share, tells })
    else ended.push({ incidentId: incident_id ?? 0, reason: REASONS[reason ?? 'neverWas'] })
  }
  await endRows(pool, messageId, ended, now)
  // Stores what the mail says, because a failed try is written anew.
  await pool.query(
    `update notification n set told_over = t.is_over, told_severity_id = t.severity_id, tells = t.tells
     from unnest($2::bigint[], $3::boolean[], $4::smallint[], $5::text[]) as t (incident_id, is_over, severity_id, tells)
     where n.message_id = $1 and ${IS_WAITING} and n.incident_id = t.incident_id`,
    [
      messageId,
      told.map(({ id }) => id),
      told.map(({ isOver }) => isOver),
      told.map(({ severityId }) => severityId),
      told.map(({ tells }) => tells),
    ],
  )
  return { userId: first.user_id, to: first.to, isOnCall: first.is_on_call, incidents: told }
}

const REASONS = {
  neverWas: 'Readings that came late show that it never was.',
  changed: 'It changed again before this was sent.',
  notTheirs: 'The recipient is no longer notified of it.',
} as const

/**
 * Chooses what is still to be said. All news but the first describe a state, and are wrong once it has changed or the
 * alerts are closed. What no mail has named is still said.
 *
 * @param toldOver what the mail before said, where this one is about more alerts
 */
function newsNow(
  wanted: AlertNews,
  toldOver: boolean | null,
  share: Omit<MailedIncident, 'tells'>,
): AlertNews | undefined {
  const { isOver, isClosed, unnamedCount } = share
  if (wanted === 'opened') return wanted
  if (isClosed) return undefined
  if (wanted !== 'more' && (wanted === 'over') === isOver) return wanted
  if (unnamedCount === 0) return undefined
  return wanted === 'more' && toldOver === true && !isOver ? 'again' : 'more'
}

async function endRows(
  pool: pg.Pool,
  messageId: string,
  ended: readonly { readonly incidentId: number; readonly reason: string }[],
  now: Date,
): Promise<void> {
  if (ended.length === 0) return
  await pool.query(
    `update notification n set given_up_at = $2, claimed_at = null, failure = e.reason
     from unnest($3::bigint[], $4::text[]) as e (incident_id, reason)
     where n.message_id = $1 and ${IS_WAITING} and coalesce(n.incident_id, 0) = e.incident_id`,
    [messageId, now, ended.map(({ incidentId }) => incidentId), ended.map(({ reason }) => reason)],
  )
}

/** @param incidents the content of the message, so that nobody is notified of its alerts twice */
export async function noteSent(
  pool: pg.Pool,
  messageId: string,
  {
    now,
    file,
    incidents,
  }: { readonly now: Date; readonly file: string | undefined; readonly incidents: readonly MailedIncident[] },
): Promise<void> {
  const named = incidents.flatMap(({ alerts }) => alerts)
  await pool.query(
    `with sent as (
       update notification n set sent_at = $2, outbox_file = $3, claimed_at = null, failure = ''
       where n.message_id = $1 and ${IS_WAITING} returning n.user_id)
     insert into alert_named (device_id, alert_id, user_id, named_at)
     select distinct named.device_id, named.alert_id, sent.user_id, $2::timestamptz
     from sent cross join unnest($4::int[], $5::bigint[]) as named (device_id, alert_id) on conflict do nothing`,
    [messageId, now, file ?? null, named.map(({ deviceId }) => deviceId), named.map(({ alertId }) => alertId)],
  )
}

/** Stores when to try again, or that it is no use. A claim that another process has taken over is left alone. */
export async function noteFailed(
  pool: pg.Pool,
  claimed: ClaimedMessage,
  now: Date,
  failure: MailFailure,
): Promise<void> {
  await pool.query(
    `update notification n set claimed_at = null, next_try_at = $3, refusals = $4, failure = $5,
       waits_for_server = $6, may_have_arrived = n.may_have_arrived or $7, given_up_at = $8
     where n.message_id = $1 and n.claimed_at = $2 and ${IS_WAITING}`,
    [claimed.messageId, claimed.claimedAt, ...fateOfFailed(claimed, failure, now)],
  )
}

/** The mail server accepts mails again, so what failed because of it need not wait any longer. */
export async function wakeWaiting(pool: pg.Pool, now: Date): Promise<void> {
  await pool.query(
    `update notification n set next_try_at = $1, waits_for_server = false where ${IS_WAITING} and n.waits_for_server`,
    [now],
  )
}
