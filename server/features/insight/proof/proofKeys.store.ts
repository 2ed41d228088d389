import { createHash, generateKeyPairSync } from 'node:crypto'
import type { ProofKey } from '#contract/http/insight/lightProofs.ts'
import type { Db } from '#server/db/database.ts'
import { statementsOf } from '#server/db/statements.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import type { SecretCipher } from '#server/secrets/SecretCipher.ts'

const ID_DIGITS = 16

/** A key as it is stored; the private half is encrypted. */
export interface KeptKey {
  readonly id: number
  readonly keyId: string
  readonly privateKey: string
}

const placeOf = (keyId: string) => `light_proof_key/${keyId}/private_key`

export async function listKeys(db: Db | Tx): Promise<readonly ProofKey[]> {
  const { rows } = await statementsOf(db).query<Omit<ProofKey, 'signsSince' | 'signedUntil'> & KeyTimes>(
    `select key_id as id, public_key as "publicKey", signs_since as "signsSince", signed_until as "signedUntil"
     from light_proof_key order by signed_until desc nulls first`,
  )
  return rows.map(({ signsSince, signedUntil, ...key }) => ({
    ...{ ...key, signsSince: signsSince.toISOString(), signedUntil: signedUntil?.toISOString() ?? null },
  }))
}

interface KeyTimes {
  readonly signsSince: Date
  readonly signedUntil: Date | null
}

/** Finds the key that signs now. The first is made when it is needed, and of two made at once only one stays. */
export async function presentKey(db: Db | Tx, cipher: SecretCipher): Promise<KeptKey> {
  const found = await findPresent(db)
  if (found) return found
  await insertKey(db, cipher)
  return (await findPresent(db)) as KeptKey
}

async function findPresent(db: Db | Tx): Promise<KeptKey | undefined> {
  const { rows } = await statementsOf(db).query<KeptKey>(
    `select id, key_id as "keyId", private_key as "privateKey" from light_proof_key where signed_until is null`,
  )
  return rows[0]
}

/** @throws CallError `secret_key_missing` */
export const privatePem = (cipher: SecretCipher, { keyId, privateKey }: KeptKey): string =>
  cipher.decrypt(privateKey, placeOf(keyId))

async function insertKey(db: Db | Tx, cipher: SecretCipher): Promise<void> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const keyId = createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('hex')
    .slice(0, ID_DIGITS)
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  await statementsOf(db).query(
    `insert into light_proof_key (key_id, public_key, private_key, signs_since)
     values ($1, $2, $3, clock_timestamp()) on conflict do nothing`,
    [keyId, publicKey.export({ type: 'spki', format: 'pem' }).toString(), cipher.encrypt(pem, placeOf(keyId))],
  )
}

/** Begins another key. The private half of the one before is gone from here on, so nobody can sign by it any more. */
export async function replaceKey(transaction: Tx, cipher: SecretCipher): Promise<KeptKey> {
  await statementsOf(transaction).query(
    `update light_proof_key set signed_until = clock_timestamp(), private_key = '' where signed_until is null`,
  )
  return presentKey(transaction, cipher)
}
