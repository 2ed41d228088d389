import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AlertId } from '#domain/ids.ts'
import { type FreshDatabase, freshDatabase } from '#server/testing/database/freshDatabase.ts'
import { eventually } from '#server/testing/devices/gatewayFixture.ts'
import { openPool } from '../../db/connect/pool.ts'
import { openDatabase } from '../../db/database.ts'
import { addCustomer, addDevice } from '../../testing/callers.ts'
import { lockAlerts } from './closing.ts'

let database: FreshDatabase
let pool: pg.Pool
let batch: pg.Client
beforeAll(async () => {
  database = await freshDatabase()
  pool = openPool(database.applicationUrl, { maximumConnections: 3, name: 'test' })
  batch = new pg.Client({ connectionString: database.applicationUrl })
  await batch.connect()
})
afterAll(async () => {
  await batch.end()
  await pool.end()
  await database.drop()
})

async function openAlert(): Promise<AlertId> {
  const { id } = await addDevice(pool, { name: 'Pier', customerId: await addCustomer(pool, 'Harbour') })
  const { rows } = await pool.query<{ id: AlertId }>(
    `with added as (
       insert into alert (device_id, condition_id, created_at, found_at, field_id, operator_code, value_dec, period_id,
         action_type_id, condition_text, metric_value_dec, state_since)
       values ($1, nextval('alert_id'), now(), now(), 5104, 'GT', 60, 1, 1, 'UPS: Load > 60', 71.5, now())
       returning id, condition_id)
     insert into alert_state (device_id, condition_id, revision, version, alert, open_alert_id, is_suppressed)
     select $1, condition_id, 1, 1, 1, id, false from added returning open_alert_id as id`,
    [id],
  )
  return (rows[0] as { id: AlertId }).id
}

test('whoever closes an alert waits for a batch that moves it before it holds anything that the batch needs next', async () => {
  const id = await openAlert()
  await batch.query('begin')
  await batch.query('select from alert_state where open_alert_id = $1 for update', [id])
  const closing = openDatabase(pool)
    .transaction()
    .execute((transaction) => lockAlerts(transaction, [id]))
  try {
    const waiting = () => pool.query('select from pg_locks where not granted')
    expect((await eventually(waiting, ({ rowCount }) => rowCount === 1)).rowCount).toBe(1)
    const needed = await batch.query('select from alert where id = $1 for update nowait', [id])
    expect(needed.rowCount).toBe(1)
  } finally {
    await batch.query('rollback')
  }
  expect(await closing).toMatchObject([{ id, statusId: 1 }])
})
