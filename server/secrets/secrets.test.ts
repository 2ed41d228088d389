import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { openPool } from '#server/db/connect/pool.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { addCustomer, addUser, ask } from '#server/testing/callers.ts'
import { testCipher } from '#server/testing/database/testCipher.ts'
import { decryptText, encryptText, newSecretKey, secretKeyOf } from './encryptedText.ts'
import { encryptSecretsJob } from './encryptSecretsJob.ts'
import type { SecretCipher } from './SecretCipher.ts'
import { replaceLostSecretsKey, rotateSecretsKey } from './secretKeyChanges.store.ts'
import { readSecretKeys, secretKeyPath, writeSecretKeys } from './secretKeyFile.ts'
import { openSecrets, secretsTrouble } from './secretKeys.store.ts'
import { encryptAll } from './secretPlaces.store.ts'

const api = await apiTest({ config: { outboundAllow: ['127.0.0.1'] } })
const owner = openPool(api.ownerUrl, { maximumConnections: 2, name: 'test owner' })
afterAll(() => owner.end())
const customerId = await addCustomer(api.pool, 'Harbour')
const userId = await addUser(api.pool, { username: 'ida@a.example', functions: [1] })
const token = await api.signedIn({ username: 'admin@a.example', functions: [1] })

/** Each data folder stands for a process that uses the embedded database. */
const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})
const newConfig = (more: object = {}) => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'wayside-secrets-'))
  folders.push(dataFolder)
  return { dataFolder, databaseUrl: undefined, secretsKey: undefined, secretsOldKey: undefined, ...more }
}

const CANARY = 'canary-of-a-secret'
/** Writes rows as an earlier version did that encrypted nothing. */
async function plainRows(canary = CANARY) {
  const settings = JSON.stringify({ address: '', recipient: 'C1', user: '', issueType: '', transitionId: '' })
  const signing = JSON.stringify([
    { key: `${canary} new`, until: null },
    { key: `${canary} old`, until: '2030-01-01T00:00:00.000Z' },
  ])
  const channel = await owner.query(
    `insert into channel (name, kind, settings, secret, signing, inbound_secret, most_per_hour)
     values ('Plain', 'webhook', $1, $2, $3, $4, 30) returning id`,
    [settings, `https://hooks.example/${canary}`, signing, `${canary} inbound`],
  )
  await owner.query(
    `insert into sign_in_provider (name, issuer, client_id, client_secret, domains, role_claim, role_rules, trusts_mail, is_required, is_on)
     values ('Plain', 'https://id.example', 'wayside', $1, '{}', 'groups', '[]', false, false, true)`,
    [`${canary} client`],
  )
  await owner.query(
    `insert into user_factor (user_id, kind, name, secret) values ($1, 'authenticator', 'Plain', convert_to($2, 'UTF8'))`,
    [userId, `${canary} app`],
  )
  await owner.query(
    `insert into device_driver (device_id, part, driver, options, secrets) values (1, 'ups', 'nut', '{}', $1)`,
    [JSON.stringify({ password: `${canary} driver` })],
  )
  return channel.rows[0].id as number
}

/** Returns everything that the database holds as text; bytes also as what they spell. */
async function dumped(): Promise<string> {
  const { rows: tables } = await owner.query<{ name: string }>(
    `select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'`,
  )
  let text = ''
  for (const { name } of tables) {
    const { rows } = await owner.query<{ row: unknown }>(`select to_jsonb(t) as row from ${name} t`)
    text += JSON.stringify(rows)
  }
  const bytes = [...text.matchAll(/\\\\x([0-9a-f]+)/g)].map(([, hex = '']) =>
    Buffer.from(hex, 'hex').toString('latin1'),
  )
  return `${text}\n${bytes.join('\n')}`
}

async function runJob(cipher: SecretCipher): Promise<void> {
  const client = new pg.Client({ connectionString: api.ownerUrl })
  await client.connect()
  await encryptSecretsJob(cipher).run(client, new Date(), new AbortController().signal)
  await client.end()
}

beforeEach(async () => {
  await owner.query('truncate secret_key, channel, sign_in_provider, user_factor, device_driver cascade')
})

test('a value is read by its key, in its place, as it was written, and by nothing else', () => {
  const [key, other] = [newSecretKey(), newSecretKey()]
  const value = encryptText(key, CANARY, 'channel/1/secret')
  expect(decryptText(key, value, 'channel/1/secret')).toBe(CANARY)
  expect(() => decryptText(key, value, 'channel/2/secret')).toThrow()
  expect(() => decryptText(other, value, 'channel/1/secret')).toThrow()
  const changed = `${value.slice(0, -2)}${value.endsWith('AA') ? 'BB' : 'AA'}`
  expect(() => decryptText(key, changed, 'channel/1/secret')).toThrow()
  expect(encryptText(key, CANARY, 'channel/1/secret')).not.toBe(value)
})

test('what was plain text is encrypted by a job, and what is written from then on is too: no dump has it', async () => {
  await plainRows()
  expect((await dumped()).split(CANARY).length).toBeGreaterThan(6)
  expect(await encryptAll(owner, testCipher)).toEqual({ changed: 7, unreadable: 0 })
  expect(await encryptAll(owner, testCipher)).toEqual({ changed: 0, unreadable: 0 })
  const post = async (path: string, body: object) => (await ask(api, path, { token, method: 'POST', body })).json()
  const { id } = await post('Channel/SetChannel', {
    name: 'Slack',
    kind: 'slack',
    settings: { recipient: 'C1' },
    secret: `${CANARY}-slack`,
  })
  expect(id).toBeGreaterThan(0)
  const { id: jira } = await post('Channel/SetChannel', {
    name: 'Jira',
    kind: 'jira',
    settings: { address: 'https://a.example', recipient: 'OPS', user: 'ada' },
    secret: `${CANARY}-jira`,
  })
  await post('Channel/SetInbound', { id: jira, isOn: true, secret: `${CANARY}-heard` })
  const device = await post('Device/CreateDevice', { customerId, modelId: 1, name: 'Totem' })
  const driver = { driver: 'nut', options: { host: '10.0.0.5', password: `${CANARY}-nut` } }
  const chosen = await post('Device/SetDeviceDriver', { deviceId: device.id, part: 'ups', ...driver })
  expect(JSON.stringify(chosen)).toContain('"secrets":["password"]')
  expect(await dumped()).not.toContain(CANARY)
})

test('the first start makes a key that nobody else reads, and the next one takes it', async () => {
  const config = newConfig()
  const first = await openSecrets(api.pool, config)
  expect(statSync(secretKeyPath(config)).mode & 0o777).toBe(0o600)
  const value = first.encrypt(CANARY, 'channel/1/secret')
  expect((await openSecrets(api.pool, config)).decrypt(value, 'channel/1/secret')).toBe(CANARY)
  expect(secretsTrouble(first, config)).toBeUndefined()
})

test('without its key everything else works, it is said in words, and no other key is made', async () => {
  const config = newConfig()
  const id = await plainRows()
  await encryptAll(owner, await openSecrets(api.pool, config))
  const key = readFileSync(secretKeyPath(config))
  rmSync(secretKeyPath(config))
  const cipher = await openSecrets(api.pool, config)
  expect(existsSync(secretKeyPath(config))).toBe(false)
  expect(secretsTrouble(cipher, config)).toContain(`The key of kept secrets is not in ${secretKeyPath(config)}`)
  const { rows } = await owner.query('select secret from channel where id = $1', [id])
  expect(() => cipher.encrypt(CANARY, 'channel/1/secret')).toThrow('The key of kept secrets is missing')
  expect(() => cipher.decrypt(rows[0].secret, `channel/${id}/secret`)).toThrow('The key of kept secrets is missing')
  await runJob(cipher)
  writeFileSync(secretKeyPath(config), key)
  expect(cipher.decrypt(rows[0].secret, `channel/${id}/secret`)).toContain(CANARY)
  expect(secretsTrouble(cipher, config)).toBeUndefined()
})

test('a key of another database encrypts nothing here', async () => {
  const config = newConfig()
  await openSecrets(api.pool, config)
  const foreign = newConfig({ databaseUrl: 'postgres://other/machine', secretsKey: 'd4'.repeat(32) })
  const cipher = await openSecrets(api.pool, foreign)
  expect(cipher.hasKey).toBe(false)
  expect(secretsTrouble(cipher, foreign)).toContain('WAYSIDE_SECRETS_KEY')
  // The second process stands for another machine, to which nobody gave the key.
  const second = newConfig({ databaseUrl: 'postgres://other/machine' })
  expect((await openSecrets(api.pool, second)).hasKey).toBe(false)
  expect(existsSync(secretKeyPath(second))).toBe(false)
})

test('the key is changed while a server runs, and goes on where it broke off', async () => {
  const config = newConfig()
  const running = await openSecrets(api.pool, config)
  const id = await plainRows()
  await encryptAll(owner, running)
  const secretOf = async () => (await owner.query('select secret from channel where id = $1', [id])).rows[0].secret
  // The rotation was interrupted when the file had both keys, and nothing was encrypted anew.
  const [old] = readSecretKeys(config)
  if (!old) throw new Error('There is no key.')
  const next = newSecretKey()
  writeSecretKeys(config, [next, old])
  expect(running.decrypt(await secretOf(), `channel/${id}/secret`)).toContain(CANARY)
  expect(await rotateSecretsKey(owner, config)).toBe('7 secrets have the new key. The older one is gone.')
  expect(readSecretKeys(config)).toEqual([next])
  expect(running.decrypt(await secretOf(), `channel/${id}/secret`)).toContain(CANARY)
  expect(running.encrypt('x', 'y')).toContain(next.id)
  expect((await owner.query('select id from secret_key')).rows).toEqual([{ id: next.id }])
  expect(await rotateSecretsKey(owner, config)).toContain('7 secrets have the new key')
  expect(readSecretKeys(config)).not.toContainEqual(next)
})

test('a key that is set is changed by two settings', async () => {
  const config = newConfig({ secretsKey: 'a1'.repeat(32) })
  await openSecrets(api.pool, config)
  await plainRows()
  await encryptAll(owner, await openSecrets(api.pool, config))
  await expect(rotateSecretsKey(owner, config)).rejects.toThrow('WAYSIDE_SECRETS_OLD_KEY')
  const both = { ...config, secretsKey: 'b2'.repeat(32), secretsOldKey: 'a1'.repeat(32) }
  await openSecrets(api.pool, both)
  expect(await rotateSecretsKey(owner, both)).toContain('7 secrets have the new key')
  const after = { ...both, secretsOldKey: undefined }
  expect(await encryptAll(owner, await openSecrets(api.pool, after))).toEqual({ changed: 0, unreadable: 0 })
  expect((await owner.query('select id from secret_key')).rows).toEqual([{ id: secretKeyOf('b2'.repeat(32)).id }])
})

test('a lost key is given up by a command, and what it encrypted is counted until it is entered again', async () => {
  const config = newConfig()
  await openSecrets(api.pool, config)
  await plainRows()
  await encryptAll(owner, await openSecrets(api.pool, config))
  await expect(replaceLostSecretsKey(owner, config)).rejects.toThrow('is not lost')
  rmSync(secretKeyPath(config))
  expect(await replaceLostSecretsKey(owner, config)).toContain('7 secrets cannot be read any more')
  const cipher = await openSecrets(api.pool, config)
  await runJob(cipher)
  expect(secretsTrouble(cipher, config)).toBe(
    'There are kept secrets that cannot be read any more, because their key was lost: 7.',
  )
  expect(cipher.hasKey).toBe(true)
})
