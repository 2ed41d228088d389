import pg from 'pg'
import { expect, test } from 'vitest'
import type { DeviceStateAt } from '#contract/http/devices/status.ts'
import type { CustomerId, DeviceId, DeviceModelId } from '#domain/ids.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#domain/units/time.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { addCustomer, addDevice, ask } from '#server/testing/callers.ts'

const api = await apiTest()
const customerId = await addCustomer(api.pool, 'Lights of A')
const token = await api.signedIn({ username: 'manager@a.example', functions: [2] })

/** The moment is half past an hour that has ended, today or yesterday. */
const NOON_MS = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 90 * MINUTE_MS
const before = (ms: number) => new Date(NOON_MS - ms)

async function addDisplay(name: string, owner: CustomerId = customerId): Promise<DeviceId> {
  const { id } = await addDevice(api.pool, { name, customerId: owner, modelId: 1 as DeviceModelId })
  await api.pool.query(
    'insert into device_component (device_id, component_model_id, category_id, number) values ($1, 7, 6, 1)',
    [id],
  )
  return id
}

const report = (id: DeviceId, at: Date, columns: string, ...values: unknown[]) =>
  api.pool.query(
    `insert into reading_display (device_id, number, device_dt, inserted, ${columns})
     values ($1, 1, $2, now(), ${values.map((_, index) => `$${index + 3}`).join(', ')})`,
    [id, at, ...values],
  )

async function stateAt(deviceId: DeviceId, at: Date | string, as = token) {
  const query = { deviceId, at: typeof at === 'string' ? at : at.toISOString() }
  return ask(api, 'Device/GetDeviceStateAt', { token: as, query })
}
const told = async (deviceId: DeviceId, at: Date, as = token): Promise<DeviceStateAt> =>
  (await stateAt(deviceId, at, as)).json()
const tile = ({ tiles }: DeviceStateAt, name: string) => tiles.find(({ field_db_name }) => field_db_name === name)

test('each field is the newest at or before the moment, under its own time', async () => {
  const id = await addDisplay('Newest')
  await report(id, before(2 * MINUTE_MS), 'backlight_level, internal_temp', 80, 30.4)
  await report(id, before(0), 'internal_temp', 31.2)
  await report(id, before(-SECOND_MS), 'backlight_level, internal_temp', 10, 99)
  const state = await told(id, before(0))
  expect(state.source).toBe('READINGS')
  expect(tile(state, 'd_internal_temp')).toMatchObject({ field_value: 31.2, value_dt: before(0).toISOString() })
  expect(tile(state, 'd_backlight_level')).toMatchObject({
    field_value: 80,
    value_dt: before(2 * MINUTE_MS).toISOString(),
  })
  expect(tile(state, 'd_humidity')).toMatchObject({ field_value: null, value_dt: null })
})

test('what was said more than a day before is not known, nor what a clock said that was not believed', async () => {
  const id = await addDisplay('Old')
  await report(id, before(DAY_MS), 'humidity', 40)
  await report(id, before(DAY_MS - SECOND_MS), 'contrast', 50)
  await report(id, before(MINUTE_MS), 'internal_temp, claimed_at', 77, before(-DAY_MS))
  const state = await told(id, before(0))
  expect(tile(state, 'd_humidity')?.field_value).toBeNull()
  expect(tile(state, 'd_contrast')?.field_value).toBe(50)
  expect(tile(state, 'd_internal_temp')?.field_value).toBeNull()
})

test('a field that few reports carry is found behind the many that do not', async () => {
  const id = await addDisplay('Seldom')
  await report(id, before(20 * HOUR_MS), 'brightness', 1)
  await report(id, before(3 * HOUR_MS), 'brightness, source', 60, 'HDMI 1')
  for (let minute = 1; minute <= 60; minute++) {
    await report(id, before(minute * MINUTE_MS), 'internal_temp', minute)
  }
  const state = await told(id, before(0))
  expect(tile(state, 'd_brightness')).toMatchObject({ field_value: 60, value_dt: before(3 * HOUR_MS).toISOString() })
  expect(tile(state, 'd_source')?.field_value).toBe('HDMI 1')
  expect(tile(state, 'd_internal_temp')?.field_value).toBe(1)
})

test('beyond the days of readings a tile is the mean of the hour, and what has no mean is unknown', async () => {
  const id = await addDisplay('Means')
  const at = before(DAY_MS)
  const hour = at.getUTCHours()
  const owner = new pg.Client({ connectionString: api.ownerUrl })
  await owner.connect()
  await owner.query(`update rollup_state set complete_from = current_date + 2`)
  try {
    await owner.query(
      `insert into rollup (device_id, field_id, day, counts, means, minima, maxima)
       select $1, 4101, ($2::timestamptz at time zone 'UTC')::date, array_fill(1, array[24]), array_agg(hour), array_agg(hour),
         array_agg(hour)
       from generate_series(0, 23) as hour`,
      [id, at],
    )
    const state = await told(id, at)
    expect(state.source).toBe('HOURLY_MEANS')
    const began = new Date(at)
    began.setUTCMinutes(0, 0, 0)
    expect(tile(state, 'd_internal_temp')).toMatchObject({ field_value: hour, value_dt: began.toISOString() })
    expect(tile(state, 'd_backlight_level')?.field_value).toBeNull()
  } finally {
    await owner.query(`update rollup_state set complete_from = '-infinity'`)
    await owner.end()
  }
})

test('the hour that the moment cuts has no mean yet', async () => {
  const id = await addDisplay('Cut')
  await report(id, before(10 * MINUTE_MS), 'internal_temp', 20)
  await report(id, before(-10 * MINUTE_MS), 'internal_temp', 90)
  await report(id, before(HOUR_MS), 'internal_temp', 24)
  await api.pool.query(
    `insert into rollup_mark select distinct device_id, 4, number, date_trunc('hour', device_dt) from reading_display
     where device_id = $1`,
    [id],
  )
  const points = tile(await told(id, before(0)), 'd_internal_temp')?.data_points_24h
  expect(points?.slice(-2)).toEqual([24, null])
})

test('alerts, presence and visits are those of then, and of the customer of their time', async () => {
  const other = await addCustomer(api.pool, 'Lights of B')
  const id = await addDisplay('Then')
  const alert = async (owner: CustomerId, openedMs: number, closedMs: number | null, events: [string, number][]) => {
    const { rows } = await api.pool.query<{ id: string }>(
      `insert into alert (device_id, customer_id, condition_id, status_id, condition_state_id, created_at, found_at,
         state_since, closed_at, field_id, operator_code, period_id, action_type_id, condition_text)
       values ($1, $2, $3, $4, 2, $5, $5, now(), $6, 4101, 'GT', 1, 1, 'Too warm') returning id`,
      [id, owner, openedMs, closedMs === null ? 1 : 2, before(openedMs), closedMs === null ? null : before(closedMs)],
    )
    // A trigger fills in the customer at the insert, so the owner is set afterwards.
    await api.pool.query('update alert set customer_id = $1 where id = $2', [owner, rows[0]?.id])
    for (const [kind, ms] of events) {
      await api.pool.query('insert into alert_event (device_id, alert_id, kind, at) values ($1, $2, $3, $4)', [
        id,
        rows[0]?.id,
        kind,
        before(ms),
      ])
    }
    return Number(rows[0]?.id)
  }
  const hot = await alert(customerId, 3000, null, [
    ['opened', 3000],
    ['notActive', -1000],
  ])
  await alert(customerId, 2000, -500, [
    ['opened', 2000],
    ['notActive', 1500],
  ])
  await alert(customerId, 5000, 4000, [['opened', 5000]])
  await alert(customerId, -100, null, [['opened', -100]])
  await alert(other, 2500, null, [['opened', 2500]])
  for (const [ms, isOnline] of [
    [9000, true],
    [-10, false],
  ] as const) {
    await api.pool.query(`insert into device_presence_history values ($1, $2, $3, '')`, [id, before(ms), isOnline])
  }
  const ofCustomer = await api.signedIn({ username: 'manager@then.example', functions: [2], customerId })

  const state = await told(id, before(0), ofCustomer)
  expect(state).toMatchObject({ alertsNow: 1, alertsOver: 1, isOnline: true, lastVisit: null })
  expect(tile(state, 'd_internal_temp')?.alert_id).toBe(hot)
  expect((await told(id, before(10_000), ofCustomer)).isOnline).toBeNull()
  expect((await told(id, before(0))).alertsNow).toBe(2)
})

test('a moment that has not been, and none that a calendar has, are refused', async () => {
  const id = await addDisplay('Ahead')
  expect((await stateAt(id, new Date(Date.now() + DAY_MS))).statusCode).toBe(400)
  expect((await stateAt(id, '2026-02-30T10:00:00Z')).statusCode).toBe(400)
  expect((await stateAt(id, '0000-01-01T10:00:00Z')).statusCode).toBe(400)
})

test('light is as its displays had reported by the off times of then, and power as its UPS had', async () => {
  const id = await addDisplay('Light')
  await report(id, before(MINUTE_MS), 'backlight_level', 0)
  await report(id, before(-MINUTE_MS), 'backlight_level', 80)
  await api.pool.query(
    'insert into reading_ups (device_id, number, device_dt, inserted, status) values ($1, 1, $2, now(), $3)',
    [id, before(MINUTE_MS), 'on battery'],
  )
  expect(await told(id, before(0))).toMatchObject({ light: 'unplanned', isOnBattery: true })
  expect(await told(id, before(-MINUTE_MS))).toMatchObject({ light: 'lit' })
  // A reading holds only until its device counts as offline.
  expect(await told(id, before(-30 * MINUTE_MS))).toMatchObject({ light: null, isOnBattery: null })
  expect(await told(id, before(HOUR_MS))).toMatchObject({ light: null, isOnBattery: null })
})

test('settings are those that people had set last before, of each section, within the scope', async () => {
  const owner = await addCustomer(api.pool, 'Who sets')
  const id = await addDisplay('Set', owner)
  const apply = (at: Date, of: CustomerId, after: object) =>
    api.pool.query(
      `insert into audit_log (inserted_at, action_id, entity_type_id, entity_id, customer_id, username, call, outcome, after)
       values ($1, 6, 1, $2, $3, 'eva', 'Device/ApplyDisplaySettings', 'done', $4)`,
      [at, id, of, after],
    )
  const display = (number: number, backlightLevel: number) => ({
    ...{ section: 'display', number, displayNumber: number, backlightLevel },
  })
  await apply(before(3 * MINUTE_MS), owner, display(1, 30))
  await apply(before(2 * MINUTE_MS), owner, display(1, 40))
  await apply(before(2 * MINUTE_MS), owner, display(2, 50))
  await apply(before(-MINUTE_MS), owner, display(1, 90))
  const levels = async (as?: string) =>
    (await told(id, before(0), as)).settings.map(({ name, args, by }) => [
      name,
      args.displayNumber,
      args.backlightLevel,
      by,
    ])
  expect(await levels()).toEqual([
    ['display.apply', 1, 40, 'eva'],
    ['display.apply', 2, 50, 'eva'],
  ])
  const next = await addCustomer(api.pool, 'Who has it now')
  await api.pool.query('update device set customer_id = $2 where id = $1', [id, next])
  const theirs = await api.signedIn({ username: 'next@c.example', functions: [2], customerId: next })
  expect(await levels(theirs)).toEqual([])
})
