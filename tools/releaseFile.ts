import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { headerLine, type ReleaseHeader, signedBackText, signedText } from '#domain/releases/header.ts'
import { sha256Of } from '#domain/releases/verifyRelease.ts'

/** The usual form of an Ed25519 public key has this many bytes before the key itself. */
const SPKI_PREFIX_BYTES = 12

/** Makes a private key for releases, with the text of its file. */
export function newReleaseKey(): { readonly key: KeyObject; readonly pem: string } {
  const { privateKey } = generateKeyPairSync('ed25519')
  return { key: privateKey, pem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() }
}

/** @throws when the text is no private Ed25519 key */
export function readReleaseKey(pem: string): KeyObject {
  const key = createPrivateKey(pem)
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('it is not an Ed25519 key')
  return key
}

/** Returns the public key in the form of devices and servers: base64 of its 32 bytes. */
export const publicReleaseKey = (privateKey: KeyObject) =>
  createPublicKey(privateKey).export({ type: 'spki', format: 'der' }).subarray(SPKI_PREFIX_BYTES).toString('base64')

const signatureOf = (text: string, privateKey: KeyObject) =>
  sign(null, Buffer.from(text), privateKey).toString('base64')

/** Makes the whole release file: the program below its signed first line. */
export async function makeRelease(program: Uint8Array, version: string, privateKey: KeyObject): Promise<Uint8Array> {
  const described = { version, bytes: program.length, sha256: await sha256Of(program) }
  const signature = signatureOf(signedText(described), privateKey)
  return Buffer.concat([Buffer.from(headerLine({ ...described, signature })), program])
}

/** Signs the same release as a target for going back too. */
export function makeBackTarget(
  { header, program }: { readonly header: ReleaseHeader; readonly program: Uint8Array },
  privateKey: KeyObject,
): Uint8Array {
  const back = signatureOf(signedBackText(header), privateKey)
  return Buffer.concat([Buffer.from(headerLine({ ...header, back })), program])
}
