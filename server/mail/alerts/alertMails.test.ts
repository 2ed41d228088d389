import type pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { CustomerId, DeviceId } from '#domain/ids.ts'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#domain/units/time.ts'
import { openPool } from '#server/db/connect/pool.ts'
import { readFieldReadings } from '#server/telemetry/read/fieldReadings.ts'
import { addCustomer, addDevice, addUser, type UserToAdd } from '#server/testing/callers.ts'
import { freshDatabase } from '#server/testing/database/freshDatabase.ts'
import { routedMails } from '#server/testing/mail/routedMails.ts'
import { type MailServer, startMailServer } from '#testing/mailServer.ts'
import { LARGEST_PICTURE_BYTES } from '../chart/chartPicture.ts'
import { MailQueue } from '../mailQueue.ts'
import { SmtpMailer } from '../sending/SmtpMailer.ts'

const CONSOLE = 'https://signs.example'
const CREATED = '2026-11-20T10:00:05Z'

let database: Awaited<ReturnType<typeof freshDatabase>>
let pool: pg.Pool
let harbour: CustomerId
let pier: DeviceId
let server: MailServer
let warnings: string[]
const INCIDENT_TABLES = ['incident_due', 'incident_part', 'incident_share', 'incident_turn']
let nowMs = 0
let lastUser = 0

beforeAll(async () => {
  database = await freshDatabase()
  pool = openPool(database.applicationUrl, { maximumConnections: 6, name: 'test' })
  harbour = await addCustomer(pool, 'Harbour')
  pier = (await addDevice(pool, { name: 'Pier', customerId: harbour })).id
  await pool.query(`update device set status_id = 2, time_zone = 'Europe/Oslo', address = 'Quay 1' where id = $1`, [
    pier,
  ])
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})
beforeEach(async () => {
  nowMs = Date.now()
  warnings = []
  server = await startMailServer()
  await pool.query('update app_user set deleted_at = now() where deleted_at is null')
  for (const table of ['alert_notice', 'alert_turn', 'notification', 'reading_ups', ...INCIDENT_TABLES])
    await pool.query(`delete from ${table}`)
})
afterEach(() => server.stop())

const newQueue = (
  readings = (...asked: Parameters<typeof readFieldReadings> extends [unknown, ...infer Rest] ? Rest : never) =>
    readFieldReadings(pool, ...asked),
) =>
  new MailQueue({
    ...routedMails(pool),
    pool,
    mailer: new SmtpMailer({ url: server.url, from: 'signs@signs.example' }),
    idDomain: 'signs.example',
    consoleUrl: CONSOLE,
    log: { warn: (_, sentence) => warnings.push(sentence) },
    now: () => new Date(nowMs),
    readings,
  })

async function newUser(user: Partial<UserToAdd> & { timeZone?: string } = {}): Promise<string> {
  const { timeZone = '', ...rest } = user
  const username = `user${++lastUser}@signs.example`
  const id = await addUser(pool, { functions: [2, 7], ...rest, username })
  await pool.query('update app_user set time_zone = $2 where id = $1', [id, timeZone])
  return username
}

async function newAlert(createdAt = new Date(nowMs).toISOString()): Promise<number> {
  const { rows } = await pool.query(
    `with condition as (
       insert into alert_condition (model_id, field_id, operator_code, value_dec) values (1, 5104, 'GT', 60) returning id),
     added as (
       insert into alert (device_id, condition_id, created_at, found_at, field_id, operator_code, value_dec, period_id,
         action_type_id, condition_text, metric_value_dec, state_since)
       select $1, id, $2, now(), 5104, 'GT', 60, 1, 1, 'UPS: UPS load (%) > 60', 71.5, $2 from condition returning id),
     event as (insert into alert_event (device_id, alert_id, kind, at) select $1, id, 'opened', $2 from added),
     due as (insert into incident_due (device_id, alert_id) select $1, id from added)
     insert into alert_notice (device_id, alert_id, found_at, is_late) select $1, id, now(), false from added
     returning alert_id`,
    [pier, createdAt],
  )
  return Number(rows[0].alert_id)
}

/** An alert of that time has nothing in common with what is raised now. */
const hourBefore = () => new Date(nowMs - HOUR_MS).toISOString()

/** Changes the state of an alert as a batch of readings does. */
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

async function report(): Promise<void> {
  await pool.query(
    `insert into reading_ups (device_id, number, device_dt, inserted, load)
     select $1, 1, $2::timestamptz - n * interval '1 minute', now(), 40 + n % 30 from generate_series(0, 60) as n`,
    [pier, new Date(nowMs)],
  )
}

test('a mail says what, against which limit, since when by the clock of its reader, with a button and a chart', async () => {
  await newUser({ timeZone: 'Asia/Tokyo' })
  await report()
  const id = await newAlert()
  await newQueue().sendDue()
  const [mail] = server.mails
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone: 'Asia/Tokyo', hour: '2-digit', minute: '2-digit' })
  const link = `${CONSOLE}/alerts/alert-details?data=${encodeURIComponent(JSON.stringify({ id }))}`
  for (const text of ['Device: Pier', 'Address: Quay 1', 'Value: 71.5 %', 'Limit: > 60 %', 'Defined by: model'])
    expect(mail?.readable).toContain(text)
  expect(mail?.readable).toMatch(
    new RegExp(`Since: \\d\\d\\.\\d\\d\\.\\d\\d ${clock.format(nowMs)}:\\d\\d \\(Asia/Tokyo\\)`),
  )
  expect(mail?.readable).toContain(`<a href="${link}" style="display:inline-block`)
  expect(mail?.readable).toContain('src="cid:chart"')
  const picture = /Content-ID: <chart>\r\n[\s\S]*?\r\n\r\n([A-Za-z0-9+/=\r\n]+)\r\n--/.exec(mail?.raw ?? '')?.[1] ?? ''
  const png = Buffer.from(picture, 'base64')
  expect(png.subarray(1, 4).toString()).toBe('PNG')
  expect(png.length).toBeLessThan(LARGEST_PICTURE_BYTES)
  expect(warnings).toEqual([])
})

test('a mail about what is critical says so first, and every mail says how bad it is', async () => {
  await newUser()
  await newAlert()
  await newQueue().sendDue()
  expect(subjects()).toEqual(['Pier: UPS load too high: 71.5 %, limit 60 %'])
  expect(server.mails[0]?.readable).toContain('Severity: Warning')
  const next = await newAlert(hourBefore())
  await pool.query('update alert set severity_id = 1 where id = $1', [next])
  await newQueue().sendDue()
  expect(subjects()[1]).toBe('Critical: Pier: UPS load too high: 71.5 %, limit 60 %')
  expect(server.mails[1]?.readable).toContain('Severity: Critical')
})

test('a reader without a zone of their own reads that of the device', async () => {
  await newUser()
  await newAlert(CREATED)
  await newQueue().sendDue()
  expect(server.mails[0]?.readable).toContain('Since: 20.11.26 11:00:05 (Europe/Oslo)')
})

test('where no chart can be drawn the mail goes without it rather than not at all', async () => {
  await newUser()
  await newAlert()
  await newQueue(() => Promise.reject(new Error('no readings'))).sendDue()
  await newAlert(hourBefore())
  await newQueue().sendDue()
  expect(server.mails).toHaveLength(2)
  for (const { readable } of server.mails) expect(readable).not.toContain('cid:chart')
  expect(warnings).toEqual(['A mail goes without its chart.'])
})

test('whoever may not open the link gets no mail', async () => {
  await newUser({ functions: [7] })
  await newUser({ functions: [3, 7] })
  const mailed = [
    await newUser({ functions: [1, 7] }),
    await newUser({ functions: [2, 7] }),
    await newUser({ functions: [5, 7] }),
  ]
  await newAlert()
  await newQueue().sendDue()
  expect(server.mails.flatMap(({ to }) => to).sort()).toEqual(mailed.sort())
})

test('who was mailed is told that it is over after five minutes, and at once that it is met again', async () => {
  await newUser()
  const id = await newAlert()
  const queue = newQueue()
  await queue.sendDue()
  await turn(id, true)
  await passing(4 * MINUTE_MS, queue)
  expect(server.mails).toHaveLength(1)
  await passing(2 * MINUTE_MS, queue)
  expect(subjects()).toEqual([
    'Pier: UPS load too high: 71.5 %, limit 60 %',
    'Resolved: Pier: UPS load too high: 71.5 %, limit 60 %',
  ])
  expect(server.mails[1]?.readable).toContain('Resolved: ')
  await passing(HOUR_MS, queue)
  await turn(id, false)
  await queue.sendDue()
  await passing(HOUR_MS, queue)
  expect(subjects().slice(2)).toEqual(['Again: Pier: UPS load too high: 71.5 %, limit 60 %'])
  // The condition was wrong once, so now it has to stay clear for ten minutes.
  await turn(id, true)
  await passing(9 * MINUTE_MS, queue)
  expect(server.mails).toHaveLength(3)
  await passing(2 * MINUTE_MS, queue)
  expect(subjects().at(-1)).toBe('Resolved: Pier: UPS load too high: 71.5 %, limit 60 %')
  expect((await pool.query('select from alert_turn')).rowCount).toBe(0)
})

test('an alert that comes and goes is no flood: its mails do not grow with it', async () => {
  await newUser()
  const id = await newAlert()
  const queue = newQueue()
  await queue.sendDue()
  for (let times = 0; times < 20; times++) {
    await turn(id, true)
    await passing(3 * MINUTE_MS, queue)
    await turn(id, false)
    await passing(MINUTE_MS, queue)
  }
  expect(server.mails).toHaveLength(1)
})

test('of a closed alert, and while its device is not Paired, nobody is told that it is over', async () => {
  const to = await newUser()
  const [closed, kept] = [await newAlert(), await newAlert(hourBefore())]
  const queue = newQueue()
  await queue.sendDue()
  await pool.query('update device set status_id = 3 where id = $1', [pier])
  for (const id of [closed, kept]) await turn(id, true)
  await passing(20 * MINUTE_MS, queue)
  await pool.query('update alert set status_id = 2, closed_at = now() where id = $1', [closed])
  await pool.query('insert into incident_due (device_id, alert_id) values ($1, $2)', [pier, closed])
  expect(server.mails).toHaveLength(2)
  await pool.query('update device set status_id = 2 where id = $1', [pier])
  await passing(10 * MINUTE_MS, queue)
  expect(server.mails.slice(2).map((mail) => mail.to)).toEqual([[to]])
  expect(server.mails[2]?.readable).toContain(encodeURIComponent(JSON.stringify({ id: kept })))
})

test('a mail that waited says how things are when it goes, and no second one says it again', async () => {
  await newUser()
  const id = await newAlert()
  await turn(id, true)
  const queue = newQueue()
  await queue.sendDue()
  await passing(HOUR_MS, queue)
  expect(subjects()).toEqual(['Pier: UPS load too high: 71.5 %, limit 60 %'])
  expect(server.mails[0]?.readable).toContain('Resolved: ')
})

test('of what is not reported the mail says that, no limit that is none, and of whom the condition is', async () => {
  await newUser()
  await report()
  const { rows } = await pool.query<{ id: number }>(
    `insert into alert_condition (kind, minutes, customer_id, tag, tag_key, field_id, operator_code, value_dec)
     values ('absent', 30, $1, 'north', 'north', 5104, 'GTE', 30) returning id`,
    [harbour],
  )
  const id = await newAlert()
  await pool.query(
    `update alert set condition_id = $2, kind = 'absent', metric_value_dec = null, value_dec = 30, operator_code = 'GTE',
       condition_text = 'UPS: UPS load (%) not reported for 30 minutes' where id = $1`,
    [id, rows[0]?.id],
  )
  await newQueue().sendDue()
  const readable = server.mails[0]?.readable
  expect(readable).toContain('Limit: not reported for 30 minutes')
  expect(readable).toContain('Defined by: #north of Harbour')
  expect(readable).not.toContain('≥')
})
