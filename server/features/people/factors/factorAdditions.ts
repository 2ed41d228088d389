import type { UserId } from '#domain/ids.ts'
import type { AuditedThing, Tx } from '#server/http/call/audit.store.ts'
import { CallError } from '#server/http/call/callError.ts'
import type { Caller } from '#server/http/call/caller.ts'
import type { FactorStore } from './factors.store.ts'
import { periodOf } from './oneTimeCodes.ts'
import { newRecoveryCodes, plainCode, recoveryCodeHash } from './recoveryCodes.ts'

const MOST_FACTORS = 10

/** The user, and the session in which the factor is added; without it a session begins with the factor. */
type Adding = Pick<Caller, 'userId'> & Partial<Pick<Caller, 'sessionHash'>>

/** Does what adding a factor of any kind brings with it. */
export interface FactorAdditions {
  /** Replaces the recovery codes by ten new ones. */
  readonly giveRecoveryCodes: (userId: UserId, transaction: Tx) => Promise<string[]>
  /**
   * Adds a further or a first factor; after the first no session counts as proved by a password.
   * @returns recovery codes with the first
   * @throws CallError `too_many_factors`, and what `insert` throws
   */
  readonly add: (by: Adding, transaction: Tx, insert: () => Promise<void>) => Promise<string[]>
  readonly addAuthenticator: (
    by: Adding,
    added: Parameters<FactorStore['addAuthenticator']>[1],
    transaction: Tx,
  ) => Promise<string[]>
}

export function createFactorAdditions(store: FactorStore): FactorAdditions {
  async function giveRecoveryCodes(userId: UserId, transaction: Tx): Promise<string[]> {
    const codes = newRecoveryCodes()
    await store.replaceRecoveryCodes(userId, codes.map(recoveryCodeHash), transaction)
    return codes
  }
  const add: FactorAdditions['add'] = async ({ userId, sessionHash = '' }, transaction, insert) => {
    const before = await store.lockAndCount(userId, transaction)
    if (before >= MOST_FACTORS) throw new CallError('too_many_factors')
    await insert()
    if (before > 0) return []
    await store.forgetProofs(userId, Buffer.from(sessionHash, 'hex'), transaction)
    return giveRecoveryCodes(userId, transaction)
  }
  return {
    giveRecoveryCodes,
    add,
    addAuthenticator: (by, added, transaction) =>
      add(by, transaction, () => store.addAuthenticator(by.userId, added, transaction)),
  }
}

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
