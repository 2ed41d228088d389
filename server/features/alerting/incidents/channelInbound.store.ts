import type { CustomerId, IncidentId } from '#domain/ids.ts'
import type { InboundKind } from '#domain/notifications/channelKinds.ts'
import type { Db } from '#server/db/database.ts'
import { statementsOf } from '#server/db/statements.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import type { ChangeRecord } from '#server/http/call/route.ts'
import type { InboundEvent } from '#server/notifications/adapters/inboundAdapters.ts'
import type { SecretCipher } from '#server/secrets/SecretCipher.ts'

/** A channel that accepts events from the other system. */
export interface ListeningChannel {
  readonly id: number
  readonly name: string
  readonly kind: InboundKind
  readonly customerId: CustomerId | null
  readonly secret: string
}

export async function findListening(db: Db, cipher: SecretCipher, guid: string): Promise<ListeningChannel | undefined> {
  const { rows } = await statementsOf(db).query<ListeningChannel>(
    `select id, name, kind, customer_id as "customerId", inbound_secret as secret from channel
     where inbound_guid = $1::uuid and inbound_secret is not null and is_on and deleted_at is null`,
    [guid],
  )
  const [found] = rows
  return found && { ...found, secret: cipher.decrypt(found.secret, `channel/${found.id}/inbound`) }
}

/** Finds an incident only if the channel was notified of it, so that no channel can acknowledge others. */
export async function findNotifiedIncident(
  db: Db,
  channelId: number,
  { incidentId, key, foreignId }: InboundEvent['about'],
): Promise<IncidentId | undefined> {
  const { rows } = await statementsOf(db).query<{ id: IncidentId }>(
    `select m.incident_id::float8 as id from incident_message m
     where m.channel_id = $1 and m.told is not null
       and (m.incident_id = $2::bigint or m.key = $3::uuid or m.foreign_id = $4) order by m.id desc limit 1`,
    [channelId, incidentId ?? null, key ?? null, foreignId ?? null],
  )
  return rows[0]?.id
}

/** @returns true when the event is new */
export async function takeEvent(transaction: Tx, channelId: number, eventId: string, now: Date): Promise<boolean> {
  const { rows } = await statementsOf(transaction).query(
    `insert into channel_inbound (channel_id, event_id, at) values ($1, $2, $3) on conflict do nothing returning 1`,
    [channelId, eventId, now],
  )
  return rows.length === 1
}

export async function noteEvent(transaction: Tx, channelId: number, text: string, now: Date): Promise<void> {
  await statementsOf(transaction).query('update channel set inbound_at = $2, inbound_text = $3 where id = $1', [
    channelId,
    now,
    text,
  ])
}

export const noteNothing = (
  db: Db,
  { id, name, customerId }: ListeningChannel,
  change: ChangeRecord,
  { reason, now }: { readonly reason: string; readonly now: Date },
): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    await noteEvent(transaction, id, reason, now)
    await change.done(transaction, { name, customerId, details: `Nothing was changed. ${reason}` })
  })
