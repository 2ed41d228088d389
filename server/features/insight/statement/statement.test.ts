import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { getIssuedStatement, getLightStatement, listLightStatements } from '#contract/http/insight/lightStatements.ts'
import { getStatementMailing } from '#contract/http/insight/statementMailings.ts'
import type { CustomerId, DeviceId } from '#domain/ids.ts'
import { monthAfter } from '#domain/statement/months.ts'
import { keepDays, settleDevices, sumCustomer } from '#server/darkness/sums/darkSums.ts'
import { openDatabase } from '#server/db/database.ts'
import { MailQueue } from '#server/mail/mailQueue.ts'
import { SmtpMailer } from '#server/mail/sending/SmtpMailer.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { addCustomer, addDevice, addUser, ask, openSession } from '#server/testing/callers.ts'
import { routedMails } from '#server/testing/mail/routedMails.ts'
import { type ReceivedMail, startMailServer } from '#testing/mailServer.ts'
import { statementMailSource } from './mailing/statementMails.ts'

const api = await apiTest()
const owner = new pg.Client({ connectionString: api.ownerUrl })
await owner.connect()
afterAll(() => owner.end())
const staff = await api.signedIn({ username: 'admin@staff.example', functions: [1] })

const MONTH = monthAfter(new Date().toISOString().slice(0, 7), -1)
const DAY = `${MONTH}-10`
const TERMS = {
  ...{ targetHundredths: 9950, unknownCounts: 'leftOut', currency: 'EUR', feeMinor: 10_001 },
  steps: [{ belowHundredths: 9900, creditHundredths: 1000 }],
}

async function addTotem(customerId: CustomerId, name: string, changes = ''): Promise<DeviceId> {
  const { id } = await addDevice(api.pool, { name, customerId })
  await owner.query(
    `update device set status_id = 2, time_zone = 'Europe/Oslo', created_at = now() - interval '400 days' ${changes} where id = $1`,
    [id],
  )
  await owner.query(
    `insert into device_component (device_id, component_model_id, category_id, number) values ($1, 17, 6, 1)`,
    [id],
  )
  await settleDevices(owner, [id])
  return id
}

const light = async (
  id: DeviceId,
  date: string,
  unplanned: number,
  causes: number[] | null = [0, unplanned, 0, 0, 0, 0],
) =>
  keepDays(owner, id, [
    {
      ...{ date, measured: 0, toMs: Date.parse(`${date}T23:59:00Z`), causes, away: 30, plannedBy: [60, 330, 0] },
      minutes: { unplanned, planned: 390, lit: 900, litInOffTime: 0, maintenance: 10 },
    },
  ])

const post = (path: string, body: object, token = staff) =>
  ask(api, `LightStatement/${path}`, { token, method: 'POST', body })
const get = (path: string, query: object, token = staff) =>
  ask(api, `LightStatement/${path}`, { token, query: query as never })
async function statementOf(query: object, token = staff) {
  const answer = await get('GetStatement', { month: MONTH, ...query }, token)
  expect(answer.statusCode, answer.body).toBe(200)
  return getLightStatement.answer.parse(answer.json())
}

async function addFleet(name: string) {
  const customerId = await addCustomer(api.pool, name)
  const [first, second] = [
    await addTotem(customerId, 'Pier'),
    await addTotem(customerId, 'Square', `, tags = '{Quay}', tag_keys = '{quay}'`),
  ]
  await light(first, DAY, 60)
  await light(second, DAY, 5, null)
  await sumCustomer(owner, customerId)
  const userId = await addUser(api.pool, { username: `seer@${name.toLowerCase()}.example`, functions: [8], customerId })
  return { customerId, first, second, own: await openSession(api.pool, userId) }
}

test('a month of a customer closes, names its causes, and says what nothing is known of (rules/statements 6)', async () => {
  const { customerId, first } = await addFleet('Closing')
  await owner.query(
    `with made as (insert into light_rule_set (customer_id, content, created_by)
       select $1, '{"name": "Nights", "source": "Permit 7", "sourceUrl": ""}', min(id) from app_user returning id)
     insert into light_rule_day (rule_set_id, device_id, day, due_min, kept_min, broken_min, unknown_min, maintenance_min, light)
     select id, $2, $3, 300, 270, 10, 20, 0, '' from made`,
    [customerId, first, DAY],
  )
  const { statement, issued, changes } = await statementOf({ customerId })
  const { total, devices, days, trend } = statement
  expect(devices.map(({ name, figures }) => [name, figures.unplanned])).toEqual([
    ['Pier', 60],
    ['Square', 5],
  ])
  expect(total).toMatchObject({ given: 1800, unplanned: 65, planned: 780, maintenance: 20, away: 60 })
  expect(total.unplannedBy).toMatchObject({ power: 60, notRecorded: 5 })
  expect(total.plannedBy).toEqual({ emergency: 120, offTimes: 660, dayPlan: 0, notRecorded: 0 })
  expect(statement.lightRules).toEqual([
    {
      ...{ id: expect.any(Number), name: 'Nights', source: 'Permit 7', sourceUrl: '' },
      ...{ due: 300, kept: 270, broken: 10, unknown: 20, maintenance: 0 },
    },
  ])
  expect(total.given + total.unplanned + total.unknown).toBe(total.owed)
  expect(total.owed + total.planned + total.litInOffTime + total.maintenance + total.away).toBe(total.time)
  expect(statement.availabilityHundredths).toBe(Math.floor((1_000_0 * 1800) / 1865))
  expect(statement).toMatchObject({ subject: 'All devices', isOver: true, credit: null, isTargetMet: null })
  expect(days.find(({ date }) => date === DAY)?.figures).toMatchObject({ given: 1800, unplanned: 65 })
  expect(trend).toHaveLength(12)
  expect(trend.at(-1)).toMatchObject({ month: MONTH, given: 1800 })
  expect(devices[0]).toMatchObject({ id: first, worstDay: DAY, timeZone: 'Europe/Oslo' })
  expect([issued, changes]).toEqual([null, []])
})

test('a statement is about a tag, a place or a device, if somebody chooses one (rules/statements 1)', async () => {
  const { customerId, first } = await addFleet('Choosing')
  const namesOf = async (query: object) =>
    (await statementOf({ customerId, ...query })).statement.devices.map(({ name }) => name)
  expect(await namesOf({ tag: 'quay' })).toEqual(['Square'])
  expect(await namesOf({ deviceId: first })).toEqual(['Pier'])
  expect(await namesOf({ place: 'nowhere at all' })).toEqual([])
  expect((await get('GetStatement', { customerId, month: MONTH, deviceId: 2_000_000_000 })).statusCode).toBe(404)
})

test('a statement stays as it was issued, and only a correction says what came later (rules/statements 9)', async () => {
  const { customerId, first, own } = await addFleet('Issuing')
  expect((await post('SetTerms', { customerId, terms: TERMS })).json()).toBe(true)
  const id = (await post('Issue', { customerId, month: MONTH })).json()
  const readIssued = async (which: number) =>
    getIssuedStatement.answer.parse((await get('GetIssued', { id: which }, own)).json())
  const before = await readIssued(id)
  expect(before).toMatchObject({
    number: `${customerId}-0001`,
    corrects: null,
    issuedBy: 'admin@staff.example',
    changes: [],
  })
  // 900 of 960 minutes is below 99 %: a tenth of 100.01; 900 of 905 is above.
  expect(before.statement.credit).toEqual({ minor: 1000, currency: 'EUR' })
  expect(before.statement.isTargetMet).toBe(false)
  const pdf = await get('GetDocument', { id }, own)
  expect([pdf.headers['content-type'], pdf.rawPayload.subarray(0, 8).toString()]).toEqual([
    'application/pdf',
    '%PDF-1.7',
  ])
  const again = await post('Issue', { customerId, month: MONTH })
  expect([again.statusCode, again.json().message]).toEqual([
    ...[400, `month: Nothing differs from statement ${customerId}-0001.`],
  ])

  await light(first, DAY, 40)
  const now = await statementOf({ customerId })
  expect(now.issued).toMatchObject({ id, number: `${customerId}-0001` })
  expect(now.changes).toContainEqual({ device: 'Pier', figure: 'Unplanned dark', before: '1:00', after: '0:40' })
  const corrected = (await post('Issue', { customerId, month: MONTH })).json()
  expect(await readIssued(corrected)).toMatchObject({
    number: `${customerId}-0002`,
    corrects: `${customerId}-0001`,
    changes: now.changes,
  })
  expect(await readIssued(id)).toEqual({ ...before, correctedBy: `${customerId}-0002` })
  expect((await get('GetDocument', { id }, own)).rawPayload.equals(pdf.rawPayload)).toBe(true)
  const list = listLightStatements.answer.parse((await get('GetIssuedList', { customerId }, own)).json())
  expect(list.map(({ number }) => number)).toEqual([`${customerId}-0002`, `${customerId}-0001`])
  const { rows } = await api.pool.query(`select details from audit_log where entity_name = $1`, [`${customerId}-0002`])
  expect(rows).toEqual([{ details: `All devices, ${MONTH}, corrects ${customerId}-0001` }])
  // Its minutes are gone with the device, and that is no correction of what was.
  await owner.query('update device set status_id = 3 where id = $1', [first])
  await settleDevices(owner, [first])
  expect((await statementOf({ customerId })).missing).toEqual(['Pier'])
  const refused = await post('Issue', { customerId, month: MONTH })
  expect(refused.json().message).toBe('month: Pier counts no more, and no correction takes a device out.')
})

test('nobody reads the statements of another customer, and only staff issue them or set terms (rules/statements 10)', async () => {
  const { customerId, own } = await addFleet('Own')
  const { customerId: other, own: stranger } = await addFleet('Other')
  const id = (await post('Issue', { customerId, month: MONTH })).json()
  for (const path of ['GetIssued', 'GetDocument']) expect((await get(path, { id }, stranger)).statusCode).toBe(404)
  for (const path of ['GetStatement', 'GetDraftDocument']) {
    expect((await get(path, { customerId, month: MONTH }, stranger)).statusCode).toBe(404)
    expect((await get(path, { customerId, month: MONTH }, own)).statusCode).toBe(200)
  }
  expect((await get('GetIssuedList', { customerId: other }, own)).statusCode).toBe(404)
  expect((await post('Issue', { customerId, month: MONTH }, own)).statusCode).toBe(403)
  expect((await post('SetTerms', { customerId, terms: null }, own)).statusCode).toBe(403)
})

test('a month that is not over, or in which no device counted, is not issued, and terms make sense', async () => {
  const { customerId } = await addFleet('Refusing')
  const running = await post('Issue', { customerId, month: monthAfter(MONTH, 1) })
  expect(running.json().message).toBe('month: It is not over yet for every device.')
  const empty = await addCustomer(api.pool, 'Empty')
  expect((await post('Issue', { customerId: empty, month: MONTH })).json().message).toBe(
    'month: No device counted in it.',
  )
  const wrong = await post('SetTerms', { customerId, terms: { ...TERMS, currency: null } })
  expect(wrong.json().message).toBe('terms: Credits need a currency.')
})

test('a device that leaves within the month is stated to both customers, without what is not theirs (rules/statements 12)', async () => {
  const { customerId: before, own } = await addFleet('Leaving')
  const after = await addCustomer(api.pool, 'Coming')
  const id = await addTotem(before, 'Moving', `, address = 'Harbour 1'`)
  await light(id, DAY, 1)
  await light(id, `${MONTH}-20`, 2)
  await owner.query(`update device set customer_id = $2, name = 'Secret', address = 'Secret street' where id = $1`, [
    id,
    after,
  ])
  await owner.query(`update device_departure set last_day = $2 where device_id = $1`, [id, `${MONTH}-15`])
  await settleDevices(owner, [id])
  const left = (await statementOf({ customerId: before }, own)).statement.devices.find((one) => one.id === id)
  expect(left).toMatchObject({
    name: 'Moving',
    address: 'Harbour 1',
    hasLeft: true,
    to: `${MONTH}-15`,
    figures: { unplanned: 1 },
  })
  const came = (await statementOf({ customerId: after })).statement.devices.find((one) => one.id === id)
  expect(came).toMatchObject({ name: 'Secret', from: `${MONTH}-16`, figures: { unplanned: 2 } })
})

const mailServer = await startMailServer()
afterAll(() => mailServer.stop())
const queue = new MailQueue({
  ...routedMails(api.pool),
  pool: api.pool,
  mailer: new SmtpMailer({ url: mailServer.url, from: 'signs@signs.example' }),
  idDomain: 'signs.example',
  consoleUrl: 'https://signs.example',
  log: { warn: (details) => expect.fail(JSON.stringify(details)) },
  ofFeatures: [statementMailSource({ db: openDatabase(api.pool) })],
})
async function mailAll(): Promise<readonly ReceivedMail[]> {
  await api.runJob('statement mailings')
  await queue.sendDue()
  return mailServer.mails.splice(0)
}
const linkOf = (mail: ReceivedMail | undefined, action: string) =>
  new RegExp(`https://signs\\.example(/statement-mail/[\\w-]{43}/${action})`).exec(mail?.readable ?? '')?.[1] ?? ''
const press = (url: string) =>
  api.app.inject({ method: 'POST', url, headers: { 'content-type': 'application/x-www-form-urlencoded' }, payload: '' })
const auditOf = async (action: number, customerId: CustomerId) =>
  (
    await api.pool.query(
      'select entity_name as name, details from audit_log where action_id = $1 and entity_type_id = 23 and customer_id = $2 order by id',
      [action, customerId],
    )
  ).rows

test('a statement is mailed every month to addresses that have confirmed, until they want no more (rules/statements 14)', async () => {
  const { customerId, first, own } = await addFleet('Mailing')
  const mailing = { customerId, day: 1, recipients: ['ada@a.example', 'ADA@a.example', 'bob@b.example'] }
  expect((await post('SetMailing', mailing, own)).statusCode).toBe(403)
  expect((await post('SetMailing', { ...mailing, recipients: ['nobody'] })).json().message).toBe(
    'recipients: nobody is no e-mail address.',
  )
  const sender = await api.signedIn({ username: 'sender@staff.example', functions: [9] })
  expect((await post('SetMailing', mailing, sender)).json()).toBe(true)
  const asked = await mailAll()
  expect(asked.map(({ to }) => to[0]?.toLowerCase()).sort()).toEqual(['ada@a.example', 'bob@b.example'])
  // Nothing is issued or sent before somebody has confirmed, and only a press confirms.
  const confirm = linkOf(
    asked.find(({ to }) => to[0]?.toLowerCase() === 'ada@a.example'),
    'confirm',
  )
  expect((await api.app.inject({ method: 'GET', url: confirm })).body).toContain('<button type="submit">Confirm')
  expect(await mailAll()).toEqual([])
  expect((await press(confirm)).body).toContain('You get light statements')

  const [sent, ...others] = await mailAll()
  expect([sent?.to[0]?.toLowerCase(), others]).toEqual(['ada@a.example', []])
  expect(sent?.readable).toContain(`Light statement ${customerId}-0001`)
  const [standing] = listLightStatements.answer.parse((await get('GetIssuedList', { customerId }, own)).json())
  const pdf = await get('GetDocument', { id: standing?.id }, own)
  const attached = Buffer.from(
    /application\/pdf[\s\S]*?\r\n\r\n([A-Za-z0-9+/=\r\n]+)/.exec(sent?.raw ?? '')?.[1] ?? '',
    'base64',
  )
  expect(attached.equals(pdf.rawPayload)).toBe(true)
  expect(await auditOf(8, customerId)).toEqual([
    { name: `${customerId}-0001`, details: expect.stringMatching(/^To ada@a\.example$/i) },
  ])
  expect(await auditOf(1, customerId)).toMatchObject([{ name: `${customerId}-0001` }])
  expect(await mailAll()).toEqual([])

  // A correction is another statement.
  await light(first, DAY, 40)
  await post('Issue', { customerId, month: MONTH })
  const [correction] = await mailAll()
  expect(correction?.readable).toContain(`Light statement ${customerId}-0002`)
  const now = getStatementMailing.answer.parse((await get('GetMailing', { customerId }, sender)).json())
  expect(now.recipients.map(({ confirmedAt, newest }) => [confirmedAt !== null, newest])).toEqual([
    [true, `${customerId}-0002`],
    [false, null],
  ])
  expect(correction?.raw).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click')
  expect((await press(linkOf(correction, 'unsubscribe'))).body).toContain('You are unsubscribed')
  await light(first, DAY, 30)
  await post('Issue', { customerId, month: MONTH })
  expect(await mailAll()).toEqual([])
  expect((await post('SetMailing', { customerId, day: null, recipients: [] }, sender)).json()).toBe(true)
  expect((await api.pool.query('select from statement_recipient')).rowCount).toBe(0)
})
