import type pg from 'pg'
import { newSecretKey } from './encryptedText.ts'
import { SecretCipher } from './SecretCipher.ts'
import { readSecretKeys, type SecretKeyConfig, writeSecretKeys } from './secretKeyFile.ts'
import { forgetOtherKeys, registeredKeyIds, registerKey } from './secretKeys.store.ts'
import { countByOtherKeys, encryptAll } from './secretPlaces.store.ts'

/**
 * Encrypts everything by a new key. After an interruption it goes on where it stopped: the file holds both keys until
 * nothing needs the older one.
 *
 * @param owner connected as the owner of the tables
 * @returns what happened, in a sentence
 * @throws Error of one sentence
 */
export async function rotateSecretsKey(owner: pg.Pool, config: SecretKeyConfig): Promise<string> {
  const registered = await registeredKeyIds(owner)
  const present = readSecretKeys(config)
  if (!present.some(({ id }) => registered.has(id))) throw new Error('The present key of kept secrets is not here.')
  const isSet = config.secretsKey !== undefined
  if (isSet && present.length < 2)
    throw new Error(
      'Set the new key as WAYSIDE_SECRETS_KEY and the present one as WAYSIDE_SECRETS_OLD_KEY, restart every server, then run this again.',
    )
  const [key, older] = isSet || present.length > 1 ? present : [newSecretKey(), ...present]
  if (!key || !older) throw new Error('There is no key of kept secrets.')
  await registerKey(owner, key.id)
  if (!isSet) writeSecretKeys(config, [key, older])
  const cipher = new SecretCipher({ readKeys: () => readSecretKeys(config), registeredIds: new Set([key.id]) })
  const { changed } = await encryptAll(owner, cipher)
  const left = await countByOtherKeys(owner, key.id)
  if (left > 0) return `${changed} secrets have the new key; ${left} cannot be read, so the older key stays.`
  await forgetOtherKeys(owner, key.id)
  if (!isSet) writeSecretKeys(config, [key])
  return `${changed} secrets have the new key. ${isSet ? 'WAYSIDE_SECRETS_OLD_KEY is not needed any more.' : 'The older one is gone.'}`
}

/**
 * Begins with another key when the present one is lost: values of the lost key stay unreadable until somebody enters
 * them again.
 *
 * @throws Error of one sentence
 */
export async function replaceLostSecretsKey(owner: pg.Pool, config: SecretKeyConfig): Promise<string> {
  const registered = await registeredKeyIds(owner)
  let keys = readSecretKeys(config)
  if (keys.some(({ id }) => registered.has(id)))
    throw new Error('The key of kept secrets is not lost; npm run admin -- rotate-secrets-key gives another one.')
  if (keys.length === 0) {
    keys = [newSecretKey()]
    writeSecretKeys(config, keys)
  }
  const [key] = keys
  if (!key) throw new Error('There is no key of kept secrets.')
  await registerKey(owner, key.id)
  await forgetOtherKeys(owner, key.id)
  const lost = await countByOtherKeys(owner, key.id)
  return `There is another key; ${lost} secrets cannot be read any more and have to be entered again. Restart every server.`
}
