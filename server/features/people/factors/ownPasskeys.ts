import { createHash } from 'node:crypto'
import type { ReadBodyOf } from '#contract/call/call.ts'
import type { addPasskey } from '#contract/http/people/passkeys.ts'
import { CallError } from '#server/http/call/callError.ts'
import type { Caller } from '#server/http/call/caller.ts'
import type { ChangeRecord } from '#server/http/call/route.ts'
import { beginChallenge, requireChallenge, useChallenge } from './challenges.store.ts'
import { addFactor, ofOwn } from './factorAdditions.ts'
import type { FactorParts } from './factorParts.ts'
import { newPasskey } from './passkeyCheck.ts'
import { insertPasskey, listPasskeys } from './passkeys.store.ts'
import type { RelyingParty } from './relyingParty.ts'

const PURPOSE = 'passkey'
const NOT_MADE_HERE = 'This passkey was not made for this.'

export async function beginPasskey(parts: FactorParts, { userId, username, sessionHash }: Caller) {
  const { rpId } = requireParty(parts)
  const challenge = await beginChallenge(parts.db, parts.cipher, { purpose: PURPOSE, userId, sessionHash })
  const credentialIds = (await listPasskeys(parts.db, userId)).map(({ credentialId }) => credentialId)
  const userHandle = createHash('sha256').update(`wayside user ${userId}`).digest('base64url')
  return { challenge, rpId, userHandle, username, credentialIds }
}

/** @returns recovery codes when it is the first factor */
export async function addOwnPasskey(
  parts: FactorParts,
  { challenge, name, passkey }: ReadBodyOf<typeof addPasskey>,
  caller: Caller,
  change: ChangeRecord,
): Promise<string[]> {
  const { db, cipher } = parts
  const { userId, username, sessionHash } = caller
  change.about({ id: userId, name: username })
  const party = requireParty(parts)
  await requireChallenge(db, cipher, challenge, { purpose: PURPOSE, userId, sessionHash })
  const made = await newPasskey(passkey, challenge, party)
  if (!made) throw new CallError('wrong_second_factor', NOT_MADE_HERE)
  return db.transaction().execute(async (transaction) => {
    await useChallenge(transaction, challenge)
    const codes = await addFactor(transaction, caller, async () => {
      const isNew = await insertPasskey(transaction, userId, name, made)
      if (!isNew) throw new CallError('wrong_second_factor', 'This passkey is in use already.')
    })
    await change.done(transaction, ofOwn(caller, `A passkey was added: ${name}.`))
    return codes
  })
}

function requireParty({ relyingParty }: FactorParts): RelyingParty {
  const party = relyingParty()
  if (!party) throw new CallError('passkeys_not_possible')
  return party
}
