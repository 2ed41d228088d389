import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { ConnectionWatch } from '../db/ConnectionWatch.ts'
import { dropOldPartitions } from '../db/oldPartitions.ts'
import { makePartitions, partitionName } from '../db/partitions.ts'
import { freshDatabase } from '../testing/freshDatabase.ts'
import { type Job, startJobs } from './leader.ts'

let database: Awaited<ReturnType<typeof freshDatabase>>
let owner: pg.Client
beforeAll(async () => {
  database = await freshDatabase()
  owner = new pg.Client({ connectionString: database.ownerUrl })
  await owner.connect()
})
afterAll(async () => {
  await owner.end()
  await database.drop()
})

const quiet = { error: () => undefined }
const until = (holds: () => boolean) => vi.waitUntil(holds, { timeout: 30_000, interval: 20 })

test('one process of two leads, and the other takes over when it stops', async () => {
  const ran: string[] = []
  const jobOf = (process: string): Job => ({ name: 'note', everyMs: 20, run: async () => void ran.push(process) })
  const first = startJobs({ watch: new ConnectionWatch(database.ownerUrl), jobs: [jobOf('first')], log: quiet })
  await until(() => ran.length > 2)
  const second = startJobs({ watch: new ConnectionWatch(database.ownerUrl), jobs: [jobOf('second')], log: quiet })
  // It has asked for the lead, and waits.
  const leaders =
    "select from pg_stat_activity where datname = current_database() and application_name = 'wayside lead'"
  await vi.waitUntil(async () => (await owner.query(leaders)).rowCount === 2, { timeout: 30_000 })
  const before = ran.length
  await until(() => ran.length > before + 5)
  expect(new Set(ran)).toEqual(new Set(['first']))
  await first.stop()
  await until(() => ran.includes('second'))
  await second.stop()
})

test('a job that fails comes again, and keeps no other from running', async () => {
  const tries: string[] = []
  const jobs: Job[] = [
    { name: 'bad', everyMs: 20, run: async () => Promise.reject(new Error(String(tries.push('bad')))) },
    { name: 'good', everyMs: 20, run: async () => void tries.push('good') },
  ]
  const running = startJobs({ watch: new ConnectionWatch(database.ownerUrl), jobs, log: quiet })
  await until(() => tries.filter((name) => name === 'bad').length > 2 && tries.includes('good'))
  await running.stop()
})

test('days ahead are made once, and days beyond retention go with their readings', async () => {
  const inAWeek = new Date(Date.now() + 7 * 86_400_000)
  expect(await makePartitions(owner, inAWeek, 5)).toBeGreaterThan(0)
  expect(await makePartitions(owner, inAWeek, 5)).toBe(0)
  const told: string[] = []
  const onDropped = (table: string) => told.push(table)
  const dropped = await dropOldPartitions(owner, { now: inAWeek, retentionDays: 5, onDropped })
  expect(dropped).toBeGreaterThan(0)
  expect(told).toHaveLength(dropped)
  const { rows } = await owner.query<{ name: string }>(
    `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'reading_display'::regclass order by 1`,
  )
  const firstDay = Math.floor(inAWeek.getTime() / 86_400_000) * 86_400_000 - 5 * 86_400_000
  expect(rows[0]?.name).toBe(partitionName('reading_display', firstDay))
  expect(rows).toHaveLength(5 + 1 + 7)
})
