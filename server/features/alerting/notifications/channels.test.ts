import { Webhook } from 'standardwebhooks'
import { afterAll, expect, test } from 'vitest'
import type { Channel } from '#contract/http/alerting/channels.ts'
import { CHANNEL_KINDS, type ChannelKind } from '#domain/notifications/channelKinds.ts'
import { MailQueue } from '#server/mail/mailQueue.ts'
import { SmtpMailer } from '#server/mail/sending/SmtpMailer.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { addCustomer, ask } from '#server/testing/callers.ts'
import { testCipher } from '#server/testing/database/testCipher.ts'
import { routedMails } from '#server/testing/mail/routedMails.ts'
import { outsideServer, type SeenRequest } from '#server/testing/outsideServer.ts'
import { startMailServer } from '#testing/mailServer.ts'

const mailServer = await startMailServer()
afterAll(() => mailServer.stop())
const api = await apiTest({
  config: { outboundAllow: ['127.0.0.1'], smtpUrl: `smtp://127.0.0.1:${mailServer.port}` },
})
const ours = await addCustomer(api.pool, 'Harbour')
const TOKENS = {
  staff: await api.signedIn({ username: 'admin@a.example', functions: [1] }),
  our: await api.signedIn({ username: 'admin@harbour.example', functions: [1], customerId: ours }),
}
type Who = keyof typeof TOKENS

const post = (who: Who, name: string, body: object) =>
  ask(api, `Channel/${name}`, { token: TOKENS[who], method: 'POST', body })
const listed = async (who: Who): Promise<Channel[]> =>
  (await ask(api, 'Channel/GetChannelList', { token: TOKENS[who] })).json()
const setUp = async (who: Who, kind: ChannelKind, more: object) =>
  (await post(who, 'SetChannel', { name: kind, kind, settings: {}, ...more })).json()
const lastAudit = async () => (await api.pool.query('select * from audit_log order by id desc limit 1')).rows[0]

test('each kind is tried by its own words, and what the other side says is shown without the secret', async () => {
  const seen: SeenRequest[] = []
  const other = await outsideServer((request) => {
    seen.push(request)
    return { body: { ok: true, echo: `${request.headers.authorization} ${request.path} ${request.text}` } }
  })
  const SECRET = 'canary-secret:1'
  const wanted: Record<Exclude<ChannelKind, 'mail'>, object> = {
    webhook: { secret: `${other.url}/${SECRET}` },
    teams: { secret: `${other.url}/${SECRET}` },
    slack: { secret: SECRET, settings: { address: other.url, recipient: 'C1' } },
    telegram: { secret: SECRET, settings: { address: other.url, recipient: '-100' } },
    ntfy: { secret: SECRET, settings: { address: other.url, recipient: 'topic' } },
    pagerduty: { secret: SECRET, settings: { address: other.url } },
    opsgenie: { secret: SECRET, settings: { address: other.url } },
    jira: { secret: SECRET, settings: { address: other.url, recipient: 'OPS', user: 'ada@a.example' } },
    servicenow: { secret: SECRET, settings: { address: other.url, user: 'ada' } },
  }
  for (const [kind, more] of Object.entries(wanted)) {
    const { id } = await setUp('staff', kind as ChannelKind, more)
    const answer = (await post('staff', 'TestChannel', { id })).json()
    expect({ kind, isTaken: answer.isTaken, status: answer.status }).toEqual({ kind, isTaken: true, status: 200 })
    expect(answer.answer).toContain('"echo"')
    const shown = JSON.stringify([
      answer,
      await listed('staff'),
      (await ask(api, 'Channel/GetDeliveryList', { token: TOKENS.staff, query: { id } })).json(),
      (await api.pool.query('select * from audit_log')).rows,
      api.logged,
    ])
    expect(shown).not.toContain('canary-secret')
    expect(shown).not.toContain(Buffer.from(`ada:${SECRET}`).toString('base64'))
  }
  expect(Object.keys(wanted).toSorted()).toEqual(CHANNEL_KINDS.filter((kind) => kind !== 'mail').toSorted())
  expect(seen.map(({ method, path }) => `${method} ${path.replace(/wayside-[\w-]+/, 'KEY')}`)).toEqual([
    `POST /${SECRET}`,
    `POST /${SECRET}`,
    'POST /chat.postMessage',
    `POST /bot${SECRET}/sendMessage`,
    'POST /',
    'POST /',
    'POST /',
    'POST /v2/alerts',
    'POST /v2/alerts/KEY/close?identifierType=alias',
    'GET /rest/api/3/myself',
    'GET /api/now/table/incident?sysparm_limit=1&sysparm_fields=number',
  ])
})

test('a webhook is signed so that its receiver can tell, by both keys while one takes the place of the other', async () => {
  const other = await outsideServer()
  const { id, signingKey } = await setUp('staff', 'webhook', { name: 'Signed', secret: `${other.url}/hook?a=b` })
  await post('staff', 'TestChannel', { id })
  const rotated = (await post('staff', 'RotateSigningKey', { id })).json()
  expect(await lastAudit()).toMatchObject({ after: { signingKey: 'replaced' }, entity_name: 'Signed' })
  await post('staff', 'TestChannel', { id })
  const [first, second] = other.requests as [SeenRequest, SeenRequest]
  const checks = (key: string, { text, headers }: SeenRequest) => new Webhook(key).verify(text, headers as never)
  expect(checks(signingKey, first)).toMatchObject({ type: 'test' })
  for (const key of [signingKey, rotated.signingKey]) expect(checks(key, second)).toMatchObject({ type: 'test' })
  expect(() => checks(rotated.signingKey, first)).toThrow('No matching signature')
  expect(() => checks(signingKey, { ...second, text: second.text.replace('test', 'text') })).toThrow()
  const shown = (await listed('staff')).find((one) => one.id === id)
  expect(shown).toMatchObject({
    hasSecret: true,
    secretHost: new URL(other.url).host,
    oldKeyUntil: rotated.oldKeyUntil,
  })
  // A day later the older key has expired.
  await api.pool.query(
    `update channel set signing = jsonb_set(signing, '{1,until}', '"2026-01-01T00:00:00.000Z"') where id = $1`,
    [id],
  )
  await post('staff', 'TestChannel', { id })
  expect(() => checks(signingKey, other.requests.at(-1) as SeenRequest)).toThrow('No matching signature')
})

test('who answers late, wrongly or elsewhere is told as it is; what a setting allows is not for customers', async () => {
  const other = await outsideServer(() => ({ status: 403, body: '<b>no</b>' }))
  const { id } = await setUp('staff', 'ntfy', { settings: { address: other.url, recipient: 'x' } })
  expect((await post('staff', 'TestChannel', { id })).json()).toMatchObject({
    isTaken: false,
    status: 403,
    answer: '<b>no</b>',
    reason: 'HTTP 403: <b>no</b>',
  })
  expect((await listed('staff')).find((one) => one.id === id)).toMatchObject({
    lastOutcome: 'later',
    lastAt: expect.any(String),
  })
  expect(await lastAudit()).toMatchObject({ call: 'Channel/TestChannel', entity_name: 'ntfy', outcome: 'done' })
  other.answers(() => ({ status: 307, headers: { Location: 'http://169.254.169.254/' } }))
  expect((await post('staff', 'TestChannel', { id })).json()).toMatchObject({
    isTaken: false,
    status: null,
    reason: expect.stringContaining('leads elsewhere'),
  })
  const { id: theirs } = await setUp('our', 'ntfy', { settings: { address: other.url, recipient: 'x' } })
  expect((await post('our', 'TestChannel', { id: theirs })).json()).toMatchObject({
    isTaken: false,
    reason: '127.0.0.1 is not on the internet, and no setting allows it by name.',
  })
  expect(other.requests).toHaveLength(2)
  // The limit counts all channels of a customer together.
  const { id: another } = await setUp('our', 'ntfy', { settings: { address: other.url, recipient: 'y' } })
  for (let tests = 1; tests < 20; tests++) await post('our', 'TestChannel', { id: tests % 2 ? theirs : another })
  for (const id of [theirs, another])
    expect((await post('our', 'TestChannel', { id })).json().code).toBe('too_many_requests')
})

test('a customer sets up channels of their own, and sees no other', async () => {
  await setUp('staff', 'ntfy', { name: 'Of staff', settings: { recipient: 'x' } })
  const { id } = await setUp('our', 'ntfy', { name: 'Of Harbour', settings: { recipient: 'x' } })
  expect((await listed('our')).every(({ customerId }) => customerId === ours)).toBe(true)
  expect((await listed('staff')).find((one) => one.id === id)).toMatchObject({
    customerName: 'Harbour',
    customerId: ours,
  })
  const asStaff = await post('our', 'SetChannel', {
    name: 'x',
    kind: 'ntfy',
    settings: { recipient: 'x' },
    customerId: ours + 1,
  })
  expect(asStaff.statusCode).toBe(404)
})

test('a secret stays where none is sent, and goes with the channel', async () => {
  const { id } = await setUp('staff', 'slack', { secret: 'xoxb-1', settings: { recipient: 'C1' } })
  const kept = async () => {
    const { rows } = await api.pool.query('select secret, name, deleted_at from channel where id = $1', [id])
    return { ...rows[0], secret: testCipher.decrypt(rows[0].secret, `channel/${id}/secret`) }
  }
  const change = (more: object) =>
    post('staff', 'SetChannel', { id, name: 'Renamed', kind: 'slack', settings: { recipient: 'C2' }, ...more })
  expect((await change({})).statusCode).toBe(200)
  expect(await kept()).toMatchObject({ secret: 'xoxb-1', name: 'Renamed' })
  await change({ secret: 'xoxb-2' })
  expect(await kept()).toMatchObject({ secret: 'xoxb-2' })
  expect(await lastAudit()).toMatchObject({ after: { secret: 'replaced', settings: { recipient: 'C2' } } })
  expect((await change({ kind: 'ntfy' })).json().message).toContain('kind')
  await post('staff', 'DelChannel', { id })
  expect(await kept()).toMatchObject({ secret: '', deleted_at: expect.any(Date) })
})

const queue = new MailQueue({
  ...routedMails(api.pool),
  pool: api.pool,
  mailer: new SmtpMailer({ url: `smtp://127.0.0.1:${mailServer.port}`, from: 'wayside@signs.example' }),
  idDomain: 'signs.example',
  consoleUrl: 'https://signs.example',
  log: { warn: (details) => expect.fail(JSON.stringify(details)) },
})
const mailed = async () => {
  await queue.sendDue()
  return mailServer.mails.splice(0)
}
const awaits = async (id: number) => (await listed('staff')).find((one) => one.id === id)?.awaitsRecipient

test('an address is told nothing by mail until somebody there has pressed a button', async () => {
  const change = (id: number, recipient: string) =>
    post('staff', 'SetChannel', { id, name: 'Desk', kind: 'mail', settings: { recipient } })
  const { id } = await setUp('staff', 'mail', { name: 'Desk', settings: { recipient: 'desk@a.example' } })
  expect(await awaits(id)).toBe(true)
  const [asked, ...more] = await mailed()
  expect([asked?.to, more]).toEqual([['desk@a.example'], []])
  for (let times = 0; times < 2; times++) {
    expect((await post('staff', 'TestChannel', { id })).json()).toMatchObject({
      isTaken: false,
      reason: 'The address has not confirmed yet that it wants mails.',
    })
  }
  // The address was sent its link of the day already.
  expect(await mailed()).toEqual([])
  const link = new URL(/https:\S+\/channel-mail\/\S+confirm/.exec(asked?.readable ?? '')?.[0] ?? '').pathname
  const page = await api.app.inject({ url: link })
  expect([page.statusCode, page.body.includes('<button type="submit">Confirm</button>')]).toEqual([200, true])
  expect(await awaits(id)).toBe(true)
  expect((await api.app.inject({ method: 'POST', url: link })).statusCode).toBe(200)
  expect(await lastAudit()).toMatchObject({ call: 'Channel recipient confirm', entity_name: 'Desk', user_id: null })
  expect(await awaits(id)).toBe(false)
  expect((await post('staff', 'TestChannel', { id })).json().isTaken).toBe(true)
  expect((await mailed()).map(({ to }) => to)).toEqual([['desk@a.example']])
  // Another address has to confirm itself, and the link of the first one has ended.
  await change(id, 'other@a.example')
  expect(await awaits(id)).toBe(true)
  for (const method of ['GET', 'POST'] as const)
    expect((await api.app.inject({ method, url: link })).statusCode).toBe(404)
  expect((await mailed()).map(({ to }) => to)).toEqual([['other@a.example']])
  expect((await api.app.inject({ url: `/channel-mail/${'A'.repeat(43)}/confirm` })).statusCode).toBe(404)
})

test('a channel from before the upgrade goes on as it was', async () => {
  const { rows } = await api.pool.query(
    `insert into channel (name, kind, settings, most_per_hour, recipient_confirmed_at)
     values ('Old', 'mail', '{"recipient": "old@a.example", "address": "", "user": "", "issueType": "", "transitionId": ""}', 30, now())
     returning id`,
  )
  expect((await post('staff', 'TestChannel', { id: rows[0].id })).json().isTaken).toBe(true)
  expect((await mailed()).map(({ to }) => to)).toEqual([['old@a.example']])
})

test('all channels of a customer together ask twenty addresses a day', async () => {
  const customer = await addCustomer(api.pool, 'Spammer')
  for (let n = 1; n <= 22; n++) {
    const settings = { recipient: `stranger@s${n}.example` }
    await setUp('staff', 'mail', { customerId: customer, settings })
  }
  expect(await mailed()).toHaveLength(20)
})

test.each([
  ['mail', { recipient: 'no address' }, {}, 'recipient: must be one e-mail address.'],
  ['slack', { recipient: 'C1' }, {}, 'secret: is required.'],
  ['slack', {}, { secret: 'x' }, 'recipient: is required.'],
  [
    'slack',
    { recipient: 'C1' },
    { secret: 'two\r\nlines' },
    'secret: must be letters, digits and signs without spaces.',
  ],
  ['telegram', { recipient: '1' }, { secret: '../getMe' }, 'secret: must be letters, digits, colons and dashes.'],
  [
    'ntfy',
    { recipient: 'x', address: 'ftp://a' },
    {},
    'address: must begin with https:// and hold neither a user, a question mark nor spaces.',
  ],
  ['ntfy', { recipient: 'x', user: 'ada' }, {}, 'user: does not belong to ntfy.'],
  ['webhook', {}, { secret: 'hooks.example' }, 'secret: must be a whole address that begins with https://.'],
] as const)('%s with %j is refused: %s', async (kind, settings, more, message) => {
  const answer = await post('staff', 'SetChannel', { name: 'Wrong', kind, settings, ...more })
  expect([answer.statusCode, answer.json().message]).toEqual([400, message])
})
