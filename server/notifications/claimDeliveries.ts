import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { IncidentId } from '#domain/ids.ts'
import { BUDGET_MS, nextDelivery } from '#domain/notifications/channelBudget.ts'
import type { NotifiedState } from '#domain/notifications/messageNews.ts'
import { lockUntilCommit } from '#server/db/advisoryLocks.ts'
import { MAY_ACKNOWLEDGE_INCIDENTS } from '#server/mail/alerts/isNotified.ts'
import type { SecretCipher } from '#server/secrets/SecretCipher.ts'
import { type ChannelRow, decryptChannel, SENDING_COLUMNS } from './channelRows.ts'
import { type Notice, writeNotices } from './judgedWrites.ts'

/** No try may take longer, so whoever made an older claim is dead. */
const CLAIMED_FOR_MS = 120_000
/** One round reads so many of a channel; a digest holds at most as many. */
const WAITING_AT_ONCE = 2_000

/** A message that describes the state of its incident. */
export interface ClaimedMessage {
  readonly id: number
  readonly incidentId: IncidentId
  readonly shareId: number
  readonly key: string
  readonly revision: number
  readonly told: NotifiedState | null
  readonly toldAt: Date | null
  readonly foreignId: string | null
  readonly refusals: number
  readonly wantedAt: Date
}

/** One channel sends this now, and nobody else does. */
export interface Claim {
  readonly channel: ChannelRow & { readonly failures: number }
  readonly number: number
  readonly deliveryId: number
  readonly kind: 'message' | 'digest'
  /** Names a digest for every try; a single message has a key of its own. */
  readonly key: string
  readonly messages: readonly ClaimedMessage[]
}

interface DueChannel extends ChannelRow {
  readonly failures: number
  readonly most_per_hour: number
  readonly may_be_told: boolean
  readonly sent: readonly Date[]
}

interface DueMessage extends ClaimedMessage {
  readonly channelId: number
  readonly hasOwn: boolean
}

export interface Claims {
  readonly claims: readonly Claim[]
  readonly nextMs: number | undefined
}

/** Claims channels that have something to send, each with what it sends next; it runs in the caller's transaction. */
export async function claimDeliveries(
  connection: pg.ClientBase,
  { now, atMost, cipher }: { readonly now: Date; readonly atMost: number; readonly cipher: SecretCipher },
): Promise<Claims> {
  await connection.query(`select ${lockUntilCommit('notices')}`)
  const channels = (await readDueChannels(connection, now)).map((channel) => decryptChannel(cipher, channel))
  const waiting = Map.groupBy(await readDueMessages(connection, channels, now), ({ channelId }) => channelId)
  const claims: Claim[] = []
  const waits: number[] = []
  for (const channel of channels) {
    const own = waiting.get(channel.id) ?? []
    if (own.length === 0) continue
    if (!channel.may_be_told) {
      await giveUp(connection, own, now, 'They may not acknowledge incidents any more.')
      continue
    }
    const turn = nextDelivery({
      mostPerHour: channel.most_per_hour,
      sentAtMs: channel.sent.map((at) => at.getTime()),
      nowMs: now.getTime(),
      waiting: own.map(({ wantedAt, hasOwn }) => ({ sinceMs: wantedAt.getTime(), hasOwn })),
    })
    if (turn.kind === 'wait') {
      waits.push(now.getTime() + turn.waitMs)
      if (turn.isFull) await noteFull(connection, channel, own, now)
    } else if (claims.length < atMost) {
      const messages = (turn.kind === 'one' ? [turn.index] : turn.indexes).flatMap((index) => own[index] ?? [])
      claims.push(await claim(connection, channel, messages, now))
    } else waits.push(now.getTime())
  }
  return { claims, nextMs: waits.length === 0 ? undefined : Math.min(...waits) }
}

/** Records once for each incident why a message that fits a route is not sent yet. */
async function noteFull(
  connection: pg.ClientBase,
  channel: DueChannel,
  waiting: readonly DueMessage[],
  now: Date,
): Promise<void> {
  const { name, customer_id: customerId, user_id: userId, most_per_hour: most } = channel
  const notices = waiting.map(({ incidentId, shareId }): [IncidentId, readonly Notice[]] => [
    incidentId,
    [
      {
        shareId,
        route: { id: 0, name: '', customerId },
        outcome: 'waits',
        target: name,
        userId: userId ?? undefined,
        channelId: channel.id,
        reason:
          most === 1 ? 'Its one message of this hour is used up.' : `Its ${most} messages of this hour are used up.`,
      },
    ],
  ])
  await writeNotices(connection, new Map(notices), now)
}

/** A channel of one person has their present rights and address. */
async function readDueChannels(connection: pg.ClientBase, now: Date): Promise<DueChannel[]> {
  const { rows } = await connection.query<DueChannel & { u_email: string | null; u_customer_id: number | null }>(
    `with due as (
       select distinct channel_id from incident_message where next_at <= $1 and given_up_at is null),
     sent as (
       select d.channel_id, array_agg(d.at) as sent from channel_delivery d join due on due.channel_id = d.channel_id
       where d.at > $2 group by d.channel_id)
     select ${SENDING_COLUMNS('c')}, c.failures, c.most_per_hour, coalesce(sent.sent, '{}') as sent,
       u.email as u_email, u.customer_id as u_customer_id,
       c.user_id is null or (${MAY_ACKNOWLEDGE_INCIDENTS} and u.email <> '') as may_be_told
     from due join channel c on c.id = due.channel_id left join sent on sent.channel_id = c.id
     left join app_user u on u.id = c.user_id
     where c.is_on and c.deleted_at is null and (c.rests_until is null or c.rests_until <= $1)
       and (c.claimed_at is null or c.claimed_at <= $3)
     order by c.id`,
    [now, new Date(now.getTime() - BUDGET_MS), new Date(now.getTime() - CLAIMED_FOR_MS)],
  )
  return rows.map(({ u_email, u_customer_id, ...channel }) =>
    channel.user_id === null
      ? channel
      : {
          ...channel,
          customer_id: u_customer_id as ChannelRow['customer_id'],
          settings: { address: '', recipient: u_email ?? '', user: '', issueType: '', transitionId: '' },
        },
  )
}

/** What was tried before goes last, so that a refused message delays no other. */
async function readDueMessages(
  connection: pg.ClientBase,
  channels: readonly DueChannel[],
  now: Date,
): Promise<DueMessage[]> {
  if (channels.length === 0) return []
  const { rows } = await connection.query<DueMessage>(
    `select id, "incidentId", "shareId", key, revision, told, "toldAt", "foreignId", refusals, "wantedAt", "channelId", "hasOwn"
     from (
       select m.id::float8 as id, m.incident_id::float8 as "incidentId", m.share_id as "shareId", m.key, m.revision, m.told,
         m.told_at as "toldAt", m.foreign_id as "foreignId", m.refusals, m.wanted_at as "wantedAt", m.channel_id as "channelId",
         m.has_own as "hasOwn",
         row_number() over (partition by m.channel_id order by m.refusals, m.wanted_at, m.id) as place
       from incident_message m
       where m.channel_id = any($2::int[]) and m.next_at <= $1 and m.given_up_at is null) waiting
     where place <= $3 order by "channelId", place`,
    [now, channels.map(({ id }) => id), WAITING_AT_ONCE],
  )
  return rows
}

async function claim(
  connection: pg.ClientBase,
  channel: DueChannel,
  messages: readonly DueMessage[],
  now: Date,
): Promise<Claim> {
  const kind = messages.length === 1 ? 'message' : 'digest'
  const { rows } = await connection.query<{ number: number; delivery_id: number }>(
    `with taken as (
       update channel set claimed_at = $2, claim = claim + 1 where id = $1 returning claim),
     begun as (
       insert into channel_delivery (channel_id, kind, incident_id, told_count, at) values ($1, $3, $4, $5, $2) returning id)
     select taken.claim as number, begun.id::float8 as delivery_id from taken cross join begun`,
    [channel.id, now, kind, messages.length === 1 ? (messages[0]?.incidentId ?? null) : null, messages.length],
  )
  const { number = 0, delivery_id: deliveryId = 0 } = rows[0] ?? {}
  return { channel, number, deliveryId, kind, key: randomUUID(), messages }
}

export async function giveUp(
  connection: pg.ClientBase,
  messages: readonly Pick<ClaimedMessage, 'id'>[],
  now: Date,
  reason: string,
): Promise<void> {
  await connection.query(
    `with ended as (
       update incident_message m set given_up_at = $2, next_at = null, failure = $3
       where m.id = any($1::bigint[]) and m.given_up_at is null
       returning m.incident_id, m.share_id, m.channel_id)
     insert into incident_notice (incident_id, share_id, route_id, route_customer_id, route_name, at, outcome, target, user_id, reason,
       channel_id)
     select ended.incident_id, ended.share_id, 0, c.customer_id, '', $2, 'not', c.name, c.user_id, 'It was given up: ' || $3, c.id
     from ended join channel c on c.id = ended.channel_id`,
    [messages.map(({ id }) => id), now, reason],
  )
}
