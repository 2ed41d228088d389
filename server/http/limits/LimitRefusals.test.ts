import { afterAll, expect, test } from 'vitest'
import { HOUR_MS } from '#domain/units/time.ts'
import { openPool } from '#server/db/connect/pool.ts'
import { openDatabase } from '#server/db/database.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { addUser, ask, openSession } from '#server/testing/callers.ts'
import { eventually } from '#server/testing/devices/gatewayFixture.ts'
import { passTime } from '#testing/passTime.ts'
import { deviceRefusal, LimitRefusals } from './LimitRefusals.store.ts'

const FEW = { uses: 3, perSeconds: 3600 }

const ENOUGH_MS = 60_000

const api = await apiTest({
  rateLimits: {
    signInsPerAddress: FEW,
    publicChangesPerAddress: FEW,
    publicReadsPerAddress: FEW,
    mailsAskedPerAddress: FEW,
    unauthenticatedPerAddress: FEW,
    callsPerUser: FEW,
    callsPerApiToken: FEW,
  },
})
const owner = openPool(api.ownerUrl, { maximumConnections: 1, name: 'test owner' })
afterAll(() => owner.end())
const admin = await api.signedIn({ username: 'admin@a.example', functions: [1] })
// Rows belong to a clock hour, so the counts must all fall into the same one.
const leftMs = HOUR_MS - (Date.now() % HOUR_MS)
if (leftMs < ENOUGH_MS) await passTime(leftMs, 'the hour is nearly over')

interface Row {
  readonly id: number
  readonly username: string
  readonly name: string
  readonly address: string
  readonly call: string
  readonly count: number
}

const rows = async () =>
  (
    await api.pool.query<Row>(
      `select a.id, a.username, a.entity_name as name, a.address, a.call, r.count from audit_log a join limit_refusal r on r.audit_id = a.id
       where a.outcome = 'too_many_requests' order by a.id`,
    )
  ).rows
const rowsOf = (address: string, count: number) =>
  eventually(
    async () => (await rows()).filter((row) => row.address === address),
    (found) => found[0]?.count === count,
  )

const request = (remoteAddress: string, url: string, headers: Readonly<Record<string, string>> = {}) =>
  api.app.inject({ url: `/api/${url}`, remoteAddress, headers })
const login = (remoteAddress: string) =>
  api.app.inject({
    method: 'POST',
    url: '/api/App/Login',
    payload: { username: 'who@a.example', password: 'wrong' },
    remoteAddress,
  })

test('what a limit refuses of a client leaves one row an hour with a count, and none for each refusal', async () => {
  for (let n = 0; n < 13; n += 1) await login('198.51.100.7')
  for (let n = 0; n < 5; n += 1) await request('198.51.100.7', 'App/GetClientAuthData')
  for (let n = 0; n < 4; n += 1) await login('2001:db8::7')
  expect(await rowsOf('198.51.100.7', 12)).toMatchObject([
    { username: '', name: '198.51.100.7', call: 'App/Login', count: 12 },
  ])
  expect(await rowsOf('2001:db8::7', 1)).toHaveLength(1)
  const { rows: refused } = await api.pool.query(`select count(*)::int from audit_log where address = '198.51.100.7'`)
  // Three requests were judged and left a row each; the fourth row is the limit's.
  expect(refused).toEqual([{ count: 4 }])
})

test('more of the same hour are added to the count, another hour has a row of its own', async () => {
  for (let n = 0; n < 5; n += 1) await login('198.51.100.8')
  const [first] = await rowsOf('198.51.100.8', 2)
  for (let n = 0; n < 3; n += 1) await login('198.51.100.8')
  expect(await rowsOf('198.51.100.8', 5)).toMatchObject([{ id: first?.id }])
  await api.pool.query(`update limit_refusal set hour = hour - interval '1 hour'`)
  await login('198.51.100.8')
  const counts = async () =>
    (await rows()).filter(({ address }) => address === '198.51.100.8').map(({ count }) => count)
  expect(await eventually(counts, (found) => found.length === 2)).toEqual([5, 1])
})

test('a user who asks too much is named, and the log tells how often', async () => {
  const userId = await addUser(api.pool, { username: 'busy@a.example', functions: [2] })
  const token = await openSession(api.pool, userId)
  for (let n = 0; n < 10; n += 1) {
    await request('198.51.100.9', 'App/GetClientAuthData', { authorization: `Bearer ${token}` })
  }
  expect(await rowsOf('198.51.100.9', 7)).toMatchObject([{ username: 'busy@a.example', count: 7 }])
  const answer = await ask(api, 'Audit/GetAuditLogList', { token: admin, method: 'POST', body: { userId } })
  expect(answer.json()).toMatchObject([
    {
      actionName: 'Limit',
      entityTypeName: 'User',
      entityId: userId,
      outcome: 'too_many_requests',
      details: '7 times within this hour. Refused by a limit.',
    },
  ])
})

test('sign-ins that cannot be read are limited by client too, and use nobody’s sign-ins up', async () => {
  const unreadable = () =>
    api.app.inject({
      method: 'POST',
      url: '/api/App/Login',
      payload: { nonsense: 1 },
      remoteAddress: '198.51.100.12',
    })
  const statuses: number[] = []
  for (let n = 0; n < 5; n += 1) statuses.push((await unreadable()).statusCode)
  expect([statuses, (await login('198.51.100.12')).statusCode]).toEqual([[400, 400, 400, 429, 429], 401])
})

const silent = { onFault: () => undefined }

test('several servers count into one row', async () => {
  const servers = [1, 2, 3].map(() => new LimitRefusals(openDatabase(api.pool), silent))
  for (const server of servers) {
    for (let n = 0; n < 4; n += 1) server.note(deviceRefusal('198.51.100.10', 'MQTT sign-in'))
  }
  await Promise.all(servers.map((server) => server.stop()))
  expect(await rowsOf('198.51.100.10', 12)).toMatchObject([{ call: 'MQTT sign-in', count: 12 }])
})

test('while the database is away nothing is forgotten', async () => {
  const faults: unknown[] = []
  const refusals = new LimitRefusals(openDatabase(api.pool), { onFault: (fault) => faults.push(fault) })
  await owner.query('alter table limit_refusal rename to limit_refusal_away')
  for (let n = 0; n < 3; n += 1) refusals.note(deviceRefusal('198.51.100.11', 'MQTT sign-in'))
  await eventually(
    async () => faults.length,
    (count) => count > 0,
  )
  await owner.query('alter table limit_refusal_away rename to limit_refusal')
  refusals.note(deviceRefusal('198.51.100.11', 'MQTT sign-in'))
  await refusals.stop()
  expect(await rowsOf('198.51.100.11', 4)).toHaveLength(1)
})

test('however many addresses strangers have, the rows that they make are bounded', async () => {
  const refusals = new LimitRefusals(openDatabase(api.pool), { ...silent, mostClientsPerHour: 5 })
  for (let n = 0; n < 40; n += 1) refusals.note(deviceRefusal(`2001:db8:1:${n}::1`, 'MQTT sign-in'))
  await refusals.stop()
  expect((await rows()).filter(({ address }) => address.startsWith('2001:db8:1:'))).toHaveLength(5)
  expect(await rowsOf('', 35)).toMatchObject([{ username: '', count: 35 }])
})
