import { isCommonPassword } from './commonPasswords.ts'

/** A password has any characters, and no rules of composition (rules/people 6). */
export const SHORTEST_PASSWORD = 15
export const LONGEST_PASSWORD = 128
/** A shorter name may stand in a good password by chance. */
const SHORTEST_NAME_LOOKED_FOR = 4

/** The form in which passwords are compared: two keyboards may write one letter in two ways. */
export const normalisedPassword = (password: string): string => password.normalize('NFKC')

/**
 * Why a password cannot be used, in a sentence; undefined when it can.
 *
 * @param username of its owner, who may not use it as a password; absent: nobody's yet
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
