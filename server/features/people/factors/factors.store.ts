import { sql } from 'kysely'
import type { UserId } from '#domain/ids.ts'
import type { Db } from '#server/db/database.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { type Allowance, giveAllowanceBack, givingBackSql, takeAllowance } from '#server/http/limits/allowance.store.ts'
import { factorDueAt } from '#server/people/factorDue.store.ts'
import type { SecretCipher } from '#server/secrets/SecretCipher.ts'

/** Somebody with the password or a session may try so many codes in one browser or session. */
const CODES_OF_PLACE: Allowance = { atOnce: 10, perHour: 1 }
/**
 * All places of a user share this allowance. Three of a million codes are valid at a time, so one in twenty thieves who
 * try all year would get in. It exceeds the allowance of one place, so that a stranger with the password leaves
 * something to the owner's browsers.
 */
const CODES_OF_USER: Allowance = { atOnce: 20, perHour: 2 }

const codesOfPlace = (userId: UserId, place: string) => `second-factor:${userId}:${place}`
const codesOfUser = (userId: UserId) => `second-factor-of-user:${userId}`

/**
 * Counts a code for its place and its user, for all servers together.
 * @param place has an allowance of its own: a browser that its owner has used, or a session
 * @returns seconds to wait; 0 when the code may be judged
 */
export async function countCode(db: Db, userId: UserId, place: string): Promise<number> {
  const waitAtPlace = await takeAllowance(db, codesOfPlace(userId, place), CODES_OF_PLACE)
  if (waitAtPlace > 0) return waitAtPlace
  const wait = await takeAllowance(db, codesOfUser(userId), CODES_OF_USER)
  // A code that is not judged must not count against the browser.
  if (wait > 0) await giveAllowanceBack(db, codesOfPlace(userId, place), CODES_OF_PLACE)
  return wait
}

/** Takes the count of a right code back. */
export async function uncountCode(transaction: Tx, userId: UserId, place: string): Promise<void> {
  await givingBackSql(codesOfPlace(userId, place), CODES_OF_PLACE).execute(transaction)
  await givingBackSql(codesOfUser(userId), CODES_OF_USER).execute(transaction)
}

export const listFactorsOf = (db: Db, userId: UserId) =>
  db
    .selectFrom('user_factor')
    .select(['id', 'kind', 'name', 'created_at as addedAt', 'last_used_at as lastUsedAt'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute()

export async function hasFactor(db: Db, userId: UserId): Promise<boolean> {
  const found = await db.selectFrom('user_factor').select('id').where('user_id', '=', userId).executeTakeFirst()
  return found !== undefined
}

const placeOf = (id: number) => `user_factor/${id}/secret`

/**
 * Reads the secrets of a user's authenticator apps.
 * @throws CallError `secret_key_missing`
 */
export async function readSecrets(db: Db, cipher: SecretCipher, userId: UserId) {
  const kept = await db
    .selectFrom('user_factor')
    .select(['id', 'secret'])
    .where('user_id', '=', userId)
    .where('secret', 'is not', null)
    .$narrowType<{ secret: Buffer }>()
    .execute()
  return kept.map(({ id, secret }) => ({ id, secret: cipher.decryptBytes(secret, placeOf(id)) }))
}

/** @returns false when a code of this period or a later one was accepted already */
export async function takePeriod(transaction: Tx, id: number, period: number): Promise<boolean> {
  const taken = await transaction
    .updateTable('user_factor')
    .set({ last_step: period, last_used_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('last_step', 'is', null), eb('last_step', '<', period)]))
    .returning('id')
    .execute()
  return taken.length > 0
}

/** Counts the codes that were not used. */
export async function countRecoveryCodes(db: Db, userId: UserId): Promise<number> {
  const { left } = await db
    .selectFrom('recovery_code')
    .select(sql<number>`count(*)::int`.as('left'))
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return left
}

/** @returns false when no such code exists or it was used */
export async function takeRecoveryCode(transaction: Tx, userId: UserId, hash: Buffer): Promise<boolean> {
  const taken = await transaction
    .updateTable('recovery_code')
    .set({ used_at: sql<Date>`now()` })
    .where('user_id', '=', userId)
    .where('code_hash', '=', hash)
    .where('used_at', 'is', null)
    .returning('user_id')
    .execute()
  return taken.length > 0
}

export async function replaceRecoveryCodes(transaction: Tx, userId: UserId, hashes: readonly Buffer[]): Promise<void> {
  await transaction.deleteFrom('recovery_code').where('user_id', '=', userId).execute()
  const rows = hashes.map((hash) => ({ user_id: userId, code_hash: hash }))
  if (rows.length > 0) await transaction.insertInto('recovery_code').values(rows).execute()
}

/** Keeps others from changing this user's factors until the transaction ends. */
export async function lockAndCountFactors(transaction: Tx, userId: UserId): Promise<number> {
  await transaction.selectFrom('app_user').select('id').where('id', '=', userId).forUpdate().execute()
  const found = await transaction.selectFrom('user_factor').select('id').where('user_id', '=', userId).execute()
  return found.length
}

export interface NewAuthenticator {
  readonly name: string
  readonly secret: Buffer
  /** The period of its first code, which works no second time. */
  readonly period: number
}

export async function insertAuthenticator(
  transaction: Tx,
  cipher: SecretCipher,
  userId: UserId,
  { name, secret, period }: NewAuthenticator,
): Promise<void> {
  const { id } = await transaction
    .insertInto('user_factor')
    .values({ user_id: userId, kind: 'authenticator', name, last_step: period })
    .returning('id')
    .executeTakeFirstOrThrow()
  const encrypted = cipher.encryptBytes(secret, placeOf(id))
  await transaction.updateTable('user_factor').set({ secret: encrypted }).where('id', '=', id).execute()
}

/** @returns its name; undefined when the user has no such factor */
export const deleteFactor = (transaction: Tx, userId: UserId, id: number) =>
  transaction
    .deleteFrom('user_factor')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returning('name')
    .executeTakeFirst()

/** Tells whether the user's role now requires a second factor. */
export async function isFactorNeeded(transaction: Tx, userId: UserId): Promise<boolean> {
  const found = await transaction
    .selectFrom('app_user')
    .innerJoin('app_role', 'app_role.id', 'app_user.role_id')
    .select(sql<boolean>`coalesce(${factorDueAt} <= now(), false)`.as('isNeeded'))
    .where('app_user.id', '=', userId)
    .executeTakeFirst()
  return found?.isNeeded ?? false
}

/** @returns how many there were */
export async function forgetFactors(transaction: Tx, userId: UserId): Promise<number> {
  const removed = await transaction.deleteFrom('user_factor').where('user_id', '=', userId).returning('id').execute()
  await transaction.deleteFrom('recovery_code').where('user_id', '=', userId).execute()
  return removed.length
}

export const findUserByName = (transaction: Tx, username: string) =>
  transaction
    .selectFrom('app_user')
    .select(['id', 'customer_id as customerId'])
    .where(sql`lower(username)`, '=', username.trim().toLowerCase())
    .where('deleted_at', 'is', null)
    .executeTakeFirst()

export async function noteProved(transaction: Tx, sessionHash: Buffer): Promise<void> {
  await transaction
    .updateTable('app_session')
    .set({ proved_at: sql<Date>`now()` })
    .where('token_hash', '=', sessionHash)
    .execute()
}

/** Ends the proof of every session of this user but this one. */
export async function forgetProofs(transaction: Tx, userId: UserId, but: Buffer): Promise<void> {
  await transaction
    .updateTable('app_session')
    .set({ proved_at: null })
    .where('user_id', '=', userId)
    .where('token_hash', '<>', but)
    .execute()
}
