/** No digit or letter looks like another: there is no 0, O, 1 or I. */
export const CODE_ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
export const CODE_LENGTH = 8
/** Wrong codes with the same first half count against the code that begins so. */
export const HALF_CODE = CODE_LENGTH / 2
export const MOST_WRONG_TRIES = 5
export const CODE_MS = 10 * 60_000

const CODE = new RegExp(`^[${CODE_ALPHABET}]{${CODE_LENGTH}}$`)

/** Makes a code of random bytes; each byte gives one letter, and 32 letters divide 256 evenly. */
export const codeOfBytes = (bytes: Uint8Array): string =>
  Array.from(bytes.subarray(0, CODE_LENGTH), (byte) => CODE_ALPHABET[byte % CODE_ALPHABET.length]).join('')

/** Reads what somebody typed, or the address that a QR code holds; undefined when it cannot be a code. */
export function readClaimCode(text: string): string | undefined {
  const inAddress = /[?&]code=([^&#]+)/.exec(text)?.[1]
  const plain = (inAddress ?? text).toUpperCase().replaceAll(/[\s-]/g, '')
  return CODE.test(plain) ? plain : undefined
}

/** The two halves apart are easier to read out. */
export const formatClaimCode = (code: string): string => `${code.slice(0, HALF_CODE)}-${code.slice(HALF_CODE)}`
