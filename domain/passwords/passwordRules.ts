import { isCommonPassword } from './commonPasswords.ts'

/** A password may have any characters, and there are no rules of composition (rules/people 6). */
export const SHORTEST_PASSWORD = 15
const LONGEST_PASSWORD = 128
/** A shorter name may be in a good password by chance. */
const SHORTEST_NAME_LOOKED_FOR = 4

/** Passwords are compared in this form, because two keyboards may encode one letter differently. */
export const normalisedPassword = (password: string): string => password.normalize('NFKC')

/**
 * Returns why a password cannot be used, in a sentence; undefined if it can.
 *
 * @param username of its owner, who may not use it as a password; absent if there is none yet
 */
export function weaknessOf(password: string, username = ''): string | undefined {
  const normalised = normalisedPassword(password)
  const length = [...normalised].length
  if (length < SHORTEST_PASSWORD) return `A password has at least ${SHORTEST_PASSWORD} characters.`
  if (length > LONGEST_PASSWORD) return `A password has at most ${LONGEST_PASSWORD} characters.`
  if (holdsName(normalised, username)) return 'A password must not contain the username.'
  if (isCommonPassword(normalised)) {
    return 'This password is too common: it is made of words, repetitions or rows of keys that are tried first.'
  }
  return undefined
}

function holdsName(password: string, username: string): boolean {
  const name = username.trim().toLowerCase()
  const names = [name, name.split('@')[0] ?? ''].filter(({ length }) => length >= SHORTEST_NAME_LOOKED_FOR)
  return names.some((one) => password.toLowerCase().includes(one))
}
