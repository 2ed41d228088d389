import { randomBytes } from 'node:crypto'
import { chmodSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { MINUTE_MS, SECOND_MS } from '#domain/units/time.ts'
import { KEEP_LOG_EVERY_MS } from '#server/backup/backupJobs.ts'
import { takeCopy } from '#server/backup/copies/takeCopy.ts'
import { streamLog } from '#server/backup/log/logStream.ts'
import { restoreCopy } from '#server/backup/restore/restoreCopy.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#server/db/embedded/embeddedPostgres.ts'
import { migrate } from '#server/db/upgrade/migrate.ts'
import { count, SEED } from '../../frame/options.ts'
import type { Run } from '../../frame/Run.ts'
import { describeTrial } from '../../frame/trial.ts'

const GIGABYTE = 1024 ** 3
/** The disk holds the database, its copy, what is restored, and the log of all that. */
const ROOM_TIMES = 3
const ROW_BYTES = 2_048
const ROWS_AT_ONCE = 50_000
/** Even a small one has more than one chunk of everything. */
const SMALL_BYTES = 64 * 1024 ** 2
const BEAT_EVERY_MS = 20

const OPTIONS = {
  seed: SEED,
  gb: count(0, 'gigabytes in the database; 0 is a small one', 0),
  rpoMinutes: count(5, 'minutes that may be lost'),
  rtoMinutes: count(30, 'minutes until everything is back'),
}

type RestoreRun = Run<Readonly<{ seed: number; gb: number; rpoMinutes: number; rtoMinutes: number }>>

/** A table that was written all the time shows what came back. */
interface Beats {
  readonly last: number
  readonly numbers: ReadonlySet<number>
  readonly bytes: number
}

export const restore = describeTrial({
  name: 'restore',
  proves: 'A machine that is lost under load comes back from its backup, with all but the last minutes, and in time.',
  options: OPTIONS,
  async run(run: RestoreRun) {
    const wantedBytes = Math.max(run.options.gb * GIGABYTE, SMALL_BYTES)
    await refuseWithoutRoom(run.folder, wantedBytes)
    chmodSync(run.folder, 0o755)
    const folders = {
      data: join(run.folder, 'data'),
      backups: join(run.folder, 'backups'),
      new: join(run.folder, 'new'),
    }
    const key = randomBytes(32)
    const start = (dataFolder: string) =>
      startEmbeddedPostgres({ dataFolder, systemFolder: join(run.folder, 'system') })
    const first = await start(folders.data)
    await migrate(first.ownerUrl)
    await fillUp(first.ownerUrl, wantedBytes)

    const ended = new AbortController()
    const log = streamLog({
      ...{ ownerUrl: first.ownerUrl, folder: folders.backups, key },
      ...{ keepEveryMs: KEEP_LOG_EVERY_MS, stopped: ended.signal },
    })
    const beating = beat(first.ownerUrl, ended.signal)
    const copyBeganAt = performance.now()
    await takeCopy({
      ...{ ownerUrl: first.ownerUrl, isEmbedded: true, key },
      dataFolder: folders.data,
      folder: folders.backups,
    })
    const copySeconds = secondsSince(copyBeganAt)
    // The end lies beyond at least one piece of the log, in the middle of the next.
    await sleep((1 + run.chance()) * KEEP_LOG_EVERY_MS)

    const beats = await loseMachine(first, ended, beating)
    await log
    const restoreBeganAt = performance.now()
    await restoreCopy({
      folder: folders.backups,
      dataFolder: folders.new,
      key,
      say: () => undefined,
      systemFolder: join(run.folder, 'system'),
    })
    const second = await start(folders.new)
    const found = await readBeats(second.ownerUrl)
    const rtoSeconds = secondsSince(restoreBeganAt)
    await second.stop()

    tell(run, { beats, found, copySeconds, rtoSeconds })
  },
})

interface Measured {
  readonly beats: readonly number[]
  readonly found: Beats
  readonly copySeconds: number
  readonly rtoSeconds: number
}

function tell(run: RestoreRun, { beats, found, copySeconds, rtoSeconds }: Measured): void {
  const missing = beats.filter((number) => number <= found.last && !found.numbers.has(number)).length
  const rpoSeconds = (((beats.at(-1) ?? 0) - found.last) * BEAT_EVERY_MS) / SECOND_MS
  const { rpoMinutes, rtoMinutes } = run.options
  if (missing > 0) run.wrong(`${missing} rows before the last one did not come back.`)
  console.log(
    `Database ${(found.bytes / GIGABYTE).toFixed(2)} GB, copied and read again in ${copySeconds.toFixed(0)} s`,
  )
  console.log(
    `RPO ${rpoSeconds.toFixed(0)} s   ${run.verdict('RPO', rpoSeconds * SECOND_MS <= rpoMinutes * MINUTE_MS)}`,
  )
  console.log(
    `RTO ${rtoSeconds.toFixed(0)} s   ${run.verdict('RTO', rtoSeconds * SECOND_MS <= rtoMinutes * MINUTE_MS)}`,
  )
  const { rss } = process.memoryUsage()
  console.log(`Memory at the end ${Math.round(rss / 1024 ** 2)} MB`)
}

const secondsSince = (beganAtMs: number) => (performance.now() - beganAtMs) / SECOND_MS

async function refuseWithoutRoom(folder: string, wantedBytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize < ROOM_TIMES * wantedBytes) {
    throw new Error(`${folder} needs ${Math.ceil((ROOM_TIMES * wantedBytes) / GIGABYTE)} GB of room for that.`)
  }
}

/** Writes rows that hardly compress, so that the size is the same everywhere. */
async function fillUp(url: string, bytes: number): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('create table drill_rows (id bigint primary key, bytes bytea not null)')
  await client.query('alter table drill_rows alter column bytes set storage external')
  const part = 'sha512(int8send($1::bigint * 1000003 + n * 7 + '
  const parts = Array.from({ length: ROW_BYTES / 64 }, (_, index) => `${part}${index}))`).join(' || ')
  for (let from = 0; from * ROW_BYTES < bytes; from += ROWS_AT_ONCE) {
    const rows = Math.min(ROWS_AT_ONCE, Math.ceil(bytes / ROW_BYTES) - from)
    await client.query(`insert into drill_rows select $1::bigint + n, ${parts} from generate_series(1, $2::int) n`, [
      from,
      rows,
    ])
  }
  await client.query('create table drill_beat (number integer primary key, at timestamptz not null default now())')
  await client.end()
}

/** Writes rows at intervals, each committed before the next. @returns those that were acknowledged */
async function beat(url: string, stopped: AbortSignal): Promise<readonly number[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  const beganAt = performance.now()
  const numbers: number[] = []
  while (!stopped.aborted) {
    // Numbers follow the clock: a slow write leaves some out, and a number is a time.
    const next = Math.ceil((performance.now() - beganAt) / BEAT_EVERY_MS)
    await client.query('insert into drill_beat (number) values ($1)', [next])
    numbers.push(next)
    await sleep(Math.max(0, (next + 1) * BEAT_EVERY_MS - (performance.now() - beganAt)))
  }
  await client.end()
  return numbers
}

/** What was not stored by then is never stored. */
async function loseMachine(postgres: EmbeddedPostgres, ended: AbortController, beating: Promise<readonly number[]>) {
  ended.abort()
  const beats = await beating
  await postgres.stop()
  return beats
}

async function readBeats(url: string): Promise<Beats> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const size = await client.query<{ bytes: number }>(
    'select pg_database_size(current_database())::float8 as bytes, count(*) from drill_rows where length(bytes) > 0',
  )
  const { rows } = await client.query<{ number: number }>('select number from drill_beat order by number')
  await client.end()
  return {
    last: rows.at(-1)?.number ?? 0,
    numbers: new Set(rows.map(({ number }) => number)),
    bytes: size.rows[0]?.bytes ?? 0,
  }
}
