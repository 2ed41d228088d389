import { createHash } from 'node:crypto'
import type { AnswerOf, ReadBodyOf } from '#contract/call/call.ts'
import type { addPasskey, getNewPasskey } from '#contract/http/people/passkeys.ts'
import { CallError } from '#server/http/call/callError.ts'
import type { Caller } from '#server/http/call/caller.ts'
import type { ChangeRecord } from '#server/http/call/route.ts'
import type { ChallengeStore } from './challenges.store.ts'
import { type FactorAdditions, ofOwn } from './factorAdditions.ts'
import type { FactorStore } from './factors.store.ts'
import { newPasskey } from './passkeyCheck.ts'
import type { PasskeyStore } from './passkeys.store.ts'
import type { RelyingParty } from './relyingParty.ts'

export interface PasskeyService {
  readonly begin: (caller: Caller) => Promise<AnswerOf<typeof getNewPasskey>>
  /** @returns recovery codes when it is the first factor */
  readonly add: (given: ReadBodyOf<typeof addPasskey>, caller: Caller, change: ChangeRecord) => Promise<string[]>
}

export interface PasskeyDeps {
  readonly store: FactorStore
  readonly passkeys: PasskeyStore
  readonly challenges: ChallengeStore
  readonly additions: FactorAdditions
  readonly relyingParty: () => RelyingParty | undefined
}

const NOT_MADE_HERE = 'This passkey was not made for this.'

export function createPasskeyService({
  store,
  passkeys,
  challenges,
  additions,
  relyingParty,
}: PasskeyDeps): PasskeyService {
  const purpose = 'passkey'
  function requireParty(): RelyingParty {
    const party = relyingParty()
    if (!party) throw new CallError('passkeys_not_possible')
    return party
  }
  return {
    begin: async ({ userId, username, sessionHash }) => {
      const { rpId } = requireParty()
      const challenge = await challenges.begin({ purpose, userId, sessionHash })
      const credentialIds = (await passkeys.of(userId)).map(({ credentialId }) => credentialId)
      const userHandle = createHash('sha256').update(`wayside user ${userId}`).digest('base64url')
      return { challenge, rpId, userHandle, username, credentialIds }
    },

    add: async ({ challenge, name, passkey }, caller, change) => {
      const { userId, username, sessionHash } = caller
      change.about({ id: userId, name: username })
      const party = requireParty()
      const isOpen = await challenges.find(challenge, { purpose, userId, sessionHash })
      if (!isOpen) throw new CallError('challenge_not_valid')
      const made = await newPasskey(passkey, challenge, party)
      if (!made) throw new CallError('wrong_second_factor', NOT_MADE_HERE)
      return store.transaction(async (transaction) => {
        if (!(await challenges.use(challenge, transaction))) throw new CallError('challenge_not_valid')
        const codes = await additions.add(caller, transaction, async () => {
          const isNew = await passkeys.add(userId, name, made, transaction)
          if (!isNew) throw new CallError('wrong_second_factor', 'This passkey is in use already.')
        })
        await change.done(transaction, ofOwn(caller, `A passkey was added: ${name}.`))
        return codes
      })
    },
  }
}
