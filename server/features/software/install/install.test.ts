import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { installFolder } from '#server/http/pages/installDownloads.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { ask } from '#server/testing/callers.ts'
import { runFolder } from '#server/testing/database/freshDatabase.ts'
import { releaseFile } from '#server/testing/releases.ts'
import { buildPackages } from '#tools/installer/buildPackages.ts'
import { writeInstallFolder } from '#tools/installer/installFolder.ts'
import { newReleaseKey, publicReleaseKey } from '#tools/releaseFile.ts'

const SCRIPT = new URL('../../../../deploy/device/install.sh', import.meta.url).pathname
const dataFolder = runFolder('install')
const folder = installFolder(dataFolder)
const { key } = newReleaseKey()
const releaseKey = publicReleaseKey(key)
const api = await apiTest({ config: { dataFolder, releaseKeys: [releaseKey] } })
const token = await api.signedIn({ username: 'fitter@staff.example', functions: [3] })
const server = await api.app.listen({ host: '127.0.0.1', port: 0 })

/** The real Node.js would take a minute to compress; what is tried here is everything around it. */
const nodeFolder = join(dataFolder, 'node')
mkdirSync(join(nodeFolder, 'bin'), { recursive: true })
writeFileSync(join(nodeFolder, 'bin', 'node'), '#!/bin/sh\necho v24.0.0\n')
chmodSync(join(nodeFolder, 'bin', 'node'), 0o755)
writeFileSync(join(nodeFolder, 'LICENSE'), 'MIT\n')
const partsOf = async (version: string) => ({
  version,
  release: await releaseFile(version),
  launcher: Buffer.from('// launcher\n'),
  nodeFolder,
})
const offer = async (version: string, by = key) =>
  writeInstallFolder(folder, buildPackages(await partsOf(version), 'amd64', dataFolder), by)

const offered = async () => (await ask(api, 'Release/GetInstallPackages', { token })).json()

async function install(root: string, ...more: string[]) {
  const words = [SCRIPT, '--server', server, '--key', releaseKey, '--root', root, ...more]
  const env = { ...process.env, WAYSIDE_ARCHITECTURE: 'x86_64' }
  const child = spawn('sh', words, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const [out, words_, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.once('close', resolve)),
  ])
  return { code, out, why: words_ }
}
const newRoot = () => mkdtempSync(join(dataFolder, 'root-'))
const isEmpty = (root: string) => !existsSync(join(root, 'usr'))
const CABINET = ['--allow-network', '192.168.7.0/24', '--allow-network', '10.0.0.5']

test('the same release gives the same bytes, and the archive is what the Debian package unpacks', async () => {
  const build = async () => buildPackages(await partsOf('1.2.3'), 'arm64', dataFolder).map(({ content }) => content)
  const [deb, archive] = await build()
  expect(await build()).toEqual([deb, archive])
  expect(deb?.toString('latin1', 0, 72)).toMatch(/^!<arch>\ndebian-binary {3}\d+ .*`\n2\.0\n$/s)
  expect(deb?.includes(archive ?? '')).toBe(true)
})

test('the script installs what the release key has signed into an image, with settings and configuration', async () => {
  expect(await offered()).toMatchObject({ files: [], releaseKey: null, refusal: null })
  await offer('1.2.3')
  expect(await offered()).toMatchObject({
    files: [{ fileName: 'wayside-client_1.2.3_amd64.deb', architecture: 'amd64' }, { form: 'tar.xz' }],
    ...{ releaseKey, refusal: null, serverUrl: 'http://127.0.0.1:8080' },
  })
  const served = await api.app.inject('/install/install.sh')
  expect([served.statusCode, served.body]).toEqual([200, readFileSync(SCRIPT, 'utf8')])

  const [root, config] = [newRoot(), join(dataFolder, 'device.json')]
  writeFileSync(config, '{"guid":"…"}')
  expect(await install(root, '--config', config)).toMatchObject({ code: 0, why: '' })
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  expect(read('usr/lib/wayside-client/version')).toBe('1.2.3\n')
  expect(read('usr/lib/wayside-client/wayside-client.mjs')).toContain('"version":"1.2.3"')
  expect(read('etc/default/wayside-client')).toContain(`WAYSIDE_SERVER=${server}\n`)
  expect(read('var/lib/wayside-client/device.json')).toBe('{"guid":"…"}')
  expect(statSync(join(root, 'var/lib/wayside-client/device.json')).mode & 0o077).toBe(0)
  expect(statSync(join(root, 'usr/lib/wayside-client/node')).mode & 0o777).toBe(0o755)

  // A newer one keeps what was set by hand, and an older one is refused.
  writeFileSync(join(root, 'etc/default/wayside-client'), 'OPTIONS="--driver host"\n')
  await offer('1.10.0')
  expect(await install(root, '--claim-key', 'Ab3-_x', ...CABINET)).toMatchObject({ code: 0 })
  expect(read('etc/default/wayside-client')).toBe(
    `OPTIONS="--driver host"\nWAYSIDE_SERVER=${server}\nWAYSIDE_CLAIM_KEY=Ab3-_x\nWAYSIDE_ALLOWED_NETWORKS=192.168.7.0/24,10.0.0.5\n`,
  )
  expect(statSync(join(root, 'etc/default/wayside-client')).mode & 0o077).toBe(0)
  await offer('1.9.0')
  expect((await install(root)).why).toBe(
    'Not installed: Version 1.10.0 is installed, which is newer than 1.9.0. Remove it first.\n',
  )
})

test('what was changed, signed by somebody else or is missing is not installed, and the reason is said', async () => {
  const root = newRoot()
  const refused = async (why: string, more: readonly string[] = []) => {
    const ended = await install(root, ...more)
    expect([ended.code, ended.why.split('\n')[0]]).toEqual([1, expect.stringContaining(why)])
    expect(isEmpty(root)).toBe(true)
  }
  await offer('2.0.0')
  const archive = join(folder, 'wayside-client_2.0.0_amd64.tar.xz')
  const whole = readFileSync(archive)
  writeFileSync(archive, whole.with(200, (whole[200] ?? 0) ^ 1))
  await refused('wayside-client_2.0.0_amd64.tar.xz is damaged: its SHA-256 is not the one that was signed.')
  writeFileSync(archive, whole)

  const sums = join(folder, 'SHA256SUMS')
  const signed = readFileSync(sums, 'utf8')
  writeFileSync(
    sums,
    signed.replace(/^./, (digit) => (digit === '0' ? '1' : '0')),
  )
  await refused('was not signed with this release key.')
  expect(await offered()).toMatchObject({
    files: [],
    refusal: expect.stringContaining('not signed with a release key'),
  })
  writeFileSync(sums, signed)

  await refused('The release key has 44 characters', ['--key', 'abc'])
  await refused('was not signed with this release key.', ['--key', publicReleaseKey(newReleaseKey().key)])
  await refused('has a character that none has', ['--claim-key', 'a\nOPTIONS=--fault'])
  await offer('2.0.0', newReleaseKey().key)
  await refused('was not signed with this release key.')

  await offer('2.0.0')
  rmSync(archive)
  expect(await offered()).toMatchObject({ refusal: 'wayside-client_2.0.0_amd64.tar.xz is missing.' })
  await refused('curl:')
})

test('nothing but packages and their list leaves the folder', async () => {
  await offer('3.0.0')
  writeFileSync(join(folder, 'other.txt'), 'private')
  writeFileSync(join(dataFolder, 'wayside-client_9.9.9_amd64.deb'), 'private')
  const status = async (path: string) => (await api.app.inject(`/install/${path}`)).statusCode
  expect(await status('SHA256SUMS')).toBe(200)
  for (const path of ['other.txt', '../wayside-client_9.9.9_amd64.deb', '..%2fwayside-client_9.9.9_amd64.deb', '']) {
    expect([path, await status(path)]).toEqual([path, 404])
  }
})
