import { afterAll, expect, test } from 'vitest'
import { CONDITION_STATE } from '#domain/alerts/alertLabels.ts'
import { DEVICE_STATUS } from '#domain/devices/status.ts'
import { HOUR_MS, MINUTE_MS } from '#domain/units/time.ts'
import { openPool } from '#server/db/connect/pool.ts'
import { sampleTimeOf } from '#server/features/insight/overview/fleetSamples.store.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { addCustomer, addDevice } from '#server/testing/callers.ts'
import { passTime } from '#testing/passTime.ts'
import { keepPastSamples, makePastSamples } from './pastSamples.store.ts'

const api = await apiTest()
const owner = openPool(api.ownerUrl, { maximumConnections: 1, name: 'past samples' })
afterAll(() => owner.end())

const BEGUN = new Date(sampleTimeOf(new Date()).getTime() + 7 * MINUTE_MS)
const hoursBefore = (hours: number) => new Date(sampleTimeOf(BEGUN).getTime() - hours * HOUR_MS)

test('the day before a new demo is counted by who was heard and which alerts were active, and by nothing else', async () => {
  const customerId = await addCustomer(api.pool, 'Harbour')
  const heard = await addDevice(api.pool, { name: 'Heard', customerId, statusId: DEVICE_STATUS.active })
  await addDevice(api.pool, { name: 'Silent', customerId, statusId: DEVICE_STATUS.active })
  await api.pool.query('update device set created_at = $1', [BEGUN])
  // The last reading is from just before the start: the device connects again within minutes.
  for (const hours of [3, 2.5, 0.4]) {
    await api.pool.query(
      `insert into reading_device (device_dt, inserted, device_id, number, cpu_load) values ($1, now(), $2, 1, 7)`,
      [new Date(hoursBefore(hours).getTime() + MINUTE_MS), heard.id],
    )
  }
  const { rows } = await api.pool.query(
    `insert into alert (device_id, condition_id, status_id, condition_state_id, created_at, found_at, field_id,
       operator_code, value_dec, period_id, action_type_id, condition_text, state_since)
     values ($1, nextval('alert_id'), 1, $3, $2, $2, 5104, 'GT', 60, 1, 1, 'Load > 60', $2) returning id`,
    [heard.id, hoursBefore(2), CONDITION_STATE.notActive],
  )
  await api.pool.query(
    `insert into alert_event (device_id, alert_id, kind, at) values ($1, $2, 'opened', $3), ($1, $2, 'notActive', $4)`,
    [heard.id, rows[0].id, hoursBefore(2), hoursBefore(1.75)],
  )
  // The server has a sample of its own from before its devices connected, and a later one.
  for (const at of [hoursBefore(0), hoursBefore(-0.5)]) {
    await owner.query(
      `insert into fleet_sample (at, customer_id, devices_active, devices_maintenance, devices_out_of_order,
         devices_pending, devices_all, devices_with_alerts_24h) values ($1, $2, 9, 9, 9, 9, 9, 9)`,
      [at, customerId],
    )
  }
  for (let look = 0; look < 2; look++) await makePastSamples(owner, BEGUN)
  const samples = await api.pool.query(
    `select at, devices_active as active, devices_all as devices, devices_with_alerts_24h as alerted
     from fleet_sample where customer_id = $1 order by at`,
    [customerId],
  )
  const of = (hours: number) => samples.rows.find(({ at }) => at.getTime() === hoursBefore(hours).getTime())
  expect(samples.rows).toHaveLength(50)
  expect(of(3)).toMatchObject({ active: 1, devices: 2, alerted: 0 })
  expect(of(2.5)).toMatchObject({ active: 1, alerted: 0 })
  expect(of(2)).toMatchObject({ active: 0, alerted: 1 })
  expect(of(1)).toMatchObject({ active: 0, devices: 2, alerted: 1 })
  expect(of(0.5)).toMatchObject({ active: 1, alerted: 1 })
  expect(of(0)).toMatchObject({ active: 1, devices: 2, alerted: 1 })
  expect(of(-0.5)).toMatchObject({ active: 9, alerted: 9 })
  const { rows: all } = await api.pool.query('select count(*)::int as count from fleet_sample where customer_id = 0')
  expect(all[0].count).toBe(49)
})

test('a look that fails is made up for by the next one, and the last failure is told', async () => {
  const never = new AbortController().signal
  await owner.query('delete from fleet_sample')
  await owner.query('alter table fleet_sample rename to away_sample')
  await expect(keepPastSamples(owner, never, [0.1, 0.2])).rejects.toThrow('fleet_sample')
  const looks = keepPastSamples(owner, never, [0.1, 2])
  await passTime(1000, 'the first look has failed')
  await owner.query('alter table away_sample rename to fleet_sample')
  await looks
  const { rows } = await owner.query('select count(*)::int as count from fleet_sample where customer_id = 0')
  expect(rows[0].count).toBeGreaterThan(40)
})
