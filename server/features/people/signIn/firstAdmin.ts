import { randomInt } from 'node:crypto'
import type { Db } from '#server/db/database.ts'
import { whyGuessable } from './passwords/guessing.ts'
import { hashPassword } from './passwords/passwords.ts'
import { addIfMissing, ensureRole, hasUsers } from './signInUsers.store.ts'

/** These letters and digits are not mistaken for each other. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789'
const GROUPS = 5
const GROUP_LENGTH = 4

/** Generates 100 random bits in groups that can be read out. */
function generatePassword(): string {
  const group = () => Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
  return Array.from({ length: GROUPS }, group).join('-')
}

/** The first administrator has this username where the demo does not run. */
export const FIRST_ADMIN = 'admin@wayside.local'

/**
 * Makes the first administrator when there is no user at all; later starts change nothing.
 * @param password one is generated when it is undefined
 * @throws Error of one sentence when the password would be guessed
 * @returns the username, and a generated password, which cannot be shown again later
 */
export async function ensureFirstAdmin(
  db: Db,
  { username, password }: { readonly username: string; readonly password?: string | undefined },
): Promise<{ readonly isNew: boolean; readonly username: string; readonly generatedPassword?: string }> {
  if (await hasUsers(db)) return { isNew: false, username }
  const weakness = password === undefined ? undefined : await whyGuessable(password, [username])
  // The message must not contain the password.
  if (weakness !== undefined) throw new Error(`WAYSIDE_ADMIN_PASSWORD cannot be used: ${weakness}`)
  const generatedPassword = password === undefined ? generatePassword() : undefined
  const isNew = await addIfMissing(db, {
    username,
    firstName: 'First',
    lastName: 'Administrator',
    roleId: await ensureRole(db, 'Administrator', [1, 7]),
    passwordHash: await hashPassword(password ?? generatedPassword ?? ''),
  })
  // When two servers start at once on an empty database, one loses, and its password is never used.
  if (!isNew) return { isNew, username }
  return { isNew, username, ...(generatedPassword === undefined ? {} : { generatedPassword }) }
}
