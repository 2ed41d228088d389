import type { UserId } from '#domain/ids.ts'
import type { AuditedThing, Tx } from '#server/http/call/audit.store.ts'
import { CallError } from '#server/http/call/callError.ts'
import type { Caller } from '#server/http/call/caller.ts'
import type { SecretCipher } from '#server/secrets/SecretCipher.ts'
import {
  forgetProofs,
  insertAuthenticator,
  lockAndCountFactors,
  type NewAuthenticator,
  replaceRecoveryCodes,
} from './factors.store.ts'
import { periodOf } from './oneTimeCodes.ts'
import { newRecoveryCodes, plainCode, recoveryCodeHash } from './recoveryCodes.ts'

const MOST_FACTORS = 10

/** The user, and the session in which the factor is added; without it a session begins with the factor. */
type Adding = Pick<Caller, 'userId'> & Partial<Pick<Caller, 'sessionHash'>>

/** Replaces the recovery codes by ten new ones. */
export async function giveRecoveryCodes(transaction: Tx, userId: UserId): Promise<string[]> {
  const codes = newRecoveryCodes()
  await replaceRecoveryCodes(transaction, userId, codes.map(recoveryCodeHash))
  return codes
}

/**
 * Adds a further or a first factor; after the first no session counts as proved by a password.
 * @returns recovery codes with the first
 * @throws CallError `too_many_factors`, and what `insert` throws
 */
export async function addFactor(
  transaction: Tx,
  { userId, sessionHash = '' }: Adding,
  insert: () => Promise<void>,
): Promise<string[]> {
  const before = await lockAndCountFactors(transaction, userId)
  if (before >= MOST_FACTORS) throw new CallError('too_many_factors')
  await insert()
  if (before > 0) return []
  await forgetProofs(transaction, userId, Buffer.from(sessionHash, 'hex'))
  return giveRecoveryCodes(transaction, userId)
}

export const addAuthenticator = (
  transaction: Tx,
  cipher: SecretCipher,
  by: Adding,
  added: NewAuthenticator,
): Promise<string[]> => addFactor(transaction, by, () => insertAuthenticator(transaction, cipher, by.userId, added))

/** @throws CallError `wrong_second_factor` when this is not the code of the new app */
export function firstPeriodOf(code: string, secret: Buffer, at: Date): number {
  const period = periodOf(plainCode(code), secret, at.getTime())
  if (period === undefined) throw new CallError('wrong_second_factor', 'This is not the code of this app.')
  return period
}

export const ofOwn = ({ userId, username, customerId }: Caller, details: string): AuditedThing => ({
  id: userId,
  name: username,
  customerId: customerId ?? null,
  details,
})
