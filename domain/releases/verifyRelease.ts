import {
  LARGEST_PROGRAM_BYTES,
  type ReleaseHeader,
  readHeader,
  SIGNATURE_PATTERN,
  signedBackText,
  signedText,
} from './header.ts'

/** Base64 of 32 bytes without spare bits. */
export const RELEASE_KEY_PATTERN = /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/

export type ReleaseRefusalKind = 'notARelease' | 'tooLarge' | 'damaged' | 'unsigned' | 'noKey' | 'wrongKey'

/** The sentence is shown to operators unchanged. */
export interface ReleaseRefusal {
  readonly kind: ReleaseRefusalKind
  readonly sentence: string
}

export type ReleaseVerdict = { readonly release: ReleaseHeader } | { readonly refusal: ReleaseRefusal }

const refused = (kind: ReleaseRefusalKind, sentence: string) => ({ refusal: { kind, sentence } })

/**
 * Checks that the file is a complete release that one of the keys has signed. Server, device and tools share it: only a
 * file that passes is kept, or run. Keys are base64 of the 32 bytes of an Ed25519 public key.
 */
export async function verifyRelease(file: Uint8Array, publicKeys: readonly string[]): Promise<ReleaseVerdict> {
  const damage = await findDamage(file)
  if ('refusal' in damage) return damage
  const { release } = damage
  if (release.signature === '') return refused('unsigned', 'This release is not signed.')
  if (publicKeys.length === 0) return refused('noKey', 'No release key is known here, so no release can be checked.')
  const isSigned = (await findSigner(publicKeys, release.signature, signedText(release))) !== undefined
  if (isSigned && (release.back === undefined || (await isTargetForGoingBack(release, release.back, publicKeys)))) {
    return { release }
  }
  return refused(
    'wrongKey',
    'The signature of this release was not made with a key that is trusted here, or its first line was changed.',
  )
}

/** Whether one of the keys has signed that devices may go back to this release. */
export const isTargetForGoingBack = (
  release: Pick<ReleaseHeader, 'version' | 'bytes' | 'sha256'>,
  signature: string,
  publicKeys: readonly string[],
): Promise<boolean> => findSigner(publicKeys, signature, signedBackText(release)).then((key) => key !== undefined)

/** Checks without the signature that the file is complete, as its first line describes it. */
export async function findDamage(file: Uint8Array): Promise<ReleaseVerdict> {
  const read = readHeader(file)
  if (!read) return refused('notARelease', 'This file is no release of the client: its first line does not say so.')
  const { header, program } = read
  if (header.bytes > LARGEST_PROGRAM_BYTES) {
    return refused('tooLarge', `This release is larger than ${LARGEST_PROGRAM_BYTES / 1024 / 1024} MB.`)
  }
  if (program.length !== header.bytes) {
    return refused(
      'damaged',
      `This release is damaged: it has ${program.length} bytes, but its first line says ${header.bytes}.`,
    )
  }
  if ((await sha256Of(program)) !== header.sha256) {
    return refused('damaged', 'This release is damaged: its SHA-256 is not the one that its first line says.')
  }
  return { release: header }
}

/** Returns 64 lower-case hexadecimal digits. */
export async function sha256Of(program: Uint8Array): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new Uint8Array(program))
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Returns the key that has signed these words. */
export async function findSigner(
  publicKeys: readonly string[],
  signature: string,
  words: string,
): Promise<string | undefined> {
  const text = new TextEncoder().encode(words)
  for (const key of publicKeys) if (await isSignedBy(key, signature, text)) return key
  return undefined
}

async function isSignedBy(publicKey: string, signature: string, text: Uint8Array<ArrayBuffer>): Promise<boolean> {
  if (!RELEASE_KEY_PATTERN.test(publicKey) || !SIGNATURE_PATTERN.test(signature)) return false
  try {
    const key = await crypto.subtle.importKey('raw', bytesOf(publicKey), 'Ed25519', false, ['verify'])
    return await crypto.subtle.verify('Ed25519', key, bytesOf(signature), text)
  } catch {
    // Thirty-two bytes that are no point of the curve are a key that has signed nothing.
    return false
  }
}

const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
