import { sql } from 'kysely'
import type { CustomerId, UserId } from '#domain/ids.ts'
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

export interface FactorRow {
  readonly id: number
  readonly kind: 'authenticator' | 'passkey'
  readonly name: string
  readonly addedAt: Date
  readonly lastUsedAt: Date | null
}

export interface FactorStore {
  readonly transaction: <Result>(work: (transaction: Tx) => Promise<Result>) => Promise<Result>
  /**
   * Counts a code for its place and its user, for all servers together.
   * @param place has an allowance of its own: a browser that its owner has used, or a session
   * @returns seconds to wait; 0 when the code may be judged
   */
  readonly countCode: (userId: UserId, place: string) => Promise<number>
  /** Takes the count of a right code back. */
  readonly uncountCode: (userId: UserId, place: string, transaction: Tx) => Promise<void>
  readonly list: (userId: UserId) => Promise<readonly FactorRow[]>
  readonly has: (userId: UserId) => Promise<boolean>
  /**
   * Reads the secrets of a user's authenticator apps.
   * @throws CallError `secret_key_missing`
   */
  readonly secrets: (userId: UserId) => Promise<readonly { readonly id: number; readonly secret: Buffer }[]>
  /** @returns false when a code of this period or a later one was accepted already */
  readonly takePeriod: (id: number, period: number, transaction: Tx) => Promise<boolean>
  readonly recoveryCodesLeft: (userId: UserId) => Promise<number>
  /** @returns false when no such code exists or it was used */
  readonly takeRecoveryCode: (userId: UserId, hash: Buffer, transaction: Tx) => Promise<boolean>
  readonly replaceRecoveryCodes: (userId: UserId, hashes: readonly Buffer[], transaction: Tx) => Promise<void>
  /** Keeps others from changing this user's factors until the transaction ends. */
  readonly lockAndCount: (userId: UserId, transaction: Tx) => Promise<number>
  readonly addAuthenticator: (
    userId: UserId,
    added: { readonly name: string; readonly secret: Buffer; readonly period: number },
    transaction: Tx,
  ) => Promise<void>
  /** @returns its name; undefined when the user has no such factor */
  readonly remove: (userId: UserId, id: number, transaction: Tx) => Promise<string | undefined>
  /** Tells whether the user's role now requires a second factor. */
  readonly isNeededNow: (userId: UserId, transaction: Tx) => Promise<boolean>
  /** @returns how many there were */
  readonly forget: (userId: UserId, transaction: Tx) => Promise<number>
  readonly userOf: (
    username: string,
    transaction: Tx,
  ) => Promise<{ readonly id: UserId; readonly customerId: CustomerId | null } | undefined>
  readonly noteProved: (sessionHash: Buffer, transaction: Tx) => Promise<void>
  /** Ends the proof of every session of this user but this one. */
  readonly forgetProofs: (userId: UserId, but: Buffer, transaction: Tx) => Promise<void>
}

const codesOfPlace = (userId: UserId, place: string) => `second-factor:${userId}:${place}`
const codesOfUser = (userId: UserId) => `second-factor-of-user:${userId}`

export function createFactorStore(db: Db, cipher: SecretCipher): FactorStore {
  const placeOf = (id: number) => `user_factor/${id}/secret`
  return {
    transaction: (work) => db.transaction().execute(work),

    countCode: async (userId, place) => {
      const waitAtPlace = await takeAllowance(db, codesOfPlace(userId, place), CODES_OF_PLACE)
      if (waitAtPlace > 0) return waitAtPlace
      const wait = await takeAllowance(db, codesOfUser(userId), CODES_OF_USER)
      // A code that is not judged must not count against the browser.
      if (wait > 0) await giveAllowanceBack(db, codesOfPlace(userId, place), CODES_OF_PLACE)
      return wait
    },

    uncountCode: async (userId, place, transaction) => {
      await givingBackSql(codesOfPlace(userId, place), CODES_OF_PLACE).execute(transaction)
      await givingBackSql(codesOfUser(userId), CODES_OF_USER).execute(transaction)
    },

    list: (userId) =>
      db
        .selectFrom('user_factor')
        .select(['id', 'kind', 'name', 'created_at as addedAt', 'last_used_at as lastUsedAt'])
        .where('user_id', '=', userId)
        .orderBy('id')
        .execute(),

    has: async (userId) => {
      const found = await db.selectFrom('user_factor').select('id').where('user_id', '=', userId).executeTakeFirst()
      return found !== undefined
    },

    secrets: async (userId) => {
      const kept = await db
        .selectFrom('user_factor')
        .select(['id', 'secret'])
        .where('user_id', '=', userId)
        .where('secret', 'is not', null)
        .$narrowType<{ secret: Buffer }>()
        .execute()
      return kept.map(({ id, secret }) => ({ id, secret: cipher.decryptBytes(secret, placeOf(id)) }))
    },

    takePeriod: async (id, period, transaction) => {
      const taken = await transaction
        .updateTable('user_factor')
        .set({ last_step: period, last_used_at: sql<Date>`now()` })
        .where('id', '=', id)
        .where((eb) => eb.or([eb('last_step', 'is', null), eb('last_step', '<', period)]))
        .returning('id')
        .execute()
      return taken.length > 0
    },

    recoveryCodesLeft: async (userId) => {
      const { left } = await db
        .selectFrom('recovery_code')
        .select(sql<number>`count(*)::int`.as('left'))
        .where('user_id', '=', userId)
        .where('used_at', 'is', null)
        .executeTakeFirstOrThrow()
      return left
    },

    takeRecoveryCode: async (userId, hash, transaction) => {
      const taken = await transaction
        .updateTable('recovery_code')
        .set({ used_at: sql<Date>`now()` })
        .where('user_id', '=', userId)
        .where('code_hash', '=', hash)
        .where('used_at', 'is', null)
        .returning('user_id')
        .execute()
      return taken.length > 0
    },

    replaceRecoveryCodes: async (userId, hashes, transaction) => {
      await transaction.deleteFrom('recovery_code').where('user_id', '=', userId).execute()
      const rows = hashes.map((hash) => ({ user_id: userId, code_hash: hash }))
      if (rows.length > 0) await transaction.insertInto('recovery_code').values(rows).execute()
    },

    lockAndCount: async (userId, transaction) => {
      await transaction.selectFrom('app_user').select('id').where('id', '=', userId).forUpdate().execute()
      const found = await transaction.selectFrom('user_factor').select('id').where('user_id', '=', userId).execute()
      return found.length
    },

    addAuthenticator: async (userId, { name, secret, period }, transaction) => {
      const { id } = await transaction
        .insertInto('user_factor')
        .values({ user_id: userId, kind: 'authenticator', name, last_step: period })
        .returning('id')
        .executeTakeFirstOrThrow()
      const encrypted = cipher.encryptBytes(secret, placeOf(id))
      await transaction.updateTable('user_factor').set({ secret: encrypted }).where('id', '=', id).execute()
    },

    remove: async (userId, id, transaction) => {
      const removed = await transaction
        .deleteFrom('user_factor')
        .where('user_id', '=', userId)
        .where('id', '=', id)
        .returning('name')
        .executeTakeFirst()
      return removed?.name
    },

    isNeededNow: async (userId, transaction) => {
      const found = await transaction
        .selectFrom('app_user')
        .innerJoin('app_role', 'app_role.id', 'app_user.role_id')
        .select(sql<boolean>`coalesce(${factorDueAt} <= now(), false)`.as('isNeeded'))
        .where('app_user.id', '=', userId)
        .executeTakeFirst()
      return found?.isNeeded ?? false
    },

    forget: async (userId, transaction) => {
      const removed = await transaction
        .deleteFrom('user_factor')
        .where('user_id', '=', userId)
        .returning('id')
        .execute()
      await transaction.deleteFrom('recovery_code').where('user_id', '=', userId).execute()
      return removed.length
    },

    userOf: (username, transaction) =>
      transaction
        .selectFrom('app_user')
        .select(['id', 'customer_id as customerId'])
        .where(sql`lower(username)`, '=', username.trim().toLowerCase())
        .where('deleted_at', 'is', null)
        .executeTakeFirst(),

    noteProved: async (sessionHash, transaction) => {
      await transaction
        .updateTable('app_session')
        .set({ proved_at: sql<Date>`now()` })
        .where('token_hash', '=', sessionHash)
        .execute()
    },

    forgetProofs: async (userId, but, transaction) => {
      await transaction
        .updateTable('app_session')
        .set({ proved_at: null })
        .where('user_id', '=', userId)
        .where('token_hash', '<>', but)
        .execute()
    },
  }
}
