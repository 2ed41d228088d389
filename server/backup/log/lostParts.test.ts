import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { backupFixture } from '#server/testing/backup/backupFixture.ts'
import { keepPieces } from '#server/testing/backup/keepPieces.ts'
import { checkBackups } from '../copies/checkBackups.ts'
import { checkSeals } from '../copies/checkCopy.ts'
import { provenChoice } from '../restore/layCopy.ts'
import { readUntil, restoredText } from '../restore/restoreCommand.ts'
import { BackupRefused } from '../seal/backupRefused.ts'
import { readHeader } from '../seal/sealedFile.ts'
import { sealInto, unsealed } from '../seal/sealInto.ts'
import { type CopyFacts, copyName, pieceName, pieceOf } from './copyNames.ts'
import { writeLogEnd } from './logEnd.ts'
import { logPositionOf } from './logPosition.ts'

// Parts of a backup are missing, older than the rest, or no files, so that what is left looks whole.

const database = await backupFixture({ isEmpty: true })
const key = randomBytes(32)
const keep = (count: number) =>
  keepPieces(database, { key, count, change: "select pg_logical_emit_message(true, 'change', md5(random()::text))" })

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

// First come two copies without a log, as `npm run backup -- --to FOLDER` takes them; then the log as well.
await database.takeCopy(key)
await database.takeCopy(key)
const byHand = twinOf(database.backups, 'by-hand')
await keep(3)
const earlierEnd = readFileSync(twinOf(database.backups, 'earlier').end)
await database.takeCopy(key)
await keep(4)

interface Wish {
  readonly until?: Date
  readonly name?: string
  readonly key?: Buffer | undefined
}

async function choose(folder: string, wish: Wish = {}) {
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

/** Acts like a restored database: it goes on by a timeline of its own, whose log is kept before its first copy. */
async function goOnByTimeline2({ folder, system, pieces }: ReturnType<typeof twinOf>, lastsMs: number) {
  const last = pieceOf(basename(pieces().at(-1) ?? ''))
  if (!last) throw new Error('There is no piece.')
  const reachesTo = new Date(last.reachesTo.getTime() + lastsMs)
  const name = pieceName({ timeline: 2, from: last.to, to: last.to + 1000n, reachesTo })
  const log = { folder, systemId: basename(system), timeline: 2 }
  await writeLogEnd(log, { name, sha256: '0'.repeat(64) }, key)
  return { log, reachesTo }
}

test('changes after a restore are missed by what says where their log ended, although no piece of it is there', async () => {
  const later = twinOf(database.backups, 'later-end')
  const whole = (await reachOf(later.folder)) as Date
  const { log, reachesTo } = await goOnByTimeline2(later, 60_000)
  const refusal = await choose(later.folder)
  expect(refusal).toMatch(
    new RegExp(
      `^After it went on from a backup, the database was changed up to ${reachesTo.toISOString()} and lost before .*` +
        `Up to ${whole.toISOString()} all is whole `,
    ),
  )
  expect(offered(refusal)).toEqual(whole)
  expect(await choose(later.folder, { until: offered(refusal) })).toMatchObject({ reachesTo: whole })
  expect((await faultsOf(later.folder)).join()).toContain(`it reached to ${reachesTo.toISOString()}`)

  // Somebody without the key could hide those changes by an earlier end.
  await writeLogEnd(log, undefined, undefined)
  expect(await choose(later.folder)).toMatch(
    /^log-end-00000002 is not encrypted, although the backup is: .* --until \S+\.$/,
  )
})

test('a restored database of which no log was kept yet lets its backup be restored again', async () => {
  const again = twinOf(database.backups, 'nothing-kept')
  const { log } = await goOnByTimeline2(again, 0)
  await writeLogEnd(log, undefined, key)
  expect(await choose(again.folder)).toMatchObject({ reachesTo: await reachOf(database.backups) })
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
  // This position would make every piece of the log seem needless.
  await sealInto(path, [], { kind: 'summary', facts: { ...facts, endPosition: '0/FFFFFFFF' }, key: undefined })
  expect(await choose(forged.folder, { name: newest })).toMatch(
    new RegExp(
      `^${newest} cannot be restored: summary is not encrypted, although the backup is: .* --copy ${before}\\.$`,
    ),
  )
  expect((await faultsOf(forged.folder)).join()).toContain('summary is not encrypted')
})

/** Puts the whole copy there as somebody without the key would, under a new name or over another copy. */
async function forgePlain(system: string, name: string, at: Date) {
  const from = join(system, name)
  const { facts } = await readHeader<CopyFacts>(join(from, 'summary'), 'summary')
  const forged = { ...facts, startedAt: at.toISOString(), endedAt: new Date(at.getTime() + 1000).toISOString() }
  const to = join(system, copyName(at, facts.timeline, logPositionOf(facts.startPosition)))
  mkdirSync(to)
  const files: CopyFacts['files'][number][] = []
  for (const file of ['database', 'manifest', 'files']) {
    files.push(await sealInto(join(to, file), unsealed(join(from, file), key), { key: undefined }))
  }
  await sealInto(join(to, 'summary'), [], { kind: 'summary', facts: { ...forged, files }, key: undefined })
  return basename(to)
}

test('a copy that is not encrypted is taken by nobody who has a key, or encrypted ones beside it, unless it is named', async () => {
  const forged = twinOf(byHand.folder, 'forged-copy')
  const [, newest = ''] = forged.copies
  const name = await forgePlain(forged.system, newest, new Date(Date.now() + 60_000))
  const refusal = await choose(forged.folder)
  expect(refusal).toBe(
    `${name} is not encrypted, although a key is set: it was taken without a key, or somebody else wrote it. Restore it ` +
      `with --copy ${name} if you are sure that it is yours, or the newest encrypted one with --copy ${newest}.`,
  )
  expect(await choose(forged.folder, { key: undefined })).toContain(
    `${name} is not encrypted, although other copies are`,
  )
  expect(await choose(forged.folder, { until: new Date(Date.now() + 120_000) })).toMatch(
    / if you are sure that it is yours\.$/,
  )
  expect(await choose(forged.folder, { name: newest })).toMatchObject({ copy: { name: newest } })
  expect(await choose(forged.folder, { name })).toMatchObject({ copy: { name } })
  expect((await faultsOf(forged.folder)).join()).toContain(`${name}: summary is not encrypted, although the backup is`)

  for (const copy of forged.copies) rmSync(join(forged.system, copy), { recursive: true })
  expect(await choose(forged.folder)).toMatch(
    /^copy-\S+ is not encrypted, although a key is set: .* that it is yours\.$/,
  )
})

test('a copy that is not encrypted is not offered instead of a damaged one that is', async () => {
  const damaged = twinOf(byHand.folder, 'forged-before')
  const [older = '', newest = ''] = damaged.copies
  const { facts } = await readHeader<CopyFacts>(join(damaged.system, newest, 'summary'), 'summary')
  await forgePlain(damaged.system, newest, new Date(Date.parse(facts.startedAt) - 1000))
  rmSync(join(damaged.system, newest, 'files'))
  expect(await choose(damaged.folder)).toMatch(
    new RegExp(`The file files of the copy is missing\\. .* --copy ${older}\\.$`),
  )
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
  expect(restoredText({ ...choice, lastCommitAt })).toBe(
    `Restored as of ${startedAt}, the last commit in ${choice.copy.name}. ${missing}`,
  )
  expect(restoredText({ ...choice, lastCommitAt: undefined })).toBe(
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
