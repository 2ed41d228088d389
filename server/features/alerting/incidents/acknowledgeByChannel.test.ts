import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import type { Channel } from '#contract/http/alerting/channels.ts'
import type { CustomerId, IncidentId } from '#domain/ids.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { addCustomer, addDevice, ask } from '#server/testing/callers.ts'
import { incidentsIn, routingIn } from '#server/testing/devices/raisedIncidents.ts'

const api = await apiTest()
const ours = await addCustomer(api.pool, 'Harbour')
const theirs = await addCustomer(api.pool, 'Airport')
const TOKENS = {
  staff: await api.signedIn({ username: 'admin@a.example', functions: [1, 2] }),
  our: await api.signedIn({ username: 'admin@harbour.example', functions: [1, 2], customerId: ours }),
}
const incidents = incidentsIn(api.pool)
const routing = routingIn(api.pool)

const setInbound = async (id: number, more: object = {}) =>
  ask(api, 'Channel/SetInbound', { token: TOKENS.staff, method: 'POST', body: { id, isOn: true, ...more } })
const lastAudit = async () => (await api.pool.query('select * from audit_log order by id desc limit 1')).rows[0]
const auditRows = async () => (await api.pool.query('select count(*)::int as count from audit_log')).rows[0].count
const incidentOf = async (id: IncidentId, token = TOKENS.staff) =>
  (await ask(api, 'Incident/GetIncident', { token, query: { id } })).json()

let devices = 0
async function told(channelId: number, { foreignId = null as string | null, customers = [ours] as CustomerId[] } = {}) {
  const found = []
  for (const customerId of customers) found.push(await addDevice(api.pool, { name: `Pier ${++devices}`, customerId }))
  const [alert] = await incidents.raiseOn(found, { at: new Date(), fieldId: customers.length > 1 ? 1 : 4101 })
  const id = await incidents.incidentOf(alert as never)
  const { rows } = await api.pool.query<{ key: string }>(
    `insert into incident_message (incident_id, share_id, channel_id, told, foreign_id, wanted_at)
     values ($1, 0, $2, '{}', $3, now()) returning key`,
    [id, channelId, foreignId],
  )
  return { id, key: rows[0]?.key ?? '' }
}

interface Sent {
  readonly body: string
  readonly headers: Record<string, string>
}
const send = async (address: string, { body, headers }: Sent) => {
  const answer = await api.app.inject({ method: 'POST', url: new URL(address).pathname, headers, payload: body })
  return { status: answer.statusCode, message: answer.json().message as string }
}
const webhook = (key: string, content: object, { id = 'evt_1', at = new Date() } = {}): Sent => {
  const body = JSON.stringify(content)
  return {
    body,
    headers: {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(key).sign(id, at, body),
    },
  }
}
const hmac = (body: string, secret: string) => createHmac('sha256', secret).update(body).digest('hex')

test('a signed webhook acknowledges as its channel, once, whatever is sent again', async () => {
  const channelId = await routing.channel('webhook', { name: 'Ops desk', customerId: ours })
  const { address, signingKey } = (await setInbound(channelId)).json()
  expect(address).toMatch(/\/inbound\/[0-9a-f-]{36}$/)
  const { id } = await told(channelId)
  const content = { type: 'incident.acknowledged', data: { incidentId: id, by: 'Ada Lovelace' } }
  const sent = webhook(signingKey, content)
  const before = await auditRows()
  expect(await send(address, sent)).toEqual({ status: 200, message: 'Acknowledged there by Ada Lovelace.' })
  expect(await auditRows()).toBe(before + 1)
  expect(await lastAudit()).toMatchObject({
    username: 'Channel Ops desk',
    user_id: null,
    call: 'Channel inbound',
    outcome: 'done',
    entity_id: id,
    customer_id: ours,
  })
  expect(await incidentOf(id)).toMatchObject({
    ownerId: null,
    ownerName: 'Ops desk',
    acknowledged: expect.any(String),
    entries: expect.arrayContaining([
      expect.objectContaining({
        kind: 'acknowledged',
        username: 'Ops desk',
        text: 'Acknowledged there by Ada Lovelace.',
      }),
    ]),
  })
  // The repeated event is accepted and does nothing.
  expect(await send(address, sent)).toEqual({ status: 200, message: 'It was heard before.' })
  expect(await send(address, webhook(signingKey, content, { id: 'evt_2' }))).toEqual({
    status: 200,
    message: 'It has already been acknowledged.',
  })
  const { rows } = await api.pool.query(`select * from incident_deed where incident_id = $1`, [id])
  expect(rows).toHaveLength(1)
  const listed: Channel[] = (await ask(api, 'Channel/GetChannelList', { token: TOKENS.our })).json()
  expect(listed[0]).toMatchObject({ inbound: { address, text: 'It has already been acknowledged.' } })
  const shown = JSON.stringify([listed, (await api.pool.query('select * from audit_log')).rows, api.logged])
  expect(shown).not.toContain(signingKey.slice('whsec_'.length))
  expect(JSON.stringify(api.logged)).not.toContain(address.split('/').at(-1))
})

test('two that come at once acknowledge once', async () => {
  const channelId = await routing.channel('webhook', { name: 'Twice' })
  const { address, signingKey } = (await setInbound(channelId)).json()
  const { id } = await told(channelId)
  const content = { type: 'incident.resolved', data: { incidentId: id } }
  const answers = await Promise.all(
    ['evt_1', 'evt_1', 'evt_2', 'evt_3'].map((one) => send(address, webhook(signingKey, content, { id: one }))),
  )
  expect(answers.filter(({ message }) => message === 'Resolved there.')).toHaveLength(1)
  expect(answers.every(({ status }) => status === 200)).toBe(true)
  const { rows } = await api.pool.query(`select * from incident_deed where incident_id = $1`, [id])
  expect(rows).toHaveLength(1)
})

test('what is not signed, signed by another, changed on its way or too old is refused', async () => {
  const channelId = await routing.channel('webhook', { name: 'Strict' })
  const { address, signingKey } = (await setInbound(channelId)).json()
  const { id } = await told(channelId)
  const content = { type: 'incident.acknowledged', data: { incidentId: id } }
  const fine = webhook(signingKey, content)
  const wrong: Sent[] = [
    { body: fine.body, headers: {} },
    webhook(`whsec_${Buffer.from('another key of that length').toString('base64')}`, content),
    { ...fine, body: fine.body.replace('acknowledged', 'resolved') },
    webhook(signingKey, content, { at: new Date(Date.now() - 6 * 60_000) }),
  ]
  const before = await auditRows()
  for (const one of wrong) expect((await send(address, one)).status).toBe(403)
  expect(await auditRows()).toBe(before + wrong.length)
  expect(await lastAudit()).toMatchObject({ outcome: 'forbidden', customer_id: null })
  expect(await incidentOf(id)).toMatchObject({ acknowledged: null })
  const away = address.replace(/[0-9a-f-]{36}$/, '00000000-0000-4000-8000-000000000000')
  expect((await send(away, fine)).status).toBe(404)
  await setInbound(channelId, { isOn: false })
  expect((await send(address, fine)).status).toBe(404)
})

const PAGER_SECRET = 'p'.repeat(32)
const JIRA_SECRET = 'j'.repeat(40)

test('PagerDuty and Jira are known by their own signatures, and found by what they call it', async () => {
  const pager = await routing.channel('pagerduty', { name: 'Pager' })
  expect((await setInbound(pager)).json().message).toContain('secret')
  const short = await setInbound(pager, { secret: PAGER_SECRET.slice(0, 31) })
  expect([short.statusCode, short.json().message]).toEqual([400, 'secret: must have at least 32 characters.'])
  const { address: pagerAddress, signingKey } = (await setInbound(pager, { secret: PAGER_SECRET })).json()
  expect(signingKey).toBeNull()
  const paged = await told(pager)
  const body = JSON.stringify({
    event: {
      id: '01BX',
      event_type: 'incident.acknowledged',
      agent: { summary: 'Grace Hopper' },
      data: { type: 'incident', incident_key: `wayside-${paged.key}` },
    },
  })
  // While a secret is rotated, the request carries signatures by both secrets.
  const headers = { 'x-pagerduty-signature': `v1=${hmac(body, 'old')},v1=${hmac(body, PAGER_SECRET)}` }
  expect(await send(pagerAddress, { body, headers })).toEqual({
    status: 200,
    message: 'Acknowledged there by Grace Hopper.',
  })
  expect(
    (await send(pagerAddress, { body, headers: { 'x-pagerduty-signature': `v1=${hmac(body, 'old')}` } })).status,
  ).toBe(403)

  const jira = await routing.channel('jira', { name: 'Board' })
  const { address: jiraAddress } = (await setInbound(jira, { secret: JIRA_SECRET })).json()
  await told(jira, { foreignId: 'OPS-7' })
  const issue = (key: string, category: string) =>
    JSON.stringify({
      webhookEvent: 'jira:issue_updated',
      user: { displayName: 'Ada' },
      issue: { key, fields: { status: { statusCategory: { key: category } } } },
    })
  const heard = (text: string, id: string) =>
    send(jiraAddress, {
      body: text,
      headers: { 'x-hub-signature': `sha256=${hmac(text, JIRA_SECRET)}`, 'x-atlassian-webhook-identifier': id },
    })
  expect((await heard(issue('OPS-7', 'new'), 'a')).message).toContain('Only what is acknowledged')
  expect((await heard(issue('OPS-8', 'done'), 'b')).message).toBe('This channel was not notified of this incident.')
  expect((await heard(issue('OPS-7', 'done'), 'c')).message).toBe('Resolved there by Ada.')
  expect((await setInbound(await routing.channel('slack', {}))).json().message).toContain('Slack')
})

test('a channel acknowledges nothing that it did not tell of, or that reaches beyond its customer', async () => {
  const channelId = await routing.channel('webhook', { name: 'Own', customerId: ours })
  const other = await routing.channel('webhook', { name: 'Secret desk' })
  const { address, signingKey } = (await setInbound(channelId)).json()
  const elsewhere = await told(other)
  const say = (id: IncidentId, one: string) =>
    send(
      address,
      webhook(signingKey, { type: 'incident.acknowledged', data: { incidentId: id, by: 'Eve' } }, { id: one }),
    )
  expect((await say(elsewhere.id, 'a')).message).toBe('This channel was not notified of this incident.')
  const many = await told(channelId, {
    customers: [...Array.from({ length: 6 }, () => ours), ...Array.from({ length: 6 }, () => theirs)],
  })
  expect((await say(many.id, 'b')).message).toBe('The incident reaches beyond the customer of this channel.')
  expect(await incidentOf(many.id)).toMatchObject({ acknowledged: null })
  // A customer may read neither the name of a staff channel nor who is behind it.
  const staff = (await setInbound(other)).json()
  await send(
    staff.address,
    webhook(staff.signingKey, { type: 'incident.acknowledged', data: { incidentId: elsewhere.id, by: 'Mallory' } }),
  )
  expect(await incidentOf(elsewhere.id)).toMatchObject({ ownerName: 'Secret desk' })
  const seen = await incidentOf(elsewhere.id, TOKENS.our)
  expect(seen).toMatchObject({ ownerName: 'Staff' })
  const written = await lastAudit()
  expect(written).toMatchObject({ username: `Channel ${other} of staff`, customer_id: ours, outcome: 'done' })
  const { rows: ofAlerts } = await api.pool.query(`select username from alert_event where kind = 'acknowledged'`)
  expect(JSON.stringify([seen, written, ofAlerts])).not.toMatch(/Secret desk|Mallory/)
})
