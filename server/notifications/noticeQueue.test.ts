import { afterAll, beforeEach, expect, test } from 'vitest'
import type { CustomerId, DeviceId } from '#domain/ids.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#domain/units/time.ts'
import { openPool } from '#server/db/connect/pool.ts'
import { createOutbound } from '#server/outbound/outbound.ts'
import { addCustomer, addDevice } from '#server/testing/callers.ts'
import { databaseTest } from '#server/testing/database/databaseTest.ts'
import { testCipher } from '#server/testing/database/testCipher.ts'
import { incidentsIn, routingIn, SILENT } from '#server/testing/devices/raisedIncidents.ts'
import { outsideServer } from '#server/testing/outsideServer.ts'
import { endedDeliveriesJob } from './endedDeliveries.ts'
import { NoticeQueue } from './NoticeQueue.ts'
import { createNotifier } from './notifyOutside.ts'

const { database, owner } = await databaseTest()
const pool = openPool(database.applicationUrl, { maximumConnections: 5, name: 'test' })
afterAll(() => pool.end())
const ours = await addCustomer(pool, 'Harbour')
const theirs = await addCustomer(pool, 'Airport')
const incidents = incidentsIn(pool)
const routing = routingIn(pool)

const START = new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 3 * HOUR_MS)
let clock = START
const pass = (ms: number) => {
  clock = new Date(clock.getTime() + ms)
}
let logged: object[] = []

const notifyOutside = createNotifier({
  callOutside: createOutbound({ allowed: ['127.0.0.1'], longestMs: 500 }),
  mailWay: () => expect.fail('nothing here is a mail'),
})
const queue = new NoticeQueue({
  cipher: testCipher,
  pool,
  notifyOutside,
  consoleUrl: 'https://signs.example',
  log: { warn: (details) => void logged.push(details) },
  now: () => clock,
  seededRandom: () => 0.5,
})

let count = 0
const newDevice = async (customerId: CustomerId = ours, tags: readonly string[] = []): Promise<{ id: DeviceId }> => {
  const device = await addDevice(pool, { name: `Pier ${++count}`, customerId })
  await owner.query('update device set status_id = 2, tags = $2, tag_keys = $3 where id = $1', [
    device.id,
    tags,
    tags.map((tag) => tag.toLowerCase()),
  ])
  return device
}

const notices = async () =>
  (
    await owner.query<{ text: string }>(
      `select concat_ws('|', outcome, target, route_name, reason) as text from incident_notice order by id`,
    )
  ).rows.map(({ text }) => text)
const deliveries = async () =>
  (
    await owner.query<{
      kind: string
      outcome: string
      told_count: number
      status: number | null
      answer: string
      reason: string
    }>('select kind, outcome, told_count, status, answer, reason from channel_delivery order by id')
  ).rows

beforeEach(async () => {
  clock = START
  logged = []
  await owner.query(`delete from incident_message; delete from incident_run; delete from incident_notice;
    delete from notify_due; delete from channel_delivery; delete from notify_route; delete from channel;
    delete from alert_event; delete from alert; delete from incident_due; delete from incident_part;
    delete from incident_share; delete from incident_turn; delete from incident_deed; delete from incident;
    update device set deleted_at = now()`)
})

test('one message is told, told anew in its place, and closed, by the name that the other side gave it', async () => {
  const slack = await outsideServer(() => ({ body: { ok: true, channel: 'C1', ts: '17.5' } }))
  const channelId = await routing.channel('slack', {
    name: 'Ops',
    secret: 'xoxb-secret',
    settings: { address: slack.url, recipient: '#ops' },
  })
  await routing.route([{ afterMinutes: 0, channelId }], { name: 'All' })
  const alert = await incidents.raise(await newDevice(), { at: clock, text: '<!channel> too warm & worse' })
  await queue.sendDue()
  await queue.sendDue()
  expect(slack.requests.map(({ path }) => path)).toEqual(['/chat.postMessage'])
  const [posted] = slack.requests
  expect(posted?.headers.authorization).toBe('Bearer xoxb-secret')
  expect(posted?.json).toMatchObject({ channel: '#ops' })
  expect(posted?.json.text).toContain('&lt;!channel&gt; too warm &amp; worse')
  expect(posted?.text).toContain('https://signs.example/incidents/incident?data=')
  expect(await notices()).toEqual(['told|Ops|All|It matches the route.'])

  pass(10 * MINUTE_MS)
  await incidents.over(alert, clock)
  await queue.sendDue()
  expect(slack.requests).toHaveLength(1)
  pass(5 * MINUTE_MS)
  await queue.sendDue()
  expect(slack.requests.map(({ path }) => path)).toEqual(['/chat.postMessage', '/chat.update'])
  expect(slack.requests[1]?.json).toMatchObject({ channel: 'C1', ts: '17.5' })
  expect(slack.requests[1]?.json.text).toContain('Resolved: ')
  expect(await queue.sendDue()).toBeUndefined()
})

test('nobody is told twice of the same, and who reads only their own is told only of it', async () => {
  const hook = await outsideServer()
  const [all, own] = [
    await routing.channel('ntfy', { name: 'All', settings: { address: `${hook.url}/all`, recipient: 'all' } }),
    await routing.channel('ntfy', {
      name: 'Own',
      customerId: null,
      settings: { address: `${hook.url}/own`, recipient: 'own' },
    }),
  ]
  await routing.route([{ afterMinutes: 0, channelId: all }])
  await routing.route([{ afterMinutes: 0, channelId: all }], { name: 'Once more' })
  await routing.route([{ afterMinutes: 0, channelId: own }], { ofCustomerId: ours })
  const devices: { id: DeviceId }[] = []
  for (let place = 0; place < 13; place++) devices.push(await newDevice(place < 6 ? ours : theirs))
  await incidents.raiseOn(devices, { at: clock, fieldId: SILENT, text: 'Not reporting for 5 minutes' })
  await owner.query('update incident set created_at = $1', [START])
  await queue.sendDue()
  // A network is known as one by then.
  expect(hook.requests).toEqual([])
  pass(MINUTE_MS)
  await queue.sendDue()
  const told = Object.fromEntries(hook.requests.map(({ json }) => [json.topic, `${json.title}\n${json.message}`]))
  expect(hook.requests).toHaveLength(2)
  expect(told.all).toContain('13 devices')
  expect(told.own).toContain('6 devices')
  expect(told.own).not.toMatch(/13 devices|Airport/)
})

test('who is next is told until somebody has acknowledged it, and the list says so', async () => {
  const hook = await outsideServer()
  const [first, second, third] = await Promise.all(
    ['one', 'two', 'three'].map((name) =>
      routing.channel('ntfy', { name, settings: { address: hook.url, recipient: name } }),
    ),
  )
  await routing.route([
    { afterMinutes: 0, channelId: first },
    { afterMinutes: 15, channelId: second },
    { afterMinutes: 30, channelId: third },
  ])
  const alert = await incidents.raise(await newDevice(), { at: clock })
  const nextMs = await queue.sendDue()
  expect(nextMs).toBe(START.getTime() + 15 * MINUTE_MS)
  pass(15 * MINUTE_MS)
  await queue.sendDue()
  expect(hook.requests.map(({ json }) => json.topic)).toEqual(['one', 'two'])
  const id = await incidents.incidentOf(alert)
  await owner.query(
    `update incident set acknowledged_at = $2, owner_id = (
    select min(id) from app_user) where id = $1`,
    [id, clock],
  )
  await owner.query('insert into notify_due values ($1, $2) on conflict (incident_id) do update set due_at = $2', [
    id,
    clock,
  ])
  await queue.sendDue()
  pass(15 * MINUTE_MS)
  await queue.sendDue()
  expect(hook.requests.map(({ json }) => json.topic).toSorted()).toEqual(['one', 'one', 'two', 'two'])
  expect(await notices()).toEqual([
    'told|one|Route|It matches the route.',
    'told|two|Route|Not acknowledged after 15 min.',
    'not||Route|It was acknowledged.',
  ])
})

test('what does not fit, waits or is switched off is said, once', async () => {
  const off = await routing.channel('ntfy', { name: 'Off', settings: { recipient: 'x' } })
  await owner.query('update channel set is_on = false where id = $1', [off])
  await routing.route([{ afterMinutes: 0, channelId: off }], { name: 'Bad', severityId: 1 })
  await routing.route([{ afterMinutes: 0, channelId: off }], { name: 'VIP', tag: 'vip' })
  await routing.route([{ afterMinutes: 0, channelId: off }], { name: 'To nobody' })
  await routing.route([{ afterMinutes: 0, channelId: off }], { name: 'Theirs', customerId: theirs })
  const alert = await incidents.raise(await newDevice(), { at: clock })
  await queue.sendDue()
  const id = await incidents.incidentOf(alert)
  await owner.query('insert into notify_due values ($1, $2)', [id, clock])
  await queue.sendDue()
  expect(await notices()).toEqual([
    'not||Bad|It is less severe than the route requires.',
    'not||VIP|None of its devices has the tag vip.',
    'not|Off|To nobody|The channel is switched off.',
  ])
})

test('who is away, busy or wrong is asked again later, by the same key, and rests as long as it says', async () => {
  const hook = await outsideServer(() => ({ status: 503 }))
  const key = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const channelId = await routing.channel('webhook', {
    secret: `${hook.url}/hook-token`,
    signing: [{ key, until: null }],
  })
  await routing.route([{ afterMinutes: 0, channelId }])
  await incidents.raise(await newDevice(), { at: clock })
  await queue.sendDue()
  expect(await queue.sendDue()).toBe(START.getTime() + 30 * SECOND_MS)
  expect(hook.requests).toHaveLength(1)
  pass(30 * SECOND_MS)
  hook.answers(() => ({ status: 429, headers: { 'Retry-After': '600' } }))
  await queue.sendDue()
  pass(9 * MINUTE_MS)
  await queue.sendDue()
  expect(hook.requests).toHaveLength(2)
  pass(MINUTE_MS)
  // The channel does not answer in time.
  hook.answers(() => undefined)
  await queue.sendDue()
  pass(HOUR_MS)
  hook.answers(() => ({ status: 302, headers: { Location: 'http://169.254.169.254/' } }))
  await queue.sendDue()
  pass(HOUR_MS)
  hook.answers(() => ({ status: 204 }))
  await queue.sendDue()
  expect(hook.requests).toHaveLength(5)
  expect(new Set(hook.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  expect((await deliveries()).map(({ outcome, status }) => [outcome, status])).toEqual([
    ['later', 503],
    ['later', 429],
    ['later', null],
    ['later', null],
    ['done', 204],
  ])
  expect(JSON.stringify([logged, await deliveries()])).not.toMatch(/hook-token|MfKQ9r8/)
})

test('what nobody takes for a day is given up with its reason, and can be told anew', async () => {
  const channelId = await routing.channel('ntfy', {
    name: 'Gone',
    settings: { address: 'http://127.0.0.1:1', recipient: 'x' },
  })
  await routing.route([{ afterMinutes: 0, channelId }])
  await incidents.raise(await newDevice(), { at: clock })
  for (let hour = 0; hour < 30; hour++) {
    await queue.sendDue()
    pass(HOUR_MS)
  }
  const told = await deliveries()
  expect(told.length).toBeGreaterThan(20)
  expect((await notices()).at(-1)).toBe('not|Gone||It was given up: 127.0.0.1: ECONNREFUSED.')
  expect(clock.getTime() - START.getTime()).toBeGreaterThan(DAY_MS)
  expect(await queue.sendDue()).toBeUndefined()
})

test('a message that is gone on the other side is told as a new one', async () => {
  let posts = 0
  const slack = await outsideServer(({ path }) =>
    path.endsWith('chat.update')
      ? { body: { ok: false, error: 'message_not_found' } }
      : { body: { ok: true, channel: 'C1', ts: `${++posts}.0` } },
  )
  const channelId = await routing.channel('slack', {
    secret: 'xoxb-1',
    settings: { address: slack.url, recipient: 'C1' },
  })
  await routing.route([{ afterMinutes: 0, channelId }])
  const alert = await incidents.raise(await newDevice(), { at: clock })
  await queue.sendDue()
  pass(10 * MINUTE_MS)
  await incidents.over(alert, clock)
  pass(5 * MINUTE_MS)
  await queue.sendDue()
  expect(slack.requests.map(({ path }) => path)).toEqual(['/chat.postMessage', '/chat.update', '/chat.postMessage'])
  expect(slack.requests[2]?.json.text).toContain('Resolved: ')
})

test('a thousand incidents within a minute: no channel gets more than its measure, all of them are told, one digest', async () => {
  const hook = await outsideServer(({ json }) => ({ body: { ok: true, channel: 'C1', ts: String(json.text).length } }))
  const channels = [
    await routing.channel('slack', {
      secret: 'xoxb-1',
      mostPerHour: 20,
      settings: { address: hook.url, recipient: 'C1' },
    }),
    await routing.channel('ntfy', { mostPerHour: 5, settings: { address: `${hook.url}/ntfy`, recipient: 'x' } }),
  ]
  for (const channelId of channels) await routing.route([{ afterMinutes: 0, channelId }])
  const { rows: devices } = await owner.query<{ id: DeviceId }>(
    `insert into device (guid, name, model_id, customer_id, status_id, iot_device_id)
     select gen_random_uuid(), 'Sign ' || n, 1, $1, 2, '' from generate_series(1, 1000) n returning id`,
    [ours],
  )
  for (let part = 0; part < 10; part++) {
    await incidents.raiseOn(devices.slice(part * 100, (part + 1) * 100), { at: clock })
    await queue.sendDue()
    pass(6 * SECOND_MS)
  }
  const { rows } = await owner.query<{ count: number }>(
    'select count(*)::int as count from incident where joined_into is null',
  )
  expect(rows[0]?.count).toBe(1000)
  for (let minute = 1; minute < 59; minute += minute < 5 ? 1 : 9) {
    pass((minute < 5 ? 1 : 9) * MINUTE_MS)
    await queue.sendDue()
  }
  const sent = await owner.query<{ channel_id: number; messages: number; digests: number; told: number }>(
    `select channel_id, count(*)::int as messages, count(*) filter (where kind = 'digest')::int as digests,
       sum(told_count)::int as told from channel_delivery group by channel_id order by channel_id`,
  )
  expect(sent.rows).toEqual([
    { channel_id: channels[0], messages: 20, digests: 1, told: 1000 },
    { channel_id: channels[1], messages: 5, digests: 1, told: 1000 },
  ])
  const untold = await owner.query('select 1 from incident_message where told is null')
  expect(untold.rows).toEqual([])
  expect(hook.requests).toHaveLength(25)
}, 120_000)

test('what is active when its snooze ends is told once more, by a webhook in its place and by a card beside it', async () => {
  const hook = await outsideServer()
  const [webhook, teams] = [
    await routing.channel('webhook', {
      secret: `${hook.url}/hook`,
      signing: [{ key: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', until: null }],
    }),
    await routing.channel('teams', { secret: `${hook.url}/teams` }),
  ]
  for (const channelId of [webhook, teams]) await routing.route([{ afterMinutes: 0, channelId }])
  const lasting = await incidents.raise(await newDevice(), { at: clock, text: 'Warm' })
  const short = await incidents.raise(await newDevice(), { at: clock, text: 'Brief' })
  await queue.sendDue()
  expect(hook.requests).toHaveLength(4)
  const until = new Date(clock.getTime() + HOUR_MS)
  for (const alert of [lasting, short]) {
    const id = await incidents.incidentOf(alert)
    await owner.query('update incident set snoozed_until = $2 where id = $1', [id, until])
    await owner.query('insert into notify_due values ($1, $2) on conflict (incident_id) do update set due_at = $2', [
      id,
      clock,
    ])
  }
  await queue.sendDue()
  pass(30 * MINUTE_MS)
  await incidents.over(short, clock)
  await queue.sendDue()
  expect(hook.requests).toHaveLength(4)
  clock = until
  await queue.sendDue()
  const later = hook.requests.slice(4)
  const still = later.filter(({ text }) => text.includes('Warm'))
  expect(still.map(({ path }) => path).sort()).toEqual(['/hook', '/teams'])
  expect(still.find(({ path }) => path === '/teams')?.text).toContain('Still active: ')
  expect(still.find(({ path }) => path === '/hook')?.json).toMatchObject({
    type: 'incident.changed',
    data: { state: 'active' },
  })
  // An incident that ended meanwhile is notified as resolved.
  expect(
    later
      .filter(({ text }) => text.includes('Brief'))
      .every(({ text }) => text.includes('"over"') || text.includes('Resolved')),
  ).toBe(true)
  expect(later).toHaveLength(4)
  pass(HOUR_MS)
  await queue.sendDue()
  expect(hook.requests).toHaveLength(8)
})

test('an incident is as bad as what is active in it, and called by it', async () => {
  const hook = await outsideServer()
  const channelId = await routing.channel('ntfy', { settings: { address: hook.url, recipient: 'x' } })
  await routing.route([{ afterMinutes: 0, channelId }])
  const device = await newDevice()
  const worst = await incidents.raise(device, { at: clock, severityId: 1, text: 'Dark' })
  const lasting = await incidents.raise(device, { at: new Date(clock.getTime() + MINUTE_MS), text: 'Warm' })
  await queue.sendDue()
  expect(hook.requests.at(-1)?.json.title).toMatch(/^Critical: .*Dark$/)
  pass(10 * MINUTE_MS)
  await incidents.over(worst, clock)
  const share = async () =>
    (
      await owner.query<{ severity_id: number; cause: number; state_id: number }>(
        'select severity_id, cause_alert_id::int as cause, state_id from incident_share where customer_id = 0',
      )
    ).rows
  expect(await share()).toEqual([{ severity_id: 2, cause: lasting.alertId, state_id: 0 }])
  await queue.sendDue()
  expect(hook.requests.at(-1)?.json.title).toMatch(/^Pier \d+: Warm$/)
  await incidents.over(lasting, clock)
  // When nothing is active any more, the headline names the worst of all that was.
  expect(await share()).toEqual([{ severity_id: 1, cause: worst.alertId, state_id: 1 }])
})

test('alerts that join what was told are named to whom they cannot be told in place', async () => {
  const hook = await outsideServer()
  const channelId = await routing.channel('teams', { secret: `${hook.url}/teams` })
  await routing.route([{ afterMinutes: 0, channelId }])
  const device = await newDevice()
  await incidents.raise(device, { at: clock, text: 'Warm' })
  await queue.sendDue()
  pass(MINUTE_MS)
  await incidents.raise(device, { at: clock, text: 'Mains off' })
  await queue.sendDue()
  expect(hook.requests).toHaveLength(1)
  pass(10 * MINUTE_MS)
  await queue.sendDue()
  expect(hook.requests).toHaveLength(2)
  expect(hook.requests[1]?.text).toContain('More: ')
  expect(hook.requests[1]?.text).toMatch(/Pier \d+: Mains off; Pier \d+: Warm/)
})

test('what waits because the hour of a channel is used up says so, once', async () => {
  const hook = await outsideServer()
  const channelId = await routing.channel('ntfy', {
    name: 'Quiet room',
    mostPerHour: 1,
    settings: { address: hook.url, recipient: 'x' },
  })
  await routing.route([{ afterMinutes: 0, channelId }])
  await incidents.raise(await newDevice(), { at: clock })
  await queue.sendDue()
  await incidents.raise(await newDevice(), { at: clock })
  await queue.sendDue()
  pass(MINUTE_MS)
  await queue.sendDue()
  expect((await notices()).filter((text) => text.startsWith('waits'))).toEqual([
    'waits|Quiet room||Its one message of this hour is used up.',
  ])
  pass(HOUR_MS)
  await queue.sendDue()
  expect(hook.requests).toHaveLength(2)
})

test('who was told is kept for ninety days after an incident is over, and as long as it lasts', async () => {
  const hook = await outsideServer()
  const channelId = await routing.channel('ntfy', { settings: { address: hook.url, recipient: 'x' } })
  await routing.route([{ afterMinutes: 0, channelId }])
  await incidents.raise(await newDevice(), { at: clock })
  const alert = await incidents.raise(await newDevice(), { at: clock })
  await queue.sendDue()
  await incidents.over(alert, clock)
  pass(10 * MINUTE_MS)
  await queue.sendDue()
  const kept = async () =>
    (
      await owner.query<{ count: number }>(
        `select count(distinct incident_id)::int as count from incident_notice
         union all select count(distinct incident_id)::int from incident_message
         union all select count(distinct incident_id)::int from incident_run`,
      )
    ).rows.map(({ count }) => count)
  const lookAt = (ms: number) =>
    endedDeliveriesJob.run(owner, new Date(clock.getTime() + ms), new AbortController().signal)
  await lookAt(89 * DAY_MS)
  expect(await kept()).toEqual([2, 2, 2])
  await lookAt(91 * DAY_MS)
  expect(await kept()).toEqual([1, 1, 1])
})

test('what is over before it could be told is told all the same, in the quiet of the night only what is critical', async () => {
  const hook = await outsideServer()
  const at = (hours: number) => `${String((START.getUTCHours() + hours + 24) % 24).padStart(2, '0')}:00`
  const channelId = await routing.channel('ntfy', {
    settings: { address: hook.url, recipient: 'x' },
    quiet: { from: at(-1), to: at(2), timeZone: 'UTC', tellsCritical: true },
  })
  await routing.route([{ afterMinutes: 0, channelId }])
  const alert = await incidents.raise(await newDevice(), { at: clock, text: 'Warm' })
  await incidents.raise(await newDevice(), { at: clock, severityId: 1, text: 'Dark' })
  await queue.sendDue()
  expect(hook.requests.map(({ json }) => json.title)).toEqual([expect.stringContaining('Critical: ')])
  expect((await notices()).filter((text) => text.startsWith('waits'))).toEqual(['waits|ntfy||Its quiet hours last.'])
  pass(HOUR_MS)
  await incidents.over(alert, clock)
  await queue.sendDue()
  pass(HOUR_MS)
  await queue.sendDue()
  expect(hook.requests.map(({ json }) => json.title)).toEqual([
    expect.stringContaining('Critical: '),
    expect.stringMatching(/^Resolved: .*Warm/),
  ])
})
