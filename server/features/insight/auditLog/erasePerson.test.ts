import pg from 'pg'
import { expect, test } from 'vitest'
import { openPool } from '#server/db/connect/pool.ts'
import { openDatabase } from '#server/db/database.ts'
import { createAudit } from '#server/http/call/audit.store.ts'
import { addUser } from '#server/testing/callers.ts'
import { databaseTest } from '#server/testing/database/databaseTest.ts'
import { auditSealJob } from './auditSealJob.ts'
import { erasePerson } from './erasePerson.store.ts'
import { verifyAudit } from './verifyAudit.store.ts'

const { database, owner } = await databaseTest()
const pool = openPool(database.ownerUrl, { maximumConnections: 2, name: 'test' })
const db = openDatabase(pool)
const audit = createAudit(db)

const job = auditSealJob({ info: () => undefined, error: () => undefined })
async function seal(): Promise<void> {
  for (let runs = 0; (await job.run(owner, new Date(), AbortSignal.timeout(60_000))) !== undefined; runs += 1) {
    expect(runs).toBeLessThan(100)
  }
}

interface Row {
  readonly entity: number
  readonly entityId: number | null
  readonly name: string
  readonly userId: number | null
  readonly username: string
}

const add = (row: Row) =>
  owner.query(
    `insert into audit_log (action_id, entity_type_id, entity_id, entity_name, user_id, username, address, call, outcome, details, before, after)
     values (2, $1, $2, $3, $4, $5, '10.1.2.3', 'Test', 'done', 'Written to ' || $3::text, null, jsonb_build_object('name', $3::text))`,
    [row.entity, row.entityId, row.name, row.userId, row.username],
  )

test('a deleted user who is erased is named nowhere, the log stays verifiable, and other rows are as they were', async () => {
  const ida = await addUser(pool, { username: 'Ida@a.example', functions: [2] })
  const eva = await addUser(pool, { username: 'eva@a.example', functions: [2] })
  const [device, user] = [1, 3]
  await add({ entity: device, entityId: 7, name: 'Pier 4', userId: ida, username: 'Ida@a.example' })
  await add({ entity: user, entityId: ida, name: 'Ida@a.example', userId: eva, username: 'eva@a.example' })
  await add({ entity: user, entityId: eva, name: 'eva@a.example', userId: ida, username: 'Ida@a.example' })
  await add({ entity: 9, entityId: null, name: 'ida@a.example', userId: null, username: 'ida@a.example' })
  await seal()
  // This row is not sealed yet when the person is erased.
  await add({ entity: device, entityId: 8, name: 'Pier 5', userId: ida, username: 'Ida@a.example' })
  await expect(erasePerson(db, audit, 'ida@a.example')).rejects.toThrow(/is not deleted/)
  await owner.query('update app_user set deleted_at = now() where id = $1', [ida])
  // The person was mailed while on call, and incidents name them for it.
  await owner.query(
    `insert into channel (user_id, name, kind, settings, most_per_hour) values ($1, 'Ida', 'mail', '{}', 30)`,
    [ida],
  )
  await owner.query(
    `insert into incident_notice (incident_id, share_id, route_id, route_name, at, outcome, target, user_id, reason)
     values (7, 0, 1, 'Nights', now(), 'told', 'Ida, on call in Night', $1, 'It matches the route.')`,
    [ida],
  )
  expect(await erasePerson(db, audit, 'ida@a.example')).toEqual({ userId: ida, entries: 5 })
  const named = await owner.query('select name from channel union all select target from incident_notice')
  expect(named.rows).toEqual([{ name: 'Erased' }, { name: 'Erased' }])
  const { rows } = await owner.query('select * from audit_log order by id')
  expect(JSON.stringify(rows)).not.toMatch(/ida/i)
  expect(rows).toMatchObject([
    { entity_name: 'Pier 4', username: 'Erased', address: '', user_id: ida, details: 'Written to Pier 4' },
    { entity_name: 'Erased', username: 'eva@a.example', address: '10.1.2.3', before: null, after: null, details: '' },
    { entity_name: 'eva@a.example', username: 'Erased', address: '' },
    { entity_name: 'Erased', username: 'Erased' },
    { entity_name: 'Pier 5', username: 'Erased' },
    { entity_name: 'Erased', call: 'admin erase-person', entity_id: ida },
  ])
  const persons = await owner.query('select person from audit_salt order by person')
  expect(persons.rows).toEqual([{ person: `user ${eva}` }])
  await seal()
  expect(await verifyAudit(owner)).toMatchObject({ findings: [], erased: 4, unsealed: 0 })
  // What remains of an erased row is as protected as before.
  await owner.query(
    `update audit_log set entity_name = 'Pier 9' where id = 1; update audit_log set username = 'x' where id = 3`,
  )
  expect((await verifyAudit(owner)).findings).toEqual(['Row 1 is changed.', 'Row 3 is changed.'])
  await pool.end()
})

test('a connection of the application may erase nobody', async () => {
  const application = new pg.Client({ connectionString: database.applicationUrl })
  await application.connect()
  await expect(application.query('update audit_log set username = username')).rejects.toThrow(/permission denied/)
  await expect(application.query('insert into audit_erased (audit_id) values (1)')).rejects.toThrow(/permission denied/)
  await application.end()
})
