import { fork } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#domain/units/time.ts'
import { backupFixture } from '#server/testing/backup/backupFixture.ts'
import { startWholeServer } from '#server/testing/wholeServer/wholeServer.ts'
import { type BackupState, BackupWatch, copiesDue, readBackupState, refuseWithoutKey } from './backupState.ts'
import { copiesIn, UNFINISHED } from './log/copyNames.ts'
import { stopHoldingLog, unusedSlotJob, unusedSlotTrouble, usedSlotJob } from './slot/unusedSlot.ts'

const database = await backupFixture()
const TOKEN = 'a token for the metrics'

const server = await startWholeServer(
  { ownerUrl: database.ownerUrl, applicationUrl: database.applicationUrl },
  {
    config: {
      backupFolder: database.backups,
      backupKey: 'a7'.repeat(32),
      dataFolder: database.dataFolder,
      metricsToken: TOKEN,
    },
  },
)
let isOver = false
const stopServer = async () => {
  if (isOver) return
  isOver = true
  await server.stop()
}
afterAll(stopServer)

const systems = () => readdirSync(database.backups)
const filesOf = (name: string) => {
  const folder = join(database.backups, systems()[0] ?? '', name)
  return existsSync(folder) ? readdirSync(folder) : []
}
const copies = () => filesOf('.').filter((name) => name.startsWith('copy-'))

test('a server with a folder for backups copies at once, keeps the log, and tells how old they are', async () => {
  await expect.poll(copies, { timeout: 60_000 }).toHaveLength(1)
  const metrics = async () => {
    const answer = await fetch(`${server.addresses.httpUrl}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } })
    return answer.text()
  }
  await expect.poll(metrics, { timeout: 15_000 }).toMatch(/wayside_backup_copies 1\n/)
  expect(await metrics()).toMatch(/wayside_backup_copy_age_seconds \d+\n/)
  expect(await metrics()).toMatch(/wayside_backup_log_age_seconds \d+\n/)
}, 90_000)

test('a copy with another key than the log that follows it is no help, and so is one without a key', async () => {
  const read = (key: Buffer | undefined) => readBackupState(database.backups, database.owner, key)
  expect((await read(Buffer.alloc(32, 0xa7))).isOfKey).toBe(true)
  expect((await read(Buffer.alloc(32, 0xa8))).isOfKey).toBe(false)
  expect((await read(undefined)).isOfKey).toBe(false)
})

test('a copy that is killed in the middle is none, and the next one takes its rest away', async () => {
  const [systemId = ''] = systems()
  const before = (await copiesIn(database.backups, systemId)).copies.length
  const unfinished = () => filesOf('.').filter((name) => name.startsWith(UNFINISHED))
  const child = fork(fileURLToPath(new URL('./copies/copyProcess.ts', import.meta.url)), [])
  const { ownerUrl, dataFolder, backups: folder } = database
  child.send({ ownerUrl, isEmbedded: true, dataFolder, folder, keyDigits: 'a7'.repeat(32), keepDays: 14 })
  await expect.poll(unfinished, { interval: 1, timeout: 20_000 }).toHaveLength(1)
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await ended
  expect(unfinished()).toHaveLength(1)
  expect(await copiesIn(folder, systemId)).toMatchObject({ copies: { length: before }, unreadable: [] })
  // The connection may live a little longer, and with it the right to copy.
  await expect
    .poll(() => database.takeCopy(Buffer.alloc(32, 0xa7)).then(() => unfinished(), String), { timeout: 20_000 })
    .toEqual([])
}, 60_000)

const signal = new AbortController().signal
const slots = async () => (await database.owner.query('select from pg_replication_slots')).rowCount

test('a start without the folder holds the log for three days and tells until when, counted anew the next time', async () => {
  await stopServer()
  await expect.poll(slots).toBe(1)
  const said: unknown[] = []
  const job = unusedSlotJob({ warn: (details, message) => said.push([message, details]) })
  const after = (ms: number) => new Date(BEGAN.getTime() + ms)
  await job.run(database.owner, BEGAN, signal)
  await job.run(database.owner, after(71 * HOUR_MS), signal)
  expect(await slots()).toBe(1)
  expect(said).toHaveLength(1)
  expect(await unusedSlotTrouble(database.owner)).toBe(
    'The setting WAYSIDE_BACKUP_FOLDER is missing, and backups were taken before: the database holds its log for them ' +
      'until 2026-11-26T12:00:00.000Z, up to 10 GB.',
  )
  await usedSlotJob.run(database.owner, after(71 * HOUR_MS), signal)
  await job.run(database.owner, after(72 * HOUR_MS), signal)
  expect(await slots()).toBe(1)
  await job.run(database.owner, after(144 * HOUR_MS), signal)
  expect(await slots()).toBe(0)
  expect(JSON.stringify(said.at(-1))).toContain('no longer held')
  expect(await unusedSlotTrouble(database.owner)).toBeUndefined()
})

test('backups that end for good give the log free at once', async () => {
  const { rows } = await database.owner.query<{ oid: number }>(
    'select oid from pg_database where datname = current_database()',
  )
  await database.owner.query('select pg_create_physical_replication_slot($1, true)', [`wayside_backup_${rows[0]?.oid}`])
  expect(await stopHoldingLog(database.owner)).toBe(true)
  expect(await slots()).toBe(0)
  expect(await stopHoldingLog(database.owner)).toBe(false)
})

const BEGAN = new Date('2026-11-23T12:00:00Z')
const ROOM = 10 * 1024 ** 3
const stateOf = (told: Partial<BackupState> = {}): BackupState => ({
  ...{ copies: 1, copiedAt: BEGAN, reachesTo: BEGAN, gaps: [], isOfKey: true, lacksKey: false, freeBytes: ROOM },
  ...told,
})

/** Returns what health says of a state so long after the start of the server. */
async function troubleAfter(ms: number, state: BackupState): Promise<string | undefined> {
  let now = BEGAN
  const watch = new BackupWatch({ everyHours: 24, keepDays: 14, readState: async () => state, now: () => now })
  now = new Date(BEGAN.getTime() + ms)
  return watch.trouble()
}

test('health is red when backups are behind, before anything is lost or full', async () => {
  const after = (ms: number) => new Date(BEGAN.getTime() + ms)
  expect(await troubleAfter(4 * MINUTE_MS, stateOf())).toBeUndefined()
  expect(await troubleAfter(6 * MINUTE_MS, stateOf())).toBe(
    'The log of the database has not reached the backups for 6 minutes.',
  )
  const kept = (ms: number) => stateOf({ reachesTo: after(ms) })
  expect(await troubleAfter(25 * HOUR_MS, kept(25 * HOUR_MS))).toBeUndefined()
  expect(await troubleAfter(27 * HOUR_MS, kept(27 * HOUR_MS))).toBe('The newest whole backup is 27 hours old.')
  const none = { copiedAt: undefined, reachesTo: undefined, copies: 0 }
  expect(await troubleAfter(3 * HOUR_MS, stateOf(none))).toBe('There is no whole backup yet.')
  expect(await troubleAfter(0, stateOf({ freeBytes: 100 * 1024 ** 2 }))).toBe(
    'The disk of the backups is nearly full: 100 MB are free.',
  )
})

test('a gap is told beside everything else until nothing before its end is promised any more', async () => {
  const to = new Date(BEGAN.getTime() + 2 * MINUTE_MS)
  const told = async (gap: { from: Date; to: Date | undefined }, days: number) => {
    const now = () => new Date(BEGAN.getTime() + days * DAY_MS)
    const readState = async () => stateOf({ gaps: [gap], freeBytes: 0 })
    return new BackupWatch({ everyHours: 24, keepDays: 14, readState, now }).gapTrouble()
  }
  expect(await told({ from: BEGAN, to }, 14)).toBe(
    'There is a gap in the backups from 2026-11-23T12:00:00.000Z to 2026-11-23T12:02:00.000Z: no moment between them can be restored.',
  )
  expect(await told({ from: BEGAN, to }, 15)).toBeUndefined()
  expect(await told({ from: BEGAN, to: undefined }, 15)).toContain(
    'gap in the backups from 2026-11-23T12:00:00.000Z on',
  )
})

test('without the key that encrypted what is there nothing is written beside it, and health names the setting', async () => {
  const state = await readBackupState(database.backups, database.owner, undefined)
  expect(state.lacksKey).toBe(true)
  expect(() => refuseWithoutKey(state)).toThrow('There is no WAYSIDE_BACKUP_KEY')
  expect(await troubleAfter(0, state)).toContain('There is no WAYSIDE_BACKUP_KEY')
  expect((await readBackupState(database.backups, database.owner, Buffer.alloc(32, 0xa8))).lacksKey).toBe(false)
})

test('a folder that cannot be written is red at once', async () => {
  const readState = () => readBackupState(join(fileURLToPath(import.meta.url), 'backups'), {} as never, undefined)
  const watch = new BackupWatch({ everyHours: 24, keepDays: 14, readState })
  expect(await watch.trouble()).toBe(
    'The folder of backups (WAYSIDE_BACKUP_FOLDER) cannot be read and written: ENOTDIR.',
  )
})

test('a copy is due when there is none, when its time is over, behind a gap, and with another key', () => {
  const now = new Date(BEGAN.getTime() + HOUR_MS)
  expect(copiesDue(stateOf(), now, 2 * HOUR_MS)).toBe(false)
  expect(copiesDue(stateOf(), now, HOUR_MS)).toBe(true)
  expect(copiesDue(stateOf({ gaps: [{ from: BEGAN, to: undefined }] }), now, 2 * HOUR_MS)).toBe(true)
  expect(copiesDue(stateOf({ gaps: [{ from: BEGAN, to: now }] }), now, 2 * HOUR_MS)).toBe(false)
  expect(copiesDue(stateOf({ isOfKey: false }), now, 2 * HOUR_MS)).toBe(true)
  expect(copiesDue(stateOf({ copiedAt: undefined }), now, 2 * HOUR_MS)).toBe(true)
})
