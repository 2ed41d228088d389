import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'

export interface SecretKey {
  /** The beginning of the key's SHA-256, which stands in each value that it encrypted. */
  readonly id: string
  readonly bytes: Buffer
}

const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
const ID_DIGITS = 12
const VALUE = /^enc:1:([0-9a-f]{12}):([A-Za-z0-9_-]+)$/

/** @param digits 64 hexadecimal digits */
export function secretKeyOf(digits: string): SecretKey {
  const bytes = Buffer.from(digits, 'hex')
  return { id: createHash('sha256').update(bytes).digest('hex').slice(0, ID_DIGITS), bytes }
}

export const newSecretKey = (): SecretKey => secretKeyOf(randomBytes(KEY_BYTES).toString('hex'))

/** Returns the id of the key that encrypted a value; undefined for plain text of an earlier version. */
export const keyIdOf = (value: string): string | undefined => VALUE.exec(value)?.[1]

/** Returns the beginning of values of this key, for statements that look for values of other keys. */
export const valuePrefix = (keyId = ''): string => `enc:1:${keyId === '' ? '' : `${keyId}:`}`

/**
 * Encrypts by AES-256-GCM.
 *
 * @param place names the row and column: a value that is copied to another place cannot be read there
 */
export function encryptText({ id, bytes }: SecretKey, text: string, place: string): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', bytes, nonce).setAAD(Buffer.from(place))
  const encrypted = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return `${valuePrefix(id)}${encrypted.toString('base64url')}`
}

/** @throws Error when it was changed, belongs to another place, or was encrypted by another key */
export function decryptText({ bytes }: SecretKey, value: string, place: string): string {
  const encrypted = Buffer.from(VALUE.exec(value)?.[2] ?? '', 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', bytes, encrypted.subarray(0, NONCE_BYTES))
    .setAAD(Buffer.from(place))
    .setAuthTag(encrypted.subarray(-TAG_BYTES))
  return decipher.update(encrypted.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
}
