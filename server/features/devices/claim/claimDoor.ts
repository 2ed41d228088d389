import { randomBytes } from 'node:crypto'
import type { beginClaim, ClaimState } from '#contract/http/devices/claims.ts'
import { CODE_LENGTH, codeOfBytes, formatClaimCode } from '#domain/claims/claimCode.ts'
import { hardwareName } from '#domain/claims/namePattern.ts'
import { limitKeyOf } from '#domain/network/ipAddress.ts'
import type { Given } from '#server/features/feature.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { CallError } from '#server/http/call/callError.ts'
import type { PublicRequest } from '#server/http/call/route.ts'
import { type Allowance, takeAllowance } from '#server/http/limits/allowance.store.ts'
import { secretHash } from '#server/secrets/secretHash.ts'
import { takeClaimKey } from './claimKeys.store.ts'
import { type ClaimRow, findClaimed, findClaimOfKey, insertClaim, renewCode } from './claims.store.ts'

export interface ClaimDoorDeps extends Pick<Given, 'db' | 'addresses'> {
  readonly releaseKeys: () => Promise<readonly string[]>
}

/** A hundred boxes are unpacked behind one address; a stranger must not fill the table. */
const BEGINS_OF_ADDRESS: Allowance = { atOnce: 300, perHour: 300 }

const newCode = () => codeOfBytes(randomBytes(CODE_LENGTH))

/** A device without a configuration asks to be claimed. Asking again with the same key changes nothing. */
export async function begin(
  deps: ClaimDoorDeps,
  { body: { key, claimKey, facts }, client, change }: PublicRequest<typeof beginClaim>,
): Promise<ClaimState> {
  const { db } = deps
  const name = hardwareName(facts)
  change.about({ name })
  const wait = await takeAllowance(db, `claim-begin:${limitKeyOf(client.address)}`, BEGINS_OF_ADDRESS)
  if (wait > 0) throw new CallError('too_many_requests', undefined, { retryAfterSeconds: wait })
  const keyHash = secretHash(key)
  const row = await db.transaction().execute(async (transaction) => {
    const known = await findClaimOfKey(transaction, keyHash)
    if (known) {
      await change.done(transaction, { name, details: 'Asked again.' })
      return known
    }
    const entered = claimKey === undefined ? undefined : await enter(transaction, claimKey)
    const claim = { keyHash, claimKeyId: entered?.id, facts, address: client.address }
    const made = await insertClaim(transaction, { ...claim, code: entered ? undefined : newCode() })
    const details = entered ? `Waits by the claim key “${entered.name}”.` : 'Shows a code.'
    await change.done(transaction, { name, customerId: entered?.customerId ?? null, details })
    return made
  })
  return stateOf(deps, row, keyHash)
}

/** A wrong, an ended, an expired and a used up key get the same answer. */
async function enter(transaction: Tx, claimKey: string) {
  const key = await takeClaimKey(transaction, secretHash(claimKey))
  if (!key) throw new CallError('claim_key_not_valid')
  return key
}

/** Answers the device with this key what became of its claim. Nobody else knows the key. */
export async function readState(deps: ClaimDoorDeps, key: string): Promise<ClaimState> {
  const keyHash = secretHash(key)
  const row = await findClaimOfKey(deps.db, keyHash)
  const isSpent = row?.deviceId === null && !row.isRefused && row.isCodeSpent
  return stateOf(deps, row && isSpent ? await renewCode(deps.db, row.id, newCode()) : row, keyHash)
}

async function stateOf(
  { db, addresses, releaseKeys }: ClaimDoorDeps,
  row: ClaimRow | undefined,
  keyHash: Buffer,
): Promise<ClaimState> {
  if (row === undefined) return { state: 'unknown' }
  if (row.isRefused) return { state: 'refused' }
  if (row.deviceId !== null) {
    const device = await findClaimed(db, row.deviceId, keyHash)
    // Its device was deleted, or its key was renewed: it can only begin anew.
    if (!device) return { state: 'refused' }
    const { customerName, ...named } = device
    const configuration = { ...addresses(), ...named, releaseKeys: [...(await releaseKeys())] }
    return { state: 'claimed', customerName, configuration }
  }
  if (row.code === null) return { state: 'waiting' }
  const address = `${addresses().httpUrl}/claim?code=${row.code}`
  return { state: 'code', code: formatClaimCode(row.code), address, secondsLeft: row.secondsLeft }
}
