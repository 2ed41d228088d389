import { afterAll, expect, test } from 'vitest'
import type { DeviceId } from '#domain/ids.ts'
import { openPool } from '#server/db/connect/pool.ts'
import { openDatabase } from '#server/db/database.ts'
import { addCustomer, addDevice } from '#server/testing/callers.ts'
import { databaseTest } from '#server/testing/database/databaseTest.ts'
import { strayAlertsJob } from './strayAlerts.ts'

const { database } = await databaseTest()
const pool = openPool(database.applicationUrl, { maximumConnections: 3, name: 'test' })
afterAll(() => pool.end())

test('an alert is closed when its device has lost the tag that its condition is meant for', async () => {
  const customerId = await addCustomer(pool, 'Harbour')
  const ids = [await addDevice(pool, { name: 'Pier', customerId }), await addDevice(pool, { name: 'Quay', customerId })]
  const [kept, lost] = ids.map(({ id }) => id) as [DeviceId, DeviceId]
  await pool.query(`update device set tags = '{North}', tag_keys = '{north}'`)
  await pool.query(
    `insert into alert_condition (tag, tag_key, field_id, operator_code, value_dec) values ('North', 'north', 5104, 'GT', 60)`,
  )
  await pool.query(
    `with added as (
       insert into alert (device_id, condition_id, created_at, found_at, field_id, operator_code, value_dec, period_id,
         action_type_id, condition_text, state_since)
       select d.id, c.id, now(), now(), 5104, 'GT', 60, 1, 1, 'hot', now() from device d, alert_condition c
       returning id, device_id, condition_id)
     insert into alert_state (device_id, condition_id, revision, version, alert, open_alert_id, is_suppressed)
     select device_id, condition_id, 1, 1, 1, id, false from added`,
  )
  const told: DeviceId[] = []
  const job = strayAlertsJob(openDatabase(pool), (devices) => told.push(...devices))
  await job.runUnfenced(new AbortController().signal)
  expect(told).toEqual([])

  await pool.query(`update device set tags = '{}', tag_keys = '{}' where id = $1`, [lost])
  await job.runUnfenced(new AbortController().signal)
  expect(told).toEqual([lost])
  const { rows } = await pool.query('select device_id, status_id from alert order by device_id')
  expect(rows).toEqual([
    { device_id: kept, status_id: 1 },
    { device_id: lost, status_id: 2 },
  ])
  expect((await pool.query('select from alert_state')).rowCount).toBe(1)
})

test('an alert of an override is closed when the override ended with the tag of its device', async () => {
  const customerId = await addCustomer(pool, 'Airport')
  const { id } = await addDevice(pool, { name: 'Gate', customerId })
  await pool.query(`update device set tags = '{South}', tag_keys = '{south}' where id = $1`, [id])
  const insert = async (place: string, values: string) =>
    (
      await pool.query(`insert into alert_condition (${place}, field_id, operator_code, value_dec)
        values (${values}, 5104, 'GT', 60) returning id`)
    ).rows[0].id as number
  const wide = await insert('tag, tag_key', `'South', 'south'`)
  const override = await insert('device_id, overrides_id', `${id}, ${wide}`)
  await pool.query(
    `with added as (
       insert into alert (device_id, condition_id, created_at, found_at, field_id, operator_code, value_dec, period_id,
         action_type_id, condition_text, state_since)
       values ($1, $2, now(), now(), 5104, 'GT', 60, 1, 1, 'hot', now()) returning id)
     insert into alert_state (device_id, condition_id, revision, version, alert, open_alert_id, is_suppressed)
     select $1, $2, 1, 1, 1, id, false from added`,
    [id, override],
  )
  await pool.query(`update device set tags = '{}', tag_keys = '{}' where id = $1`, [id])
  const { rows } = await pool.query('select deleted_at is null as counts from alert_condition where id = $1', [
    override,
  ])
  expect(rows).toEqual([{ counts: false }])
  await strayAlertsJob(openDatabase(pool), () => undefined).runUnfenced(new AbortController().signal)
  const alerts = await pool.query('select status_id from alert where condition_id = $1', [override])
  expect(alerts.rows).toEqual([{ status_id: 2 }])
})
