import { randomBytes } from 'node:crypto'
import {
  CLAIM_KEY_PREFIX,
  type ClaimKey,
  type createClaimKey,
  type endClaimKey,
} from '#contract/http/devices/claims.ts'
import type { Db } from '#server/db/database.ts'
import { requireCustomer } from '#server/fleet/customerLookup.ts'
import { type Caller, scopeOf } from '#server/http/call/caller.ts'
import { foundRow } from '#server/http/call/changeSteps.store.ts'
import type { SignedInRequest } from '#server/http/call/route.ts'
import { ownerWithin } from '#server/http/call/scopeSql.ts'
import { secretHash } from '#server/secrets/secretHash.ts'
import { endClaimKeyRow, insertClaimKey, readClaimKeys } from './claimKeys.store.ts'

const KEY_BYTES = 32
const BEGINNING = CLAIM_KEY_PREFIX.length + 4

export async function listKeys(db: Db, caller: Caller): Promise<ClaimKey[]> {
  const rows = await readClaimKeys(db, scopeOf(caller))
  return rows.map(({ isOver, expires, ...row }) => ({
    ...row,
    expires: expires.toISOString(),
    state: isOver ? 'expired' : row.usedBy >= row.mostDevices ? 'full' : 'usable',
  }))
}

export async function createKey(
  db: Db,
  { body, caller, change }: SignedInRequest<typeof createClaimKey>,
): Promise<{ id: number; key: string }> {
  change.about({ name: body.name })
  const customerId = ownerWithin(scopeOf(caller), body.customerId)
  if (customerId !== null) await requireCustomer(db, customerId, scopeOf(caller))
  const key = `${CLAIM_KEY_PREFIX}${randomBytes(KEY_BYTES).toString('base64url')}`
  const id = await db.transaction().execute(async (transaction) => {
    const beginning = key.slice(0, BEGINNING)
    const made = await insertClaimKey(transaction, { ...body, customerId, keyHash: secretHash(key), beginning })
    const { name, mostDevices, expiresInDays } = body
    await change.done(transaction, { id: made, name, customerId, after: { name, mostDevices, expiresInDays } })
    return made
  })
  return { id, key }
}

export async function endKey(
  db: Db,
  { body: { id }, caller, change }: SignedInRequest<typeof endClaimKey>,
): Promise<true> {
  change.about({ id })
  await db.transaction().execute(async (transaction) => {
    const ended = await foundRow(endClaimKeyRow(transaction, scopeOf(caller), id))
    await change.done(transaction, { id, ...ended })
  })
  return true
}
