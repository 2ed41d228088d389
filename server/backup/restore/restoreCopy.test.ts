import { createHash, randomBytes } from 'node:crypto'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DAY_MS } from '#domain/units/time.ts'
import { backupFixture, grants, rowHashes } from '#server/testing/backup/backupFixture.ts'
import { tidyBackups } from '../copies/retention.ts'
import { Sealer } from '../seal/sealedFile.ts'
import { restoreCopy } from './restoreCopy.ts'

const database = await backupFixture()
const key = randomBytes(32)
const copy = await database.takeCopy(key)
let damaged = 0

/** Changes a copy of the backup by `change`, and returns what a restore from it says. */
async function refusalAfter(change: (folder: string) => void, wish: { key?: Buffer | undefined } = { key }) {
  damaged += 1
  const backups = join(database.folder, `damaged-${damaged}`)
  cpSync(database.backups, backups, { recursive: true })
  change(join(backups, copy.facts.systemId, copy.name))
  const dataFolder = join(database.folder, `never-${damaged}`)
  const restoring = restoreCopy({ folder: backups, dataFolder, key: wish.key, say: () => undefined })
  const refusal = await restoring.then(
    () => 'restored',
    (error: Error) => `${error.name}: ${error.message}`,
  )
  expect(existsSync(dataFolder), 'nothing was touched').toBe(false)
  return refusal
}

function flipByte(path: string, at: number): void {
  const bytes = readFileSync(path)
  bytes.writeUInt8((bytes.readUInt8(at) + 1) % 256, at)
  writeFileSync(path, bytes)
}

test('a byte that changed is found wherever it stands, before anything is written', async () => {
  const { size } = statSync(join(copy.folder, 'database'))
  for (const at of [200, 1000, Math.floor(size / 2), size - 1]) {
    const refusal = await refusalAfter((folder) => flipByte(join(folder, 'database'), at))
    expect(refusal, `byte ${at} of ${size}`).toMatch(
      /^BackupRefused: copy-\S+ cannot be restored: database is damaged (in its header|after \d+ bytes)\.$/,
    )
  }
})

test('a copy that is cut off, at a border of its chunks too, is refused as that', async () => {
  const { size } = statSync(join(copy.folder, 'database'))
  const atBorder = size - lastChunkBytes(join(copy.folder, 'database'))
  for (const bytes of [100, Math.floor(size / 2), atBorder, size - 1]) {
    const refusal = await refusalAfter((folder) => truncateSync(join(folder, 'database'), bytes))
    expect(refusal, `${bytes} of ${size}`).toMatch(
      /^BackupRefused: copy-\S+ cannot be restored: database is cut off (in its header|after \d+ bytes)\.$/,
    )
  }
  expect(await refusalAfter((folder) => appendFileSync(join(folder, 'database'), 'x'))).toContain(
    'goes on behind its end',
  )
})

/** The format has frames of four bytes of length, the bytes, and sixteen of proof. */
function lastChunkBytes(path: string): number {
  const bytes = readFileSync(path)
  let at = 19 + bytes.readUInt32BE(15) + 32
  for (;;) {
    const word = bytes.readUInt32BE(at)
    const length = 4 + (word % 0x8000_0000) + 16
    if (word >= 0x8000_0000) return length
    at += length
  }
}

test('a file that is missing, or comes from another copy, is named', async () => {
  const gone = await refusalAfter((folder) => rmSync(join(folder, 'files')))
  expect(gone).toBe(`BackupRefused: ${copy.name} cannot be restored: The file files of the copy is missing.`)
  const list = join(copy.folder, '..', 'copies')
  const listed = readFileSync(list)
  const other = await database.takeCopy(key)
  const exchanged = await refusalAfter((folder) => {
    cpSync(join(other.folder, 'database'), join(folder, 'database'))
    rmSync(join(folder, '..', other.name), { recursive: true })
  })
  expect(exchanged).toBe(`BackupRefused: ${copy.name} cannot be restored: The file database belongs to another copy.`)
  rmSync(other.folder, { recursive: true })
  writeFileSync(list, listed)
})

test('without the key, or with another one, nothing is restored, and the reason tells the two apart', async () => {
  expect(await refusalAfter(() => undefined, { key: randomBytes(32) })).toContain('was encrypted with another key')
  expect(await refusalAfter(() => undefined, { key: undefined })).toMatch(/is encrypted: set WAYSIDE_BACKUP_KEY/)
})

test('nothing of an encrypted copy can be read', () => {
  const files = readdirSync(copy.folder).map((name) => readFileSync(join(copy.folder, name)))
  const told = Buffer.concat(files).toString('latin1')
  for (const word of ['wayside_owner', 'SCRAM-SHA-256', 'audit_log', 'PG_VERSION', key.toString('hex')]) {
    expect(told).not.toContain(word)
  }
})

test('what is no backup, or of a newer program, is called that', async () => {
  const foreign = (folder: string) => writeFileSync(join(folder, 'summary'), 'PGDMP and so on')
  expect(await refusalAfter(foreign)).toContain('summary is no backup of Wayside.')
  const newer = (facts: object) => (folder: string) => {
    const sealer = new Sealer('summary', { ...copy.facts, ...facts }, key)
    const parts: Buffer[] = []
    sealer.on('data', (part: Buffer) => parts.push(part)).end()
    writeFileSync(join(folder, 'summary'), Buffer.concat(parts))
  }
  expect(await refusalAfter(newer({ migration: 9999 }))).toContain('was taken by a newer Wayside (migration 9999')
  expect(await refusalAfter(newer({ major: 99 }))).toMatch(/is of PostgreSQL 99, but this Wayside runs 18/)
  expect(await refusalAfter(newer({ isEmbedded: false }))).toContain('--cluster')
  expect(await refusalAfter((folder) => raiseFormat(join(folder, 'summary')))).toContain(
    'written by a newer Wayside (format 2)',
  )
})

/** Writes a whole header that names a later format, as a later program would. */
function raiseFormat(path: string): void {
  const bytes = readFileSync(path)
  const end = 19 + bytes.readUInt32BE(15)
  const header = Buffer.from(bytes.subarray(19, end).toString().replace('"format":1', '"format":2'))
  const hash = createHash('sha256').update(header).digest()
  writeFileSync(path, Buffer.concat([bytes.subarray(0, 19), header, hash, bytes.subarray(end + 32)]))
}

test('an empty folder is no backup, and a target with something in it is refused', async () => {
  const none = join(database.folder, 'none')
  mkdirSync(none)
  const wish = { dataFolder: join(database.folder, 'full'), key, say: () => undefined }
  await expect(restoreCopy({ ...wish, folder: none })).rejects.toThrow(`There is no backup in ${none}.`)
  mkdirSync(wish.dataFolder)
  writeFileSync(join(wish.dataFolder, 'notes.txt'), 'mine')
  await expect(restoreCopy({ ...wish, folder: database.backups })).rejects.toThrow('is not empty: it holds notes.txt')
  expect(readdirSync(wish.dataFolder)).toEqual(['notes.txt'])
})

test('what is restored on an empty machine is row for row what was copied, with roles, grants and files', async () => {
  writeFileSync(join(database.dataFolder, 'release-key.pub'), 'public')
  writeFileSync(join(database.dataFolder, 'release-key.pem'), 'private')
  writeFileSync(join(database.dataFolder, 'secrets.key'), 'key')
  mkdirSync(join(database.dataFolder, 'outbox'))
  writeFileSync(join(database.dataFolder, 'outbox', 'mail.eml'), 'x'.repeat(1000))
  const before = await rowHashes(database.owner)
  const { name } = await database.takeCopy(key)
  const restored = await database.restore({ key, name })
  expect(await rowHashes(restored.owner)).toEqual(before)
  expect(await grants(restored.owner)).toEqual(await grants(database.owner))
  expect(existsSync(join(restored.dataFolder, 'release-key.pub'))).toBe(true)
  expect(existsSync(join(restored.dataFolder, 'release-key.pem'))).toBe(false)
  expect(existsSync(join(restored.dataFolder, 'secrets.key'))).toBe(false)
  expect(readdirSync(join(restored.dataFolder, 'outbox'))).toEqual(['mail.eml'])
}, 60_000)

test('nothing is deleted when the copy on which the rest depends is damaged', async () => {
  const { facts } = await database.takeCopy(key)
  const second = await database.takeCopy(key)
  const names = () =>
    readdirSync(join(database.backups, facts.systemId))
      .filter((name) => name.startsWith('copy-'))
      .sort()
  const both = names()
  const later = new Date(Date.parse(second.facts.endedAt) + 30 * DAY_MS)
  const wish = { folder: database.backups, systemId: facts.systemId, key, keepDays: 14, now: later }
  const file = join(second.folder, 'files')
  const whole = readFileSync(file)
  writeFileSync(file, whole.subarray(0, whole.length - 1))
  await expect(tidyBackups(wish)).rejects.toThrow('files is cut off')
  expect(names()).toEqual(both)
  writeFileSync(file, whole)
  await tidyBackups(wish)
  expect(names()).toEqual([second.name])
})
