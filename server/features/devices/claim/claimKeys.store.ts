import type { CustomerId } from '#domain/ids.ts'
import type { Db } from '#server/db/database.ts'
import { statementsOf } from '#server/db/statements.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { customerOf } from '#server/http/call/scopeSql.ts'

/**
 * Takes one of the devices that a key lets in. The row is locked until the transaction ends, so that its limit holds for
 * all servers together.
 * @returns undefined when the key is unknown, ended, expired or used up
 */
export async function takeClaimKey(
  transaction: Tx,
  keyHash: Buffer,
): Promise<{ readonly id: number; readonly name: string; readonly customerId: CustomerId | null } | undefined> {
  const { rows } = await statementsOf(transaction).query<{ id: number; name: string; customerId: CustomerId | null }>(
    `update claim_key set used_by = used_by + 1
     where key_hash = $1 and ended_at is null and expires_at > now() and used_by < most_devices
     returning id, name, customer_id as "customerId"`,
    [keyHash],
  )
  return rows[0]
}

export interface NewClaimKey {
  readonly name: string
  readonly keyHash: Buffer
  readonly beginning: string
  readonly customerId: CustomerId | null
  readonly mostDevices: number
  readonly expiresInDays: number
}

export async function insertClaimKey(transaction: Tx, key: NewClaimKey): Promise<number> {
  const { rows } = await statementsOf(transaction).query<{ id: number }>(
    `insert into claim_key (name, key_hash, beginning, customer_id, most_devices, expires_at)
     values ($1, $2, $3, $4, $5, now() + make_interval(days => $6)) returning id`,
    [key.name, key.keyHash, key.beginning, key.customerId, key.mostDevices, key.expiresInDays],
  )
  return (rows[0] as { id: number }).id
}

export interface ClaimKeyRow {
  readonly id: number
  readonly name: string
  readonly beginning: string
  readonly customerId: CustomerId | null
  readonly customerName: string
  readonly mostDevices: number
  readonly usedBy: number
  readonly expires: Date
  readonly isOver: boolean
}

export async function readClaimKeys(db: Db, scope: Scope): Promise<readonly ClaimKeyRow[]> {
  const { rows } = await statementsOf(db).query<ClaimKeyRow>(
    `select k.id, k.name, k.beginning, k.customer_id as "customerId", coalesce(c.name, '') as "customerName",
       k.most_devices as "mostDevices", k.used_by as "usedBy", k.expires_at as expires, k.expires_at <= now() as "isOver"
     from claim_key k left join customer c on c.id = k.customer_id
     where k.ended_at is null and ($1::int is null or k.customer_id = $1) order by k.id desc`,
    [customerOf(scope)],
  )
  return rows
}

/** @returns undefined when there is no such key in the scope, or it was ended before */
export async function endClaimKeyRow(
  transaction: Tx,
  scope: Scope,
  id: number,
): Promise<{ readonly name: string; readonly customerId: CustomerId | null } | undefined> {
  const { rows } = await statementsOf(transaction).query<{ name: string; customerId: CustomerId | null }>(
    `update claim_key set ended_at = now() where id = $2 and ended_at is null and ($1::int is null or customer_id = $1)
     returning name, customer_id as "customerId"`,
    [customerOf(scope), id],
  )
  return rows[0]
}
