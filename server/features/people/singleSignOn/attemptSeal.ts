import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { MINUTE_MS } from '#domain/units/time.ts'

/** People have so long between leaving for a provider and coming back. */
const GOOD_FOR_MS = 10 * MINUTE_MS
const IV_BYTES = 12
const TAG_BYTES = 16

/** What a sign-in at a provider must come back with. Only this server can read it. */
export interface Attempt {
  readonly providerId: number
  readonly state: string
  readonly nonce: string
  /** The verifier of PKCE, without which a stolen code is worthless. */
  readonly verifier: string
}

interface SealKey {
  readonly id: number
  readonly secret: Buffer
}

export interface SealKeys {
  readonly newest: () => Promise<SealKey>
  readonly find: (id: number) => Promise<SealKey | undefined>
}

/** Seals an attempt, which the browser keeps: nothing is stored for people who begin and never come back. */
export async function sealAttempt(keys: SealKeys, { providerId, state, nonce, verifier }: Attempt): Promise<string> {
  const { id, secret } = await keys.newest()
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', keyOf(secret), iv)
  const content = JSON.stringify([Date.now(), providerId, state, nonce, verifier])
  const sealed = Buffer.concat([iv, cipher.update(content), cipher.final(), cipher.getAuthTag()])
  return `${id}.${sealed.toString('base64url')}`
}

/** @returns undefined when the text was not sealed here, was changed, or is too old */
export async function openAttempt(keys: SealKeys, text: string): Promise<Attempt | undefined> {
  const [, keyId, content = ''] = /^(\d{1,9})\.([\w-]+)$/.exec(text) ?? []
  const key = keyId === undefined ? undefined : await keys.find(Number(keyId))
  const read = key && opened(Buffer.from(content, 'base64url'), key.secret)
  if (read === undefined) return undefined
  const [sealedAtMs, providerId, state, nonce, verifier] = read
  const ageMs = Date.now() - sealedAtMs
  return ageMs >= -GOOD_FOR_MS && ageMs <= GOOD_FOR_MS ? { providerId, state, nonce, verifier } : undefined
}

const keyOf = (secret: Buffer) => Buffer.from(hkdfSync('sha256', secret, '', 'wayside single sign-on', 32))

type Sealed = readonly [sealedAtMs: number, providerId: number, state: string, nonce: string, verifier: string]

function opened(sealed: Buffer, secret: Buffer): Sealed | undefined {
  if (sealed.length <= IV_BYTES + TAG_BYTES) return undefined
  const decipher = createDecipheriv('aes-256-gcm', keyOf(secret), sealed.subarray(0, IV_BYTES), {
    authTagLength: TAG_BYTES,
  })
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
  try {
    const content = Buffer.concat([decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()])
    return JSON.parse(content.toString()) as Sealed
  } catch {
    return undefined
  }
}
