import { isDeepStrictEqual } from 'node:util'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { DeviceId, FieldId } from '#domain/ids.ts'
import { DAY_MS, HOUR_MS } from '#domain/units/time.ts'
import { ConnectionWatch } from '#server/db/connect/ConnectionWatch.ts'
import { makePartitions } from '#server/db/partitions/partitions.ts'
import { migrate } from '#server/db/upgrade/migrate.ts'
import { JobRunner } from '#server/jobs/JobRunner.ts'
import { readEtlInfo } from '#server/telemetry/read/etlInfo.ts'
import { readSeriesRows } from '#server/telemetry/read/seriesRows.ts'
import type { WritePath } from '#server/telemetry/write/WritePath.ts'
import { WEEK_DAYS } from '#server/testing/database/keptDays.ts'
import {
  type SentReport,
  storeReports,
  type TelemetryFixture,
  telemetryFixture,
  UPS,
} from '#server/testing/devices/telemetryFixture.ts'
import { passTime } from '#testing/passTime.ts'
import { seededRandom } from '#testing/seededRandom.ts'
import { oldDaysJob } from '../retention/keptDays.ts'
import { rollupJob } from './rollupJob.ts'
import { refreshRollups } from './rollups.ts'

const LOAD = 5104 as FieldId
const running = new AbortController().signal

let fixture: TelemetryFixture
beforeEach(async () => {
  fixture = await telemetryFixture({ keptDays: WEEK_DAYS })
})
afterEach(() => fixture.close())

const today = () => Math.floor(Date.now() / DAY_MS) * DAY_MS
const tomorrow = () => new Date(Date.now() + DAY_MS)

const rollups = async () => (await fixture.owner.query('select * from rollup order by device_id, field_id, day')).rows

/** Works out all roll-ups from the raw rows, by the same statement that a first start would use. */
async function rollupsFromScratch() {
  await fixture.owner.query('delete from rollup')
  await fixture.owner.query(
    `insert into rollup_due select device_id, 5, number, (device_dt at time zone 'UTC')::date, (1 << 24) - 1
     from readings_of_ups group by 1, 3, 4 on conflict do nothing`,
  )
  await refreshRollups(fixture.owner, { now: new Date(Date.now() + 2 * DAY_MS), isOver: () => false })
  return rollups()
}

const manyReports = (count: number, everyMs: number, firstMs: number) =>
  Array.from({ length: count }, (_, index) => ({
    atMs: firstMs + index * everyMs,
    values: { load: (index * 7) % 101, temp: index % 17 },
  }))

/**
 * All of a test arrives at one moment, as what a device had kept. A device whose reports stay as far behind for five
 * seconds has a wrong clock, and gets other times.
 */
const storeKept = (nowMs: number, path: WritePath, deviceId: DeviceId, sent: readonly SentReport[]) =>
  storeReports(path, UPS, deviceId, sent, nowMs)

async function terminate(pid: number) {
  await fixture.owner.query('select pg_terminate_backend($1::integer)', [pid])
}

test('a job that is killed again and again, anywhere, ends with the roll-ups of one that was not', async () => {
  const path = fixture.writePath()
  const devices = Array.from({ length: 20 }, () => fixture.newDevice())
  const options = { now: tomorrow(), isOver: () => false }
  const chance = seededRandom()
  let kills = 0
  let sets = 0
  // Each set of readings falls into the same hours of six days. At least six kills must have met the job at work.
  for (; sets < 4 || kills < 6; sets++) {
    const firstMs = today() - 6 * DAY_MS + sets
    await Promise.all(
      devices.map((deviceId) => storeReports(path, UPS, deviceId, manyReports(6 * 24, HOUR_MS, firstMs))),
    )
    await path.mergeState()
    for (let blow = 0; blow < 5; blow++) {
      const victim = await fixture.connectOwner()
      const { rows } = await victim.query<{ pid: number }>('select pg_backend_pid() as pid')
      const work = refreshRollups(victim, options).catch(() => false)
      await passTime(chance() * 60, 'the blow falls anywhere')
      await terminate(rows[0]?.pid ?? 0)
      if (!(await work)) kills++
      await victim.end().catch(() => undefined)
    }
  }
  await refreshRollups(fixture.owner, options)
  const survived = await rollups()
  expect(survived).toHaveLength(devices.length * 2 * 6)
  expect(survived.every(({ counts }) => counts.every((count: number) => count === sets))).toBe(true)
  expect(await rollupsFromScratch()).toEqual(survived)
})

test('no mark is lost while readings arrive and several refresh at once', async () => {
  const path = fixture.writePath()
  const devices = Array.from({ length: 4 }, () => fixture.newDevice())
  let isWriting = true
  const refreshes = [0, 0, 0]
  const refreshing = refreshes.map(async (_, index) => {
    const owner = await fixture.connectOwner()
    while (isWriting) {
      await path.mergeState()
      await refreshRollups(owner, { now: tomorrow(), isOver: () => false })
      refreshes[index] = (refreshes[index] ?? 0) + 1
    }
    await owner.end()
  })
  const nowMs = Date.now()
  const firstMs = today() - 2 * DAY_MS
  let round = 0
  for (; round < 60 || Math.min(...refreshes) < 6; round++) {
    await Promise.all(
      devices.map((deviceId) =>
        storeKept(
          nowMs,
          path,
          deviceId,
          // All readings fall into the same few hours, so that each hour is worked out again and again.
          Array.from({ length: 8 }, (_, index) => ({
            atMs: firstMs + index * HOUR_MS + round * 1000,
            values: { load: round + index },
          })),
        ),
      ),
    )
  }
  isWriting = false
  await Promise.all(refreshing)
  await path.mergeState()
  await refreshRollups(fixture.owner, { now: tomorrow(), isOver: () => false })
  const kept = await rollups()
  expect(kept.map(({ counts }) => counts.filter(Boolean))).toEqual(devices.map(() => Array(8).fill(round)))
  expect(await rollupsFromScratch()).toEqual(kept)
})

test('two that refresh at once take turns, so that no hour is worked out twice', async () => {
  const atMs = today() - 3 * HOUR_MS
  await storeReports(fixture.writePath(), UPS, fixture.newDevice(), [{ atMs, values: { load: 4 } }])
  await fixture.mergeState()
  const [first, second, observer] = await Promise.all([
    fixture.connectOwner(),
    fixture.connectOwner(),
    fixture.connectOwner(),
  ])
  // The first refresh stops between two statements of a transaction, as if the machine had stalled.
  await fixture.owner.query('begin; lock table rollup in exclusive mode')
  const refreshes = [first, second].map((owner) => refreshRollups(owner, { now: tomorrow(), isOver: () => false }))
  const waiting = async () =>
    (
      await observer.query<{ event: string }>(
        `select wait_event as event from pg_stat_activity where application_name = 'test owner'
       and datname = current_database() and wait_event_type = 'Lock' order by 1`,
      )
    ).rows.map(({ event }) => event)
  const both = ['advisory', 'relation']
  await vi.waitUntil(async () => isDeepStrictEqual(await waiting(), both), { timeout: 30_000, interval: 10 })
  await fixture.owner.query('commit')
  expect(await Promise.all(refreshes)).toEqual([true, true])
  expect(await means()).toEqual([[4]])
  await Promise.all([first, second, observer].map((owner) => owner.end()))
})

test('answers are never older than what was acknowledged, while the job runs beside', async () => {
  const path = fixture.writePath()
  const deviceId = fixture.newDevice()
  let isWriting = true
  const beside = await fixture.connectOwner()
  const refreshing = (async () => {
    while (isWriting) {
      await path.mergeState()
      await refreshRollups(beside, { now: tomorrow(), isOver: () => false })
    }
  })()
  const nowMs = Date.now()
  const atMs = today() - 3 * HOUR_MS
  for (let round = 0; round < 150; round++) {
    await storeKept(nowMs, path, deviceId, [{ atMs: atMs + round, values: { load: round } }])
    const [row] = await readSeriesRows(fixture.pool, {
      deviceIds: [deviceId],
      fieldIds: [LOAD],
      from: new Date(atMs),
      to: new Date(atMs + 1),
      stepMinutes: 60,
      withRange: true,
    })
    expect(row?.maxima).toEqual([round])
    expect(row?.means).toEqual([round / 2])
  }
  isWriting = false
  await refreshing
  await beside.end()
})

async function storeOld(deviceId: DeviceId, atMs: number, load: number, nowMs: number) {
  const path = fixture.writePath()
  await storeReports(path, UPS, deviceId, [{ atMs, values: { load } }], nowMs)
  // A day stays as long as its readings are not merged.
  await path.stop(10_000)
}

const means = async () => (await rollups()).map((row) => row.means.filter((mean: number | null) => mean !== null))

test('beyond retention roll-ups stay, and what reaches such an hour afterwards does not replace it', async () => {
  const deviceId = fixture.newDevice()
  const oldMs = today() - 5 * DAY_MS
  await storeOld(deviceId, oldMs, 10, Date.now())
  await storeOld(deviceId, oldMs + 1, 20, Date.now())
  // The hours were never rolled up before their day is due to go, so the job that drops the day rolls them up first.
  await oldDaysJob({ retentionDays: 3, log: { info: () => undefined }, onTrouble: () => undefined }).run(
    fixture.owner,
    new Date(),
    running,
  )
  expect(await means()).toEqual([[15]])
  // Retention is lengthened again. One late reading belongs to an hour whose other readings are gone, and one to the
  // hour beside it.
  await makePartitions(fixture.owner, new Date(), WEEK_DAYS)
  await storeOld(deviceId, oldMs + 2, 99, Date.now())
  await storeOld(deviceId, oldMs + HOUR_MS, 40, Date.now())
  const question = {
    deviceIds: [deviceId],
    fieldIds: [LOAD],
    from: new Date(oldMs),
    to: new Date(oldMs + 2 * HOUR_MS),
    stepMinutes: 60,
    withRange: false,
  } as const
  expect((await readSeriesRows(fixture.pool, question))[0]?.means).toEqual([15])
  // The hours have not ended by this clock, so their dirty ranges are gathered and they stay due.
  await refreshRollups(fixture.owner, { now: new Date(oldMs), isOver: () => false })
  expect((await readSeriesRows(fixture.pool, question))[0]?.means).toEqual([15])
  await refreshRollups(fixture.owner, { now: new Date(), isOver: () => false })
  expect(await means()).toEqual([[15, 40]])
  expect((await readSeriesRows(fixture.pool, question)).map((row) => row.means[0])).toEqual([15, 40])
})

test('of two processes one rolls up, and when it is killed the other goes on', async () => {
  const log = { error: () => undefined }
  const atMs = today() - 3 * HOUR_MS
  const leaders = new Set<string>()
  const jobOf = (name: string) => ({
    ...rollupJob,
    everyMs: 30,
    run: async (...parameters: Parameters<typeof rollupJob.run>) => {
      leaders.add(name)
      await rollupJob.run(...parameters)
    },
  })
  const start = (name: string) =>
    new JobRunner({ watch: new ConnectionWatch(fixture.database.ownerUrl), jobs: [jobOf(name)], log })
  const first = start('first')
  await vi.waitUntil(() => leaders.size > 0, { timeout: 30_000, interval: 10 })
  const second = start('second')
  const deviceId = fixture.newDevice()
  await storeOld(deviceId, atMs, 1, Date.now())
  await vi.waitUntil(async () => (await means())[0]?.[0] === 1, { timeout: 30_000 })
  expect([...leaders]).toEqual(['first'])
  await first.stop()
  await storeOld(deviceId, atMs + 1, 3, Date.now())
  await vi.waitUntil(async () => (await means())[0]?.[0] === 2, { timeout: 30_000 })
  expect([...leaders]).toEqual(['first', 'second'])
  await second.stop()
})

test('the state says READY, PROCESSING while hours wait, FAILED after a failure, and when it was last complete', async () => {
  const status = async (now = new Date()) => (await readEtlInfo(fixture.pool, now)).etl_status
  const deviceId = fixture.newDevice()
  expect(await readEtlInfo(fixture.pool, new Date())).toEqual({ etl_status: 'PROCESSING', etl_last_refresh: null })
  const first = new Date()
  await rollupJob.run(fixture.owner, first, running)
  expect(await readEtlInfo(fixture.pool, new Date())).toEqual({
    etl_status: 'READY',
    etl_last_refresh: first.toISOString(),
  })
  await storeOld(deviceId, today() - 3 * HOUR_MS, 1, Date.now())
  expect(await status()).toBe('READY')
  // No process has led for a while.
  expect(await status(new Date(first.getTime() + 60_000))).toBe('PROCESSING')
  await fixture.owner.query('alter table rollup rename to gone')
  await expect(rollupJob.run(fixture.owner, new Date(), running)).rejects.toThrow('does not exist')
  expect(await status()).toBe('FAILED')
  expect((await readEtlInfo(fixture.pool, new Date())).etl_last_refresh).toBe(first.toISOString())
  await fixture.owner.query('alter table gone rename to rollup')
  await rollupJob.run(fixture.owner, new Date(), running)
  expect(await status()).toBe('READY')
  expect(await means()).toEqual([[1]])
})

test('what was stored before there were roll-ups is rolled up after the update', async () => {
  const { owner, database } = fixture
  const deviceId = fixture.newDevice()
  await storeReports(fixture.writePath(), UPS, deviceId, manyReports(100, 30 * 60_000, today() - 4 * DAY_MS))
  await fixture.mergeState()
  await owner.query(`insert into reading_ups (device_dt, inserted, device_id, number, load, temp)
      select device_dt, inserted, device_id, number, load, temp from readings_of_ups`)
  await owner.query('delete from reading_look')
  await owner.query(`drop view reports.hourly_value;
    drop table rollup, rollup_mark, rollup_due, rollup_state;
    drop function finished_hours, filled_hours;
    delete from migration where file_name = '0005_rollups.sql'`)
  await migrate(database.ownerUrl, { retentionDays: WEEK_DAYS })
  const question = {
    deviceIds: [deviceId],
    fieldIds: [LOAD],
    from: new Date(today() - 5 * DAY_MS),
    to: tomorrow(),
    stepMinutes: 60,
    withRange: true,
  } as const
  const before = await readSeriesRows(fixture.pool, question)
  expect(before).toHaveLength(50)
  await rollupJob.run(owner, tomorrow(), running)
  await owner.query('delete from reading_ups')
  expect(await readSeriesRows(fixture.pool, question)).toEqual(before)
})
