import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DAY_MS } from '#domain/units/time.ts'
import { makeClosedMonth } from '#server/db/partitions/partitions.ts'
import { allReadings } from '#server/testing/database/allReadings.ts'
import { type FreshDatabase, freshDatabase } from '#server/testing/database/freshDatabase.ts'
import { WEEK_DAYS } from '#server/testing/database/keptDays.ts'
import { UPS } from '#server/testing/devices/telemetryFixture.ts'
import { firstOpenDay } from '../closed/daysToClose.ts'
import { closingJob, oldDaysJob } from './keptDays.ts'

const NOW = new Date()
const OPEN_DAYS = WEEK_DAYS - 1
const BEFORE = firstOpenDay(NOW, OPEN_DAYS)
const DAY = new Date(Date.parse(BEFORE) - DAY_MS).toISOString().slice(0, 10)

let database: FreshDatabase
let owner: pg.Client
let troubles: (string | undefined)[]
let log: string[]
beforeEach(async () => {
  database = await freshDatabase({ keptDays: WEEK_DAYS })
  owner = new pg.Client({ connectionString: database.ownerUrl, options: '-c TimeZone=UTC' })
  await owner.connect()
  troubles = []
  log = []
  await owner.query(
    `insert into reading_ups (device_dt, inserted, device_id, number, load)
     select $1::timestamptz + i * interval '1 minute', now(), 1, 1, i from generate_series(0, 999) i`,
    [DAY],
  )
})
afterEach(async () => {
  await owner.end()
  await database.drop()
})

const running = new AbortController().signal
const noteTo = { info: (details: object) => void log.push(Object.values(details).join()) }

function close(now = NOW): Promise<unknown> {
  const job = closingJob({
    ...{ url: database.ownerUrl, openDays: OPEN_DAYS, share: 1, readersTakeMs: 0 },
    ...{ log: noteTo, onTrouble: (words: string | undefined) => troubles.push(words) },
  })
  return job.run(owner, now, running)
}

const arrived = (at: Date) =>
  owner.query(
    `insert into device_state (device_id, event_type_id, number, newest_at, oldest_moved_at, received_at, fields)
     values (1, 5, 1, $1, $1, $1, '{}')
     on conflict (device_id, event_type_id, number) do update set received_at = excluded.received_at`,
    [at],
  )

const closedBefore = async () =>
  (await owner.query<{ at: string }>('select closed_before::text as at from closing_state')).rows[0]?.at

const RUN_SQL = `select ran_at > now() - interval '1 minute' and worked_ms > 0 and worked_ms <= ran_ms as is_told
  from closing_state`

test('old days are closed in a thread, and late readings merged by the next run (rules/readings 2, 8)', async () => {
  const present = new Date('2026-05-07T23:59:59.999Z')
  expect(firstOpenDay(present, 4), 'the present day and four whole ones before it').toBe('2026-05-03')
  await arrived(NOW)
  await close()
  expect([await closedBefore(), troubles, log]).toEqual([BEFORE, [undefined], [`${DAY},0`]])
  const [{ is_told: isTold }] = (await owner.query(RUN_SQL)).rows
  expect(isTold, 'the run is told to the console').toBe(true)
  const before = await allReadings(owner, UPS, DAY)
  expect(before.size).toBe(1000)
  await owner.query(
    `insert into late_reading (device_id, event_type_id, number, device_dt, inserted, fields)
     values (1, 5, 1, $1, now(), '{"load": 7, "temp": 20.5}'), (2, 5, 1, $1, now(), '{"load": 8}')`,
    [DAY],
  )
  await close()
  expect((await owner.query('select from late_reading')).rowCount).toBe(0)
  const key = `1 ${Date.parse(DAY) * 1000}`
  before.set(`1 ${key}`, { load: 0, temp: 20.5 })
  before.set(`2 ${key}`, { load: 8 })
  expect(await allReadings(owner, UPS, DAY)).toEqual(before)
})

test('a clock that is a year ahead closes nothing that is not old by the newest arrivals', async () => {
  const inAYear = new Date(NOW.getTime() + 365 * DAY_MS)
  await close(inAYear)
  await arrived(new Date(NOW.getTime() - DAY_MS))
  await close(inAYear)
  expect([await closedBefore(), log]).toEqual(['-infinity', []])
})

test('what cannot be closed stays, and says so', async () => {
  await arrived(NOW)
  await owner.query(`alter table closed_day add constraint no_room check (rows < 5)`)
  await expect(close()).rejects.toThrow('no_room')
  expect(troubles).toEqual([expect.stringMatching(/^Days of readings could not be closed: .*no_room/)])
  expect((await allReadings(owner, UPS, DAY)).size).toBe(1000)
  await owner.query('alter table closed_day drop constraint no_room')
  await close()
  expect([await closedBefore(), troubles.at(-1)]).toEqual([BEFORE, undefined])
})

test('readings that are not closed are never too old, and closed days go by month', async () => {
  for (const month of ['2020-01-31', '2020-02-01']) {
    await makeClosedMonth(owner, new Date(month))
    await owner.query(`insert into closed_day values (1, 5, 1, $1, 1, now(), '')`, [month])
  }
  const days = (now: string) => Math.floor((NOW.getTime() - Date.parse(now)) / DAY_MS)
  const job = oldDaysJob({
    ...{ retentionDays: 2, kept: { closedDays: days('2020-02-15'), rollupDays: 3653 } },
    ...{ log: noteTo, onTrouble: (words) => troubles.push(words) },
  })
  await job.run(owner, NOW, running)
  expect((await owner.query('select day::text from closed_day')).rows).toEqual([{ day: '2020-02-01' }])
  expect((await owner.query('select from reading_ups')).rowCount).toBe(1000)
  expect(log.filter((name) => !/^(device_message|rejected_report)_\d{8}$/.test(name))).toEqual(['closed_day_202001'])
  expect(troubles).toEqual([undefined])
})
