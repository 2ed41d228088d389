import { expect, test } from 'vitest'
import type { StatusPage } from '#contract/http/alerting/statusPages.ts'
import { fieldIdOfKind } from '#domain/alerts/conditionKinds.ts'
import type { CustomerId, DeviceId } from '#domain/ids.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#domain/units/time.ts'
import { openDatabase } from '#server/db/database.ts'
import { DEFAULT_RATE_LIMITS } from '#server/http/limits/rateLimits.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { addCustomer, addDevice, ask, startApi } from '#server/testing/callers.ts'
import { incidentsIn } from '#server/testing/devices/raisedIncidents.ts'
import { makePage, PageCache } from './PageCache.ts'

const api = await apiTest()
const ours = await addCustomer(api.pool, 'Harbour')
const theirs = await addCustomer(api.pool, 'Airport')
const TOKENS = {
  staff: await api.signedIn({ username: 'admin@a.example', functions: [1] }),
  our: await api.signedIn({ username: 'admin@harbour.example', functions: [1], customerId: ours }),
}
type Who = keyof typeof TOKENS
const incidents = incidentsIn(api.pool)
const DARK = fieldIdOfKind('dark') as number

const SETTINGS = {
  customerId: ours,
  mode: 'public',
  slug: 'harbour',
  title: 'Harbour lights',
  severityId: 2,
  showsPlanned: true,
  takesSubscribers: true,
}
const set = (more: object, who: Who = 'our') =>
  ask(api, 'StatusPage/SetStatusPage', { token: TOKENS[who], method: 'POST', body: { ...SETTINGS, ...more } })
const open = (path: string, headers: Record<string, string> = {}) => api.app.inject({ url: path, headers })
const pathOf = (answer: { json: () => { address: string } }) => new URL(answer.json().address).pathname
const auditRows = async () => (await api.pool.query('select count(*)::int as count from audit_log')).rows[0].count

interface Sign {
  readonly name: string
  readonly customerId?: CustomerId
  readonly light?: string | null
  readonly tags?: readonly string[]
  readonly statusId?: number
}
async function sign({
  name,
  customerId = ours,
  light = 'lit',
  tags = [],
  statusId = 2,
}: Sign): Promise<{ id: DeviceId }> {
  const device = await addDevice(api.pool, {
    name,
    customerId,
    address: `Secret street ${name}`,
    attrSerial: 'SN-SECRET',
  })
  await api.pool.query('update device set status_id = $2, tags = $3, tag_keys = $4, description = $5 where id = $1', [
    device.id,
    statusId,
    tags,
    tags.map((tag) => tag.toLowerCase()),
    'Note for the staff',
  ])
  await api.pool.query(
    `insert into device_now (device_id, customer_id, light, light_since, is_silent) values ($1, $2, $3, now(), false)
     on conflict (device_id) do update set customer_id = $2, light = $3, is_silent = false`,
    [device.id, customerId, light],
  )
  return device
}

test('a page shows displays by place with their light, in words, and nothing of their insides or of anybody else', async () => {
  await sign({ name: 'Pier 1', tags: ['city: Oslo'] })
  await sign({ name: 'Pier <script>alert(1)</script> & "2"\u202e', tags: ['city: Bergen', 'vip'], light: 'unplanned' })
  await sign({ name: 'Pier 3', light: 'planned' })
  await sign({ name: 'Pier 4', light: 'unknown' })
  await sign({ name: 'Retired pier', statusId: 4 })
  await sign({ name: 'Router box', light: null })
  await sign({ name: 'Gate 9', customerId: theirs, light: 'unplanned' })
  expect(await open('/status/harbour')).toMatchObject({ statusCode: 404 })
  expect(pathOf(await set({ placePrefix: 'City:', note: 'Call <b>112</b>\nor wait.' }))).toBe('/status/harbour')
  const before = await auditRows()
  const page = await open('/status/harbour')
  expect(page.statusCode).toBe(200)
  expect(page.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'public, max-age=10',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'content-security-policy': expect.stringContaining("default-src 'none'"),
  })
  const { body } = page
  expect(body).toContain('1 of 4 displays is dark.')
  expect([...body.matchAll(/<h3>(.*?)<\/h3>/g)].map(([, place]) => place)).toEqual(['Bergen', 'Oslo', 'Elsewhere'])
  expect(body).toContain(
    '<span>Pier &lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;2&quot;</span><span class="word">Dark</span>',
  )
  expect(body).toContain('<span>Pier 3</span><span class="word">Off as planned</span>')
  expect(body).toContain('<p>Call &lt;b&gt;112&lt;/b&gt;</p><p>or wait.</p>')
  expect(body).not.toMatch(
    /Secret street|SN-SECRET|Note for the staff|Gate 9|Airport|Retired|Router box|noindex|<script/,
  )
  expect(await auditRows()).toBe(before)
})

test('only a name that is set and free is an address; a customer sets their own page alone', async () => {
  expect((await set({ slug: 'Harbour!' })).json().message).toContain('slug')
  expect((await set({ customerId: theirs, slug: 'harbour' }, 'staff')).json().message).toContain('slug')
  expect((await set({ customerId: theirs })).statusCode).toBe(404)
  const listed = async (who: Who): Promise<StatusPage[]> =>
    (await ask(api, 'StatusPage/GetStatusPageList', { token: TOKENS[who] })).json()
  expect(await listed('our')).toMatchObject([
    { customerName: 'Harbour', mode: 'public', address: expect.stringMatching(/\/status\/harbour$/), deviceCount: 4 },
  ])
  expect((await listed('staff')).find(({ customerId }) => customerId === theirs)).toMatchObject({
    mode: 'off',
    address: '',
    title: 'Airport',
  })
})

test('a secret page is found by its address alone, kept by nobody, and after a rotation as if it had never been', async () => {
  const first = pathOf(await set({ mode: 'secret' }))
  expect(first).toMatch(/^\/status\/[\w-]{43}$/)
  const page = await open(first)
  expect(page.headers).toMatchObject({ 'cache-control': 'private, no-cache', 'x-robots-tag': 'noindex, nofollow' })
  expect(page.body).toContain('<meta name="robots" content="noindex,nofollow">')
  // Changing settings does not change the address.
  expect(pathOf(await set({ mode: 'secret', title: 'Renamed' }))).toBe(first)
  const rotated = await ask(api, 'StatusPage/RotateStatusAddress', {
    token: TOKENS.our,
    method: 'POST',
    body: { customerId: ours },
  })
  const second = pathOf(rotated)
  expect((await open(second)).statusCode).toBe(200)
  const gone = await Promise.all(
    [first, `/status/${'A'.repeat(43)}`, '/status/harbour', '/status/never', `${first}/feed.atom`].map((path) =>
      open(path),
    ),
  )
  const told = gone.map(({ statusCode, headers, body }) => {
    const { date, ...rest } = headers
    return { statusCode, headers: rest, body }
  })
  for (const one of told) expect(one).toEqual(told[0])
  expect(told[0]?.statusCode).toBe(404)
  // Addresses that nothing answers may hold a secret too.
  for (const wrong of [`${second}/`, `${second}/feed`, `${second}/a/b`]) await open(wrong)
  await api.app.inject({ method: 'POST', url: second })
  const secrets = [first, second].map((path) => path.slice('/status/'.length))
  const { rows } = await api.pool.query('select * from audit_log')
  for (const secret of secrets) expect(JSON.stringify([rows, api.logged])).not.toContain(secret)
  await api.pool.query('update customer set is_active = false where id = $1', [ours])
  await set({ mode: 'secret' }, 'staff')
  expect((await open(second)).statusCode).toBe(404)
  await api.pool.query('update customer set is_active = true where id = $1', [ours])
})

test('incidents are of the customer who had the device then, in words for outside, and leave after two weeks', async () => {
  await set({ tag: '' })
  await api.pool.query(`update device_now set light = 'lit'`)
  const now = Date.now()
  const [one, moved, other] = [
    await sign({ name: 'Quay 1' }),
    await sign({ name: 'Quay moved' }),
    await sign({ name: 'Gate 1', customerId: theirs }),
  ]
  await incidents.raise(one, { at: new Date(now - HOUR_MS), text: 'Panel over 80 °C by NTC2' })
  const over = await incidents.raise(moved, { at: new Date(now - 2 * DAY_MS), fieldId: DARK, text: 'HDMI-1 lost' })
  await incidents.over(over, new Date(now - DAY_MS))
  const old = await incidents.raise(await sign({ name: 'Quay old' }), { at: new Date(now - 20 * DAY_MS) })
  await incidents.over(old, new Date(now - 15 * DAY_MS))
  await incidents.raise(await sign({ name: 'Quay info' }), { at: new Date(now - MINUTE_MS), severityId: 3 })
  await incidents.raise(other, { at: new Date(now - HOUR_MS) })
  await api.pool.query('update device set customer_id = $2, name = $3 where id = $1', [moved.id, theirs, 'Gate moved'])
  await incidents.raise(moved, { at: new Date(now - MINUTE_MS) })
  await set({})
  const { body } = await open('/status/harbour')
  const titles = [...body.matchAll(/<li><b>.*?<\/i> (.*?)<\/b>/g)].map(([, title]) => title)
  expect(titles).toEqual(['Quay 1: Technical disturbance', 'Resolved: Quay moved: Dark'])
  expect(body).not.toMatch(/NTC2|HDMI|Gate/)
  const feed = await open('/status/harbour/feed.atom')
  expect(feed.headers['content-type']).toBe('application/atom+xml; charset=utf-8')
  const entries = [...feed.body.matchAll(/<entry><id>(.*?)<\/id><title>(.*?)<\/title>/g)].map(([, id, title]) => [
    id,
    title,
  ])
  expect(entries.map(([, title]) => title)).toEqual(titles)
  // The entries keep their identity, whatever becomes of the page.
  const known = await open('/status/harbour/feed.atom', { 'if-none-match': String(feed.headers.etag) })
  expect([known.statusCode, known.body]).toEqual([304, ''])
  expect(
    (await open('/status/harbour/feed.atom', { 'if-modified-since': String(feed.headers['last-modified']) }))
      .statusCode,
  ).toBe(304)
  const secret = pathOf(await set({ mode: 'secret', title: 'A & B <c>' }))
  const again = await open(`${secret}/feed.atom`)
  expect([...again.body.matchAll(/<entry><id>(.*?)<\/id>/g)].map(([, id]) => id)).toEqual(entries.map(([id]) => id))
  expect(again.body).toContain('<title>A &amp; B &lt;c&gt;</title>')
  expect((await open(`${secret}/feed.atom`, { 'if-none-match': String(feed.headers.etag) })).statusCode).toBe(200)
  // The page shows only devices of a tag, and no incidents at all.
  await set({ tag: 'VIP' })
  expect((await open('/status/harbour')).body).not.toContain('Quay')
  await set({ severityId: null })
  expect((await open('/status/harbour')).body).not.toContain('disturbance')
})

const incidentTitles = async () => {
  const { body } = await open('/status/harbour')
  const [, section = ''] = /<h2>Incidents<\/h2>(.*?)<\/section>/s.exec(body) ?? []
  return { section, titles: [...section.matchAll(/<li><b>.*?<\/i> (.*?)<\/b>/g)].map(([, title]) => title) }
}

test('a dark display stands among the incidents of now, whether an incident is known of it or not', async () => {
  await api.pool.query('delete from incident_share; update device set deleted_at = now()')
  const [known, unknown, planned] = [
    await sign({ name: 'Mole 1', light: 'unplanned' }),
    await sign({ name: 'Mole 2', light: 'unplanned' }),
    await sign({ name: 'Mole 3', light: 'planned' }),
  ]
  await set({})
  expect((await incidentTitles()).titles).toEqual(['Mole 1: Dark', 'Mole 2: Dark'])
  const raised = await incidents.raise(known, { at: new Date(), fieldId: DARK })
  await set({})
  const both = await incidentTitles()
  expect(both.titles).toEqual(['Mole 1: Dark', 'Mole 2: Dark'])
  expect(both.section.match(/It belongs to no incident on this page/g)).toHaveLength(1)
  // An incident that the page hides explains nothing to its readers.
  await incidents.raise(unknown, { at: new Date(), severityId: 3 })
  await api.pool.query(`update device_now set light = 'lit' where device_id = any($1)`, [[known.id, planned.id]])
  await set({})
  expect((await open('/status/harbour')).body).toContain('1 of 3 displays is dark.')
  const after = await incidentTitles()
  expect(after.titles).toEqual(['Mole 1: Dark', 'Mole 2: Dark'])
  expect(after.section).toContain('None of its displays is dark now')
  await incidents.over(raised, new Date())
  await api.pool.query(`update device_now set light = 'lit' where device_id = $1`, [unknown.id])
  await set({})
  expect((await open('/status/harbour')).body).toContain('All displays are lit.')
  expect((await incidentTitles()).section).toContain('No incidents reported.')
})

test('of very many dark displays without an incident the first are named, and the others counted', async () => {
  await api.pool.query('delete from incident_share; update device set deleted_at = now()')
  for (let index = 10; index < 35; index++) await sign({ name: `Mole ${index}`, light: 'unplanned' })
  await set({})
  const { titles, section } = await incidentTitles()
  expect(titles).toHaveLength(21)
  expect([titles[0], titles.at(-1)]).toEqual(['Mole 10: Dark', '5 more displays: Dark'])
  expect(section).not.toContain('No incidents reported.')
})

test('of an incident that reaches several customers each page counts its own', async () => {
  const devices: { id: DeviceId }[] = []
  for (let index = 0; index < 13; index++)
    devices.push(await sign({ name: `Stop ${index}`, customerId: index < 6 ? ours : theirs }))
  await incidents.raiseOn(devices, { at: new Date(), fieldId: fieldIdOfKind('silent') as number })
  const { rows } = await api.pool.query(
    'select count(distinct incident_id)::int as count from incident_part where field_id = $1',
    [fieldIdOfKind('silent')],
  )
  expect(rows[0].count).toBe(1)
  await set({})
  const { body } = await open('/status/harbour')
  expect([...body.matchAll(/<li><b>.*?<\/i> (.*?)<\/b>/g)].map(([, title]) => title)).toContain(
    '6 displays: Not reachable',
  )
})

test('maintenance that the customer is told of is planned work; what nobody told is not', async () => {
  const later = (hours: number) => new Date(Date.now() + hours * HOUR_MS)
  const plan = async (reason: string, more: Record<string, unknown>) => {
    const row = { target_kind: 'customer', customer_id: ours, tells_customer: true, hours: 48, tag: null, ...more }
    await api.pool.query(
      `insert into maintenance_window (target_kind, customer_id, tag, tag_key, reason, from_at, to_at, time_zone, tells_customer,
         username, ends_at) values ($1, $2, $3, $3, $4, $5, $6, 'UTC', $7, 'ada', $6)`,
      [
        row.target_kind,
        row.customer_id,
        row.tag,
        reason,
        later(row.hours as number),
        later((row.hours as number) + 2),
        row.tells_customer,
      ],
    )
  }
  await plan('New <panels>', {})
  await plan('Silent work', { tells_customer: false })
  await plan('Of all', { target_kind: 'all', customer_id: null })
  await plan('At the airport', { customer_id: theirs })
  await plan('Next year', { hours: 24 * 300 })
  await plan('Nobody has the tag', { target_kind: 'tag', tag: 'none' })
  await set({})
  const work = async () =>
    [...(await open('/status/harbour')).body.matchAll(/<li><b>([^<]*)<\/b>/g)].map(([, reason]) => reason)
  expect(await work()).toEqual(['New &lt;panels&gt;', 'Of all'])
  await set({ showsPlanned: false })
  expect(await work()).toEqual([])
})

test('one address opens pages as often as it may make other public reads, and is told when again', async () => {
  await set({})
  const uses = { uses: 3, perSeconds: 60 }
  const limited = await startApi({
    on: api,
    rateLimits: { ...DEFAULT_RATE_LIMITS, publicReadsPerAddress: uses, publicChangesPerAddress: uses },
  })
  const status = async (method: 'GET' | 'POST', url: string) => {
    const { statusCode, headers } = await limited.app.inject({ method, url })
    return [statusCode, headers['retry-after'] !== undefined]
  }
  for (const url of ['/status/harbour', '/status/never', '/status/harbour/feed.atom']) await status('GET', url)
  expect(await status('GET', '/status/harbour')).toEqual([429, true])
  for (let times = 0; times < 3; times++) await status('POST', '/status/harbour/subscribe')
  expect(await status('POST', '/status/harbour/subscribe')).toEqual([429, true])
  await limited.stop()
})

test('a crowd asks the database once, and a page that somebody changed is made anew', async () => {
  await set({})
  const deps = {
    db: openDatabase(api.pool),
    clock: { now: () => new Date() },
    addresses: () => ({ mqttUrl: '', httpUrl: 'https://signs.example' }),
  }
  const asked: string[] = []
  const cache = new PageCache(async (address) => {
    asked.push(address)
    const made = await makePage(deps, address)
    if (made) asked.push(made.page.title)
    return made
  })
  const pages = await Promise.all(Array.from({ length: 200 }, () => cache.find('harbour')))
  expect(new Set(pages.map((page) => page?.html)).size).toBe(1)
  await Promise.all(['never', 'never'].map((address) => cache.find(address)))
  await cache.find('never')
  cache.clear()
  await cache.find('harbour')
  expect(asked).toEqual(['harbour', 'Harbour lights', 'never', 'never', 'harbour', 'Harbour lights'])
})

test('a page that shows critical incidents alone denies no milder one', async () => {
  await api.pool.query('delete from incident_share; update device set deleted_at = now()')
  const dark = await sign({ name: 'Mole 7', light: 'unplanned' })
  const warm = await sign({ name: 'Mole 8', light: 'lit' })
  await incidents.raise(dark, { at: new Date(), fieldId: DARK, severityId: 2 })
  const alert = await incidents.raise(warm, { at: new Date(), severityId: 2 })
  await set({ severityId: 1 })
  const denied = /there are no|there were none|no incident was/i
  const { section } = await incidentTitles()
  expect(section).toContain('It belongs to no incident on this page.')
  expect(section).not.toContain('or earlier')
  await api.pool.query('update device_now set light_since = now(), light_is_at_least = true where device_id = $1', [
    dark.id,
  ])
  await set({ severityId: 1 })
  expect((await incidentTitles()).section).toMatch(/Since <time [^>]*>[^<]*<\/time> or earlier/)
  expect((await open('/status/harbour')).body).not.toMatch(denied)
  await api.pool.query(`update device_now set light = 'lit' where device_id = $1`, [dark.id])
  await incidents.over(alert, new Date())
  await set({ severityId: 1 })
  expect((await incidentTitles()).section).toContain('No incidents reported.')
  expect((await open('/status/harbour')).body).not.toMatch(denied)
})
