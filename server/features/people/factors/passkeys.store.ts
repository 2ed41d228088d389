import { sql } from 'kysely'
import type { UserId } from '#domain/ids.ts'
import type { Db } from '#server/db/database.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import type { Passkey } from './passkeyCheck.ts'

export const listPasskeys = (db: Db, userId: UserId): Promise<readonly Passkey[]> =>
  db
    .selectFrom('user_passkey')
    .innerJoin('user_factor', 'user_factor.id', 'user_passkey.factor_id')
    .select(['credential_id as credentialId', 'public_key as publicKey', 'transports'])
    .select(sql<number>`use_count::float8`.as('useCount'))
    .where('user_id', '=', userId)
    .orderBy('factor_id')
    .execute()

/** @returns false when somebody has it already */
export async function insertPasskey(
  transaction: Tx,
  userId: UserId,
  name: string,
  { credentialId, publicKey, useCount, transports }: Passkey,
): Promise<boolean> {
  const { id } = await transaction
    .insertInto('user_factor')
    .values({ user_id: userId, kind: 'passkey', name })
    .returning('id')
    .executeTakeFirstOrThrow()
  const added = await transaction
    .insertInto('user_passkey')
    .values({
      ...{ factor_id: id, credential_id: credentialId, public_key: publicKey },
      ...{ use_count: useCount, transports: [...transports] },
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('factor_id')
    .execute()
  return added.length > 0
}

/** @returns false when it is gone, or was used more often meanwhile */
export async function noteUse(
  transaction: Tx,
  userId: UserId,
  { credentialId, useCount }: Pick<Passkey, 'credentialId' | 'useCount'>,
): Promise<boolean> {
  const noted = await transaction
    .updateTable('user_passkey')
    .from('user_factor')
    .set({ use_count: useCount })
    .whereRef('user_factor.id', '=', 'factor_id')
    .where('user_id', '=', userId)
    .where('credential_id', '=', credentialId)
    .where(sql<boolean>`use_count <= ${useCount}::bigint`)
    .returning('factor_id as id')
    .executeTakeFirst()
  if (!noted) return false
  const used = { last_used_at: sql<Date>`now()` }
  await transaction.updateTable('user_factor').set(used).where('id', '=', noted.id).execute()
  return true
}
