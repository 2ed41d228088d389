import type pg from 'pg'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { fieldIdOfKind } from '#domain/alerts/conditionKinds.ts'
import type { CustomerId, DeviceId, IncidentId } from '#domain/ids.ts'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#domain/units/time.ts'
import { openPool } from '#server/db/connect/pool.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { storeSearchTexts } from '#server/fleet/searchTexts.ts'
import { foldDue, refold } from '#server/incidents/foldDue.ts'
import { partsIn } from '#server/incidents/partRows.ts'
import { addCustomer, addUser, type UserToAdd } from '#server/testing/callers.ts'
import { databaseTest } from '#server/testing/database/databaseTest.ts'
import { routedMails } from '#server/testing/mail/routedMails.ts'
import { type MailServer, startMailServer } from '#testing/mailServer.ts'
import { seededRandom } from '#testing/seededRandom.ts'
import { MailQueue } from '../mailQueue.ts'
import { SmtpMailer } from '../sending/SmtpMailer.ts'

const { database, owner } = await databaseTest()
const pool: pg.Pool = openPool(database.applicationUrl, { maximumConnections: 4, name: 'test' })
afterAll(() => pool.end())
const harbour = await addCustomer(pool, 'Harbour')
const airport = await addCustomer(pool, 'Airport')
const SILENT = fieldIdOfKind('silent') as number
const PANEL_TEMP = 4101
const UPS_STATUS = 5104
const TABLES = ['alert', 'alert_event', 'alert_notice', 'alert_held', 'alert_turn', 'alert_named', 'notification']
const INCIDENT_TABLES = ['incident', 'incident_due', 'incident_part', 'incident_share', 'incident_turn']

let server: MailServer
let [nowMs, count] = [0, 0]

beforeEach(async () => {
  nowMs = Date.now()
  server = await startMailServer()
  for (const table of [...TABLES, ...INCIDENT_TABLES]) await pool.query(`delete from ${table}`)
  await pool.query('update app_user set deleted_at = now() where deleted_at is null')
  await pool.query('update device set deleted_at = now() where deleted_at is null')
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

async function newUser(user: Partial<UserToAdd> = {}): Promise<string> {
  const username = `user${++count}@signs.example`
  await addUser(pool, { functions: [2, 7], ...user, username })
  return username
}

/** @param place degrees of latitude that they share; null when nobody knows where they are */
async function newDevices(howMany: number, customerId: CustomerId = harbour, place: number | null = null) {
  const { rows } = await pool.query<{ id: number }>(
    `insert into device (guid, name, model_id, customer_id, iot_device_id, status_id, latitude, longitude)
     select gen_random_uuid(), 'Sign ' || n, 15, $2, gen_random_uuid()::text, 2, $3::float8, $3::float8
     from generate_series(1, $1) n returning id`,
    [howMany, customerId, place],
  )
  return rows.map(({ id }) => id)
}

interface Raising {
  readonly fieldId?: number
  readonly severityId?: number
  readonly text?: string
  readonly atMs?: number
}

/** Opens one alert on each device, as batches of readings or the clock do. @returns their ids */
async function raise(devices: readonly number[], { fieldId = PANEL_TEMP, severityId = 2, ...raising }: Raising = {}) {
  const { text = 'Display: too hot', atMs = nowMs } = raising
  const { rows } = await pool.query<{ id: number }>(
    `with added as (
       insert into alert (device_id, condition_id, created_at, found_at, field_id, operator_code, value_dec, period_id,
         action_type_id, condition_text, metric_value_dec, state_since, severity_id)
       select id, nextval('alert_id')::int, $2, $3, $4, 'GT', 5, 1, 1, $5, 71.5, $2, $6 from unnest($1::int[]) as id
       returning device_id, id),
     event as (
       insert into alert_event (device_id, alert_id, kind, at) select device_id, id, 'opened', $2 from added),
     due as (insert into incident_due (device_id, alert_id) select device_id, id from added),
     noticed as (
       insert into alert_notice (device_id, alert_id, found_at, is_late) select device_id, id, $3, false from added)
     select id::float8 as id from added`,
    [devices, new Date(atMs), new Date(nowMs), fieldId, text, severityId],
  )
  return rows.map(({ id }) => id)
}

async function turn(ids: readonly number[], isOver: boolean): Promise<void> {
  await pool.query(
    `with moved as (
       update alert set condition_state_id = $2, state_since = $3 where id = any($1::bigint[]) returning device_id, id),
     event as (
       insert into alert_event (device_id, alert_id, kind, at)
       select device_id, id, case $2 when 2 then 'notActive' else 'active' end, $3 from moved)
     insert into incident_due (device_id, alert_id) select device_id, id from moved`,
    [ids, isOver ? 2 : 1, new Date(nowMs)],
  )
}

async function passing(ms: number, queue: MailQueue, stepMs = 30 * SECOND_MS): Promise<void> {
  for (const endsAt = nowMs + ms; nowMs < endsAt; ) {
    nowMs += stepMs
    await queue.sendDue()
  }
}

/** A long subject goes on in the next line of the header. */
const subjectOf = ({ readable }: { readable: string }) =>
  /^Subject: (.*(?:\r\n .*)*)\r$/m.exec(readable)?.[1]?.replaceAll('\r\n', '')
const toldTo = (user: string) => server.mails.filter(({ to }) => to.includes(user)).map(subjectOf)

async function incidentIds(): Promise<IncidentId[]> {
  const { rows } = await pool.query<{ id: IncidentId }>(
    'select incident_id::float8 as id from incident_share where customer_id = 0 order by incident_id',
  )
  return rows.map(({ id }) => id)
}

const snooze = async (id: number | undefined, until: Date | null) => {
  await pool.query('update incident set snoozed_until = $2 where id = $1', [id, until ?? new Date(nowMs)])
  await pool.query('update incident_turn set next_at = now() where incident_id = $1', [id])
}

test('a network that goes away and comes back with 1,000 devices is one mail and one all-clear to each', async () => {
  const [staff, theirs, strangers] = [
    await newUser(),
    await newUser({ customerId: harbour }),
    await newUser({ customerId: airport }),
  ]
  const devices = await newDevices(1_000)
  const queue = newQueue()
  const silent: number[] = []
  for (let from = 0; from < devices.length; from += 250) {
    silent.push(
      ...(await raise(devices.slice(from, from + 250), {
        fieldId: SILENT,
        text: 'Not reporting for 5 minutes',
        atMs: nowMs + 10 * SECOND_MS,
      })),
    )
    await passing(10 * SECOND_MS, queue, 10 * SECOND_MS)
  }
  await passing(3 * MINUTE_MS, queue)
  const title = '1,000 devices at 1,000 places: Not reporting for 5 minutes'
  expect(toldTo(staff)).toEqual([title])
  expect(toldTo(theirs)).toEqual([title])
  const [id] = await incidentIds()
  for (const text of [
    '1,000 alerts in one message.',
    'Active now: 1,000 of 1,000 alerts',
    `/incidents/incident?data=${encodeURIComponent(JSON.stringify({ id }))}`,
  ])
    expect(server.mails[0]?.readable).toContain(text)
  for (let from = 0; from < silent.length; from += 250) {
    await turn(silent.slice(from, from + 250), true)
    await passing(MINUTE_MS, queue)
  }
  await passing(20 * MINUTE_MS, queue)
  expect(toldTo(staff)).toEqual([title, `Resolved: ${title}`])
  expect(toldTo(theirs)).toEqual([title, `Resolved: ${title}`])
  expect(toldTo(strangers)).toEqual([])
  // The alerts are still open: a second outage opens nothing, and yet everybody must be notified.
  nowMs += 2 * HOUR_MS
  await turn(silent, false)
  await passing(5 * MINUTE_MS, queue)
  expect(toldTo(staff).slice(2)).toEqual([`Again: ${title}`])
  expect(toldTo(theirs).slice(2)).toEqual([`Again: ${title}`])
}, 60_000)

test('of what reaches two customers each hears their own part, and that theirs is over when it is', async () => {
  const [staff, ours, others] = [
    await newUser(),
    await newUser({ customerId: harbour }),
    await newUser({ customerId: airport }),
  ]
  const queue = newQueue()
  const hidden = 'Silent where the airport is'
  const [one, two] = [
    await raise(await newDevices(40), { fieldId: SILENT, text: 'Not reporting for 5 minutes' }),
    await raise(await newDevices(30, airport), { fieldId: SILENT, text: hidden }),
  ]
  await passing(2 * MINUTE_MS, queue)
  expect(await incidentIds()).toHaveLength(1)
  expect(toldTo(staff)).toEqual(['70 devices at 70 places: Not reporting for 5 minutes'])
  expect(toldTo(ours)).toEqual(['40 devices at 40 places: Not reporting for 5 minutes'])
  expect(toldTo(others)).toEqual([`30 devices at 30 places: ${hidden}`])
  await turn(two, true)
  await passing(10 * MINUTE_MS, queue)
  expect(toldTo(others)).toHaveLength(2)
  expect([toldTo(staff), toldTo(ours)].map(({ length }) => length)).toEqual([1, 1])
  await turn(one, true)
  await passing(10 * MINUTE_MS, queue)
  expect([staff, ours, others].map((user) => toldTo(user).length)).toEqual([2, 2, 2])
  for (const { readable } of server.mails.filter(({ to }) => to.includes(ours))) expect(readable).not.toContain(hidden)
})

test('what comes to an incident is told together ten minutes later, and at once where it is worse', async () => {
  const user = await newUser()
  const queue = newQueue()
  const [first, second, third] = await newDevices(3, harbour, 52.5)
  await raise([first as number])
  await queue.sendDue()
  nowMs += MINUTE_MS
  await raise([second as number])
  await queue.sendDue()
  expect(toldTo(user)).toEqual(['Sign 1: Display: too hot'])
  nowMs += MINUTE_MS
  await raise([third as number], { severityId: 1, text: 'Display: on fire' })
  await queue.sendDue()
  expect(toldTo(user)).toHaveLength(2)
  expect(toldTo(user)[1]).toMatch(/^Worse: Critical: /)
  for (const text of ['Sign 2: Display: too hot', 'Sign 3: Display: on fire'])
    expect(server.mails[1]?.readable).toContain(text)
  await passing(9 * MINUTE_MS, queue)
  await raise([first as number], { text: 'Mains off' })
  await raise([second as number], { text: 'Mains off' })
  await queue.sendDue()
  expect(toldTo(user)).toHaveLength(2)
  await passing(2 * MINUTE_MS, queue)
  await passing(10 * MINUTE_MS, queue)
  expect(toldTo(user).slice(2)).toEqual([expect.stringMatching(/^More: Critical: /)])
  for (const text of ['Sign 1: Mains off', 'Sign 2: Mains off']) expect(server.mails[2]?.readable).toContain(text)
})

test('of a snoozed incident nobody hears before its time, then of what is still so, and at once when it is woken', async () => {
  const user = await newUser()
  const queue = newQueue()
  const devices = await newDevices(3, harbour, 52.5)
  const [kept] = await raise(devices.slice(0, 1))
  await inTransaction(pool, (connection) => foldDue(connection, new Date(nowMs)))
  const [id] = await incidentIds()
  await snooze(id, new Date(nowMs + HOUR_MS))
  await raise(devices.slice(1, 2))
  await passing(59 * MINUTE_MS, queue)
  expect(toldTo(user)).toEqual([])
  await passing(2 * MINUTE_MS, queue)
  expect(toldTo(user)).toHaveLength(1)
  await snooze(id, new Date(nowMs + 2 * HOUR_MS))
  await turn([kept as number], true)
  await passing(30 * MINUTE_MS, queue)
  expect(toldTo(user)).toHaveLength(1)
  await turn([kept as number], false)
  await snooze(id, null)
  await raise(devices.slice(2), { severityId: 1 })
  await queue.sendDue()
  // The first alert is met again in an incident of its own, and the second stayed active all the while.
  expect(toldTo(user).slice(1).toSorted()).toEqual([
    expect.stringMatching(/Critical/),
    'Still active: Sign 2: Display: too hot',
  ])
})

test('what was told and is active when its snooze ends is told once more', async () => {
  const user = await newUser()
  const queue = newQueue()
  await raise(await newDevices(1, harbour, 52), { text: 'Warm' })
  const short = await raise(await newDevices(1, harbour, 53), { text: 'Brief' })
  await queue.sendDue()
  expect(toldTo(user)).toHaveLength(2)
  for (const id of await incidentIds()) await snooze(id, new Date(nowMs + HOUR_MS))
  await passing(30 * MINUTE_MS, queue, MINUTE_MS)
  await turn(short, true)
  await passing(29 * MINUTE_MS, queue, MINUTE_MS)
  expect(toldTo(user)).toHaveLength(2)
  await passing(2 * MINUTE_MS, queue)
  expect(toldTo(user).slice(2).toSorted()).toEqual(['Resolved: Sign 1: Brief', 'Still active: Sign 1: Warm'])
  // Woken by hand it is the same.
  const [id] = await incidentIds()
  await snooze(id, new Date(nowMs + HOUR_MS))
  await passing(5 * MINUTE_MS, queue, MINUTE_MS)
  await snooze(id, null)
  await passing(MINUTE_MS, queue)
  expect(toldTo(user).slice(4)).toEqual(['Still active: Sign 1: Warm'])
})

test('who was told of two incidents that are one now hears once that it is over', async () => {
  const [user, ofOne] = [await newUser(), await newUser({ customerId: harbour })]
  const queue = newQueue()
  const alerts = await raise(await newDevices(1, airport))
  await queue.sendDue()
  alerts.push(...(await raise(await newDevices(1))))
  await queue.sendDue()
  expect(toldTo(user)).toHaveLength(2)
  const ids = await incidentIds()
  await inTransaction(pool, async (connection) => {
    const before = await partsIn(connection, ids)
    const parts = before.map((part) => ({ ...part, groupId: 7 }))
    await refold(connection, { before, parts, touched: new Set(ids), now: new Date(nowMs) })
  })
  await turn(alerts, true)
  await passing(HOUR_MS, queue)
  expect(toldTo(user).slice(2)).toEqual([expect.stringMatching(/^Resolved: /)])
  // They were told of the one that is folded into the other.
  expect(toldTo(ofOne).slice(1)).toEqual([expect.stringMatching(/^Resolved: /)])
})

test('what is over when its snooze ends is told only when it is met again', async () => {
  const user = await newUser()
  const queue = newQueue()
  const [one, two] = await newDevices(2, harbour, 52.5)
  await raise([one as number])
  await inTransaction(pool, (connection) => foldDue(connection, new Date(nowMs)))
  const [id] = await incidentIds()
  await snooze(id, new Date(nowMs + HOUR_MS))
  const alerts = await raise([two as number])
  await passing(MINUTE_MS, queue)
  const { rows } = await pool.query<{ id: number }>('select id::float8 as id from alert')
  await turn(
    rows.map((row) => row.id),
    true,
  )
  await passing(2 * HOUR_MS, queue)
  expect(toldTo(user)).toEqual([])
  await turn(alerts, false)
  await passing(MINUTE_MS, queue)
  expect(toldTo(user)).toEqual(['Sign 2: Display: too hot'])
})

/** The text names the alert. Without a notice nobody has to be notified of it. */
const raiseNamed = async (device: number, more: Raising = {}) => {
  const text = `Fault ${++faults} of it`
  const [id] = await raise([device], { ...more, text })
  return { id: id as number, text }
}
let faults = 0

test.for([
  ['two devices without an address', '', ' , '],
  ['two devices of one street', 'Am Dom 1', 'am dom 1'],
] as const)('of %s everybody hears of both', async ([, one, other]) => {
  const user = await newUser()
  const devices = await newDevices(2)
  for (const [index, address] of [one, other].entries())
    await pool.query('update device set address = $2 where id = $1', [devices[index], address])
  await storeSearchTexts(pool, devices as DeviceId[])
  const queue = newQueue()
  const first = await raiseNamed(devices[0] as number)
  await queue.sendDue()
  nowMs += 30 * SECOND_MS
  const second = await raiseNamed(devices[1] as number, { fieldId: UPS_STATUS })
  await passing(HOUR_MS, queue, MINUTE_MS)
  const told = server.mails.filter(({ to }) => to.includes(user)).map(({ readable }) => readable)
  expect(told).toHaveLength(2)
  expect(told[0]).toContain(first.text)
  expect(told[1]).toContain(second.text)
})

/** Makes devices of two customers, many of them with an empty address. */
async function randomFleet(roll: () => number) {
  const addresses = ['', '  ', ' , ', '–', 'Am Dom 1', 'am dom 1', 'Kai 7']
  const devices: { id: number; customerId: CustomerId }[] = []
  for (const customerId of [harbour, airport]) {
    const own = await newDevices(6, customerId)
    for (const id of own) {
      const address = addresses[Math.floor(roll() * addresses.length)]
      await pool.query('update device set address = $2, latitude = $3, longitude = $3 where id = $1', [
        ...[id, address],
        roll() < 0.3 ? 52.5 : null,
      ])
      devices.push({ id, customerId })
    }
    await storeSearchTexts(pool, own.filter(() => roll() < 0.7) as DeviceId[])
  }
  return devices
}

/** Returns who was not notified of which alert, by the mails that came. */
async function unheardOf(
  raised: readonly Raised[],
  readers: readonly { readonly user: string; readonly sees: readonly CustomerId[] }[],
): Promise<string[]> {
  // An alert that was resolved before its snooze ended waits to be met again.
  const { rows: held } = await pool.query<{ id: number }>('select alert_id::float8 as id from alert_held')
  const waits = new Set(held.map(({ id }) => id))
  const { rows: named } = await pool.query<{ id: number; username: string }>(
    'select n.alert_id::float8 as id, u.username from alert_named n join app_user u on u.id = n.user_id',
  )
  const isNamed = (id: number, user: string) => named.some((one) => one.id === id && one.username === user)
  /** A list says how many more there are than it names. */
  const counts = (text: string) => text.includes('… and') || /^Subject: \d+ alerts of/m.test(text)
  return raised.flatMap(({ id, text, customerId, isOver }) =>
    readers
      .filter(({ sees }) => sees.includes(customerId) && !(isOver && waits.has(id)))
      .filter(
        ({ user }) =>
          !server.mails.some(
            ({ to, readable }) =>
              to.includes(user) && (readable.includes(text) || (isNamed(id, user) && counts(readable))),
          ),
      )
      .map(({ user }) => `${user} has not heard of ${text}`),
  )
}

interface Raised {
  readonly id: number
  readonly text: string
  readonly customerId: CustomerId
  isOver: boolean
}

test('whatever is raised, over, moved, snoozed and folded, each alert that asks for a notice is named to everybody who may know', async () => {
  const roll = seededRandom()
  const pick = <One>(all: readonly One[]): One => all[Math.floor(roll() * all.length)] as One
  const readers = [
    { user: await newUser(), sees: [harbour, airport] },
    { user: await newUser({ customerId: harbour }), sees: [harbour] },
    { user: await newUser({ customerId: airport }), sees: [airport] },
  ]
  const devices = await randomFleet(roll)
  const raised: Raised[] = []
  for (let step = 0; step < 60; step++) {
    const what = roll()
    if (what < 0.5) {
      const { id, customerId } = pick(devices)
      const fieldId = pick([PANEL_TEMP, UPS_STATUS, SILENT])
      const atMs = nowMs - Math.floor(roll() * 3) * 5 * MINUTE_MS
      raised.push({
        ...(await raiseNamed(id, { fieldId, severityId: roll() < 0.3 ? 1 : 2, atMs })),
        ...{ customerId, isOver: false },
      })
    } else if (what < 0.75) {
      const changed = raised.filter(() => roll() < 0.2)
      for (const one of changed) {
        one.isOver = !one.isOver
        await turn([one.id], one.isOver)
      }
    } else if (what < 0.85 && raised.length > 0) {
      // A late reading changes when it began.
      const { id } = pick(raised)
      const atMs = nowMs - Math.floor(roll() * 40) * MINUTE_MS
      await owner.query(`update alert_event set at = $2 where alert_id = $1 and kind = 'opened'`, [id, new Date(atMs)])
      await pool.query('insert into incident_due (device_id, alert_id) select device_id, id from alert where id = $1', [
        id,
      ])
    } else if (what < 0.9) {
      const ids = await incidentIds()
      await snooze(pick(ids), roll() < 0.5 ? null : new Date(nowMs + 20 * MINUTE_MS))
    }
    nowMs += Math.floor(roll() * 12) * 30 * SECOND_MS
    if (roll() < 0.7) await newQueue().sendDue()
  }
  await passing(3 * HOUR_MS, newQueue(), MINUTE_MS)
  expect(await unheardOf(raised, readers)).toEqual([])
  expect(raised.length).toBeGreaterThan(10)
}, 120_000)

test('whatever comes in whichever order, each hears of each incident once, and of its end at most once', async () => {
  const roll = seededRandom()
  const users = [await newUser(), await newUser({ customerId: harbour }), await newUser({ customerId: airport })]
  const owners = [undefined, harbour, airport]
  const sites = [await newDevices(4, harbour, 50), await newDevices(4, harbour, 51), await newDevices(4, airport, 52)]
  const lasting = new Set<number>()
  for (let step = 0; step < 40; step++) {
    const what = roll()
    const site = sites[Math.floor(roll() * sites.length)] ?? []
    if (what < 0.5) {
      const device = site[Math.floor(roll() * site.length)] as number
      for (const id of await raise([device], { severityId: roll() < 0.3 ? 1 : 2 })) lasting.add(id)
    } else if (what < 0.85) {
      const ended = [...lasting].filter(() => roll() < 0.5)
      for (const id of ended) lasting.delete(id)
      await turn(ended, true)
    } else if (what < 0.93) {
      const ids = await incidentIds()
      await snooze(ids[Math.floor(roll() * ids.length)], roll() < 0.5 ? null : new Date(nowMs + 5 * MINUTE_MS))
    }
    nowMs += Math.floor(roll() * 4) * MINUTE_MS
    // A killed queue leaves what it has done, and the next goes on.
    if (roll() < 0.7) await newQueue().sendDue()
  }
  await turn([...lasting], true)
  await passing(3 * HOUR_MS, newQueue(), MINUTE_MS)
  const { rows } = await pool.query<{ username: string; incident_id: number; opened: number; net: number }>(
    `select u.username, n.incident_id::float8 as incident_id,
       count(*) filter (where n.tells = 'opened')::int as opened,
       count(*) filter (where n.tells = 'over')::int - count(*) filter (where n.tells = 'again')::int as net
     from notification n join app_user u on u.id = n.user_id where n.sent_at is not null
     group by u.username, n.incident_id`,
  )
  for (const { opened, net } of rows) expect([opened, net]).toEqual([1, expect.toSatisfy((value) => value <= 1)])
  for (const [index, user] of users.entries()) {
    const { rows: shares } = await pool.query<{ id: number }>(
      'select incident_id::float8 as id from incident_share where customer_id = $1',
      [owners[index] ?? 0],
    )
    const told = rows.filter(({ username }) => username === user).map(({ incident_id }) => incident_id)
    expect(new Set(told).difference(new Set(shares.map((share) => share.id)))).toEqual(new Set())
    expect(told.length).toBeGreaterThan(0)
  }
}, 60_000)
