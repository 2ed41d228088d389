import type { PasskeyAnswer } from '#contract/http/people/passkeys.ts'
import type { UserId } from '#domain/ids.ts'
import { CallError } from '#server/http/call/callError.ts'
import type { FactorParts } from './factorParts.ts'
import type { FactorProved } from './factorProof.ts'
import { usesOf } from './passkeyCheck.ts'
import { listPasskeys, noteUse } from './passkeys.store.ts'

/** Lists the passkeys of a user that may answer; undefined when there is none, or none can be used here. */
export async function requestPasskeys({ db, relyingParty }: FactorParts, userId: UserId) {
  const party = relyingParty()
  const passkeys = party ? await listPasskeys(db, userId) : []
  if (!party || passkeys.length === 0) return undefined
  const credentials = passkeys.map(({ credentialId, transports }) => ({
    id: credentialId,
    transports: [...transports],
  }))
  return { rpId: party.rpId, credentials }
}

/**
 * Nobody can guess a signature, so nothing is counted.
 *
 * @throws CallError `wrong_second_factor`
 */
export async function provePasskey(
  { db, relyingParty }: FactorParts,
  userId: UserId,
  answer: PasskeyAnswer,
  challenge: string,
): Promise<FactorProved> {
  const party = relyingParty()
  const { credentialId } = answer
  const passkey = (await listPasskeys(db, userId)).find((one) => one.credentialId === credentialId)
  const useCount = passkey && party && (await usesOf(passkey, answer, challenge, party))
  if (useCount === undefined) throw new CallError('wrong_second_factor', 'This passkey was not accepted.')
  return {
    by: 'passkey',
    take: async (transaction) => {
      const isNoted = await noteUse(transaction, userId, { credentialId, useCount })
      if (!isNoted) throw new CallError('wrong_second_factor')
    },
  }
}
