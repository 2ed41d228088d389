import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { verifyRelease } from '#domain/releases/verifyRelease.ts'

const main = new URL('./release.ts', import.meta.url).pathname
const newFolder = () => mkdtempSync(join(tmpdir(), 'wayside-release-'))

function release(dataFolder: string, ...words: string[]) {
  const env = { ...process.env, WAYSIDE_DATA: dataFolder }
  const { stdout, stderr, status } = spawnSync(process.execPath, [main, ...words], { encoding: 'utf8', env })
  return { stdout, stderr, status }
}

test('one file is made and signed with a key of its own, and it runs as it is', async () => {
  const data = newFolder()
  const first = release(data, '--version', '1.2.3')
  expect(first).toMatchObject({ status: 0, stderr: '' })
  expect(readdirSync(data).sort()).toEqual(['release-key.pem', 'release-key.pub', 'releases', 'wayside-launcher.mjs'])
  expect(statSync(join(data, 'release-key.pem')).mode & 0o077).toBe(0)
  expect(first.stdout).not.toContain('PRIVATE')

  const file = join(data, 'releases', 'wayside-client-1.2.3.mjs')
  const publicKey = readFileSync(join(data, 'release-key.pub'), 'utf8').trim()
  expect(await verifyRelease(readFileSync(file), [publicKey])).toMatchObject({ release: { version: '1.2.3' } })
  const shown = spawnSync(process.execPath, [file, '--help'], { encoding: 'utf8', cwd: tmpdir() })
  expect(shown.stderr).toMatch(/^Usage: npm run agent/)
  expect(readFileSync(join(data, 'wayside-launcher.mjs'), 'utf8').match(/from\s*"(?!node:)/g)).toBeNull()

  // The key stays, and so does what it has signed.
  const [key, out] = [readFileSync(join(data, 'release-key.pem'), 'utf8'), newFolder()]
  expect(release(data, '--version', '1.2.4', '--out', out).status).toBe(0)
  expect(readFileSync(join(data, 'release-key.pem'), 'utf8')).toBe(key)
  expect(readdirSync(out).sort()).toEqual(['wayside-client-1.2.4.mjs', 'wayside-launcher.mjs'])
  expect(readdirSync(join(data, 'releases'))).toEqual(['wayside-client-1.2.3.mjs'])
  const other = readFileSync(join(out, 'wayside-client-1.2.4.mjs'))
  expect(await verifyRelease(other, [publicKey])).toMatchObject({ release: { version: '1.2.4' } })
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
