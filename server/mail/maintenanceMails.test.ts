import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import type { DeviceId } from '#domain/ids.ts'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#domain/units/time.ts'
import { type MailServer, startMailServer } from '#testing/mailServer.ts'
import { seededRandom } from '#testing/seededRandom.ts'
import { openPool } from '../db/connect/pool.ts'
import { addCustomer, addDevice, addUser, type UserToAdd } from '../testing/callers.ts'
import { databaseTest } from '../testing/database/databaseTest.ts'
import { routedMails } from '../testing/mail/routedMails.ts'
import { MailQueue } from './mailQueue.ts'
import { SmtpMailer } from './sending/SmtpMailer.ts'

const { database } = await databaseTest()
const pool: pg.Pool = openPool(database.applicationUrl, { maximumConnections: 4, name: 'test' })
afterAll(() => pool.end())
const harbour = await addCustomer(pool, 'Harbour')
const airport = await addCustomer(pool, 'Airport')
let server: MailServer
let pier: DeviceId
let name = ''
const INCIDENT_TABLES = ['incident_due', 'incident_part', 'incident_share', 'incident_turn']
let nowMs = 0
let count = 0

beforeEach(async () => {
  nowMs = Date.now()
  server = await startMailServer()
  for (const table of [
    'maintenance_window',
    'device_maintenance',
    'alert_held',
    'alert_notice',
    'alert_turn',
    'notification',
    ...INCIDENT_TABLES,
  ])
    await pool.query(`delete from ${table}`)
  await pool.query('update app_user set deleted_at = now() where deleted_at is null')
  name = `Pier ${++count}`
  pier = (await addDevice(pool, { name, customerId: harbour })).id
  await pool.query('update device set status_id = 2 where id = $1', [pier])
})
afterEach(() => server.stop())

const newQueue = () =>
  new MailQueue({
    ...routedMails(pool),
    pool,
    mailer: new SmtpMailer({ url: server.url, from: 'signs@signs.example' }),
    idDomain: 'signs.example',
    consoleUrl: 'https://signs.example',
    log: { warn: () => undefined },
    now: () => new Date(nowMs),
  })

const newUser = (user: Partial<UserToAdd> = {}) =>
  addUser(pool, { functions: [2, 7], customerId: harbour, ...user, username: `user${++count}@signs.example` })

interface Window {
  readonly fromMs?: number
  readonly toMs: number
  readonly tells?: boolean
}

/** Plans maintenance of the pier. @returns its id */
async function maintain({ fromMs = nowMs, toMs, tells = false }: Window): Promise<number> {
  const { rows } = await pool.query(
    `with made as (
       insert into maintenance_window (target_kind, customer_id, target_device_id, reason, from_at, to_at, ends_at, time_zone,
         tells_customer, username, planned_to)
       values ('device', $2, $1, 'New lamps', $3, $4, $4, 'Europe/Oslo', $5, 'somebody', 'infinity') returning id, from_at, to_at),
     planned as (
       insert into maintenance_occurrence (window_id, from_at, to_at, told_start, told_end)
       select id, from_at, to_at, not $5, not $5 from made)
     insert into device_maintenance (device_id, window_id, from_at, to_at, occurrence_at, due_to)
     select $1, id, from_at, to_at, from_at, from_at from made returning window_id`,
    [pier, harbour, new Date(fromMs), new Date(toMs), tells],
  )
  return rows[0].window_id
}

/** Opens an alert as a batch of readings does. */
async function raise(atMs = nowMs, isLate = false): Promise<number> {
  const { rows } = await pool.query(
    `with condition as (
       insert into alert_condition (model_id, field_id, operator_code, value_dec) values (1, 5104, 'GT', 60) returning id),
     added as (
       insert into alert (device_id, condition_id, created_at, found_at, field_id, operator_code, value_dec, period_id,
         action_type_id, condition_text, metric_value_dec, state_since)
       select $1, id, $2, now(), 5104, 'GT', 60, 1, 1, 'UPS: UPS load (%) > 60', 71.5, $2 from condition returning id),
     event as (insert into alert_event (device_id, alert_id, kind, at) select $1, id, 'opened', $2 from added),
     due as (insert into incident_due (device_id, alert_id) select $1, id from added)
     insert into alert_notice (device_id, alert_id, found_at, is_late) select $1, id, now(), $3 from added
     returning alert_id`,
    [pier, new Date(atMs), isLate],
  )
  return Number(rows[0].alert_id)
}

async function turn(id: number, isOver: boolean): Promise<void> {
  await pool.query(
    `with moved as (update alert set condition_state_id = $2, state_since = $3 where id = $1 returning device_id, id),
     event as (
       insert into alert_event (device_id, alert_id, kind, at)
       select device_id, id, case $2 when 2 then 'notActive' else 'active' end, $3 from moved),
     due as (insert into incident_due (device_id, alert_id) select device_id, id from moved)
     insert into alert_turn (device_id, alert_id, turned_at, next_at) select device_id, id, $3, $3 from moved
     on conflict (device_id, alert_id) do update set turned_at = excluded.turned_at, next_at = excluded.next_at`,
    [id, isOver ? 2 : 1, new Date(nowMs)],
  )
}

async function passing(ms: number, queue: MailQueue): Promise<void> {
  for (const endsAt = nowMs + ms; nowMs < endsAt; ) {
    nowMs += 30 * SECOND_MS
    await queue.sendDue()
  }
}
const subjects = () => server.mails.map(({ readable }) => /^Subject: (.*)\r$/m.exec(readable)?.[1])

test('an alert that is raised under maintenance is mailed when that is over, once, if it is still so, and says so', async () => {
  await newUser()
  await maintain({ fromMs: nowMs - HOUR_MS, toMs: nowMs + HOUR_MS })
  await raise()
  const over = await raise(nowMs - 20 * MINUTE_MS)
  const closed = await raise(nowMs - 40 * MINUTE_MS)
  const queue = newQueue()
  await passing(30 * MINUTE_MS, queue)
  await turn(over, true)
  await pool.query('update alert set status_id = 2, closed_at = now() where id = $1', [closed])
  await passing(29 * MINUTE_MS, queue)
  expect(server.mails).toEqual([])
  await passing(2 * MINUTE_MS, queue)
  expect(server.mails).toHaveLength(1)
  expect(server.mails[0]?.readable).toContain('Raised under: maintenance (New lamps)')
  await passing(HOUR_MS, queue)
  expect(server.mails).toHaveLength(1)
})

test('one that is over when maintenance ends is mailed when it is met again afterwards, as a new one', async () => {
  await newUser()
  await maintain({ toMs: nowMs + HOUR_MS })
  const id = await raise()
  const queue = newQueue()
  await turn(id, true)
  await passing(2 * HOUR_MS, queue)
  expect(server.mails).toEqual([])
  await turn(id, false)
  await passing(MINUTE_MS, queue)
  expect(subjects()).toEqual([expect.not.stringContaining('Again')])
})

test('by the clock of the device: what was raised before is mailed, what is found later of that time is held', async () => {
  await newUser()
  await maintain({ fromMs: nowMs - 2 * HOUR_MS, toMs: nowMs - HOUR_MS })
  await maintain({ toMs: nowMs + HOUR_MS })
  const queue = newQueue()
  await raise(nowMs - 30 * MINUTE_MS)
  await queue.sendDue()
  expect(server.mails).toHaveLength(1)
  const late = await raise(nowMs - 90 * MINUTE_MS)
  await turn(late, true)
  await raise(nowMs + MINUTE_MS)
  await passing(2 * MINUTE_MS, queue)
  expect(server.mails).toHaveLength(1)
})

test('what was mailed before and turns under maintenance is told as it is afterwards', async () => {
  await newUser()
  const queue = newQueue()
  const id = await raise()
  await queue.sendDue()
  await maintain({ toMs: nowMs + HOUR_MS })
  nowMs += MINUTE_MS
  await turn(id, true)
  await passing(30 * MINUTE_MS, queue)
  expect(server.mails).toHaveLength(1)
  await passing(40 * MINUTE_MS, queue)
  expect(subjects()).toHaveLength(2)
  expect(subjects()[1]).toMatch(/^Resolved: /)
})

test('the people of the customer who get alert mails hear of start and end, with reason and times by their clock', async () => {
  const user = await newUser()
  await pool.query(`update app_user set time_zone = 'Asia/Tokyo' where id = $1`, [user])
  await newUser({ functions: [2] })
  await newUser({ customerId: airport })
  await addUser(pool, { functions: [2, 7], username: `staff${count}@signs.example` })
  await maintain({ fromMs: nowMs + 10 * MINUTE_MS, toMs: nowMs + HOUR_MS, tells: true })
  const queue = newQueue()
  await passing(9 * MINUTE_MS, queue)
  expect(server.mails).toEqual([])
  await passing(20 * MINUTE_MS, queue)
  expect(subjects()).toEqual([`Maintenance has begun: ${name}`])
  const mail = server.mails[0]?.readable ?? ''
  expect(mail).toContain('Reason: New lamps')
  expect(mail).toMatch(/Planned until: .* \(Asia\/Tokyo\)/)
  await passing(HOUR_MS, queue)
  expect(subjects()).toHaveLength(2)
  expect(subjects()[1]).toMatch(/^Maintenance has ended: /)
})

test('nobody hears of maintenance that was cancelled in time, or over before anybody could be told', async () => {
  await newUser()
  const id = await maintain({ fromMs: nowMs + 10 * MINUTE_MS, toMs: nowMs + HOUR_MS, tells: true })
  await maintain({ fromMs: nowMs - HOUR_MS, toMs: nowMs - MINUTE_MS, tells: true })
  const queue = newQueue()
  await passing(5 * MINUTE_MS, queue)
  await pool.query('delete from maintenance_window where id = $1', [id])
  await pool.query('delete from device_maintenance where window_id = $1', [id])
  await passing(2 * HOUR_MS, queue)
  expect(server.mails).toEqual([])
})

test('however often the queue is killed, each is told the start and the end by one message each', async () => {
  const roll = seededRandom()
  const people = 6
  for (let one = 0; one < people; one++) await newUser()
  const window = await maintain({ fromMs: nowMs - MINUTE_MS, toMs: nowMs + HOUR_MS, tells: true })
  const killed = async () => {
    const program = fileURLToPath(new URL('../testing/mail/mailProcess.ts', import.meta.url))
    const child = spawn(process.execPath, [program, database.applicationUrl, server.url], { stdio: 'ignore' })
    const timer = setTimeout(() => child.kill('SIGKILL'), 200 + roll() * 900)
    await once(child, 'exit')
    clearTimeout(timer)
  }
  const finish = async () => {
    // The claim of a dead process is taken over after two minutes.
    nowMs = Date.now() + SECOND_MS
    await pool.query(`update maintenance_mail set claimed_at = claimed_at - interval '10 minutes'`)
    await newQueue().sendDue()
  }
  for (let round = 0; round < 3; round++) await killed()
  await finish()
  await pool.query('update maintenance_occurrence set to_at = now() where window_id = $1', [window])
  for (let round = 0; round < 3; round++) await killed()
  await finish()
  const idsOf = (word: string) =>
    server.mails.flatMap(({ readable }) =>
      readable.includes(`Subject: Maintenance ${word}`) ? [/^Message-ID: (.*)\r$/im.exec(readable)?.[1]] : [],
    )
  expect(new Set(idsOf('has begun')).size).toBe(people)
  expect(new Set(idsOf('has ended')).size).toBe(people)
})
