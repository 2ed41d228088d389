import { VERSION_PATTERN } from './version.ts'

/** The first line of a release file describes the program below it. */
export interface ReleaseHeader {
  /** The version of the client, as in `1.2.3`. */
  readonly version: string
  /** The length of the program: everything after the first line. */
  readonly bytes: number
  /** The hash of the program, 64 lower-case hexadecimal digits. */
  readonly sha256: string
  /** Ed25519 over `signedText`, base64 of 64 bytes; empty when it is not signed. */
  readonly signature: string
  /**
   * Present only on the way to a server: Ed25519 over `signedBackText`, which lets devices go back to this version even
   * if they have never run it. Devices receive files without it, because older clients would refuse it.
   */
  readonly back?: string
}

/** A larger client is a mistake: the agent has about one megabyte. */
export const LARGEST_PROGRAM_BYTES = 32 * 1024 * 1024
export const SHA256_PATTERN = /^[0-9a-f]{64}$/
/** Base64 of 64 bytes without spare bits, so that no two texts mean the same signature. */
export const SIGNATURE_PATTERN = /^[A-Za-z0-9+/]{85}[AQgw]==$/

const MARK = '// wayside-client '
const LONGEST_LINE_BYTES = 1000
const NEWLINE = 0x0a

/** The first line of a release file is a comment of JavaScript, so that the file runs as it is. */
export const headerLine = ({ version, bytes, sha256, signature, back }: ReleaseHeader) =>
  `${MARK}${JSON.stringify({ version, bytes, sha256, signature, ...(back !== undefined && { back }) })}\n`

/** The signature covers this text. */
export const signedText = ({ version, bytes, sha256 }: Omit<ReleaseHeader, 'signature'>) =>
  `wayside-client\n${version}\n${bytes}\n${sha256}\n`

/** The signature that makes a release a target for going back covers this text. */
export const signedBackText = (release: Omit<ReleaseHeader, 'signature'>) => `back\n${signedText(release)}`

/** Returns the length of the whole file, first line included, which is downloaded. */
export const fileBytes = (header: ReleaseHeader) => headerLine(header).length + header.bytes

export const releaseFileName = (version: string) => `wayside-client-${version}.mjs`
export const backTargetFileName = (version: string) => `wayside-client-${version}.back.mjs`

/** Returns undefined unless the file begins with a header in exactly the form that `headerLine` writes. */
export function readHeader(
  file: Uint8Array,
): { readonly header: ReleaseHeader; readonly program: Uint8Array } | undefined {
  const end = file.subarray(0, LONGEST_LINE_BYTES).indexOf(NEWLINE)
  if (end === -1) return undefined
  const line = new TextDecoder('latin1').decode(file.subarray(0, end + 1))
  const header = line.startsWith(MARK) ? headerIn(line.slice(MARK.length)) : undefined
  // A second way to write the same header could hide something.
  if (header === undefined || headerLine(header) !== line) return undefined
  return { header, program: file.subarray(end + 1) }
}

function headerIn(json: string): ReleaseHeader | undefined {
  let content: unknown
  try {
    content = JSON.parse(json)
  } catch {
    return undefined
  }
  if (typeof content !== 'object' || content === null) return undefined
  const { version, bytes, sha256, signature, back } = content as Record<string, unknown>
  if (typeof version !== 'string' || !VERSION_PATTERN.test(version)) return undefined
  if (typeof bytes !== 'number' || !Number.isSafeInteger(bytes) || bytes < 0) return undefined
  if (typeof sha256 !== 'string' || !SHA256_PATTERN.test(sha256) || typeof signature !== 'string') return undefined
  if (back !== undefined && typeof back !== 'string') return undefined
  return { version, bytes, sha256, signature, ...(back !== undefined && { back }) }
}
