import { createHash, randomInt } from 'node:crypto'

/** Letters and digits that nobody mistakes for each other, so that one is 5 bits. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz234567890'
const GROUPS = 4
const GROUP_LENGTH = 4
const COUNT = 10

const group = () => Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')

/** Ten of 80 random bits each, in groups that can be written down. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: COUNT }, () => Array.from({ length: GROUPS }, group).join('-'))

/** As it is compared, however it was typed. */
export const plainCode = (typed: string): string => typed.toLowerCase().replaceAll(/[\s-]/g, '')

/** What is kept of one: 80 random bits need no slow hash. */
export const recoveryCodeHash = (code: string): Buffer => createHash('sha256').update(plainCode(code)).digest()
