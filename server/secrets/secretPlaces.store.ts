import type { Queryable } from '#server/db/transaction.ts'
import { keyIdOf, valuePrefix } from './encryptedText.ts'
import type { SecretCipher } from './SecretCipher.ts'

interface KeptValue {
  readonly key: readonly (string | number)[]
  readonly value: string
}

interface SecretPlace {
  /** Returns the same place that users of the value pass to the cipher. */
  readonly name: (key: KeptValue['key']) => string
  readonly select: string
  /** Changes the value unless somebody else did: $1 is the new value, $2 the one before, then the key follows. */
  readonly update: string
  /** The column holds bytes, whose values are base64 here. */
  readonly isBytes?: true
}

/** Lists everything that is kept encrypted, except what expires within minutes. */
const PLACES: readonly SecretPlace[] = [
  {
    name: ([id]) => `channel/${id}/secret`,
    select: `select array[id::text] as key, secret as value from channel where secret <> '' and not starts_with(secret, $1)`,
    update: 'update channel set secret = $1 where id = $3::int and secret = $2',
  },
  {
    name: ([id]) => `channel/${id}/inbound`,
    select: `select array[id::text] as key, inbound_secret as value from channel
      where inbound_secret <> '' and not starts_with(inbound_secret, $1)`,
    update: 'update channel set inbound_secret = $1 where id = $3::int and inbound_secret = $2',
  },
  {
    name: ([id]) => `channel/${id}/signing`,
    select: `select array[id::text, (n - 1)::text] as key, one ->> 'key' as value
      from channel, jsonb_array_elements(signing) with ordinality each (one, n) where not starts_with(one ->> 'key', $1)`,
    update: `update channel set signing = jsonb_set(signing, array[$4, 'key'], to_jsonb($1::text))
      where id = $3::int and signing #>> array[$4, 'key'] = $2`,
  },
  {
    name: ([id]) => `sign_in_provider/${id}/client_secret`,
    select: `select array[id::text] as key, client_secret as value from sign_in_provider
      where client_secret <> '' and not starts_with(client_secret, $1)`,
    update: 'update sign_in_provider set client_secret = $1 where id = $3::int and client_secret = $2',
  },
  {
    name: ([id]) => `user_factor/${id}/secret`,
    select: `select array[id::text] as key, encode(secret, 'base64') as value from user_factor
      where secret is not null and substring(secret from 1 for length($1)) <> convert_to($1, 'UTF8')`,
    update: `update user_factor set secret = decode($1, 'base64') where id = $3::int and secret = decode($2, 'base64')`,
    isBytes: true,
  },
  {
    name: ([keyId]) => `light_proof_key/${keyId}/private_key`,
    select: `select array[key_id] as key, private_key as value from light_proof_key
      where private_key <> '' and not starts_with(private_key, $1)`,
    update: 'update light_proof_key set private_key = $1 where key_id = $3 and private_key = $2',
  },
  {
    name: ([deviceId, part, option]) => `device_driver/${deviceId}/${part}/${option}`,
    select: `select array[device_id::text, part, each.key] as key, each.value #>> '{}' as value
      from device_driver, jsonb_each(secrets) each
      where jsonb_typeof(each.value) = 'string' and not starts_with(each.value #>> '{}', $1)`,
    update: `update device_driver set secrets = jsonb_set(secrets, array[$5], to_jsonb($1::text))
      where device_id = $3::int and part = $4 and secrets ->> $5 = $2`,
  },
]

export interface Encrypted {
  readonly changed: number
  /** Counts values that no key here can read, or that were changed by hand. */
  readonly unreadable: number
}

/** Encrypts by the present key what another key encrypted or nobody did; it may be interrupted and run again. */
export async function encryptAll(db: Queryable, cipher: SecretCipher): Promise<Encrypted> {
  const [key] = cipher.keys()
  if (!key) return { changed: 0, unreadable: await countByOtherKeys(db, '') }
  let changed = 0
  let unreadable = 0
  for (const place of PLACES) {
    const { rows } = await db.query<KeptValue>(place.select, [valuePrefix(key.id)])
    for (const { key: of, value } of rows) {
      const next = encryptedAnew(cipher, place, { key: of, value })
      if (next === undefined) unreadable += 1
      else {
        await db.query(place.update, [next, value, ...of])
        changed += 1
      }
    }
  }
  return { changed, unreadable }
}

function encryptedAnew(cipher: SecretCipher, { name, isBytes }: SecretPlace, { key, value }: KeptValue) {
  const place = name(key)
  try {
    if (!isBytes) return cipher.encrypt(cipher.decrypt(value, place), place)
    const bytes = cipher.decryptBytes(Buffer.from(value, 'base64'), place)
    return cipher.encryptBytes(bytes, place).toString('base64')
  } catch {
    return undefined
  }
}

/** @param keyId empty counts the values of all keys */
export async function countByOtherKeys(db: Queryable, keyId: string): Promise<number> {
  let count = 0
  for (const { select, isBytes } of PLACES) {
    const { rows } = await db.query<KeptValue>(select, [valuePrefix(keyId || NO_KEY)])
    const texts = rows.map(({ value }) => (isBytes ? Buffer.from(value, 'base64').toString('latin1') : value))
    count += texts.filter((text) => keyIdOf(text) !== undefined).length
  }
  return count
}

const NO_KEY = '-'
