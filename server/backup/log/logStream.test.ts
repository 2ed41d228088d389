import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { backupFixture, rowHashes } from '#server/testing/backup/backupFixture.ts'
import { readBackupState } from '../backupState.ts'
import { provenChoice } from '../restore/layCopy.ts'
import { chainFrom, logFolder, type Piece, piecesIn, systemsIn } from './copyNames.ts'
import { logPositionOf } from './logPosition.ts'
import { streamLog } from './logStream.ts'

const database = await backupFixture({ ownerIsSuperuser: true })
const key = randomBytes(32)

/** Keeps the log until it is stopped; `reaches` waits until all up to now is kept. */
function keepLog({ answersWithinMs = 30_000 } = {}) {
  const stopping = new AbortController()
  let upTo = new Date(0)
  const ended = streamLog({
    ...{ ownerUrl: database.ownerUrl, folder: database.backups, key },
    keepEveryMs: 50,
    answersWithinMs,
    stopped: stopping.signal,
    onKept: (moment) => {
      upTo = moment
    },
  })
  return {
    ended,
    async reachesNow() {
      const now = await databaseNow()
      await expect.poll(() => upTo.getTime(), { timeout: 20_000 }).toBeGreaterThan(now.getTime())
    },
    async stop() {
      stopping.abort()
      await ended
    },
  }
}

async function databaseNow(): Promise<Date> {
  const { rows } = await database.owner.query<{ now: Date }>('select clock_timestamp() as now')
  return rows[0]?.now ?? new Date(0)
}

let written = 0
async function writeRows(count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    written += 1
    await database.owner.query("insert into country (iso_code, name, time_zone) values ($1, $1, 'UTC')", [
      `T${written}`,
    ])
  }
}

/** Damages a file as a bad disk would. */
function flipByte(path: string): void {
  const bytes = readFileSync(path)
  bytes.writeUInt8((bytes.readUInt8(bytes.length - 20) + 1) % 256, bytes.length - 20)
  writeFileSync(path, bytes)
}

test('any moment since a copy comes back row for row, and so does the newest', async () => {
  const log = keepLog()
  let isCopying = true
  const writing = (async () => {
    while (isCopying) await writeRows(1)
  })()
  const copy = await database.takeCopy(key)
  isCopying = false
  await writing
  await log.reachesNow()
  const between = await rowHashes(database.owner)
  const until = await databaseNow()
  await database.owner.query("delete from country where iso_code like 'T%'")
  await database.owner.query('select pg_switch_wal()')
  await writeRows(200)
  await log.reachesNow()
  // The lead changes: the next process goes on where the other one stopped.
  await log.stop()
  await writeRows(200)
  const next = keepLog()
  await next.reachesNow()
  const newest = await rowHashes(database.owner)
  await next.stop()
  expect(newest).not.toEqual(between)

  const past = await database.restore({ key, until })
  expect(await rowHashes(past.owner)).toEqual(between)
  const present = await database.restore({ key })
  expect(await rowHashes(present.owner)).toEqual(newest)

  // Nothing is missing after the last commit, so a moment between it and the end of the log restores everything.
  const { pieces, reachesTo } = await provenChoice({ ...wish, say: () => undefined })
  const idle = await database.restore({ key, until: reachesTo })
  expect(await rowHashes(idle.owner)).toEqual(newest)
  expect(idle.restored.lastCommitAt?.getTime()).toBeLessThan(reachesTo.getTime())
  expect(idle.restored.lastCommitAt).toEqual(present.restored.lastCommitAt)

  const tooEarly = new Date(new Date(copy.facts.endedAt).getTime() - 1)
  expect(await refused({ until: tooEarly })).toContain('nothing earlier can be restored')
  expect(await refused({ until: new Date(reachesTo.getTime() + 1) })).toContain('The backup reaches to')
  await refusesWithout(pieces, new Date(copy.facts.endedAt))
}, 180_000)

const wish = { folder: database.backups, dataFolder: 'nowhere', key }
const refused = (changes: object) =>
  database.restore({ key, ...changes }).then(
    () => 'restored',
    ({ message }: Error) => message,
  )

/** One piece is damaged and one is gone: what follows is not silently left out, and what precedes can be restored. */
async function refusesWithout([first, second]: readonly Piece[], copied: Date): Promise<void> {
  const path = second?.path ?? ''
  // A piece that contains the end of the copy may name an earlier moment than that end.
  const upTo = first && first.reachesTo > copied ? first.reachesTo : copied
  const offered = `Restore what is whole with --until ${upTo.toISOString()}.`
  flipByte(path)
  const damaged = await refused({})
  expect(damaged).toMatch(/is damaged after \d+ bytes/)
  expect(damaged).toContain(offered)
  rmSync(path)
  const missing = await refused({})
  expect(missing).toMatch(/^Something is missing before \S+: it follows \S+, not \S+\. /)
  expect(missing).toContain(offered)
  expect((await provenChoice({ ...wish, until: upTo, say: () => undefined })).pieces).toHaveLength(1)
  const { restored } = await database.restore({ key, until: upTo })
  expect(restored.lastCommitAt?.getTime()).toBeLessThanOrEqual(upTo.getTime())
}

test('the database holds its log back for as long as it is not kept', async () => {
  const held = async () => {
    const { rows } = await database.owner.query<{ held: number }>(
      'select pg_wal_lsn_diff(pg_current_wal_flush_lsn(), restart_lsn)::int as held from pg_replication_slots',
    )
    return rows[0]?.held ?? 0
  }
  const before = await held()
  await writeRows(50)
  expect(await held()).toBeGreaterThan(before)
  const log = keepLog()
  await log.reachesNow()
  await expect.poll(held).toBeLessThan(1000)
  await log.stop()
})

test('what could not be written to the disk is still held by the database, and comes with the next lead', async () => {
  const [systemId = ''] = await systemsIn(database.backups)
  const folder = logFolder(database.backups, systemId)
  const log = keepLog()
  await log.reachesNow()
  const failing = expect(log.ended).rejects.toThrow('ENOENT')
  renameSync(folder, `${folder}.away`)
  await writeRows(50)
  await failing
  renameSync(`${folder}.away`, folder)
  const kept = (await piecesIn(database.backups, systemId)).at(-1)?.to ?? 0n
  const { rows } = await database.owner.query<{ held: string }>('select restart_lsn as held from pg_replication_slots')
  expect(logPositionOf(rows[0]?.held ?? '')).toBeLessThanOrEqual(kept)
  const next = keepLog()
  await next.reachesNow()
  await next.stop()
  const pieces = await piecesIn(database.backups, systemId)
  const since = pieces.findIndex(({ from }) => from === kept)
  expect(pieces.at(-1)?.to).toBeGreaterThan(kept)
  expect(chainFrom(pieces, 1, kept)).toEqual(pieces.slice(since))
})

const run = promisify(execFile)
const BACKUP = fileURLToPath(new URL('../../programs/backup.ts', import.meta.url))

test('where the log was no longer held there is a gap, which the state and the list name with both ends', async () => {
  await database.takeCopy(key)
  const log = keepLog()
  await log.reachesNow()
  await log.stop()
  const drop = () => database.owner.query('select pg_drop_replication_slot(slot_name) from pg_replication_slots')
  await expect.poll(() => drop().then(() => 'dropped', String), { timeout: 20_000 }).toBe('dropped')
  await writeRows(50)
  await database.owner.query('select pg_switch_wal()')
  await database.owner.query('checkpoint')
  const next = keepLog()
  await next.reachesNow()
  await next.stop()
  const lastGap = async () => (await readBackupState(database.backups, database.owner, key)).gaps.at(-1)
  const { from } = (await lastGap()) ?? {}
  expect(await lastGap()).toEqual({ from: expect.any(Date), to: undefined })
  const copy = await database.takeCopy(key)
  expect(await lastGap()).toEqual({ from, to: new Date(copy.facts.endedAt) })
  const { stdout } = await run(process.execPath, [BACKUP, '--list'], {
    env: { PATH: process.env.PATH, WAYSIDE_BACKUP_FOLDER: database.backups },
  })
  expect(stdout).toContain(`  GAP: from ${from?.toISOString()} to ${copy.facts.endedAt} nothing can be restored\n`)
}, 90_000)

test('who is stopped while connecting keeps nothing, and ends', async () => {
  const log = keepLog()
  await log.stop()
}, 5_000)

test('a database that takes the connection and says nothing is given up', async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void silent.close())
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const deps = { folder: database.backups, key, keepEveryMs: 50, stopped: new AbortController().signal }
  const ownerUrl = `postgres://owner@127.0.0.1:${port}/wayside`
  await expect(streamLog({ ...deps, ownerUrl, answersWithinMs: 300 })).rejects.toThrow('timeout')
})

/** Finds the PostgreSQL process that says how far the log is written, while another one sends it. */
async function answeringProcess(): Promise<number> {
  const { rows } = await database.owner.query<{ pid: number }>(
    "select pid from pg_stat_activity where application_name = 'wayside backup' and query like 'select floor(%'",
  )
  const [{ pid } = { pid: 0 }] = rows
  expect(rows).toEqual([{ pid }])
  return pid
}

const resume = (pid: number) => process.kill(pid, 'SIGCONT')

test.each([
  {
    ...{ how: 'breaks', words: /is over|terminat|EPIPE/, heal: () => undefined },
    harm: (pid: number): unknown => database.owner.query('select pg_terminate_backend($1::integer)', [pid]),
  },
  {
    ...{ how: 'hangs', words: /^The database has not answered for 2 s\.$/, heal: resume },
    harm: (pid: number): unknown => process.kill(pid, 'SIGSTOP'),
  },
])(
  'where the connection $how that asks how far the log is written, it ends in words and claims no later moment',
  async ({ words, harm, heal }) => {
    const log = keepLog({ answersWithinMs: 2000 })
    await log.reachesNow()
    const failing = expect(log.ended).rejects.toThrow(words)
    const pid = await answeringProcess()
    await harm(pid)
    onTestFinished(() => void heal(pid))
    const harmedAt = await databaseNow()
    // This is more than one piece holds, so one is kept whether a moment is known or not.
    for (let mib = 0; mib < 20; mib += 1) {
      await database.owner.query("select pg_logical_emit_message(false, 'filling', repeat('x', 1024 * 1024))")
    }
    await failing
    const [systemId = ''] = await systemsIn(database.backups)
    const last = (await piecesIn(database.backups, systemId)).at(-1)
    expect(last?.reachesTo.getTime()).toBeLessThan(harmedAt.getTime())

    const isActive = async () =>
      (await database.owner.query<{ active: boolean }>('select active from pg_replication_slots')).rows[0]?.active
    await expect.poll(isActive, { timeout: 10_000 }).toBe(false)
    const next = keepLog()
    await next.reachesNow()
    await next.stop()
  },
  60_000,
)
