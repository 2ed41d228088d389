import { afterAll, beforeEach, expect, test } from 'vitest'
import type { DeviceId, IncidentId } from '#domain/ids.ts'
import { HOUR_MS, MINUTE_MS } from '#domain/units/time.ts'
import { openPool } from '#server/db/connect/pool.ts'
import { openDatabase } from '#server/db/database.ts'
import { noteToNotifySql } from '#server/incidents/dueRows.ts'
import { NoticeQueue } from '#server/notifications/NoticeQueue.ts'
import { createNotifier } from '#server/notifications/notifyOutside.ts'
import { createOutbound } from '#server/outbound/outbound.ts'
import { addCustomer, addDevice } from '#server/testing/callers.ts'
import { databaseTest } from '#server/testing/database/databaseTest.ts'
import { testCipher } from '#server/testing/database/testCipher.ts'
import { incidentsIn, routingIn } from '#server/testing/devices/raisedIncidents.ts'
import { outsideServer } from '#server/testing/outsideServer.ts'
import { readNotices } from './incidentNotices.store.ts'

const { database, owner } = await databaseTest()
const pool = openPool(database.applicationUrl, { maximumConnections: 5, name: 'test' })
afterAll(() => pool.end())
const customerId = await addCustomer(pool, 'Harbour')
const incidents = incidentsIn(pool)
const routing = routingIn(pool)
let clock = new Date()
const queue = new NoticeQueue({
  cipher: testCipher,
  pool,
  notifyOutside: createNotifier({
    callOutside: createOutbound({ allowed: ['127.0.0.1'], longestMs: 500 }),
    mailWay: () => expect.fail('nothing here is a mail'),
  }),
  consoleUrl: 'https://signs.example',
  log: { warn: () => undefined },
  now: () => clock,
})

async function newDevice(): Promise<{ id: DeviceId }> {
  const device = await addDevice(pool, { name: 'Pier', customerId })
  await owner.query('update device set status_id = 2 where id = $1', [device.id])
  return device
}

beforeEach(async () => {
  clock = new Date()
  await owner.query('update notify_route set deleted_at = now()')
})

const shown = async (id: IncidentId) =>
  (await readNotices(openDatabase(pool), { kind: 'everything' }, id)).map(({ outcome, target, reason, until }) =>
    [outcome, target, reason, until].filter((part) => part !== null && part !== '').join('|'),
  )

test('who is held by quiet hours waits until their end, was told at it, and waits no more then', async () => {
  const hook = await outsideServer()
  const endsAt = new Date(Math.ceil((Date.now() + 1) / MINUTE_MS) * MINUTE_MS + 5 * MINUTE_MS)
  const clockOf = (moment: Date) => moment.toISOString().slice(11, 16)
  clock = new Date(endsAt.getTime() - 3 * HOUR_MS)
  const channelId = await routing.channel('ntfy', {
    name: 'Ops',
    settings: { address: hook.url, recipient: 'x' },
    quiet: {
      from: clockOf(new Date(clock.getTime() - HOUR_MS)),
      to: clockOf(endsAt),
      timeZone: 'UTC',
      tellsCritical: true,
    },
  })
  await routing.route([{ afterMinutes: 0, channelId }])
  const id = await incidents.incidentOf(await incidents.raise(await newDevice(), { at: clock }))
  await queue.sendDue()
  expect(await shown(id)).toEqual([`waits|Ops|Its quiet hours last.|${endsAt.toISOString()}`])
  clock = endsAt
  await queue.sendDue()
  expect(hook.requests).toHaveLength(1)
  expect(await shown(id)).toEqual(['told|Ops|It matches the route.'])
  const [notice] = await readNotices(openDatabase(pool), { kind: 'everything' }, id)
  expect(notice?.at).toBe(endsAt.toISOString())
})

test('what a route waited for is not shown once the route has decided', async () => {
  const hook = await outsideServer()
  const channelId = await routing.channel('ntfy', { name: 'Ops', settings: { address: hook.url, recipient: 'x' } })
  await routing.route([{ afterMinutes: 0, channelId }])
  const id = await incidents.incidentOf(await incidents.raise(await newDevice(), { at: clock }))
  const until = new Date(clock.getTime() + HOUR_MS)
  await owner.query('update incident set snoozed_until = $2 where id = $1', [id, until])
  await queue.sendDue()
  expect(await shown(id)).toEqual([`waits|It is snoozed.|${until.toISOString()}`])
  clock = until
  await queue.sendDue()
  expect(await shown(id)).toEqual(['told|Ops|It matches the route.'])
})

test('what is snoozed while quiet hours hold it is told when both are over', async () => {
  const hook = await outsideServer()
  const quietUntil = new Date(Math.ceil((Date.now() + 1) / MINUTE_MS) * MINUTE_MS + 5 * MINUTE_MS)
  const clockOf = (moment: Date) => moment.toISOString().slice(11, 16)
  clock = new Date(quietUntil.getTime() - HOUR_MS)
  const quiet = { from: clockOf(clock), to: clockOf(quietUntil), timeZone: 'UTC', tellsCritical: true }
  const channelId = await routing.channel('ntfy', {
    settings: { address: hook.url, recipient: 'x' },
    name: 'Ops',
    quiet,
  })
  await routing.route([{ afterMinutes: 0, channelId }])
  const id = await incidents.incidentOf(await incidents.raise(await newDevice(), { at: clock }))
  await queue.sendDue()
  const snoozedUntil = new Date(quietUntil.getTime() + HOUR_MS)
  await owner.query('update incident set snoozed_until = $2 where id = $1', [id, snoozedUntil])
  await owner.query(noteToNotifySql('array[$1::bigint]', '$2::timestamptz'), [id, clock])
  await queue.sendDue()
  expect(await shown(id)).toEqual([`waits|Ops|It is snoozed.|${snoozedUntil.toISOString()}`])
  clock = quietUntil
  await queue.sendDue()
  expect(hook.requests).toEqual([])
  clock = snoozedUntil
  await queue.sendDue()
  expect(hook.requests).toHaveLength(1)
  expect(await shown(id)).toEqual(['told|Ops|It matches the route.'])
})

test('what is over when quiet hours end is told as over, opens no ticket, and is told as active when it is met again', async () => {
  const hook = await outsideServer(({ path }) => (path.startsWith('/jira') ? { body: { key: 'OPS-1' } } : {}))
  const clockOf = (moment: Date) => moment.toISOString().slice(11, 16)
  const endsAt = new Date(Math.ceil(clock.getTime() / MINUTE_MS) * MINUTE_MS + 2 * HOUR_MS)
  const quiet = { from: clockOf(clock), to: clockOf(endsAt), timeZone: 'UTC', tellsCritical: true }
  const signing = [{ key: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', until: null }]
  const jira = { address: `${hook.url}/jira`, recipient: 'OPS', user: 'ops@signs.example' }
  const channels = [
    await routing.channel('webhook', { name: 'Hook', secret: `${hook.url}/hook`, signing, quiet }),
    await routing.channel('pagerduty', {
      name: 'Pager',
      secret: 'key',
      settings: { address: `${hook.url}/pager` },
      quiet,
    }),
    await routing.channel('jira', { name: 'Tickets', secret: 'token', settings: jira, quiet }),
  ]
  for (const channelId of channels) await routing.route([{ afterMinutes: 0, channelId }])
  const alert = await incidents.raise(await newDevice(), { at: clock })
  const id = await incidents.incidentOf(alert)
  await queue.sendDue()
  clock = new Date(clock.getTime() + HOUR_MS)
  await incidents.over(alert, clock)
  await queue.sendDue()
  expect(hook.requests).toEqual([])
  expect(await shown(id)).toContain('not|Tickets|It was resolved before anyone was notified.')
  clock = endsAt
  await queue.sendDue()
  const toldBy = (path: string) =>
    hook.requests.filter((request) => request.path.startsWith(path)).map(({ json }) => json)
  expect(toldBy('/hook')).toEqual([
    expect.objectContaining({
      type: 'incident.over',
      data: expect.objectContaining({ state: 'over', activeAlertCount: 0 }),
    }),
  ])
  // The pager may have received an attempt that was never answered, so it is sent the end of the incident.
  expect(toldBy('/pager')).toEqual([expect.objectContaining({ event_action: 'resolve' })])
  expect(toldBy('/jira')).toEqual([])
  expect((await shown(id)).toSorted()).toEqual([
    'not|Tickets|It was resolved before anyone was notified.',
    'told|Hook|It matches the route.',
    'told|Pager|It matches the route.',
  ])
  await incidents.again(alert, clock)
  await queue.sendDue()
  expect(toldBy('/hook').at(-1)).toMatchObject({ type: 'incident.opened', data: { state: 'active' } })
  expect(toldBy('/pager').at(-1)).toMatchObject({ event_action: 'trigger' })
  expect(toldBy('/jira')).toEqual([expect.objectContaining({ fields: expect.anything() })])
  // By then it is another incident.
  expect(await shown(await incidents.incidentOf(alert))).toContain('told|Tickets|It matches the route.')
})
