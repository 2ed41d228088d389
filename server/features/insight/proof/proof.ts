import { createPrivateKey, type KeyObject, sign } from 'node:crypto'
import {
  listProofKeys,
  type ProofKey,
  provePlay,
  provePlays,
  rotateProofKey,
  type SignedProof,
} from '#contract/http/insight/lightProofs.ts'
import { type Play, type PlayProblem, periodProblem, readPlays } from '#domain/proof/plays.ts'
import { signedText } from '#domain/proof/signedText.ts'
import type { Given } from '#server/features/feature.ts'
import { CallError, notFound } from '#server/http/call/callError.ts'
import { type Caller, scopeOf } from '#server/http/call/caller.ts'
import { type ChangeRecord, heavyRoute, jsonTextRoute, publicRoute, route } from '#server/http/call/route.ts'
import { listKeys, presentKey, privatePem, replaceKey } from './proofKeys.store.ts'
import { type ProvedPlays, provedPlays } from './provedPlays.ts'

type Deps = Pick<Given, 'pool' | 'db' | 'clock' | 'cipher' | 'addresses'>

const NAMED_PROBLEMS = 10

/** Proofs of light: whether displays were lit while something was shown on them, signed. */
export function proofFeature(deps: Deps) {
  const { db, pool, clock } = deps
  const signer = signerOf(deps)
  const prove = (plays: readonly Play[], caller: Caller) => provedPlays(pool, scopeOf(caller), plays, clock.now())
  return {
    routes: [
      jsonTextRoute(provePlay, async ({ query: { deviceId, display, from, to }, caller }) => {
        const [fromMs, toMs] = [Date.parse(from), Date.parse(to)]
        const problem = periodProblem(fromMs, toMs)
        if (problem) throw new CallError('invalid_request', `to: ${problem}`)
        const proved = await prove([{ device: String(deviceId), display, fromMs, toMs, name: '' }], caller)
        if (proved.rows[0]?.reason === 'noDevice') throw notFound()
        return signer(Promise.resolve(proved))
      }),
      heavyRoute(provePlays, async ({ body, caller }) => {
        const { plays, problems } = readPlays(body.plays)
        if (problems.length > 0) throw new CallError('invalid_request', problemText(problems))
        return signer(prove(plays, caller))
      }),
      publicRoute(listProofKeys, async () => [...(await listKeys(db))]),
      route(rotateProofKey, ({ change }) => rotate(deps, change)),
    ],
  }
}

function problemText(problems: readonly PlayProblem[]): string {
  const named = problems.slice(0, NAMED_PROBLEMS).map(({ line, problem }) => `Line ${line}: ${problem}`)
  const more = problems.length - named.length
  return `plays: ${[...named, ...(more > 0 ? [`And ${more} more lines.`] : [])].join(' ')}`
}

/** The text that is signed is sent as it is, so a long proof is written once. */
function signerOf({ db, cipher, clock, addresses }: Deps) {
  const known = new Map<string, KeyObject>()
  return async (proving: Promise<ProvedPlays>): Promise<string> => {
    const [kept, { rows, devices }] = await Promise.all([presentKey(db, cipher), proving])
    const key = known.get(kept.keyId) ?? createPrivateKey(privatePem(cipher, kept))
    known.set(kept.keyId, key)
    const proof: SignedProof['proof'] = {
      ...{ version: 1, issuer: addresses().httpUrl, answeredAt: clock.now().toISOString() },
      devices: devices.map(({ id, guid, name }) => ({ id, guid, name })),
      plays: [...rows],
    }
    const text = signedText(proof)
    const value = sign(null, Buffer.from(text), key).toString('base64')
    const signature: SignedProof['signature'] = { algorithm: 'Ed25519', keyId: kept.keyId, value }
    return `{"proof":${text},"signature":${JSON.stringify(signature)}}`
  }
}

const rotate = ({ db, cipher }: Deps, change: ChangeRecord): Promise<ProofKey> =>
  db.transaction().execute(async (transaction) => {
    const before = await presentKey(transaction, cipher)
    const { id, keyId } = await replaceKey(transaction, cipher)
    await change.done(transaction, { id, name: keyId, details: `Replaces ${before.keyId}` })
    return (await listKeys(transaction)).find((key) => key.id === keyId) as ProofKey
  })
