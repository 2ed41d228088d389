import { createHash, randomInt } from 'node:crypto'

/** These 32 letters and digits are not mistaken for each other; each carries 5 bits. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz234567890'
const GROUPS = 4
const GROUP_LENGTH = 4
const COUNT = 10

const group = () => Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')

/** Makes ten codes of 80 random bits, in groups that are easy to write down. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: COUNT }, () => Array.from({ length: GROUPS }, group).join('-'))

/** Removes what people may type differently, before codes are compared. */
export const plainCode = (typed: string): string => typed.toLowerCase().replaceAll(/[\s-]/g, '')

/** Hashes a code for storage. Its 80 random bits need no slow hash. */
export const recoveryCodeHash = (code: string): Buffer => createHash('sha256').update(plainCode(code)).digest()
