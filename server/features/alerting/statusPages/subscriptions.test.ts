import { expect, test } from 'vitest'
import type { DeviceId } from '#domain/ids.ts'
import { HOUR_MS, MINUTE_MS } from '#domain/units/time.ts'
import { DEFAULT_RATE_LIMITS } from '#server/http/limits/rateLimits.ts'
import { MailQueue } from '#server/mail/mailQueue.ts'
import type { Mail } from '#server/mail/sending/mailer.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { addCustomer, addDevice, ask, startApi } from '#server/testing/callers.ts'
import { incidentsIn } from '#server/testing/devices/raisedIncidents.ts'
import { routedMails } from '#server/testing/mail/routedMails.ts'

const api = await apiTest()
const ours = await addCustomer(api.pool, 'Harbour')
const admin = await api.signedIn({ username: 'admin@harbour.example', functions: [1], customerId: ours })
const staff = await api.signedIn({ username: 'admin@staff.example', functions: [1] })
const incidents = incidentsIn(api.pool)

const mails: Mail[] = []
const queue = new MailQueue({
  ...routedMails(api.pool),
  pool: api.pool,
  mailer: { send: async (mail) => ({ file: String(mails.push(mail)) }) },
  idDomain: 'a.example',
  consoleUrl: 'https://signs.example',
  log: { warn: (details) => expect.fail(JSON.stringify(details)) },
})
const tellAll = async (): Promise<Mail[]> => {
  await api.runJob('status news')
  await queue.sendDue()
  return mails.splice(0)
}
const setPage = (more: object = {}, token = admin) =>
  ask(api, 'StatusPage/SetStatusPage', {
    token,
    method: 'POST',
    body: {
      customerId: ours,
      mode: 'public',
      slug: 'harbour',
      title: 'Harbour <lights>',
      severityId: 2,
      showsPlanned: true,
      takesSubscribers: true,
      ...more,
    },
  })
interface From {
  readonly path?: string
  readonly at?: Pick<typeof api, 'app'>
  readonly remoteAddress?: string
  readonly headers?: Record<string, string>
}
const subscribe = (email: string, { path = '/status/harbour', at = api, headers = {}, ...from }: From = {}) =>
  at.app.inject({
    method: 'POST',
    url: `${path}/subscribe`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: new URLSearchParams({ email }).toString(),
    ...from,
  })
const unconfirmed = (count: number, domain: string) =>
  api.pool.query(
    `insert into status_subscriber (customer_id, email, email_key, token, asked_at)
     select $1, 'u' || n || '@' || $3, 'u' || n || '@' || $3, $3 || n, now() from generate_series(1, $2::int) n`,
    [ours, count, domain],
  )
const press = (url: string) =>
  api.app.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'List-Unsubscribe=One-Click',
  })
const lastAudit = async () => (await api.pool.query('select * from audit_log order by id desc limit 1')).rows[0]
const auditRows = async () => (await api.pool.query('select count(*)::int as count from audit_log')).rows[0].count
const linkIn = ({ text }: Mail) => new URL(/https:\S+\/status-mail\/\S+/.exec(text)?.[0] ?? '').pathname

let signs = 0
const newSign = async (): Promise<{ id: DeviceId }> => {
  const device = await addDevice(api.pool, { name: `Pier ${++signs}`, customerId: ours })
  await api.pool.query('update device set status_id = 2 where id = $1', [device.id])
  return device
}
/** Ages all incidents so far that they are due. */
const age = (ms: number) =>
  api.pool.query(`update incident set created_at = created_at - make_interval(secs => $1)`, [ms / 1000])

await setPage()
await api.pool.query(`update status_page set told_from = now() - interval '1 day'`)

test('mails begin with a press on the page of a link, and end with another; who only looks changes nothing', async () => {
  const first = await subscribe('Ada@a.example')
  expect(first.statusCode).toBe(200)
  expect(await lastAudit()).toMatchObject({ call: 'Status page subscribe', outcome: 'done', customer_id: ours })
  const [confirm] = await tellAll()
  expect(confirm).toMatchObject({ to: 'Ada@a.example', subject: 'Please confirm: Harbour <lights>' })
  expect(confirm?.html).toContain('Harbour &lt;lights&gt;')
  const path = linkIn(confirm as Mail)
  const before = await auditRows()
  for (const method of ['GET', 'HEAD'] as const)
    expect((await api.app.inject({ method, url: path })).statusCode).toBe(200)
  expect(await auditRows()).toBe(before)
  const device = await newSign()
  const alert = await incidents.raise(device, { at: new Date(Date.now() - 10 * MINUTE_MS) })
  await age(5 * MINUTE_MS)
  // Nobody has confirmed yet.
  expect(await tellAll()).toEqual([])
  expect((await press(path)).statusCode).toBe(200)
  expect(await auditRows()).toBe(before + 1)
  expect(await lastAudit()).toMatchObject({ call: 'Status page confirm', entity_id: ours, user_id: null })
  const [opened, ...more] = await tellAll()
  expect(more).toEqual([])
  expect(opened).toMatchObject({ subject: `Pier ${signs}: Technical disturbance`, to: 'Ada@a.example' })
  expect(opened?.text).toContain('https://signs.example/status/harbour')
  expect(await tellAll()).toEqual([])
  await incidents.over(alert, new Date(Date.now() - 6 * MINUTE_MS))
  const [over] = await tellAll()
  expect(over).toMatchObject({ subject: `Resolved: Pier ${signs}: Technical disturbance` })
  const end = new URL(over?.unsubscribeUrl ?? '').pathname
  expect(over?.unsubscribeUrl).toMatch(/^https:\/\/signs\.example\/status-mail\/[\w-]{43}\/unsubscribe$/)
  expect((await api.app.inject({ url: end })).body).toContain('<button type="submit">Unsubscribe</button>')
  expect((await press(end)).statusCode).toBe(200)
  expect((await api.pool.query('select * from status_subscriber')).rows).toEqual([])
  for (const link of [end, path, '/status-mail/x/confirm']) {
    expect((await api.app.inject({ url: link })).statusCode).toBe(404)
    expect((await press(link)).statusCode).toBe(404)
  }
  const token = end.split('/')[2] ?? ''
  expect(JSON.stringify([(await api.pool.query('select * from audit_log')).rows, api.logged])).not.toMatch(
    new RegExp(`${token}|ada@a`, 'i'),
  )
})

test('nobody learns who gets mails, and who has confirmed nothing is sent one link a day, by all pages together', async () => {
  const told: string[] = []
  for (let times = 0; times < 5; times++) told.push((await subscribe('eve@a.example')).body)
  expect(new Set(told).size).toBe(1)
  const theirs = await addCustomer(api.pool, 'Airport')
  await setPage({ customerId: theirs, slug: 'airport' }, staff)
  expect((await subscribe('EVE@a.example', { path: '/status/airport' })).statusCode).toBe(200)
  expect(await tellAll()).toHaveLength(1)
  await api.pool.query('update status_subscriber set confirmed_at = now()')
  expect((await subscribe('eve@a.example')).body).toBe(told[0])
  expect(await tellAll()).toEqual([])
  // Somebody who has confirmed one page may subscribe to others.
  expect((await subscribe('eve@a.example', { path: '/status/airport' })).statusCode).toBe(200)
  expect(await tellAll()).toHaveLength(1)
  expect((await subscribe('two@a.example, three@a.example')).statusCode).toBe(400)
  expect((await subscribe('ada@a.example', { path: `/status/${'A'.repeat(43)}` })).statusCode).toBe(404)
  await setPage({ takesSubscribers: false })
  expect((await subscribe('ada@a.example')).statusCode).toBe(404)
  await setPage()
  expect(await lastAudit()).toMatchObject({ outcome: 'done' })
})

test('wishes that nobody confirms keep nobody out, and are none after an hour', async () => {
  await unconfirmed(600, 'crowd.example')
  await subscribe('late@a.example')
  const [confirm] = await tellAll()
  expect(confirm).toMatchObject({ to: 'late@a.example' })
  const path = linkIn(confirm as Mail)
  await api.pool.query(
    `update status_subscriber set asked_at = now() - interval '61 minutes' where confirmed_at is null`,
  )
  expect((await api.app.inject({ url: path })).statusCode).toBe(404)
  await api.runJob('ended subscriptions')
  expect((await api.pool.query('select email from status_subscriber')).rows).toEqual([{ email: 'eve@a.example' }])
})

test('of one domain of mails sixty wait for an answer at most, and of others whoever asks', async () => {
  await unconfirmed(60, 'big.example')
  const [refused, taken] = [await subscribe('ann@big.example'), await subscribe('ann@small.example')]
  expect([refused.statusCode, taken.statusCode]).toEqual([200, 200])
  expect((await tellAll()).map(({ to }) => to)).toEqual(['ann@small.example'])
  await api.pool.query('delete from status_subscriber where confirmed_at is null')
})

test('one mailbox is asked once, however it is spelt', async () => {
  for (const spelt of [
    'ada@müller.example',
    'ada@xn--mller-kva.example',
    'Ada@MÜLLER.example',
    'ada@mu\u0308ller.example',
  ])
    expect((await subscribe(spelt)).statusCode).toBe(200)
  for (const other of ['ada@müller.example.', 'ada@müller。example', 'ada@[127.0.0.1]'])
    expect((await subscribe(other)).statusCode).toBe(400)
  expect((await tellAll()).map(({ to }) => to)).toEqual(['ada@müller.example'])
  await api.pool.query('delete from status_subscriber where confirmed_at is null')
})

test('one client asks for ten mails an hour, wherever in its network it is', async () => {
  const limited = await startApi({ on: api, rateLimits: DEFAULT_RATE_LIMITS })
  const statuses: number[] = []
  for (let n = 1; n <= 11; n++) {
    const from = { at: limited, remoteAddress: `2001:db8:0:7::${n}` }
    statuses.push((await subscribe(`n${n}@n${n}.example`, from)).statusCode)
  }
  expect(statuses).toEqual([...Array(10).fill(200), 429])
  const other = { at: limited, remoteAddress: '2001:db8:0:8::1' }
  expect((await subscribe('other@n.example', other)).statusCode).toBe(200)
  await limited.stop()
  await tellAll()
  await api.pool.query('delete from status_subscriber where confirmed_at is null')
})

test.each([
  [{ 'sec-fetch-site': 'cross-site' }, 403],
  [{ 'sec-fetch-site': 'same-site', origin: 'http://signs.example' }, 403],
  [{ origin: 'https://evil.example' }, 403],
  [{ 'sec-fetch-site': 'same-origin', origin: 'https://signs.example' }, 200],
  [{ origin: 'http://signs.example' }, 200],
  [{ origin: 'null' }, 200],
] as const)('a form that says %j of where it comes from is answered %i', async (headers, status) => {
  const before = await auditRows()
  const email = `${JSON.stringify(headers).replaceAll(/\W/g, '')}@form.example`
  expect((await subscribe(email, { headers: { host: 'signs.example', ...headers } })).statusCode).toBe(status)
  const { rows } = await api.pool.query('delete from status_subscriber where email = $1 returning 1', [email])
  expect([rows.length, (await auditRows()) - before]).toEqual([status === 200 ? 1 : 0, 1])
})

test('of forty incidents at once twelve are mailed, and the page has the others', async () => {
  await api.pool.query('delete from status_news')
  const devices: { id: DeviceId }[] = []
  for (let index = 0; index < 40; index++) devices.push(await newSign())
  await incidents.raiseOn(devices, { at: new Date(Date.now() - 10 * MINUTE_MS) })
  await age(5 * MINUTE_MS)
  const told = await tellAll()
  expect(told).toHaveLength(12)
  expect(told.filter(({ subject }) => subject.includes('there may be more'))).toHaveLength(1)
  expect(await tellAll()).toEqual([])
})

test('planned work is told once; a page with another address, or switched off, tells nobody of before', async () => {
  await api.pool.query(
    `insert into maintenance_window (target_kind, customer_id, reason, from_at, to_at, time_zone, tells_customer, username, ends_at)
     values ('customer', $1, 'New panels', $2, $3, 'UTC', true, 'ada', $3)`,
    [ours, new Date(Date.now() + HOUR_MS), new Date(Date.now() + 2 * HOUR_MS)],
  )
  expect((await tellAll()).map(({ subject }) => subject)).toEqual(['Planned work: New panels'])
  expect(await tellAll()).toEqual([])
  await incidents.raise(await newSign(), { at: new Date(Date.now() - 10 * MINUTE_MS) })
  await api.pool.query('delete from status_news')
  await api.runJob('status news')
  await setPage({ mode: 'secret' })
  await queue.sendDue()
  expect(mails).toEqual([])
  expect((await api.pool.query('select * from status_subscriber')).rows).toEqual([])
})
