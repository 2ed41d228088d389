import type pg from 'pg'
import { inTransaction } from '#server/db/transaction.ts'
import type { Config } from '../settings/config.ts'
import { newSecretKey } from './encryptedText.ts'
import { SecretCipher } from './SecretCipher.ts'
import { readSecretKeys, type SecretKeyConfig, secretKeyPath, writeSecretKeys } from './secretKeyFile.ts'
import { countByOtherKeys } from './secretPlaces.store.ts'

/** Returns the ids of the keys that encrypt values of this database. */
export async function registeredKeyIds(db: pg.Pool | pg.ClientBase): Promise<ReadonlySet<string>> {
  const { rows } = await db.query<{ id: string }>('select id from secret_key')
  return new Set(rows.map(({ id }) => id))
}

export async function registerKey(db: pg.Pool | pg.ClientBase, id: string): Promise<void> {
  await db.query('insert into secret_key (id) values ($1) on conflict do nothing', [id])
}

export async function forgetOtherKeys(db: pg.Pool | pg.ClientBase, id: string): Promise<void> {
  await db.query('delete from secret_key where id <> $1', [id])
}

/**
 * Opens the cipher of this process. The first process of all makes a key, unless one is set. Where the database already
 * has a key and it is missing here, none is made: what it encrypted would be lost, and processes would encrypt by
 * different keys.
 */
export function openSecrets(
  pool: pg.Pool,
  config: SecretKeyConfig & Pick<Config, 'databaseUrl'>,
): Promise<SecretCipher> {
  return inTransaction(pool, async (connection) => {
    // The lock lets only one of the processes that start together make the key.
    await connection.query('lock table secret_key in exclusive mode')
    let registered = await registeredKeyIds(connection)
    let keys = readSecretKeys(config)
    // Nothing can be lost, and no other process uses it: the embedded database has one data folder.
    const isUnused = config.databaseUrl === undefined && (await countByOtherKeys(connection, '')) === 0
    if (registered.size === 0 || (keys.length === 0 && isUnused)) {
      if (keys.length === 0) {
        keys = [newSecretKey()]
        writeSecretKeys(config, keys)
      }
      if (keys[0]) {
        await registerKey(connection, keys[0].id)
        await forgetOtherKeys(connection, keys[0].id)
      }
      registered = await registeredKeyIds(connection)
    } else if (keys[0] && keys.some(({ id }) => registered.has(id))) await registerKey(connection, keys[0].id)
    return new SecretCipher({ readKeys: () => readSecretKeys(config), registeredIds: registered })
  })
}

/** Returns what is wrong and what to do about it; undefined when all is well. */
export function secretsTrouble({ hasKey, unreadableCount }: SecretCipher, config: SecretKeyConfig): string | undefined {
  if (!hasKey) {
    const place = config.secretsKey === undefined ? secretKeyPath(config) : 'WAYSIDE_SECRETS_KEY'
    return `The key of kept secrets is not in ${place}: channels, identity providers, authenticator apps and drivers wait for it.`
  }
  if (unreadableCount === 0) return undefined
  return `There are kept secrets that cannot be read any more, because their key was lost: ${unreadableCount}.`
}
