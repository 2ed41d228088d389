import { fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import type pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { CustomerId, DeviceId, UserId } from '#domain/ids.ts'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#domain/units/time.ts'
import type { Caller } from '#server/http/call/caller.ts'
import { changePeople } from '#server/people/peopleChange.store.ts'
import { type MailManners, type MailServer, startMailServer } from '#testing/mailServer.ts'
import { lockUntilCommit } from '../db/advisoryLocks.ts'
import { openPool } from '../db/connect/pool.ts'
import { openDatabase } from '../db/database.ts'
import { addCustomer, addDevice, addUser, openSession, type UserToAdd } from '../testing/callers.ts'
import { freshDatabase, runFolder } from '../testing/database/freshDatabase.ts'
import { eventually } from '../testing/devices/gatewayFixture.ts'
import { routedMails } from '../testing/mail/routedMails.ts'
import { startWholeServer } from '../testing/wholeServer/wholeServer.ts'
import { MailQueue } from './mailQueue.ts'
import { OutboxMailer } from './sending/OutboxMailer.ts'
import { SmtpMailer } from './sending/SmtpMailer.ts'

const CONSOLE = 'https://signs.example'

let database: Awaited<ReturnType<typeof freshDatabase>>
let pool: pg.Pool
let harbour: CustomerId
let pier: DeviceId
const servers: MailServer[] = []
let warnings: { readonly details: Record<string, unknown>; readonly sentence: string }[]
let nowMs = 0
let lastUser = 0
let alertCount = 0

beforeAll(async () => {
  database = await freshDatabase()
  pool = openPool(database.applicationUrl, { maximumConnections: 6, name: 'test' })
  harbour = await addCustomer(pool, 'Harbour')
  pier = (await addDevice(pool, { name: 'Pier', customerId: harbour })).id
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})
beforeEach(async () => {
  nowMs = Date.now()
  warnings = []
  await pool.query('update app_user set deleted_at = now() where deleted_at is null')
  await pool.query('delete from alert_notice')
  await pool.query('delete from notification')
  for (const table of ['incident_due', 'incident_part', 'incident_share', 'incident_turn'])
    await pool.query(`delete from ${table}`)
})
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop()
})

async function mailServer(port = 0, manners: MailManners = {}): Promise<MailServer> {
  const server = await startMailServer(port, manners)
  servers.push(server)
  return server
}

function queueTo(url: string): MailQueue {
  return new MailQueue({
    ...routedMails(pool),
    pool,
    mailer: new SmtpMailer({ url, from: 'signs@signs.example' }),
    idDomain: 'signs.example',
    consoleUrl: CONSOLE,
    log: { warn: (details, sentence) => warnings.push({ details: details as Record<string, unknown>, sentence }) },
    now: () => new Date(nowMs),
  })
}

/** Adds a user of the staff who is notified, unless `user` says otherwise. */
async function newUser(user: Partial<UserToAdd> = {}): Promise<string> {
  const username = user.username ?? `user${++lastUser}@signs.example`
  await addUser(pool, { functions: [5, 7], ...user, username })
  return username
}

async function callerOf(userId: UserId): Promise<Caller> {
  const token = await openSession(pool, userId)
  const { rows } = await pool.query('select username, role_id from app_user where id = $1', [userId])
  return {
    userId,
    username: rows[0].username,
    roleId: rows[0].role_id,
    sessionHash: createHash('sha256').update(token).digest('hex'),
    freshFactor: true,
    isPlainClient: false,
    address: '127.0.0.1',
    functions: [1],
    isLab: false,
    isInternal: false,
  }
}

/** Adds an alert as its transaction leaves it. Each is long before the one before, so that no two share an incident. */
async function newAlert({ deviceId = pier, text = 'UPS: Load > 60', isLate = false } = {}): Promise<number> {
  const { rows } = await pool.query(
    `with added as (
       insert into alert (device_id, condition_id, created_at, found_at, field_id, operator_code, value_dec, period_id,
         action_type_id, condition_text, metric_value_dec, state_since)
       values ($1, nextval('alert_id'), $4, now(), 5104, 'GT', 60, 1, 1, $2, 71.5, $4) returning id),
     event as (
       insert into alert_event (device_id, alert_id, kind, at) select $1, id, 'opened', $4 from added),
     due as (insert into incident_due (device_id, alert_id) select $1, id from added)
     insert into alert_notice (device_id, alert_id, found_at, is_late) select $1, id, now(), $3 from added
     returning alert_id`,
    [deviceId, text, isLate, new Date(Date.now() - HOUR_MS * ++alertCount)],
  )
  return rows[0].alert_id
}
const newAlerts = async (count: number, alert: Parameters<typeof newAlert>[0] = {}) => {
  const ids: number[] = []
  for (let made = 0; made < count; made++) ids.push(await newAlert(alert))
  return ids
}

const linkTo = (id: number) => `${CONSOLE}/alerts/alert-details?data=${encodeURIComponent(JSON.stringify({ id }))}`
const recipients = ({ mails }: MailServer) => mails.flatMap(({ to }) => to).sort()
const rowsOf = async () =>
  (await pool.query('select * from notification order by user_id, alert_id')).rows as Record<string, unknown>[]

async function passing(ms: number, queue: MailQueue): Promise<void> {
  for (const endsAt = nowMs + ms; nowMs < endsAt; ) {
    nowMs += 10 * SECOND_MS
    await queue.sendDue()
  }
}

test('a mail tells device, value and link in text and HTML, and takes the notice away', async () => {
  const server = await mailServer()
  const to = await newUser()
  const id = await newAlert()
  await queueTo(server.url).sendDue()
  expect(server.mails).toHaveLength(1)
  const [mail] = server.mails
  expect(mail?.to).toEqual([to])
  expect(mail?.messageId).toMatch(/^<[0-9a-f-]{36}@signs\.example>$/)
  expect(mail?.readable).toContain('Subject: Pier: UPS: Load above 60\r\n')
  for (const text of ['Value: 71.5', 'Customer: Harbour', linkTo(id), `<a href="${linkTo(id)}"`]) {
    expect(mail?.readable).toContain(text)
  }
  expect((await pool.query('select from alert_notice')).rowCount).toBe(0)
})

test('a mail server that is dead for ten minutes gets every mail exactly once', async () => {
  const { port, stop } = await startMailServer()
  await stop()
  const users = [await newUser(), await newUser(), await newUser()]
  const ids = await newAlerts(3)
  const queue = queueTo(`smtp://127.0.0.1:${port}`)
  await queue.sendDue()
  await passing(10 * MINUTE_MS, queue)
  const tries = warnings.length
  expect(tries).toBeGreaterThan(9)
  expect(tries).toBeLessThan(60)
  const server = await mailServer(port)
  await passing(MINUTE_MS, queue)
  expect(recipients(server)).toEqual(users.flatMap((user) => [user, user, user]).sort())
  for (const id of ids) {
    expect(server.mails.filter(({ readable }) => readable.includes(linkTo(id)))).toHaveLength(users.length)
  }
  await passing(20 * MINUTE_MS, queue)
  expect(server.mails).toHaveLength(9)
  expect(new Set(server.mails.map(({ messageId }) => messageId)).size).toBe(9)
})

test('a process killed between acceptance and recording sends a second copy with the same Message-ID', async () => {
  await newUser()
  await newAlert()
  nowMs = Date.now()
  let killed: Promise<unknown> | undefined
  const server = await mailServer(0, {
    onMail: async () => {
      if (killed) return
      killed = once(child, 'exit')
      child.kill('SIGKILL')
      await killed
    },
  })
  const program = new URL('../testing/mail/mailProcess.ts', import.meta.url).pathname
  const child = fork(program, [database.applicationUrl, server.url], { stdio: 'ignore' })
  await once(child, 'exit')
  expect(server.mails).toHaveLength(1)
  const queue = queueTo(server.url)
  await queue.sendDue()
  expect(server.mails).toHaveLength(1)
  await passing(3 * MINUTE_MS, queue)
  expect(server.mails).toHaveLength(2)
  expect(new Set(server.mails.map(({ messageId }) => messageId)).size).toBe(1)
  await passing(10 * MINUTE_MS, queue)
  expect(server.mails).toHaveLength(2)
})

test('two queues at once send each mail once', async () => {
  const server = await mailServer()
  for (let user = 0; user < 4; user++) await newUser()
  await newAlerts(5)
  await Promise.all([queueTo(server.url), queueTo(server.url), queueTo(server.url)].map((queue) => queue.sendDue()))
  await passing(5 * MINUTE_MS, queueTo(server.url))
  expect(server.mails).toHaveLength(20)
  expect(new Set(server.mails.map(({ messageId }) => messageId)).size).toBe(20)
})

test('while one queue makes mails of what is to be told, another waits for its turn', async () => {
  const server = await mailServer()
  const to = await newUser()
  await newAlert()
  const other = await pool.connect()
  await other.query(`begin; select ${lockUntilCommit('mails')}`)
  const sending = queueTo(server.url).sendDue()
  try {
    const waiting = () => pool.query(`select from pg_locks where locktype = 'advisory' and not granted`)
    await eventually(waiting, ({ rowCount }) => rowCount === 1)
    expect(await rowsOf()).toEqual([])
  } finally {
    await other.query('commit')
    other.release()
  }
  await sending
  expect(recipients(server)).toEqual([to])
})

test('mails go out while somebody changes people, however long that takes', async () => {
  const server = await mailServer()
  const userId = await addUser(pool, { username: `${++lastUser}@signs.example`, functions: [1] })
  const to = await newUser()
  await newAlert()
  const begun = Promise.withResolvers<void>()
  const end = Promise.withResolvers<void>()
  const change = changePeople(openDatabase(pool), await callerOf(userId), 'admin', () => {
    begun.resolve()
    return end.promise
  })
  await Promise.race([begun.promise, change])
  await queueTo(server.url).sendDue()
  expect(recipients(server)).toEqual([to])
  end.resolve()
  await change
})

test('ten mails within five minutes are single ones; what comes beyond them is one digest', async () => {
  const server = await mailServer()
  const queue = queueTo(server.url)
  await newUser()
  await newAlerts(10)
  await queue.sendDue()
  expect(server.mails).toHaveLength(10)
  const beyond = await newAlerts(5)
  await queue.sendDue()
  beyond.push(...(await newAlerts(2)))
  await passing(MINUTE_MS, queue)
  expect(server.mails).toHaveLength(11)
  const digest = server.mails.at(-1)
  expect(digest?.readable).toContain('Subject: 7 alerts of 1 device\r\n')
  for (const id of beyond) expect(digest?.readable).toContain(linkTo(id))
  // The next mail keeps its distance, and takes what came meanwhile.
  await newAlerts(11)
  await passing(3 * MINUTE_MS, queue)
  await newAlerts(3)
  expect(server.mails).toHaveLength(11)
  await passing(3 * MINUTE_MS, queue)
  expect(server.mails).toHaveLength(12)
  expect(server.mails.at(-1)?.readable).toContain('Subject: 14 alerts of 1 device\r\n')
  await passing(10 * MINUTE_MS, queue)
  expect(server.mails).toHaveLength(12)
})

test('what was found late goes in one summary for each recipient, beside the single mails', async () => {
  const server = await mailServer()
  const queue = queueTo(server.url)
  const users = [await newUser(), await newUser({ customerId: harbour })]
  const late = await newAlerts(30, { isLate: true })
  const inTime = await newAlert()
  await queue.sendDue()
  expect(server.mails.map(({ readable }) => readable.includes(linkTo(inTime)))).toEqual([true, true])
  late.push(await newAlert({ isLate: true }))
  await passing(2 * MINUTE_MS, queue)
  const summaries = server.mails.slice(2)
  expect(summaries.map(({ to }) => to[0]).sort()).toEqual([...users].sort())
  for (const { readable } of summaries) {
    expect(readable).toContain('Subject: 31 alerts of 1 device found late\r\n')
    for (const id of late) expect(readable).toContain(linkTo(id))
  }
})

test('only those are told who have the function, are switched on and may see the device', async () => {
  const server = await mailServer()
  const market = await addCustomer(pool, 'Market')
  const closed = await addCustomer(pool, 'Closed')
  await pool.query('update customer set is_active = false where id = $1', [closed])
  const told = [await newUser(), await newUser({ customerId: harbour })]
  await newUser({ functions: [1, 2, 3, 5] })
  await newUser({ customerId: market })
  await newUser({ customerId: closed })
  const without = async (change: string) => {
    await pool.query(`update app_user u set ${change} where username = $1`, [await newUser()])
  }
  await without('is_email_on = false')
  await without('is_disabled = true')
  await without('deleted_at = now()')
  await without(`email = ''`)
  const roleless = await newUser()
  await pool.query(
    'update app_role set deleted_at = now() where id = (select role_id from app_user where username = $1)',
    [roleless],
  )
  await newAlert()
  await queueTo(server.url).sendDue()
  expect(recipients(server)).toEqual([...told].sort())
  const closedDevice = await addDevice(pool, { name: 'Shut', customerId: closed })
  await newAlert({ deviceId: closedDevice.id })
  await queueTo(server.url).sendDue()
  expect(recipients(server)).toEqual([...told, told[0]].sort())
})

test('who loses the right while a mail waits is not told, nor anybody of what never was', async () => {
  const { port, stop } = await startMailServer()
  await stop()
  const users = [await newUser(), await newUser(), await newUser({ customerId: harbour }), await newUser()]
  const [kept = 0, withdrawn = 0] = await newAlerts(2)
  const queue = queueTo(`smtp://127.0.0.1:${port}`)
  await queue.sendDue()
  await pool.query('update app_user set is_email_on = false where username = $1', [users[0]])
  await pool.query('update app_user set is_disabled = true where username = $1', [users[1]])
  const elsewhere = await addCustomer(pool, `Elsewhere ${kept}`)
  await pool.query('update app_user set customer_id = $2 where username = $1', [users[2], elsewhere])
  await pool.query('update alert set withdrawn_at = now() where id = $1', [withdrawn])
  const server = await mailServer(port)
  await passing(5 * MINUTE_MS, queue)
  expect(recipients(server)).toEqual([users[3]])
  expect(server.mails[0]?.readable).toContain(linkTo(kept))
  expect((await rowsOf()).filter(({ given_up_at }) => given_up_at !== null)).toHaveLength(7)
})

test('of alerts of before a move neither customer is told after it, whether or not a mail was waiting', async () => {
  const { port, stop } = await startMailServer()
  await stop()
  const [before, after] = [await addCustomer(pool, 'Before the move'), await addCustomer(pool, 'After the move')]
  const staff = await newUser()
  await newUser({ customerId: before })
  await newUser({ customerId: after })
  const { id: deviceId } = await addDevice(pool, { name: 'Moving', customerId: before })
  const queue = queueTo(`smtp://127.0.0.1:${port}`)
  await newAlert({ deviceId, text: 'Waiting' })
  await queue.sendDue()
  await newAlert({ deviceId, text: 'Not looked at yet' })
  await pool.query('update device set customer_id = $2 where id = $1', [deviceId, after])
  const server = await mailServer(port)
  await passing(5 * MINUTE_MS, queue)
  expect(recipients(server)).toEqual([staff, staff])
})

test('a recipient refused for good is given up with the reason, and keeps nobody waiting', async () => {
  const [bad, busy, good] = [await newUser(), await newUser(), await newUser()]
  const server = await mailServer(0, {
    onRecipient: (address) => (address === bad ? 550 : address === busy && nowMs < busyUntilMs ? 451 : undefined),
  })
  const busyUntilMs = nowMs + 3 * MINUTE_MS
  const queue = queueTo(server.url)
  await newAlert()
  await queue.sendDue()
  expect(recipients(server)).toEqual([good])
  await passing(10 * MINUTE_MS, queue)
  expect(recipients(server)).toEqual([busy, good].sort())
  const [refused] = (await rowsOf()).filter(({ sent_at }) => sent_at === null)
  expect(refused).toMatchObject({ refusals: 3, tries: 3, failure: expect.stringContaining('550') })
  expect(refused?.given_up_at).not.toBeNull()
})

test('a recipient who has had the mails of an hour waits for the rest of it', async () => {
  const server = await mailServer()
  const queue = queueTo(server.url)
  const [full, other] = [await newUser(), await newUser()]
  await pool.query(
    `insert into notification (device_id, alert_id, user_id, channel, kind, message_id, queued_at, next_try_at, sent_at)
     select $1, -n, u.id, 'email', 'alert', 'sent ' || n, $3, $3, $3
     from app_user u, generate_series(1, 60) n where u.username = $2`,
    [pier, full, new Date(nowMs - 30 * MINUTE_MS)],
  )
  await newAlert()
  await passing(25 * MINUTE_MS, queue)
  expect(recipients(server)).toEqual([other])
  await passing(10 * MINUTE_MS, queue)
  expect(recipients(server)).toEqual([full, other].sort())
})

test('hostile names of devices and addresses make neither headers nor markup nor recipients', async () => {
  const server = await mailServer()
  const name = 'Pier\r\nBcc: canary@evil.example\r\n\r\n<script>alert(1)</script>"&\u202e'
  const { id: deviceId } = await addDevice(pool, { name, customerId: harbour })
  const [kept, ...hostile] = [await newUser(), await newUser(), await newUser(), await newUser()]
  const addresses = [
    'a@x.example, canary@evil.example',
    'a@x.example\r\nBcc: canary@evil.example',
    'Ann <canary@evil.example>',
  ]
  for (const [index, username] of hostile.entries()) {
    await pool.query('update app_user set email = $2 where username = $1', [username, addresses[index]])
  }
  await newAlert({ deviceId, text: 'UPS: State = "<b>x</b>\r\nTo: canary@evil.example"' })
  await queueTo(server.url).sendDue()
  expect(recipients(server)).toEqual([kept])
  const [mail] = server.mails
  const header = mail?.raw.slice(0, mail.raw.indexOf('\r\n\r\n')) ?? ''
  expect(header).not.toMatch(/^(bcc|cc):/im)
  expect(header.match(/^to:/gim)).toHaveLength(1)
  const html = mail?.readable.slice(mail.readable.indexOf('text/html')) ?? ''
  expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&amp;')
  expect(html).not.toMatch(/<script|<b>|\u202e/)
  expect((await rowsOf()).filter(({ refusals }) => refusals === 1)).toHaveLength(3)
})

test('a mail server that accepts connections and says nothing keeps neither the jobs nor the stop waiting', async () => {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const address = silent.address() as { port: number }
  const connected = once(silent, 'connection')
  await newUser()
  await newAlert()
  const queue = queueTo(`smtp://127.0.0.1:${address.port}`)
  await queue.job.runUnfenced()
  const [socket] = await connected
  // The job has ended, and the mail is still on its way.
  expect((await rowsOf())[0]?.claimed_at).not.toBeNull()
  await queue.stop()
  const [row] = await rowsOf()
  expect(row).toMatchObject({ tries: 1, sent_at: null, claimed_at: null, waits_for_server: true })
  socket.destroy()
  silent.close()
  // The queue itself waits longer for a mail server.
}, 18_000)

test('a whole server mails by itself, with links to the configured address', async () => {
  const server = await mailServer()
  const to = await newUser()
  const id = await newAlert()
  const whole = await startWholeServer(database, { config: { smtpUrl: server.url, publicUrl: CONSOLE } })
  await vi.waitUntil(() => server.mails.length > 0, { timeout: 60_000 })
  await whole.stop()
  expect(recipients(server)).toEqual([to])
  expect(server.mails[0]?.readable).toContain(linkTo(id))
  expect(server.mails[0]?.raw).toContain('From: Wayside <wayside@signs.example>\r\n')
})

test('a job of mails knows when a mail that failed is due again, and nothing when none waits', async () => {
  const server = await mailServer()
  await server.stop()
  await newUser()
  const queue = queueTo(server.url)
  expect(await queue.job.runUnfenced()).toBeUndefined()
  await newAlert()
  // The mail is due again within half a minute; on a busy machine much of that has passed when the job says so.
  await vi.waitUntil(
    async () => {
      const end = await queue.job.runUnfenced()
      return end && end.againInMs > 0 && end.againInMs <= 30 * SECOND_MS
    },
    { timeout: 60_000 },
  )
  await queue.stop()
})

test('without a mail server each mail is a file whose path is kept, and nothing is said of it', async () => {
  const folder = runFolder('outbox')
  const logged: object[] = []
  const queue = new MailQueue({
    ...routedMails(pool),
    pool,
    mailer: new OutboxMailer({ folder, from: 'signs@signs.example' }),
    idDomain: 'signs.example',
    consoleUrl: CONSOLE,
    log: { warn: (details) => void logged.push(details) },
    now: () => new Date(nowMs),
  })
  const to = await newUser()
  const id = await newAlert()
  await queue.sendDue()
  const [row] = await rowsOf()
  const text = (await readFile(String(row?.outbox_file))).toString()
  expect(text).toContain(`To: ${to}\r\n`)
  expect(text).toContain(`Message-ID: ${row?.message_id}\r\n`)
  expect(text.replaceAll('=\r\n', '').replaceAll('=3D', '=')).toContain(linkTo(id))
  expect(row?.outbox_file).toMatch(/@signs\.example\.eml$/)
  expect([row?.failure, logged]).toEqual(['', []])
})
