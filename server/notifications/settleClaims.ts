import type pg from 'pg'
import { channelRestMs, TOLD_WITHIN_MS } from '#domain/notifications/channelBudget.ts'
import { GIVEN_UP_AFTER_REFUSALS } from '#domain/notifications/mailRules.ts'
import type { NotifiedState } from '#domain/notifications/messageNews.ts'
import { type Claim, type ClaimedMessage, giveUp } from './claimDeliveries.ts'
import type { DeliveryResult } from './notifyOutside.ts'

export interface Delivered {
  readonly message: ClaimedMessage
  readonly state: NotifiedState
}

export interface Settled {
  readonly claim: Claim
  /** Undefined when nothing was left to send. */
  readonly result: DeliveryResult | undefined
  readonly delivered: readonly Delivered[]
  /** The incident of these, or their share of it, no longer exists. */
  readonly vanished: readonly ClaimedMessage[]
  readonly tookMs: number
  readonly seededRandom: number
}

/** Records the result of a claim in the caller's transaction: a failure is tried again, or given up. */
export async function settle(connection: pg.ClientBase, settled: Settled, now: Date): Promise<void> {
  const { claim, result, vanished } = settled
  const { channel } = claim
  const held = await connection.query(
    'update channel set claimed_at = null where id = $1 and claim = $2 and claimed_at is not null',
    [channel.id, claim.number],
  )
  await noteDelivery(connection, settled)
  // The process that has taken over sends it again.
  if (held.rowCount === 0) return
  await connection.query('delete from incident_message where id = any($1::bigint[])', [vanished.map(({ id }) => id)])
  if (result === undefined) return
  const { outcome } = result
  if (outcome.is === 'done') return settleDone(connection, settled, outcome.foreignId, now)
  if (outcome.is === 'gone') return settleGone(connection, settled)
  const failures = outcome.is === 'later' ? channel.failures + 1 : channel.failures
  const restMs = channelRestMs(
    Math.max(1, failures),
    outcome.is === 'later' ? outcome.retryAfterMs : undefined,
    settled.seededRandom,
  )
  await connection.query('update channel set failures = $2, failure = $3, rests_until = $4 where id = $1', [
    channel.id,
    failures,
    outcome.reason,
    new Date(now.getTime() + restMs),
  ])
  if (outcome.is === 'refused') {
    await connection.query(
      'update incident_message set refusals = refusals + 1, failure = $2 where id = any($1::bigint[])',
      [settled.delivered.map(({ message }) => message.id), outcome.reason],
    )
  }
  const over = settled.delivered.filter(
    ({ message }) =>
      (outcome.is === 'refused' && message.refusals + 1 >= GIVEN_UP_AFTER_REFUSALS) ||
      now.getTime() - message.wantedAt.getTime() >= TOLD_WITHIN_MS,
  )
  await giveUp(
    connection,
    over.map(({ message }) => message),
    now,
    outcome.reason,
  )
}

async function noteDelivery(connection: pg.ClientBase, { claim, result, tookMs }: Settled): Promise<void> {
  // There was no delivery without a message, so the hour's limit is not used.
  if (result === undefined)
    return void (await connection.query('delete from channel_delivery where id = $1', [claim.deliveryId]))
  const { outcome, status, answer } = result
  await connection.query(
    `update channel_delivery set outcome = $2, status = $3, took_ms = $4, answer = $5, reason = $6 where id = $1`,
    [claim.deliveryId, outcome.is, status ?? null, tookMs, answer, 'reason' in outcome ? outcome.reason : ''],
  )
}

async function settleDone(
  connection: pg.ClientBase,
  { claim, delivered }: Settled,
  foreignId: string | undefined,
  now: Date,
): Promise<void> {
  await connection.query(`update channel set failures = 0, failure = '', rests_until = null where id = $1`, [
    claim.channel.id,
  ])
  const rows = delivered.map(({ message, state }) => ({
    id: message.id,
    told: state,
    is_over: state.state === 'over' && message.told?.state === 'active',
  }))
  await connection.query(
    `with told as (
       update incident_message m set told = said.told, told_at = $2, first_told_at = coalesce(m.first_told_at, $2), revision = m.revision + 1, refusals = 0, failure = '',
         times_over = m.times_over + said.is_over::int, has_own = m.has_own or $3, next_at = null,
         foreign_id = case when $3 then coalesce($4, m.foreign_id) else m.foreign_id end
       from jsonb_to_recordset($1::jsonb) as said (id bigint, told jsonb, is_over boolean) where m.id = said.id
       returning m.incident_id)
     insert into notify_due (incident_id, due_at) select distinct incident_id, $2::timestamptz from told order by incident_id
     on conflict (incident_id) do update set due_at = least(notify_due.due_at, excluded.due_at)`,
    [JSON.stringify(rows), now, claim.kind === 'message', foreignId ?? null],
  )
}

/** The incident is sent as a new message. */
async function settleGone(connection: pg.ClientBase, { delivered, result }: Settled): Promise<void> {
  await connection.query(
    `update incident_message set foreign_id = null, has_own = false, refusals = refusals + 1, failure = $2
     where id = any($1::bigint[])`,
    [delivered.map(({ message }) => message.id), result && 'reason' in result.outcome ? result.outcome.reason : ''],
  )
}
