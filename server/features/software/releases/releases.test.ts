import { randomBytes } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { LARGEST_RELEASE_BYTES, type ReleaseList } from '#contract/http/software/releases.ts'
import { releasePath } from '#contract/mqtt/client.ts'
import { deviceSettings } from '#contract/mqtt/settings.ts'
import { readHeader } from '#domain/releases/header.ts'
import { readSettingsDocuments } from '#server/gateway/commands/settingsDocument.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { addCustomer, addDevice, ask, countAuditRows, startApi } from '#server/testing/callers.ts'
import { runFolder } from '#server/testing/database/freshDatabase.ts'
import { testCipher } from '#server/testing/database/testCipher.ts'
import { insertKey } from '#server/testing/devices/gatewayFixture.ts'
import { backTargetFile, releaseFile, TEST_RELEASE_KEY } from '#server/testing/releases.ts'
import { newReleaseKey } from '#tools/releaseFile.ts'

const key = randomBytes(32).toString('base64url')
const dataFolder = runFolder('releases')
const config = { releaseKeys: [TEST_RELEASE_KEY], dataFolder }
const api = await apiTest({ config })
const token = await api.signedIn({ username: 'admin@staff.example', functions: [1] })
const device = await addDevice(api.pool, { name: 'Totem', customerId: await addCustomer(api.pool, 'Ours', 1) })
await insertKey(api.pool, device.id, key)
beforeEach(async () => {
  await api.pool.query('delete from client_update; delete from client_rollout; delete from client_release')
})

const upload = (file: Buffer, fileName = 'release.mjs') =>
  ask(api, 'Release/UploadRelease', {
    token,
    method: 'POST',
    body: { fileName, contentBase64: file.toString('base64') },
  })
const list = async (): Promise<ReleaseList> => (await ask(api, 'Release/GetReleaseList', { token })).json()
const versions = async () => (await list()).rows.map(({ version, isNewest }) => [version, isNewest])

test('a signed file becomes the newest release, byte for byte, and the log says who brought it', async () => {
  const file = await releaseFile('1.9.0')
  expect((await upload(file, 'wayside-client-1.9.0.mjs')).json()).toMatchObject({
    version: '1.9.0',
    isNewest: true,
    uploadedBy: 'admin@staff.example',
    deviceCount: 0,
  })
  await upload(await releaseFile('1.10.0'))
  expect(await versions()).toEqual([
    ['1.10.0', true],
    ['1.9.0', false],
  ])
  const { rows } = await api.pool.query(`select content from client_release where version = '1.9.0'`)
  expect(file.equals(rows[0].content)).toBe(true)
  const { rows: audited } = await api.pool.query(`select * from audit_log where entity_name = '1.9.0'`)
  expect(audited).toMatchObject([
    { outcome: 'done', entity_type_id: 10, action_id: 1, details: 'wayside-client-1.9.0.mjs' },
  ])
})

const damaged = async () => Buffer.concat([await releaseFile('3.0.0'), Buffer.from('// more')])
const changed = async () => {
  const file = await releaseFile('3.0.0')
  file[file.length - 2] = 0x20
  return file
}
const renamed = async () => Buffer.from((await releaseFile('3.0.0')).toString().replace('"3.0.0"', '"4.0.0"'))
const unsigned = async () =>
  Buffer.from((await releaseFile('3.0.0')).toString().replace(/"signature":"[^"]*"/, '"signature":""'))
const REFUSALS: readonly (readonly [string, () => Promise<Buffer>, string])[] = [
  ['cut or longer', damaged, 'damaged'],
  ['changed by a byte', changed, 'damaged'],
  ['given another version', renamed, 'signature'],
  ['unsigned', unsigned, 'not signed'],
  ['signed by somebody else', () => releaseFile('3.0.0', { by: newReleaseKey().key }), 'key that is trusted'],
  ['older', () => releaseFile('1.9.9'), 'Version 1.9.9 is older than 2.0.0, the newest that was ever taken in.'],
  ['the newest again', () => releaseFile('2.0.0'), 'Version 2.0.0 is not newer than the release of this version'],
  [
    'older, and made a target by somebody else',
    () => backTargetFile('1.9.9', { by: newReleaseKey().key }),
    'key that is',
  ],
  ['another program', async () => Buffer.from('console.log(1)\n'), 'no release'],
]

test.each(REFUSALS)('a file that is %s is refused with the reason, and changes nothing', async (_what, make, words) => {
  await upload(await releaseFile('2.0.0'))
  const before = await countAuditRows(api.pool)
  const answer = await upload(await make())
  expect([answer.statusCode, answer.json().code]).toEqual([400, 'release_refused'])
  expect(answer.json().message).toContain(words)
  expect(await versions()).toEqual([['2.0.0', true]])
  expect((await countAuditRows(api.pool)) - before).toBe(1)
})

test.each(['../release.mjs', 'a/b.mjs', 'C:\\release.mjs', '..', ''])('the name "%s" is refused', async (fileName) => {
  const answer = await upload(await releaseFile('2.0.0'), fileName)
  expect(answer.statusCode).toBe(400)
  expect(await versions()).toEqual([])
})

test('a file of several megabytes passes, one beyond the limit does not, and other calls take no more than before', async () => {
  const program = `//${'x'.repeat(6_000_000)}`
  expect((await upload(await releaseFile('2.0.0', { program }))).statusCode).toBe(200)
  const tooLarge = await upload(Buffer.alloc(LARGEST_RELEASE_BYTES + 4096))
  expect([tooLarge.statusCode, tooLarge.json().code]).toEqual([413, 'request_too_large'])
  const elsewhere = await ask(api, 'ClientUpdate/PauseUpdate', { token, method: 'POST', body: { id: 1, x: program } })
  expect(elsewhere.statusCode).toBe(413)
  for (const contentBase64 of ['####', 'abc', 'YQ=a']) {
    const body = { fileName: 'release.mjs', contentBase64 }
    expect((await ask(api, 'Release/UploadRelease', { token, method: 'POST', body })).statusCode).toBe(400)
  }
})

test('a release that an update uses stays; after that it goes, and its devices are still counted', async () => {
  const { id } = (await upload(await releaseFile('2.0.0'))).json()
  await ask(api, 'Device/UpdateClientVersion', { token, method: 'POST', body: [device.id] })
  const remove = () => ask(api, 'Release/DelRelease', { token, method: 'POST', body: { id } })
  expect((await remove()).json()).toMatchObject({ code: 'release_in_use' })
  await api.pool.query(`update client_update set state = 'done'`)
  await api.pool.query(`insert into device_client (device_id, version) values ($1, '2.0.0')`, [device.id])
  expect((await list()).rows).toMatchObject([{ deviceCount: 1, openUpdateCount: 0 }])
  expect((await remove()).json()).toBe(true)
  expect((await remove()).statusCode).toBe(404)
  expect(await list()).toMatchObject({ rows: [], versions: [{ version: '2.0.0', deviceCount: 1 }] })
  expect((await upload(await releaseFile('2.0.0'))).statusCode).toBe(200)
})

test('what is older than the newest ever taken in stays out, also after that one was removed', async () => {
  const newest = await releaseFile('2.0.0')
  const { id } = (await upload(newest)).json()
  await ask(api, 'Release/DelRelease', { token, method: 'POST', body: { id } })
  const answer = await upload(await releaseFile('1.9.9'))
  expect([answer.statusCode, answer.json().message]).toEqual([400, expect.stringContaining('older than 2.0.0')])
  const impostor = await upload(await releaseFile('2.0.0', { program: '// another program\n' }))
  expect(impostor.json().code).toBe('release_refused')
  expect(await versions()).toEqual([])
  expect((await upload(newest)).statusCode).toBe(200)
})

test('a target for going back is signed on purpose, comes in although it is older, and is offered as one', async () => {
  const present = (await upload(await releaseFile('1.9.0'))).json()
  await upload(await releaseFile('2.0.0'))
  expect((await upload(await backTargetFile('1.8.0'))).json()).toMatchObject({ version: '1.8.0', isNewest: false })
  // A present release can become a target for downgrades, once.
  expect((await upload(await backTargetFile('1.9.0'))).json()).toMatchObject({ id: present.id, isNewest: false })
  expect((await upload(await backTargetFile('1.9.0'))).json().code).toBe('release_refused')
  expect((await versions()).map(([version]) => version)).toEqual(['2.0.0', '1.9.0', '1.8.0'])
  const { rows: audited } = await api.pool.query(`select * from audit_log where entity_name = '1.9.0' order by id`)
  expect(audited.slice(-2).map(({ outcome, details }) => [outcome, details])).toEqual([
    ['done', 'release.mjs'],
    ['done', 'release.mjs, as a target for going back'],
  ])
  // Devices that know no downgrades read the same file as before.
  const { rows } = await api.pool.query(`select content, back_signature from client_release where version = '1.8.0'`)
  expect((await releaseFile('1.8.0')).equals(rows[0].content)).toBe(true)
  for (const [version, backSignature] of [
    ['1.8.0', rows[0].back_signature],
    ['2.0.0', undefined],
  ]) {
    await api.pool.query('delete from client_update; delete from device_client')
    const releaseId = (await list()).rows.find((one) => one.version === version)?.id
    const body = { releaseId, choice: { deviceIds: [device.id] }, downgradeMeant: true }
    expect((await ask(api, 'ClientUpdate/CreateUpdate', { token, method: 'POST', body })).statusCode).toBe(200)
    await api.pool.query(`update client_update set state = 'offered'`)
    const document = (await readSettingsDocuments(api.pool, [device.id], testCipher)).get(device.id)
    expect(deviceSettings.parse(document).client).toMatchObject({ version })
    expect(deviceSettings.parse(document).client?.backSignature).toBe(backSignature)
  }
})

test('what is put into the folder is taken in from the oldest on, and what is refused is listed with its reason', async () => {
  const folder = join(dataFolder, 'releases')
  mkdirSync(folder, { recursive: true })
  const scanReleases = () => api.runJob('release folder')
  writeFileSync(join(folder, 'b.mjs'), await releaseFile('1.1.0'))
  writeFileSync(join(folder, 'a.mjs'), await releaseFile('1.2.0'))
  writeFileSync(join(folder, 'broken.mjs'), (await releaseFile('1.3.0')).subarray(0, -1))
  writeFileSync(join(folder, 'notes.txt'), 'no release')
  await scanReleases()
  expect(await versions()).toEqual([
    ['1.2.0', true],
    ['1.1.0', false],
  ])
  expect((await list()).refusedFiles).toMatchObject([
    { fileName: 'broken.mjs', reason: expect.stringContaining('damaged') },
  ])

  writeFileSync(join(folder, 'broken.mjs'), await releaseFile('1.3.0'))
  await scanReleases()
  expect((await list()).refusedFiles).toEqual([])
  expect(await versions()).toHaveLength(3)
  const { id } = (await list()).rows[0] as { id: number }
  await ask(api, 'Release/DelRelease', { token, query: { id }, method: 'POST' })
  // After a restart every file is read again.
  const restarted = await startApi({ on: api, config })
  await restarted.runJob('release folder')
  await restarted.stop()
  expect(await versions()).toHaveLength(2)
  expect((await list()).refusedFiles).toMatchObject([
    { fileName: 'broken.mjs', reason: expect.stringContaining('was removed') },
  ])
  rmSync(folder, { recursive: true })
  await scanReleases()
  expect((await list()).refusedFiles).toEqual([])
})

test('the key of the data folder counts beside the configured ones, and devices are told all of them', async () => {
  const file = join(dataFolder, 'release-key.pub')
  const other = `${randomBytes(32).toString('base64')}\n`
  writeFileSync(file, other)
  expect((await list()).keyCount).toBe(2)
  const query = {
    id: (await addDevice(api.pool, { name: 'New', customerId: await addCustomer(api.pool, 'New', 1) })).id,
  }
  const configuration = (await ask(api, 'Device/DownloadConfiguration', { token, query, method: 'POST' })).json()
  expect(configuration.releaseKeys).toEqual([TEST_RELEASE_KEY, other.trim()])
  rmSync(file)
})

interface Door {
  readonly method?: 'GET' | 'HEAD'
  readonly sha256?: string
  readonly credential?: string
  readonly headers?: Record<string, string>
}

async function released() {
  const file = await releaseFile('2.0.0', { program: '0123456789'.repeat(10) })
  await upload(file)
  const sha256 = readHeader(file)?.header.sha256 ?? ''
  const download = ({ method = 'GET', credential = `${device.guid}:${key}`, headers = {}, ...asked }: Door = {}) =>
    api.app.inject({
      method,
      url: releasePath(asked.sha256 ?? sha256),
      headers: { authorization: `Basic ${Buffer.from(credential).toString('base64')}`, ...headers },
    })
  return { file, sha256, download }
}

test('a device gets the whole file with its own key, and the rest of it from where it asks', async () => {
  const { file, sha256, download } = await released()
  const whole = await download()
  expect(whole.statusCode).toBe(200)
  expect(whole.rawPayload.equals(file)).toBe(true)
  expect(whole.headers).toMatchObject({
    etag: `"${sha256}"`,
    'accept-ranges': 'bytes',
    'content-length': `${file.length}`,
  })

  const rest = await download({ headers: { range: 'bytes=40-' } })
  expect(rest.statusCode).toBe(206)
  expect(rest.headers['content-range']).toBe(`bytes 40-${file.length - 1}/${file.length}`)
  expect(rest.rawPayload.equals(file.subarray(40))).toBe(true)
  const part = await download({ headers: { range: 'bytes=40-49' } })
  expect([part.statusCode, part.rawPayload.equals(file.subarray(40, 50))]).toEqual([206, true])
  const others: Record<string, string>[] = [{ range: 'lines=1-' }, { range: 'bytes=40-', 'if-range': '"another"' }]
  for (const headers of others) {
    expect((await download({ headers })).statusCode).toBe(200)
  }
  expect((await download({ headers: { range: 'bytes=40-', 'if-range': `"${sha256}"` } })).statusCode).toBe(206)

  const beyond = await download({ headers: { range: `bytes=${file.length}-` } })
  expect([beyond.statusCode, beyond.headers['content-range']]).toEqual([416, `bytes */${file.length}`])
  const head = await download({ method: 'HEAD' })
  expect([head.statusCode, head.headers['content-length'], head.body]).toEqual([200, `${file.length}`, ''])
})

test('nobody else gets it: a wrong or revoked key, a token of a user, a device that was deleted', async () => {
  const { download } = await released()
  const refused = async (door: Door) => {
    const answer = await download(door)
    expect([answer.statusCode, answer.headers['www-authenticate']]).toEqual([401, 'Basic realm="devices"'])
    expect(answer.body).not.toContain('0123456789')
  }
  for (const credential of ['', ':', device.guid, `${device.guid}:`, `${device.guid}:wrong`, `nobody:${key}`]) {
    await refused({ credential })
  }
  await refused({ headers: { authorization: `Bearer ${token}` } })
  const gone = await addDevice(api.pool, { name: 'Gone', customerId: await addCustomer(api.pool, 'Gone', 1) })
  await insertKey(api.pool, gone.id, key)
  const credential = `${gone.guid}:${key}`
  expect((await download({ credential })).statusCode).toBe(200)
  await api.pool.query('delete from device_credential where device_id = $1', [gone.id])
  await refused({ credential })
  await insertKey(api.pool, gone.id, key)
  await api.pool.query('update device set deleted_at = now() where id = $1', [gone.id])
  await refused({ credential })
})

test('what is no release that is there is not found, also right after it was removed', async () => {
  const { sha256, download } = await released()
  for (const other of ['0'.repeat(64), sha256.toUpperCase(), sha256.slice(1), '..%2f..%2fetc']) {
    expect((await download({ sha256: other })).statusCode).toBe(404)
  }
  expect((await download()).statusCode).toBe(200)
  const { id } = (await list()).rows[0] as { id: number }
  await ask(api, 'Release/DelRelease', { token, method: 'POST', body: { id } })
  expect((await download()).statusCode).toBe(404)
})

test('a device that asks again and again is slowed down, and the others are not', async () => {
  const { download } = await released()
  const other = await addDevice(api.pool, { name: 'Other', customerId: await addCustomer(api.pool, 'Other', 1) })
  await insertKey(api.pool, other.id, key)
  const answers = []
  for (let asked = 0; asked < 130; asked++) answers.push((await download({ method: 'HEAD' })).statusCode)
  expect(answers.at(-1)).toBe(429)
  expect((await download({ credential: `${other.guid}:${key}` })).statusCode).toBe(200)
})
