import { expect, test } from 'vitest'
import type { IncidentNotice } from '#contract/http/alerting/incidentNotices.ts'
import type { NotifyRoute } from '#contract/http/alerting/notificationRoutes.ts'
import type { OnCallSchedule } from '#contract/http/alerting/onCall.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#domain/units/time.ts'
import { MailQueue } from '#server/mail/mailQueue.ts'
import { createAcknowledgeLinks } from '#server/notifications/acknowledgeLinks.ts'
import { NoticeQueue } from '#server/notifications/NoticeQueue.ts'
import { createNotifier } from '#server/notifications/notifyOutside.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { addCustomer, addDevice, addUser, ask } from '#server/testing/callers.ts'
import { testCipher } from '#server/testing/database/testCipher.ts'
import { incidentsIn, routingIn } from '#server/testing/devices/raisedIncidents.ts'
import { routedMails } from '#server/testing/mail/routedMails.ts'

const api = await apiTest()
const ours = await addCustomer(api.pool, 'Harbour')
const theirs = await addCustomer(api.pool, 'Airport')
const TOKENS = {
  staff: await api.signedIn({ username: 'admin@a.example', functions: [1] }),
  our: await api.signedIn({ username: 'admin@harbour.example', functions: [1], customerId: ours }),
}
type Who = keyof typeof TOKENS
const ADA = await addUser(api.pool, { username: 'ada@a.example', functions: [2] })
const EVE = await addUser(api.pool, { username: 'eve@airport.example', functions: [2], customerId: theirs })
await api.pool.query(`update app_user set email = username where id = any($1)`, [[ADA, EVE]])
const incidents = incidentsIn(api.pool)
const routing = routingIn(api.pool)

const post = (who: Who, path: string, body: object) => ask(api, path, { token: TOKENS[who], method: 'POST', body })
const get = async (who: Who, path: string, query = {}) => (await ask(api, path, { token: TOKENS[who], query })).json()

const mails: { to: string; subject: string; text: string; html: string }[] = []
let clock = new Date()
const queue = new NoticeQueue({
  cipher: testCipher,
  pool: api.pool,
  notifyOutside: createNotifier({
    callOutside: () => expect.fail('nothing here is called'),
    mailWay: () => ({ idDomain: 'a.example', mailer: { send: async (mail) => ({ file: String(mails.push(mail)) }) } }),
  }),
  consoleUrl: 'https://signs.example',
  log: { warn: () => undefined },
  now: () => clock,
})
const mailQueue = new MailQueue({
  ...routedMails(api.pool),
  pool: api.pool,
  mailer: { send: async (mail) => ({ file: String(mails.push(mail)) }) },
  idDomain: 'a.example',
  consoleUrl: 'https://signs.example',
  log: { warn: () => undefined },
  now: () => clock,
})

const SCHEDULE = { name: 'Night', timeZone: 'Europe/Prague', firstDay: '2026-01-01', handOver: '08:00', everyDays: 7 }

test('a route names channels and schedules that its customer has, in the order of its steps', async () => {
  const [own, foreign] = [
    await routing.channel('ntfy', { customerId: ours }),
    await routing.channel('ntfy', { customerId: theirs }),
  ]
  const set = (who: Who, more: object) =>
    post(who, 'NotifyRoute/SetNotifyRoute', {
      name: 'Out of hours',
      severityId: 2,
      steps: [{ afterMinutes: 0, channelId: own }],
      ...more,
    })
  const id = (
    await set('our', {
      tag: 'VIP',
      steps: [
        { afterMinutes: 15, channelId: own },
        { afterMinutes: 0, channelId: own },
      ],
    })
  ).json()
  expect(await get('our', 'NotifyRoute/GetNotifyRouteList')).toMatchObject([
    { name: 'Alert e-mails', mayChange: false },
    { id, tag: 'VIP', customerName: 'Harbour', steps: [{ afterMinutes: 0, targetName: 'ntfy' }, { afterMinutes: 15 }] },
  ])
  expect((await set('our', { steps: [{ afterMinutes: 0, channelId: foreign }] })).statusCode).toBe(404)
  expect((await set('our', { ofCustomerId: theirs })).statusCode).toBe(404)
  expect((await set('our', { steps: [{ afterMinutes: 0 }] })).json().message).toContain('steps')
  expect(
    (await set('our', { hours: { weekdays: [0], from: '25:00', to: '06:00', timeZone: 'Nowhere' } })).statusCode,
  ).toBe(400)
  const ofStaff = (
    await set('staff', { ofCustomerId: theirs, steps: [{ afterMinutes: 0, channelId: foreign }] })
  ).json()
  const routes: NotifyRoute[] = await get('staff', 'NotifyRoute/GetNotifyRouteList')
  expect(routes.find((route) => route.id === ofStaff)).toMatchObject({ customerId: null, ofCustomerName: 'Airport' })
  expect(await get('our', 'NotifyRoute/GetNotifyRouteList')).toHaveLength(2)
  const [ofReaders, ...made] = routes
  for (const one of made) await post('staff', 'NotifyRoute/DelNotifyRoute', { id: one.id })
  expect(await get('staff', 'NotifyRoute/GetNotifyRouteList')).toEqual([ofReaders])
})

test('the default counts whom it mails, for customers too, and is switched off but never deleted', async () => {
  const idOf = (username: string, customerId?: typeof ours) =>
    addUser(api.pool, { username, functions: [2, 7], ...(customerId && { customerId }) })
  const readers = [
    await idOf('one@a.example'),
    await idOf('two@harbour.example', ours),
    await idOf('three@harbour.example', ours),
    await idOf('four@airport.example', theirs),
  ]
  // Two of them receive nothing: one has no address, and one has switched e-mails off.
  const silent = [await idOf('five@a.example'), await idOf('six@a.example')]
  await api.pool.query('update app_user set email = username where id = any($1)', [[...readers, silent[1]]])
  await api.pool.query(`update app_user set email = '' where id = $1`, [silent[0]])
  await api.pool.query('update app_user set is_email_on = false where id = $1', [silent[1]])
  const first = async (who: Who) => ((await get(who, 'NotifyRoute/GetNotifyRouteList')) as NotifyRoute[])[0]
  const ofStaff = await first('staff')
  expect(ofStaff).toMatchObject({ isDefault: true, mayChange: true, isOn: true, steps: [{ readerCount: 4 }] })
  expect(await first('our')).toMatchObject({ isDefault: true, mayChange: false, steps: [{ readerCount: 2 }] })

  const id = ofStaff?.id
  const change = (more: object, who: Who = 'staff') =>
    post(who, 'NotifyRoute/SetNotifyRoute', {
      id,
      name: 'Alert e-mails',
      severityId: 3,
      steps: [{ afterMinutes: 0, readers: true }],
      ...more,
    })
  // What staff notify beside them, and what is about others, is no business of a customer.
  const channelId = await routing.channel('ntfy', { customerId: null })
  await change({
    steps: [
      { afterMinutes: 0, readers: true },
      { afterMinutes: 5, channelId },
    ],
  })
  expect((await first('our'))?.steps).toHaveLength(1)
  await change({ ofCustomerId: theirs })
  expect(await get('our', 'NotifyRoute/GetNotifyRouteList')).toEqual([])
  expect((await first('staff'))?.steps[0]?.readerCount).toBe(2)
  expect((await change({}, 'our')).statusCode).toBe(404)

  const deleted = await post('staff', 'NotifyRoute/DelNotifyRoute', { id })
  expect(deleted.json().message).toBe('id: The default route cannot be deleted. Switch it off instead.')
  expect((await post('our', 'NotifyRoute/DelNotifyRoute', { id })).statusCode).toBe(404)
  await change({ isOn: false })
  expect(await first('staff')).toMatchObject({ isDefault: true, isOn: false })
  await change({})
  await api.pool.query('update app_user set deleted_at = now() where id = any($1)', [[...readers, ...silent]])
})

test('a schedule says who is on call, and who takes their place', async () => {
  const set = (who: Who, more: object) =>
    post(who, 'Rota/SetRota', { ...SCHEDULE, members: [{ userId: ADA, channelId: null }], ...more })
  const id = (await set('staff', {})).json()
  const shown = async (): Promise<OnCallSchedule> =>
    (await get('staff', 'Rota/GetRotaList')).find((one: OnCallSchedule) => one.id === id)
  expect(await shown()).toMatchObject({ onCall: { userId: ADA }, next: { userId: ADA }, overrides: [] })
  const from = new Date(Date.now() - MINUTE_MS).toISOString()
  const to = new Date(Date.now() + HOUR_MS).toISOString()
  const override = (await post('staff', 'Rota/SetRotaOverride', { rotaId: id, userId: EVE, from, to })).json()
  expect(await shown()).toMatchObject({ onCall: { userId: EVE, until: to }, next: { userId: ADA, from: to } })
  await post('staff', 'Rota/SetRotaOverride', { rotaId: id, removesId: override })
  expect(await shown()).toMatchObject({ onCall: { userId: ADA } })
  for (const wrong of [{ from, to: from }, { from, to: new Date(Date.now() + 90 * DAY_MS).toISOString() }, { from }])
    expect((await post('staff', 'Rota/SetRotaOverride', { rotaId: id, userId: ADA, ...wrong })).json().message).toMatch(
      /^to: /,
    )
  // A schedule may hold nobody of another customer, and only its own customer may change it.
  expect((await set('our', {})).statusCode).toBe(404)
  expect((await post('our', 'Rota/DelRota', { id })).statusCode).toBe(404)
  await post('staff', 'Rota/DelRota', { id })
})

test('whoever is on call is mailed a link that acknowledges as them, once, by a press alone', async () => {
  const rotaId = (
    await post('staff', 'Rota/SetRota', { ...SCHEDULE, members: [{ userId: ADA, channelId: null }] })
  ).json()
  await post('staff', 'NotifyRoute/SetNotifyRoute', {
    name: 'Nights',
    severityId: 3,
    steps: [{ afterMinutes: 0, rotaId }],
  })
  const device = await addDevice(api.pool, { name: 'Pier <1>', customerId: ours })
  await api.pool.query('update device set status_id = 2 where id = $1', [device.id])
  clock = new Date()
  const alert = await incidents.raise(device, { at: clock, text: 'Too warm' })
  await queue.sendDue()
  await mailQueue.sendDue()
  expect(mails).toHaveLength(1)
  const [mail] = mails
  expect(mail).toMatchObject({ to: 'ada@a.example' })
  expect(mail?.html).toContain('Pier &lt;1&gt;')
  const [, token = ''] = /\/acknowledge#token=([\w-]{43})/.exec(mail?.text ?? '') ?? []
  const byLink = (path: string) => ask(api, path, { method: 'POST', body: { token } })
  const id = await incidents.incidentOf(alert)
  const acknowledged = async () =>
    (await api.pool.query('select owner_id, acknowledged_at is not null as is_taken from incident where id = $1', [id]))
      .rows[0]
  // A mail scanner opens the page and reads what it is about, which must change nothing.
  expect((await ask(api, 'Incident/AcknowledgeByLink', { query: { token } })).statusCode).not.toBe(200)
  expect((await byLink('Incident/GetLinkedIncident')).json()).toMatchObject({
    id,
    name: 'ada@a.example',
    acknowledgedBy: '',
  })
  expect(await acknowledged()).toEqual({ owner_id: null, is_taken: false })
  expect((await byLink('Incident/AcknowledgeByLink')).statusCode).toBe(200)
  expect(await acknowledged()).toEqual({ owner_id: ADA, is_taken: true })
  const { rows } = await api.pool.query('select * from audit_log order by id desc limit 1')
  expect(rows[0]).toMatchObject({ user_id: ADA, username: 'ada@a.example', entity_id: id, outcome: 'done' })
  expect(JSON.stringify([rows, api.logged])).not.toContain(token)
  expect((await byLink('Incident/AcknowledgeByLink')).json().code).toBe('link_not_valid')
  const notices: IncidentNotice[] = await get('staff', 'Incident/GetIncidentNotices', { id })
  expect(notices).toHaveLength(3)
  expect(notices).toMatchObject(
    expect.arrayContaining([
      expect.objectContaining({ target: 'Everybody with alert e-mails', routeName: 'Alert e-mails' }),
      expect.objectContaining({ outcome: 'told', target: 'ada@a.example, on call in Night', routeName: 'Nights' }),
      expect.objectContaining({ outcome: 'told', target: 'ada@a.example', by: 'mail', reason: 'Opened' }),
    ]),
  )
  // The names of staff and of their routes are not the customer's to read.
  expect(await get('our', 'Incident/GetIncidentNotices', { id })).toEqual([])
})

test('who is on call and gets alert e-mails hears of an incident by one mail, which acknowledges it', async () => {
  await api.pool.query(
    `insert into app_role_function (role_id, function_id) select role_id, 7 from app_user where id = $1 on conflict do nothing`,
    [ADA],
  )
  mails.length = 0
  const device = await addDevice(api.pool, { name: 'Pier 2', customerId: ours })
  await api.pool.query('update device set status_id = 2 where id = $1', [device.id])
  clock = new Date()
  const alert = await incidents.raise(device, { at: clock, text: 'Too cold' })
  for (let times = 0; times < 2; times++) {
    await queue.sendDue()
    await mailQueue.sendDue()
  }
  expect(mails.map(({ to, subject }) => [to, subject])).toEqual([['ada@a.example', 'Pier 2: Too cold']])
  expect(mails[0]?.text).toContain('/acknowledge#token=')
  clock = new Date(clock.getTime() + MINUTE_MS)
  await incidents.over(alert, clock)
  clock = new Date(clock.getTime() + 10 * MINUTE_MS)
  await queue.sendDue()
  await mailQueue.sendDue()
  expect(mails.slice(1).map(({ subject }) => subject)).toEqual(['Resolved: Pier 2: Too cold'])
  await api.pool.query('delete from app_role_function where function_id = 7')
})

test('nobody gets alert e-mails of what the route of alert e-mails leaves out, and everybody again once it is changed', async () => {
  const [own] = ((await get('staff', 'NotifyRoute/GetNotifyRouteList')) as NotifyRoute[]).filter(({ steps }) =>
    steps.some(({ readers }) => readers),
  )
  expect(own).toMatchObject({ name: 'Alert e-mails', isOn: true, customerId: null, severityId: 3 })
  const BOB = await addUser(api.pool, { username: 'rob@a.example', functions: [2, 7] })
  await api.pool.query('update app_user set email = username where id = $1', [BOB])
  const change = (more: object) =>
    post('staff', 'NotifyRoute/SetNotifyRoute', {
      id: own?.id,
      name: 'Alert e-mails',
      steps: [{ afterMinutes: 0, readers: true }],
      severityId: 1,
      ...more,
    })
  expect((await change({})).statusCode).toBe(200)
  mails.length = 0
  const toBob = () => mails.filter(({ to }) => to === 'rob@a.example').map(({ subject }) => subject)
  const device = await addDevice(api.pool, { name: 'Pier 3', customerId: ours })
  await api.pool.query('update device set status_id = 2 where id = $1', [device.id])
  clock = new Date()
  await incidents.raise(device, { at: clock, text: 'Damp' })
  await mailQueue.sendDue()
  expect(toBob()).toEqual([])
  await incidents.raise(device, { at: clock, severityId: 1, text: 'Wet' })
  await mailQueue.sendDue()
  expect(toBob()).toEqual([expect.stringContaining('Critical: ')])
  expect((await change({ severityId: 3 })).statusCode).toBe(200)
  // Only staff may notify the readers of a customer's alert mails.
  const theirRoute = { name: 'Ours', severityId: 3, steps: [{ afterMinutes: 0, readers: true }] }
  expect((await post('our', 'NotifyRoute/SetNotifyRoute', theirRoute)).statusCode).toBe(404)
  const both = { name: 'Both', severityId: 3, steps: [{ afterMinutes: 0, readers: true, rotaId: 1 }] }
  expect((await post('staff', 'NotifyRoute/SetNotifyRoute', both)).json().message).toContain('steps')
  await api.pool.query('update app_user set deleted_at = now() where id = $1', [BOB])
})

test('a route tells what is active when it is saved where somebody asks for it, as many as the preview said', async () => {
  clock = new Date()
  mails.length = 0
  const device = await addDevice(api.pool, { name: 'Gate', customerId: theirs })
  await api.pool.query(`update device set status_id = 2, tags = '{VIP}', tag_keys = '{vip}' where id = $1`, [device.id])
  await incidents.raise(device, { at: clock })
  await queue.sendDue()
  const channelId = await routing.channel('mail', {
    customerId: theirs,
    settings: { recipient: 'desk@airport.example' },
  })
  const draft = { name: 'Desk', customerId: theirs, severityId: 2, steps: [{ afterMinutes: 0, channelId }] }
  const preview = (more: object) =>
    get('staff', 'NotifyRoute/PreviewNotifyRoute', { customerId: theirs, severityId: 2, ...more })
  expect(await preview({})).toEqual({ activeIncidents: 1 })
  expect(await preview({ tag: 'vip' })).toEqual({ activeIncidents: 1 })
  expect(await preview({ tag: 'other' })).toEqual({ activeIncidents: 0 })
  expect(await preview({ severityId: 1 })).toEqual({ activeIncidents: 0 })
  expect(
    (
      await ask(api, 'NotifyRoute/PreviewNotifyRoute', {
        token: TOKENS.our,
        query: { customerId: theirs, severityId: 2 },
      })
    ).statusCode,
  ).toBe(404)
  const id = (await post('staff', 'NotifyRoute/SetNotifyRoute', draft)).json()
  await queue.sendDue()
  const toDeskMails = () => mails.filter(({ to }) => to === 'desk@airport.example')
  expect(toDeskMails()).toEqual([])
  await post('staff', 'NotifyRoute/SetNotifyRoute', { ...draft, id, tellsActive: true })
  const { rows } = await api.pool.query('select details from audit_log order by id desc limit 1')
  expect(rows[0].details).toBe('Active incidents that it notifies about now: 1')
  clock = new Date()
  await queue.sendDue()
  expect(toDeskMails()).toHaveLength(1)
  // The route has started, so nothing is left to notify about.
  expect(await preview({ id })).toEqual({ activeIncidents: 0 })
  await post('staff', 'NotifyRoute/DelNotifyRoute', { id })
})

test('of two who press at once one has it, and the other reads who that is', async () => {
  const BOB = await addUser(api.pool, { username: 'bob@a.example', functions: [2] })
  const device = await addDevice(api.pool, { name: 'Lock', customerId: ours })
  const id = await incidents.incidentOf(await incidents.raise(device, { at: new Date() }))
  const linkFor = createAcknowledgeLinks(api.pool, 'https://signs.example')
  const press = async (userId: typeof ADA) => {
    const token = (await linkFor(userId, id, new Date())).split('=')[1]
    return (await ask(api, 'Incident/AcknowledgeByLink', { method: 'POST', body: { token } })).json()
  }
  const answers = await Promise.all([press(ADA), press(BOB)])
  const { rows } = await api.pool.query('select owner_id from incident where id = $1', [id])
  const winner = rows[0].owner_id === ADA ? 'ada@a.example' : 'bob@a.example'
  expect(answers.filter(({ code }) => code === undefined)).toEqual([{}])
  expect(answers.filter(({ code }) => code !== undefined)).toEqual([
    { code: 'incident_taken', message: `${winner} has acknowledged it already.` },
  ])
  const { rows: deeds } = await api.pool.query('select username from incident_deed where incident_id = $1', [id])
  expect(deeds).toEqual([{ username: winner }])
})

test('a link is none any more when it is too old, or its owner may not acknowledge incidents', async () => {
  const device = await addDevice(api.pool, { name: 'Quay', customerId: ours })
  const alert = await incidents.raise(device, { at: new Date() })
  const id = await incidents.incidentOf(alert)
  const linkFor = createAcknowledgeLinks(api.pool, 'https://signs.example')
  const tokenOf = async (userId: typeof ADA, at: Date) => (await linkFor(userId, id, at)).split('=')[1]
  const code = async (token: string | undefined) =>
    (await ask(api, 'Incident/AcknowledgeByLink', { method: 'POST', body: { token } })).json().code
  expect(await code(await tokenOf(ADA, new Date(Date.now() - 2 * DAY_MS)))).toBe('link_not_valid')
  // The incident belongs to another customer, so this person may not acknowledge it.
  expect(await code(await tokenOf(EVE, new Date()))).toBe('link_not_valid')
  const late = await tokenOf(ADA, new Date())
  await api.pool.query('update app_user set is_disabled = true where id = $1', [ADA])
  expect(await code(late)).toBe('link_not_valid')
  await api.pool.query('update app_user set is_disabled = false where id = $1', [ADA])
  expect(await code(late)).toBeUndefined()
})
