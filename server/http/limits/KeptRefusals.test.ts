import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { openPool } from '#server/db/connect/pool.ts'
import { openDatabase } from '#server/db/database.ts'
import { type AuditRow, createAudit } from '#server/http/call/audit.store.ts'
import { createLog } from '#server/programs/log.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { ask } from '#server/testing/callers.ts'
import { DatabaseGate } from '#server/testing/database/DatabaseGate.ts'
import { freshDatabase } from '#server/testing/database/freshDatabase.ts'
import { eventually } from '#server/testing/devices/gatewayFixture.ts'
import { KeptRefusals } from './KeptRefusals.ts'

const database = await freshDatabase()
const gate = await DatabaseGate.start(database.applicationUrl)
const owner = new pg.Client({ connectionString: database.ownerUrl })
await owner.connect()
// This hook is registered before the API's own, so it runs after it.
afterAll(async () => {
  await gate.stop()
  await owner.end()
  await database.drop()
})
const api = await apiTest({ on: { ...database, applicationUrl: gate.through(database.applicationUrl) } })

const written = async (call: string) => {
  const sql = 'select username, address, outcome, inserted_at from audit_log where call = $1 order by id'
  return (await owner.query(sql, [call])).rows as {
    username: string
    address: string
    outcome: string
    inserted_at: Date
  }[]
}
const databaseNow = async () => (await owner.query('select clock_timestamp() as now')).rows[0].now as Date

test('what was refused while the database was away is in the audit log when it is back, with its time', async () => {
  const token = await api.signedIn({ username: 'admin@a.example', functions: [1] })
  gate.shut()
  const signIn = (username: string) => ask(api, 'App/Login', { method: 'POST', body: { username, password: 'x' } })
  expect((await signIn('first@a.example')).statusCode).toBe(503)
  expect((await signIn('second@a.example')).statusCode).toBe(503)
  const body = { customerId: 1, modelId: 1, name: 'One' }
  expect((await ask(api, 'Device/CreateDevice', { token, method: 'POST', body })).statusCode).toBe(503)
  expect(await written('App/Login')).toEqual([])
  // One attempt has failed, so the rows are written much later than what they record.
  await gate.nextRefusal()
  const backAt = await databaseNow()
  gate.open()
  const rows = await eventually(
    () => written('App/Login'),
    ({ length }) => length >= 2,
  )
  expect(rows.map(({ username, address, outcome }) => [username, address, outcome])).toEqual([
    ['first@a.example', '127.0.0.1', 'not_ready'],
    ['second@a.example', '127.0.0.1', 'not_ready'],
  ])
  expect(rows.every(({ inserted_at }) => inserted_at < backAt)).toBe(true)
  expect(
    await eventually(
      () => written('Device/CreateDevice'),
      ({ length }) => length >= 1,
    ),
  ).toHaveLength(1)
  expect((await ask(api, 'App/GetClientAuthData', { token })).statusCode).toBe(200)
})

/** This API is built on a database that is away. */
function setup(mostKept: number) {
  const pool = openPool(gate.through(database.applicationUrl), { maximumConnections: 2, name: 'kept' })
  const lines: { msg: string; rows?: number; calls?: string[] }[] = []
  const { log } = createLog({ level: 'info', write: (line) => lines.push(JSON.parse(line)) })
  const audit = new KeptRefusals(createAudit(openDatabase(pool)), { log, mostKept })
  const refuse = (call: string, username: string) =>
    audit.write({
      change: { action: 'Sign in', entity: 'Session' },
      call,
      outcome: 'not_ready',
      author: { username, address: '' },
      thing: {},
    } satisfies AuditRow)
  return { pool, lines, audit, refuse }
}

test('more of them than memory is given are counted, and the log says how many were lost', async () => {
  const { pool, lines, audit, refuse } = setup(3)
  gate.shut()
  for (const name of ['a', 'b', 'c', 'd', 'e']) await refuse('Test/TooMany', name)
  gate.open()
  await eventually(
    async () => lines,
    ({ length }) => length > 0,
  )
  expect((await written('Test/TooMany')).map(({ username }) => username)).toEqual(['a', 'b', 'c'])
  expect(lines).toMatchObject([{ rows: 2 }])
  await audit.stop()
  await pool.end()
})

test('a server that stops while the database is away tells its log what it could not write', async () => {
  const { pool, lines, audit, refuse } = setup(3)
  gate.shut()
  await refuse('Test/Stopped', 'a')
  await audit.stop()
  expect(lines).toMatchObject([{ rows: 1, calls: ['Test/Stopped'] }])
  gate.open()
  await pool.end()
})
