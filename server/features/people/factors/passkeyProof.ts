import type { PasskeyAnswer } from '#contract/http/people/passkeys.ts'
import type { UserId } from '#domain/ids.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { CallError } from '#server/http/call/callError.ts'
import type { FactorProved } from './factorProof.ts'
import { usesOf } from './passkeyCheck.ts'
import type { PasskeyStore } from './passkeys.store.ts'
import type { RelyingParty } from './relyingParty.ts'

interface Request {
  readonly rpId: string
  readonly credentials: { id: string; transports: string[] }[]
}

/** Proves passkeys. Nobody can guess a signature, so nothing is counted. */
export interface PasskeyProof {
  /** Lists the passkeys of a user that may answer; undefined when there is none, or none can be used here. */
  readonly asked: (userId: UserId) => Promise<Request | undefined>
  /** @throws CallError `wrong_second_factor` */
  readonly prove: (userId: UserId, answer: PasskeyAnswer, challenge: string) => Promise<FactorProved>
}

export function createPasskeyProof({
  store,
  relyingParty,
}: {
  readonly store: PasskeyStore
  readonly relyingParty: () => RelyingParty | undefined
}): PasskeyProof {
  return {
    asked: async (userId) => {
      const party = relyingParty()
      const passkeys = party ? await store.of(userId) : []
      if (!party || passkeys.length === 0) return undefined
      const credentials = passkeys.map(({ credentialId, transports }) => ({
        id: credentialId,
        transports: [...transports],
      }))
      return { rpId: party.rpId, credentials }
    },

    prove: async (userId, answer, challenge) => {
      const party = relyingParty()
      const { credentialId } = answer
      const passkey = (await store.of(userId)).find((one) => one.credentialId === credentialId)
      const useCount = passkey && party && (await usesOf(passkey, answer, challenge, party))
      if (useCount === undefined) throw new CallError('wrong_second_factor', 'This passkey was not accepted.')
      return {
        by: 'passkey',
        take: async (transaction: Tx) => {
          const isNoted = await store.noteUse(userId, { credentialId, useCount }, transaction)
          if (!isNoted) throw new CallError('wrong_second_factor')
        },
      }
    },
  }
}
