import { readdirSync, readFileSync } from 'node:fs'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DeviceId, EventTypeId, FieldId } from '#domain/ids.ts'
import { DAY_MS } from '#domain/units/time.ts'
import { refusalOf } from '#server/http/call/refusal.ts'
import { WEEK_DAYS } from '#server/testing/database/keptDays.ts'
import { eventually } from '#server/testing/devices/gatewayFixture.ts'
import { type TelemetryFixture, telemetryFixture } from '#server/testing/devices/telemetryFixture.ts'
import { LongReadsThread } from './LongReadsThread.ts'
import type { LongReads } from './longReads.ts'

const MINUTES = 4_000
const midnight = Math.floor(Date.now() / DAY_MS) * DAY_MS
const period = { from: new Date(midnight - 4 * DAY_MS), to: new Date(midnight) }

let fixture: TelemetryFixture
let reads: LongReadsThread
let deviceId: DeviceId
beforeAll(async () => {
  fixture = await telemetryFixture({ keptDays: WEEK_DAYS })
  reads = new LongReadsThread({ url: fixture.database.applicationUrl })
  deviceId = fixture.newDevice()
  await fixture.owner.query(
    `insert into reading_ups (device_dt, inserted, device_id, number, load)
     select $2::timestamptz - n * interval '1 minute', now(), $1, 1, n % 100 from generate_series(1, $3::integer) n`,
    [deviceId, new Date(midnight), MINUTES],
  )
})
afterAll(async () => {
  await reads.end()
  await fixture.close()
})

const rawRows = () => ({ deviceId, eventTypeId: 5 as EventTypeId, ...period })
const series = () => ({
  deviceIds: [deviceId],
  fieldIds: [5104 as FieldId],
  stepMinutes: 5 as const,
  withRange: false,
  ...period,
})
const ASKED: Readonly<Record<string, (of: LongReads, coding?: 'zstd' | 'br' | 'gzip') => AsyncGenerator<Uint8Array>>> =
  {
    rawRows: (of, coding) => of.rawRows(rawRows(), coding),
    seriesRows: (of, coding) => of.seriesRows({ ...series(), isGrouped: false }, coding),
    seriesColumns: (of, coding) => of.seriesColumns(series(), coding),
  }
const whole = async (parts: AsyncGenerator<Uint8Array>) => Buffer.concat(await Array.fromAsync(parts))

test('in each coding the same comes, side by side', async () => {
  for (const ask of Object.values(ASKED)) {
    const [plain, zstd, br, gzip] = await Promise.all([
      whole(ask(reads)),
      whole(ask(reads, 'zstd')),
      whole(ask(reads, 'br')),
      whole(ask(reads, 'gzip')),
    ])
    expect(plain.length).toBeGreaterThan(2_000)
    expect(zstdDecompressSync(zstd).equals(plain)).toBe(true)
    expect(brotliDecompressSync(br).equals(plain)).toBe(true)
    expect(gunzipSync(gzip).equals(plain)).toBe(true)
  }
})

test('of a list each part is a character and whole rows, and of nothing there is an empty list', async () => {
  const parts = (await Array.fromAsync(reads.rawRows(rawRows(), undefined))).map((part) => Buffer.from(part).toString())
  expect(parts.length).toBeGreaterThan(3)
  const rows = parts.flatMap((part) => JSON.parse(`[${part.slice(1).replace(/\]$/, '')}]`))
  expect(rows).toHaveLength(MINUTES)
  expect(JSON.parse(parts.join(''))).toEqual(rows)
  const none = { ...rawRows(), deviceId: fixture.newDevice() }
  expect(String(await whole(reads.rawRows(none, undefined)))).toBe('[]')
})

test('whoever stops in the middle ends that read alone', async () => {
  const [left, other] = [reads.rawRows(rawRows(), 'gzip'), reads.rawRows(rawRows(), 'gzip')]
  await Promise.all([left.next(), other.next()])
  await left.return()
  expect(await left.next()).toEqual({ value: undefined, done: true })
  await Array.fromAsync(other)
  expect(JSON.parse(String(gunzipSync(await whole(reads.rawRows(rawRows(), 'gzip')))))).toHaveLength(MINUTES)
})

test('a database that is not there is told as such', async () => {
  const lost = new LongReadsThread({ url: 'postgres://127.0.0.1:1/none' })
  const fault = await lost
    .rawRows(rawRows(), undefined)
    .next()
    .catch((error: unknown) => error)
  expect(refusalOf(fault).code).toBe('not_ready')
  await lost.end()
})

test('a thread that ends fails what it was asked, and the next read begins it anew', async () => {
  await fixture.owner.query('begin; lock table reading_ups in access exclusive mode')
  const first = reads.rawRows(rawRows(), undefined).next()
  await Promise.all([expect(first).rejects.toThrow('ended'), reads.end()])
  await fixture.owner.query('rollback')
  const begun = reads.rawRows(rawRows(), undefined)
  await begun.next()
  await reads.end()
  await expect(begun.next()).rejects.toThrow('ended')
  expect(JSON.parse(String(await whole(reads.rawRows(rawRows(), undefined))))).toHaveLength(MINUTES)
})

const threads = () => readdirSync(`/proc/${process.pid}/task`)
/** `nice` is the 19th value (proc_pid_stat). */
const niceOf = (path: string) => Number(readFileSync(path, 'utf8').split(') ').at(-1)?.split(' ')[16])

test.runIf(process.platform === 'linux')(
  'it yields to others, as its connections do, and is given back when idle',
  async () => {
    const before = new Set(threads())
    const own = new LongReadsThread({ url: fixture.database.applicationUrl, endedWhenIdleMs: 50 })
    const read = own.rawRows(rawRows(), undefined)
    await read.next()
    const begun = threads().filter((id) => !before.has(id))
    expect(begun.map((id) => niceOf(`/proc/${process.pid}/task/${id}/stat`))).toContain(5)
    const { rows } = await fixture.owner.query<{ pid: number }>(
      `select pid from pg_stat_activity where application_name = 'wayside long reads' and datname = current_database()`,
    )
    expect(rows.length).toBeGreaterThan(0)
    const isLocal = new URL(fixture.database.applicationUrl.replace('postgres:', 'http:')).searchParams.has('host')
    expect(rows.map(({ pid }) => niceOf(`/proc/${pid}/stat`))).toEqual(rows.map(() => (isLocal ? 5 : 0)))
    await read.return()
    await eventually(
      async () => threads().filter((id) => begun.includes(id) && niceOf(`/proc/${process.pid}/task/${id}/stat`) === 5),
      (left) => left.length === 0,
    )
  },
)
