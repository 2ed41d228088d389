import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { RunningServer } from '#server/app/server.ts'
import { openPool } from '#server/db/connect/pool.ts'
import { addUser, openSession, PASSWORD } from '#server/testing/callers.ts'
import { type FreshDatabase, freshDatabase } from '#server/testing/database/freshDatabase.ts'
import { type Line, SwallowingProxy } from '#server/testing/database/SwallowingProxy.ts'
import { eventually, insertDevices } from '#server/testing/devices/gatewayFixture.ts'
import { IMPATIENCE } from '#server/testing/impatience.ts'
import { PlayedDevice } from '#server/testing/wholeServer/commandFixture.ts'
import { askServer, startWholeServer } from '#server/testing/wholeServer/wholeServer.ts'

const CALLS = 'wayside calls'

let database: FreshDatabase
let proxy: SwallowingProxy
let server: RunningServer
let token: string
let owner: ReturnType<typeof openPool>
beforeAll(async () => {
  database = await freshDatabase()
  proxy = await SwallowingProxy.start(database.ownerUrl)
  server = await startWholeServer(
    { ownerUrl: proxy.through(database.ownerUrl), applicationUrl: proxy.through(database.applicationUrl) },
    { patience: IMPATIENCE },
  )
  owner = openPool(database.ownerUrl, { maximumConnections: 2, name: 'test owner' })
  token = await openSession(owner, await addUser(owner, { username: 'admin@staff.example', functions: [1, 2] }))
}, 120_000)
afterAll(async () => {
  await server.stop()
  await proxy.stop()
  await owner.end()
  await database.drop()
}, 60_000)
beforeEach(() => proxy.thaw())

const ask = (path: string, asked: object) => askServer(server.localAddresses.httpUrl, path, { token, ...asked })
const addCustomer = (name: string) => ask('Customer/SetCustomer', { method: 'POST', body: { name } })
const outcomes = async (call: string) =>
  (
    await owner.query<{ outcome: string }>('select outcome from audit_log where call = $1 order by id', [call])
  ).rows.map(({ outcome }) => outcome)
const count = async (name: string) => (await owner.query('select from customer where name = $1', [name])).rowCount

/** Acts at the commit of the transaction that wrote an audit row; other transactions commit meanwhile. */
function atCommit(act: () => void): Promise<void> {
  return new Promise((resolve) => {
    let audited: Line | undefined
    proxy.onRequested((chunk, line) => {
      if (line.name === CALLS && chunk.includes('insert into "audit_log"')) audited = line
      if (line !== audited || !chunk.includes('commit')) return false
      act()
      resolve()
      return true
    })
  })
}

test('a change whose commit was not heard of gives its ordinary answer when it is done', async () => {
  const before = await outcomes('Customer/SetCustomer')
  const lost = atCommit(() => proxy.swallow((name) => name === CALLS))
  const answer = await addCustomer('Lost answer')
  await lost
  expect(answer.status).toBe(200)
  expect(await count('Lost answer')).toBe(1)
  expect((await outcomes('Customer/SetCustomer')).slice(before.length)).toEqual(['done'])
}, 60_000)

test('signing in gives its ordinary answer where its commit was not heard of', async () => {
  await addUser(owner, { username: 'unheard@staff.example', functions: [1] })
  const before = await outcomes('App/Login')
  const lost = atCommit(() => proxy.swallow((name) => name === CALLS))
  const answer = await ask('App/Login', {
    method: 'POST',
    body: { username: 'unheard@staff.example', password: PASSWORD },
  })
  await lost
  expect(answer).toMatchObject({ status: 200, body: { accessToken: expect.any(String) } })
  expect((await outcomes('App/Login')).slice(before.length)).toEqual(['done'])
}, 60_000)

test('where nobody can say whether a change is done, nobody is told to try again', async () => {
  const before = await outcomes('Customer/SetCustomer')
  const lost = atCommit(() => proxy.freeze())
  const answer = await addCustomer('Frozen answer')
  await lost
  expect(answer).toMatchObject({ status: 504, body: { code: 'outcome_unknown' } })
  expect(JSON.stringify(answer.body)).not.toMatch(/try again/i)
  proxy.thaw()
  expect(await count('Frozen answer')).toBe(1)
  expect((await outcomes('Customer/SetCustomer')).slice(before.length)).toEqual(['done'])
}, 90_000)

test('a power command that was accepted is never answered by "try again"', async () => {
  const [device] = await insertDevices(owner, 1, { modelId: 1 })
  if (!device) throw new Error('There is no device.')
  const played = new PlayedDevice(device)
  await played.connect(Number(new URL(server.localAddresses.mqttUrl).port), owner)
  await eventually(
    async () => played.documents.length,
    (documents) => documents > 0,
  )
  played.answer = () => undefined
  const lost = atCommit(() => proxy.freeze())
  const answer = await ask('Device/UpsReboot', { query: { deviceId: device.id } })
  await lost
  const message = 'The command was sent. Its outcome is unknown: see Commands.'
  expect(answer).toMatchObject({ status: 504, body: { code: 'command_outcome_unknown', message } })
  proxy.thaw()
  const { rows } = await owner.query('select state from device_command where device_id = $1', [device.id])
  expect(rows).toHaveLength(1)
  expect(await outcomes('Device/UpsReboot')).toEqual(['done'])
  played.client?.end(true)
}, 90_000)
