import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { backupFixture } from '#server/testing/backupFixture.ts'
import { keepPieces } from '#server/testing/keepPieces.ts'
import { checkBackups } from './checkBackups.ts'
import { checkSeals } from './checkCopy.ts'
import type { CopyFacts } from './copyNames.ts'
import { provenChoice } from './layCopy.ts'
import { readUntil, restoredWords } from './restoreCommand.ts'
import { BackupRefused } from './seal/backupRefused.ts'
import { readHeader } from './seal/sealedFile.ts'
import { sealInto } from './seal/sealInto.ts'

// Parts of a backup that are gone, older than the rest or no files, so that what is left looks whole by itself.

const database = await backupFixture({ isEmpty: true })
const key = randomBytes(32)
const keep = (count: number) =>
  keepPieces(database, { key, count, change: "select pg_logical_emit_message(true, 'change', md5(random()::text))" })

/** A second folder with the same backup. */
function twinOf(folder: string, name: string) {
  const twin = join(database.folder, name)
  cpSync(folder, twin, { recursive: true })
  const [systemId = ''] = readdirSync(twin)
  const system = join(twin, systemId)
  const copies = readdirSync(system).filter((each) => each.startsWith('copy-'))
  const pieces = () =>
    readdirSync(join(system, 'log'))
      .sort()
      .map((each) => join(system, 'log', each))
  return { folder: twin, system, copies, pieces, end: join(system, 'log-end-00000001') }
}

// Two copies without a log, as `npm run backup -- --to FOLDER` takes them; then the log as well.
await database.takeCopy(key)
await database.takeCopy(key)
const byHand = twinOf(database.backups, 'by-hand')
await keep(3)
const earlierEnd = readFileSync(twinOf(database.backups, 'earlier').end)
await database.takeCopy(key)
await keep(4)

async function choose(folder: string, wish: { readonly until?: Date; readonly name?: string } = {}) {
  const given = { folder, dataFolder: join(database.folder, 'nowhere'), key, say: () => undefined, ...wish }
  return provenChoice(given).catch((error: unknown) => {
    if (error instanceof BackupRefused) return error.message
    throw error
  })
}

const offered = (refusal: unknown) => readUntil(/--until (\S+)\.$/.exec(String(refusal))?.[1] ?? '')
const faultsOf = async (folder: string) => (await checkBackups(folder, key, checkSeals)).wrong

test('a newer copy that is gone is missed by a restore, unless the log reaches to it', async () => {
  const [older = '', newer = ''] = byHand.copies
  const gone = twinOf(byHand.folder, 'copy-gone')
  rmSync(join(gone.system, newer), { recursive: true })
  const refusal = await choose(gone.folder)
  expect(refusal).toMatch(new RegExp(`^${newer} was taken after ${older} and is missing, or cannot be read; `))
  expect(await choose(gone.folder, { until: offered(refusal) })).toMatchObject({ copy: { name: older }, pieces: [] })
  expect(await choose(gone.folder, { name: older })).toMatchObject({ copy: { name: older } })

  const withLog = twinOf(database.backups, 'copy-gone-with-log')
  rmSync(join(withLog.system, withLog.copies.at(-1) ?? ''), { recursive: true })
  const choice = await choose(withLog.folder)
  expect(choice).toMatchObject({ copy: { name: withLog.copies.at(-2) } })
  expect(choice).toMatchObject({ reachesTo: await reachOf(database.backups) })
})

const reachOf = async (folder: string) => {
  const choice = await choose(folder)
  return typeof choice === 'string' ? choice : choice.reachesTo
}

test('where the list of the copies is gone, newer ones may be', async () => {
  const gone = twinOf(byHand.folder, 'list-gone')
  rmSync(join(gone.system, 'copies'))
  expect(await choose(gone.folder)).toMatch(/^The list of the copies is missing, so newer ones may be missing too\. /)
})

test('a log that is gone with the file that names its end is missed', async () => {
  const gone = twinOf(database.backups, 'log-gone')
  rmSync(join(gone.system, 'log'), { recursive: true })
  rmSync(gone.end)
  const refusal = await choose(gone.folder)
  expect(refusal).toMatch(/^The log of timeline 1 was kept and is missing\. copy-\S+ is whole by itself; /)
  expect(await faultsOf(gone.folder)).toContain('The log of timeline 1 was kept and is missing.')
  expect(await choose(gone.folder, { until: offered(refusal) })).toMatchObject({ pieces: [], wholeTo: undefined })
})

test('a file that names an earlier end of the log proves no end', async () => {
  const older = twinOf(database.backups, 'older-end')
  writeFileSync(older.end, earlierEnd)
  rmSync(older.pieces().at(-1) ?? '')
  expect(await choose(older.folder)).toMatch(/^The file that says where the log ends is older than the log: \d+ pieces/)
  expect((await faultsOf(older.folder)).join()).toContain('is older than the log')
})

test.each([
  ['a folder', (path: string) => mkdirSync(path), 'is not a file.'],
  ['a pipe', (path: string) => execFileSync('mkfifo', [path]), 'is not a file.'],
])('%s in the place of a piece is refused as that', async (what, make, reason) => {
  const changed = twinOf(database.backups, `instead-${what.slice(2)}`)
  const path = changed.pieces().at(-2) ?? ''
  rmSync(path)
  make(path)
  const refusal = await choose(changed.folder)
  expect(refusal).toContain(reason)
  expect(await choose(changed.folder, { until: offered(refusal) })).toMatchObject({ wholeTo: offered(refusal) })
  expect((await faultsOf(changed.folder)).join()).toContain(reason)
})

test('where the newest copy is damaged, the one before it is offered, from which all comes back', async () => {
  const damaged = twinOf(database.backups, 'damaged')
  const [before = '', newest = ''] = damaged.copies.slice(-2)
  const path = join(damaged.system, newest, 'database')
  copyFileSync(join(damaged.system, before, 'files'), path)
  const refusal = await choose(damaged.folder)
  expect(refusal).toBe(
    `${newest} cannot be restored: The file database belongs to another copy. ` +
      `Restore the copy before it, and all of the log behind that, with --copy ${before}.`,
  )
  expect(await choose(damaged.folder, { name: before })).toMatchObject({ reachesTo: await reachOf(database.backups) })
})

test('a summary that was written without the key is refused beside encrypted files', async () => {
  const forged = twinOf(database.backups, 'forged')
  const [before = '', newest = ''] = forged.copies.slice(-2)
  const path = join(forged.system, newest, 'summary')
  const { facts } = await readHeader<CopyFacts>(path, 'summary')
  rmSync(path)
  // By it no piece of the log would be needed.
  await sealInto(path, [], { kind: 'summary', facts: { ...facts, endPosition: '0/FFFFFFFF' }, key: undefined })
  expect(await choose(forged.folder)).toMatch(
    new RegExp(
      `^${newest} cannot be restored: summary is not encrypted, although the backup is: .* --copy ${before}\\.$`,
    ),
  )
  expect((await faultsOf(forged.folder)).join()).toContain('summary is not encrypted')
})

test('a folder without a backup is not found right', async () => {
  const none = join(database.folder, 'none')
  mkdirSync(none)
  expect(await faultsOf(none)).toEqual([`There is no backup in ${none}.`])
})

test('of a copy alone no moment is told up to which all came back: what was committed while it ended did not', async () => {
  const choice = await choose(byHand.folder)
  if (typeof choice === 'string') throw new Error(choice)
  expect(choice.wholeTo).toBe(undefined)
  const { startedAt, endedAt } = choice.copy.facts
  const lastCommitAt = new Date(startedAt)
  const missing = `No log goes on behind its end: what was committed while it ended, up to ${endedAt}, may be missing.`
  expect(restoredWords({ ...choice, lastCommitAt })).toBe(
    `Restored as of ${startedAt}, the last commit in ${choice.copy.name}. ${missing}`,
  )
  expect(restoredWords({ ...choice, lastCommitAt: undefined })).toBe(
    `Restored as of ${startedAt}, when ${choice.copy.name} was begun: it holds no later commit. ${missing}`,
  )
})

test.each([
  '2026-11-31T10:00:00Z',
  '2026-02-29T10:00Z',
  '11-27-2026',
  '2026-11-27T10:00:00',
  '2026-11-27T10:00:00.1234Z',
  '',
])('--until %s is no exact moment', (given) => {
  expect(() => readUntil(given)).toThrow(`to the millisecond at most, as 2026-11-23T20:00:00Z, not "${given}".`)
})

test('--until takes any zone', () => {
  expect(readUntil('2026-11-27T15:30:00.25+05:30')).toEqual(new Date('2026-11-27T10:00:00.250Z'))
})
