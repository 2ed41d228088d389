import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { apiTest } from '#server/testing/apiTest.ts'
import { addCustomer, ask, countAuditRows } from '#server/testing/callers.ts'

const api = await apiTest()
const customerId = await addCustomer(api.pool, 'Nordlys')
const token = await api.signedIn({ username: 'admin@a.example', functions: [1] })
const other = await api.signedIn({ username: 'other@a.example', functions: [1] })

const body = (name: string) => ({ customerId, modelId: 15, name })
const create = (name: string, key?: string, by = token) =>
  ask(api, 'Device/CreateDevice', {
    token: by,
    method: 'POST',
    body: body(name),
    ...(key !== undefined && { headers: { 'idempotency-key': key } }),
  })
const countOf = async (name: string) =>
  (await api.pool.query('select count(*)::int as count from device where name = $1', [name])).rows[0].count as number

test('the same device asked for ten times at once is created once, and the others are told', async () => {
  const rows = await countAuditRows(api.pool)
  const answers = await Promise.all(Array.from({ length: 10 }, () => create('Twin')))
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 409)])
  const refused = answers.find(({ statusCode }) => statusCode === 409)?.json()
  expect([refused.code, refused.message]).toEqual([
    'created_just_now',
    'You created the same a second ago. To create another one like it, wait a second.',
  ])
  expect(await countOf('Twin')).toBe(1)
  expect(await countAuditRows(api.pool)).toBe(rows + 10)
})

test('with the same key everybody who asks gets the one device, also much later', async () => {
  const key = randomUUID()
  const rows = await countAuditRows(api.pool)
  const answers = await Promise.all(Array.from({ length: 10 }, () => create('Keyed', key)))
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array.from({ length: 10 }, () => 200))
  expect(new Set(answers.map((answer) => answer.json().guid)).size).toBe(1)
  await api.pool.query(`update device set created_at = now() - interval '10 minutes' where name = 'Keyed'`)
  expect((await create('Keyed', key)).json().guid).toBe(answers[0]?.json().guid)
  expect(await countOf('Keyed')).toBe(1)
  expect(await countAuditRows(api.pool)).toBe(rows + 11)
})

test('another name, another user, another key and another second are another device', async () => {
  const key = randomUUID()
  const answers = [
    await create('First', key),
    await create('Second', key),
    await create('First', key, other),
    await create('First', randomUUID()),
  ]
  await api.pool.query(`update device set created_at = now() - interval '1 minute' where name = 'First'`)
  answers.push(await create('First'))
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200])
  expect(new Set(answers.map((answer) => answer.json().guid)).size).toBe(5)
})

test('a key that is no UUID is refused by its name', async () => {
  const answer = await create('Nobody', 'again')
  expect([answer.statusCode, answer.json().message]).toEqual([400, 'Idempotency-Key is not valid'])
})
