import type { Delivery } from '#contract/http/alerting/channels.ts'
import { MOST_DELIVERIES } from '#contract/http/alerting/channels.ts'
import type { CustomerId, IncidentId, UserId } from '#domain/ids.ts'
import { type ChannelKind, type ChannelSettings, KINDS } from '#domain/notifications/channelKinds.ts'
import { MINUTE_MS } from '#domain/units/time.ts'
import type { Db } from '#server/db/database.ts'
import { onlyRow } from '#server/db/queries/onlyRow.ts'
import { statementsOf } from '#server/db/statements.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { customerOf } from '#server/http/call/scopeSql.ts'
import { NOTICES_JOB } from '#server/incidents/dueRows.ts'
import { ringSql } from '#server/jobs/JobBells.ts'
import {
  type ChannelRow,
  decryptChannel,
  encryptSigning,
  type QuietHours,
  SENDING_COLUMNS,
  type SigningKey,
} from '#server/notifications/channelRows.ts'
import type { DeliveryResult } from '#server/notifications/notifyOutside.ts'
import type { SecretCipher } from '#server/secrets/SecretCipher.ts'

export interface WrittenChannel {
  readonly name: string
  readonly settings: ChannelSettings
  readonly mostPerHour: number
  readonly quiet: QuietHours | null
  readonly isOn: boolean
}

/** A channel without its secrets, as people may see it. */
export interface ListedChannel extends WrittenChannel {
  readonly id: number
  readonly kind: ChannelKind
  readonly customerId: CustomerId | null
  readonly customerName: string | null
  readonly hasSecret: boolean
  readonly awaitsRecipient: boolean
  /** When the secret is an address, only its host is shown. */
  readonly secretHost: string
  readonly oldKeyUntil: string | null
  /** Part of the address where the other system sends events; null when it sends none. */
  readonly inboundGuid: string | null
  readonly inboundAt: Date | null
  readonly inboundText: string
  readonly lastAt: Date | null
  readonly lastOutcome: Delivery['outcome']
  readonly failure: string
  readonly restsUntil: Date | null
  readonly waiting: number
}

/** $1 limits the channels to one customer, $2 to one channel. */
const LISTED = `
  with own as (
    select * from channel where deleted_at is null and user_id is null and ($1::int is null or customer_id = $1)
      and ($2::int is null or id = $2)),
  last as (
    select distinct on (d.channel_id) d.channel_id, d.at, d.outcome from channel_delivery d join own on own.id = d.channel_id
    order by d.channel_id, d.id desc),
  waits as (
    select m.channel_id, count(*)::int as waiting from incident_message m join own on own.id = m.channel_id
    where m.next_at is not null and m.given_up_at is null group by m.channel_id)
  select own.id, own.name, own.kind, own.customer_id as "customerId", c.name as "customerName", own.settings,
    own.secret <> '' as "hasSecret", own.kind = 'mail' and own.recipient_confirmed_at is null as "awaitsRecipient",
    own.secret_host as "secretHost",
    case when own.inbound_secret is not null then own.inbound_guid end as "inboundGuid", own.inbound_at as "inboundAt",
    own.inbound_text as "inboundText",
    case when jsonb_array_length(own.signing) > 1 then own.signing -> 1 ->> 'until' end as "oldKeyUntil",
    own.most_per_hour as "mostPerHour", own.quiet, own.is_on as "isOn", last.at as "lastAt", last.outcome as "lastOutcome",
    own.failure, own.rests_until as "restsUntil", coalesce(waits.waiting, 0) as waiting
  from own left join customer c on c.id = own.customer_id left join last on last.channel_id = own.id
  left join waits on waits.channel_id = own.id order by name_order(own.name), own.id`

export async function readListedChannels(db: Db | Tx, scope: Scope, id?: number): Promise<ListedChannel[]> {
  return (await statementsOf(db).query<ListedChannel>(LISTED, [customerOf(scope), id ?? null])).rows
}

/** Reads a channel with its secrets, and locks it until the transaction ends. */
export async function lockChannel(
  cipher: SecretCipher,
  transaction: Tx,
  scope: Scope,
  id: number,
): Promise<SecretChannel | undefined> {
  const { rows } = await statementsOf(transaction).query<SecretChannel>(
    `select ${SENDING_COLUMNS('c')}, c.customer_id as "customerId", c.most_per_hour, c.quiet, c.is_on
     from channel c
     where c.id = $2 and c.deleted_at is null and c.user_id is null and ($1::int is null or c.customer_id = $1)
     for update of c`,
    [customerOf(scope), id],
  )
  return rows[0] && decryptChannel(cipher, rows[0])
}

export interface SecretChannel extends ChannelRow {
  readonly customerId: CustomerId | null
  readonly most_per_hour: number
  readonly quiet: QuietHours | null
  readonly is_on: boolean
}

interface NewChannel extends WrittenChannel {
  readonly kind: ChannelKind
  readonly customerId: CustomerId | null
}

export async function addChannel(transaction: Tx, added: NewChannel, by: UserId): Promise<number> {
  const { name, kind, customerId, settings, mostPerHour, quiet, isOn } = added
  const inserted = await statementsOf(transaction).query<{ id: number }>(
    `insert into channel (name, kind, customer_id, settings, most_per_hour, quiet, is_on, created_by)
     values ($1, $2, $3, $4, $5, $6, $7, $8) returning id`,
    [name, kind, customerId, JSON.stringify(settings), mostPerHour, quiet && JSON.stringify(quiet), isOn, by],
  )
  return onlyRow(inserted).id
}

interface ReplacedSecrets {
  /** Undefined keeps the stored secret. */
  readonly secret: string | undefined
  readonly signing: readonly SigningKey[] | undefined
}

/** Writes the secrets of an existing row. Their encryption binds them to the row's id, so it has to exist. */
export async function writeSecrets(
  cipher: SecretCipher,
  transaction: Tx,
  { id, kind }: { readonly id: number; readonly kind: ChannelKind },
  { secret, signing }: ReplacedSecrets,
): Promise<void> {
  const isAddress = KINDS[kind].secret?.form === 'address' && URL.canParse(secret ?? '')
  await statementsOf(transaction).query(
    `update channel set secret = coalesce($2, secret), signing = coalesce($3, signing), secret_host = coalesce($4, secret_host)
     where id = $1`,
    [
      id,
      secret === undefined ? null : cipher.encrypt(secret, `channel/${id}/secret`),
      signing ? JSON.stringify(encryptSigning(cipher, id, signing)) : null,
      isAddress ? new URL(secret ?? '').host : null,
    ],
  )
}

/** Changes the channel and retries at once, because what failed before may succeed now. */
export async function changeChannel(
  transaction: Tx,
  id: number,
  { name, settings, mostPerHour, quiet, isOn }: WrittenChannel,
): Promise<void> {
  const statements = statementsOf(transaction)
  await statements.query(
    `update channel set name = $2, settings = $3, most_per_hour = $4, quiet = $5, is_on = $6,
       recipient_confirmed_at = case when settings ->> 'recipient' = $3::jsonb ->> 'recipient' then recipient_confirmed_at end,
       rests_until = null, failures = 0, failure = '' where id = $1`,
    [id, name, JSON.stringify(settings), mostPerHour, quiet && JSON.stringify(quiet), isOn],
  )
  // The quiet hours may have changed, so waiting messages are judged again.
  await statements.query(
    `insert into notify_due (incident_id, due_at)
     select distinct incident_id, now() from incident_message
     where channel_id = $1 and next_at is not null and given_up_at is null order by incident_id
     on conflict (incident_id) do update set due_at = least(notify_due.due_at, excluded.due_at)`,
    [id],
  )
  await statements.query(ringSql(NOTICES_JOB))
}

export async function removeChannel(transaction: Tx, id: number): Promise<void> {
  const statements = statementsOf(transaction)
  await statements.query(
    `update channel set deleted_at = now(), is_on = false, secret = '', secret_host = '', signing = '[]',
       inbound_secret = null, inbound_guid = null where id = $1`,
    [id],
  )
  await statements.query('update incident_message set next_at = null where channel_id = $1 and next_at is not null', [
    id,
  ])
}

export async function writeInbound(
  cipher: SecretCipher,
  transaction: Tx,
  id: number,
  inbound: { readonly guid: string; readonly secret: string } | undefined,
): Promise<void> {
  await statementsOf(transaction).query(
    `update channel set inbound_guid = $2::uuid, inbound_secret = $3, inbound_at = null, inbound_text = '' where id = $1`,
    [id, inbound?.guid ?? null, inbound ? cipher.encrypt(inbound.secret, `channel/${id}/inbound`) : null],
  )
}

export async function readDeliveries(db: Db | Tx, channelId: number): Promise<Delivery[]> {
  const { rows } = await statementsOf(db).query<Omit<Delivery, 'at'> & { readonly at: Date }>(
    `select id::float8 as id, kind, at, incident_id::float8 as "incidentId", told_count as "toldCount", outcome, status,
       took_ms as "tookMs", answer, reason from channel_delivery where channel_id = $1 order by id desc limit $2`,
    [channelId, MOST_DELIVERIES],
  )
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }))
}

interface Tested {
  readonly channelId: number
  readonly result: DeliveryResult
  readonly at: Date
  readonly tookMs: number
}

export async function noteTest(db: Db | Tx, { channelId, result, at, tookMs }: Tested): Promise<void> {
  const { outcome, status, answer } = result
  await statementsOf(db).query(
    `insert into channel_delivery (channel_id, kind, told_count, at, outcome, status, took_ms, answer, reason)
     values ($1, 'test', 0, $2, $3, $4, $5, $6, $7)`,
    [channelId, at, outcome.is, status ?? null, tookMs, answer, 'reason' in outcome ? outcome.reason : ''],
  )
}

/** Counts tests of all channels of one customer, or of staff. */
export async function countTests(db: Db | Tx, customerId: CustomerId | null, now: Date): Promise<number> {
  const { rows } = await statementsOf(db).query<{ count: number }>(
    `select count(*)::int as count from channel_delivery d join channel c on c.id = d.channel_id
     where c.customer_id is not distinct from $1 and d.kind = 'test' and d.at > $2`,
    [customerId, new Date(now.getTime() - MINUTE_MS)],
  )
  return rows[0]?.count ?? 0
}

/** @returns false when the channel had no message about this incident */
export async function sendAgain(transaction: Tx, channelId: number, incidentId: IncidentId): Promise<boolean> {
  const statements = statementsOf(transaction)
  const { rows } = await statements.query<{ id: number }>(
    `update incident_message set told = null, refusals = 0, given_up_at = null, failure = '', next_at = now(), wanted_at = now()
     where channel_id = $1 and incident_id = $2 returning id::float8 as id`,
    [channelId, incidentId],
  )
  if (rows.length === 0) return false
  await statements.query(`update channel set rests_until = null where id = $1`, [channelId])
  await statements.query(ringSql(NOTICES_JOB))
  return true
}
