import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
// This import makes the driver read 64-bit integers as numbers.
import '#server/db/connect/pool.ts'
import { freshDatabase } from '#server/testing/database/freshDatabase.ts'
import { digestsSql } from './auditDigests.store.ts'

let database: Awaited<ReturnType<typeof freshDatabase>>
let owner: pg.Client
beforeEach(async () => {
  database = await freshDatabase()
  owner = new pg.Client({ connectionString: database.ownerUrl })
  await owner.connect()
  await owner.query(`insert into audit_salt (person, salt) values ('user 3', '\\x00112233445566778899aabbccddeeff')`)
  await owner.query(
    `insert into audit_log (id, inserted_at, action_id, entity_type_id, entity_id, entity_name, customer_id, user_id,
       username, author_customer_id, address, call, outcome, details, before, after)
     overriding system value
     values (71, '2026-11-20T08:00:00.123456Z', 2, 1, 7, 'Pier 4', 5, 3, 'eva@a.example', 5, '10.1.2.3',
       'Device/SetDeviceStatus', 'done', 'Details', '{"statusId": 2}', '{"statusId": 3}')`,
  )
})
afterEach(async () => {
  await owner.end()
  await database.drop()
})

const digest = async () =>
  (await owner.query<{ digest: string }>(`select encode(digest, 'hex') as digest from (${digestsSql('true')}) d`))
    .rows[0]?.digest

/** This digest was made before bulk ids existed. It stands in `audit_seal` and must never change. */
const SEALED_AS = '76fd881b4eda55026148812eb50841da27b5ac723ddd6d96de10740324435a5a'

test('a row of no bulk action is digested as before there were any', async () => {
  expect(await digest()).toBe(SEALED_AS)
})

test('which bulk action a row is of cannot be changed, added or taken away unseen', async () => {
  const digests = new Set([await digest()])
  for (const id of ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222']) {
    await owner.query('update audit_log set bulk_id = $1', [id])
    digests.add(await digest())
  }
  expect(digests.size).toBe(3)
})
