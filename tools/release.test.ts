import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { verifyRelease } from '#domain/releases/verifyRelease.ts'
import { newReleaseKey, publicReleaseKey } from './releaseFile.ts'

const main = new URL('./release.ts', import.meta.url).pathname
const newFolder = () => mkdtempSync(join(tmpdir(), 'wayside-release-'))

/** This folder belongs to the maker of releases. */
const home = newFolder()
const keyFile = join(home, '.config', 'wayside', 'release-key.pem')

function release(dataFolder: string, ...words: string[]) {
  const env = { ...process.env, HOME: home, WAYSIDE_DATA: dataFolder }
  const { stdout, stderr, status } = spawnSync(process.execPath, [main, ...words], { encoding: 'utf8', env })
  return { stdout, stderr, status }
}

test('one file is made and signed with a key of its own, and it runs as it is', async () => {
  const data = newFolder()
  const first = release(data, '--version', '1.2.3')
  expect(first).toMatchObject({ status: 0, stderr: '' })
  const bill = 'wayside-client-1.2.3.cdx.json'
  expect(readdirSync(data).sort()).toEqual(['release-key.pub', 'releases', bill, 'wayside-launcher.mjs'])
  const materials = JSON.parse(readFileSync(join(data, bill), 'utf8'))
  expect(materials).toMatchObject({
    bomFormat: 'CycloneDX',
    metadata: { component: { name: 'wayside-client', version: '1.2.3' } },
  })
  const names = materials.components.map(({ name }: { readonly name: string }) => name)
  expect(names).toContain('mqtt')
  expect(names).not.toContain('fastify')
  expect(statSync(keyFile).mode & 0o077).toBe(0)
  expect(first.stdout).not.toContain('PRIVATE')

  const file = join(data, 'releases', 'wayside-client-1.2.3.mjs')
  const publicKey = readFileSync(join(data, 'release-key.pub'), 'utf8').trim()
  expect(await verifyRelease(readFileSync(file), [publicKey])).toMatchObject({ release: { version: '1.2.3' } })
  const shown = spawnSync(process.execPath, [file, '--help'], { encoding: 'utf8', cwd: tmpdir() })
  expect(shown.stderr).toMatch(/^Usage: npm run agent/)
  expect(readFileSync(join(data, 'wayside-launcher.mjs'), 'utf8').match(/from\s*"(?!node:)/g)).toBeNull()

  // The key stays, and so does what it has signed.
  const [key, out] = [readFileSync(keyFile, 'utf8'), newFolder()]
  expect(release(data, '--version', '1.2.4', '--out', out).status).toBe(0)
  expect(readFileSync(keyFile, 'utf8')).toBe(key)
  expect(readdirSync(out).sort()).toEqual([
    'wayside-client-1.2.4.cdx.json',
    'wayside-client-1.2.4.mjs',
    'wayside-launcher.mjs',
  ])
  expect(readdirSync(join(data, 'releases'))).toEqual(['wayside-client-1.2.3.mjs'])
  const other = readFileSync(join(out, 'wayside-client-1.2.4.mjs'))
  expect(await verifyRelease(other, [publicKey])).toMatchObject({ release: { version: '1.2.4' } })
})

test('a private key in the data folder, where a server could read it, is moved out and still signs', async () => {
  rmSync(keyFile, { force: true })
  const [data, { key, pem }] = [newFolder(), newReleaseKey()]
  const old = join(data, 'release-key.pem')
  writeFileSync(old, pem)
  const moved = release(data, '--version', '1.2.3')
  expect(moved).toMatchObject({ status: 0, stderr: '' })
  expect(moved.stdout).toContain(`Moved the private key from ${old}, where the server could read it, to ${keyFile}.`)
  expect([existsSync(old), readFileSync(keyFile, 'utf8')]).toEqual([false, pem])
  expect(statSync(keyFile).mode & 0o077).toBe(0)
  expect(readFileSync(join(data, 'release-key.pub'), 'utf8').trim()).toBe(publicReleaseKey(key))
  const file = readFileSync(join(data, 'releases', 'wayside-client-1.2.3.mjs'))
  expect(await verifyRelease(file, [publicReleaseKey(key)])).toMatchObject({ release: { version: '1.2.3' } })

  // Another key is not thrown away, and not used without being named.
  writeFileSync(old, newReleaseKey().pem)
  const two = release(data, '--version', '1.2.4')
  expect([two.status, existsSync(old)]).toEqual([1, true])
  expect(two.stderr).toBe(
    `${old} lies where the server can read it, but ${keyFile} is another key. Move it elsewhere and name it with --key.\n`,
  )
})

test('an earlier release is signed as a target for going back, with its own key only', async () => {
  const [data, out] = [newFolder(), newFolder()]
  expect(release(data, '--version', '1.2.3').status).toBe(0)
  const publicKey = readFileSync(join(data, 'release-key.pub'), 'utf8').trim()
  const plain = join(data, 'releases', 'wayside-client-1.2.3.mjs')
  expect(release(data, '--back', plain, '--out', out)).toMatchObject({ status: 0, stderr: '' })
  const target = readFileSync(join(out, 'wayside-client-1.2.3.back.mjs'))
  const verdict = await verifyRelease(target, [publicKey])
  const { back, ...rest } = 'release' in verdict ? verdict.release : { back: '' }
  expect(await verifyRelease(readFileSync(plain), [publicKey])).toEqual({ release: rest })
  expect(back).toMatch(/^[A-Za-z0-9+/]{86}==$/)
  const other = join(out, 'other.pem')
  expect(release(data, '--back', plain, '--key', other, '--out', out)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('cannot be signed: The signature of this release was not made with a key'),
  })
})

test('what cannot be used is said in words, with exit code 1', () => {
  const data = newFolder()
  const broken = join(data, 'broken.pem')
  writeFileSync(broken, 'no key')
  expect(release(data, '--version', '1.2')).toEqual({
    status: 1,
    stdout: '',
    stderr: '--version is "1.2", but must be three numbers with dots, as in 1.2.3.\n',
  })
  const wrong = release(data, '--key', broken)
  expect(wrong.status).toBe(1)
  expect(wrong.stderr).toMatch(/broken\.pem cannot be used as a release key: .*\.\n$/)
  expect(readFileSync(broken, 'utf8')).toBe('no key')
  expect(release(data, '--sign').stderr).toMatch(/Usage: npm run release/)
})
