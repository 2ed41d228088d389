import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { type DeviceTimeline, getDeviceTimeline } from '#contract/http/devices/records.ts'
import type { CustomerId, DeviceId, DeviceModelId } from '#domain/ids.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#domain/units/time.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { addCustomer, addDevice, ask } from '#server/testing/callers.ts'

const api = await apiTest()
const staff = await api.signedIn({ username: 'manager@a.example', functions: [2] })
const MODEL = 22 as DeviceModelId
/** The tests' moments count from two hours ago, to the minute. */
const T = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - 2 * HOUR_MS
const at = (minute: number) => new Date(T + minute * MINUTE_MS).toISOString()

const addTotem = async (customerId?: CustomerId): Promise<DeviceId> =>
  (
    await addDevice(api.pool, {
      name: 'Totem',
      modelId: MODEL,
      customerId: customerId ?? (await addCustomer(api.pool, `Customer ${randomUUID()}`)),
    })
  ).id

async function timeline(deviceId: DeviceId, { token = staff, to = at(60) } = {}): Promise<DeviceTimeline> {
  const answer = await ask(api, 'Device/GetDeviceTimeline', { token, query: { deviceId, dateFrom: at(0), dateTo: to } })
  expect(answer.statusCode, answer.body).toBe(200)
  return getDeviceTimeline.answer.parse(answer.json())
}
const insert = (table: string, row: Readonly<Record<string, unknown>>) =>
  api.pool.query(
    `insert into ${table} (${Object.keys(row).join(', ')}) values (${Object.keys(row).map((_, index) => `$${index + 1}`)})`,
    Object.values(row),
  )

async function addAlert(device_id: DeviceId, moves: readonly (readonly [string, string])[], closed?: string) {
  const created = moves[0]?.[1] ?? at(0)
  const { rows } = await api.pool.query<{ id: number }>(
    `insert into alert (device_id, condition_id, condition_state_id, status_id, created_at, found_at, field_id,
       operator_code, period_id, action_type_id, condition_text, state_since, closed_at)
     values ($1, nextval('alert_id'), 1, $2, $3, $3, 4101, 'GT', 1, 1, 'warm', $3, $4) returning id`,
    [device_id, closed ? 2 : 1, created, closed ?? null],
  )
  const alert_id = rows[0]?.id
  for (const [kind, moment] of moves) await insert('alert_event', { device_id, alert_id, kind, at: moment })
  return alert_id
}

test('of a device of which nothing is written down each lane is empty, and whole', async () => {
  const lanes = await timeline(await addTotem())
  const nothing = { since: at(0), items: [] }
  expect(lanes).toEqual({
    alerts: nothing,
    commands: nothing,
    settings: nothing,
    updates: nothing,
    presence: nothing,
    light: nothing,
    power: nothing,
    maintenance: nothing,
    windows: nothing,
  })
})

test('alerts are told by the times at which they were met, as far as these touch the period', async () => {
  const id = await addTotem()
  const alertId = await addAlert(id, [
    ['opened', at(-90)],
    ['notActive', at(-80)],
    ['active', at(-5)],
    ['acknowledged', at(-4)],
    ['notActive', at(10)],
    ['active', at(50)],
  ])
  await addAlert(id, [['opened', at(-90)]], at(-60))
  const { alerts } = await timeline(id)
  expect(alerts?.items).toEqual([
    { from: at(-5), to: at(10), alertId, conditionText: 'warm', title: 'warm', severityId: 2 },
    { from: at(50), to: null, alertId, conditionText: 'warm', title: 'warm', severityId: 2 },
  ])
})

test('it is offline until it is back, and still when it is not', async () => {
  const id = await addTotem()
  const change = (minute: number, is_online: boolean, reason: string) =>
    insert('device_presence_history', { device_id: id, at: at(minute), is_online, reason })
  await change(-30, false, 'silent')
  await change(-20, false, 'disconnected')
  await change(5, true, 'connected')
  await change(40, false, 'connection_lost')
  const { presence } = await timeline(id)
  expect(presence?.items).toEqual([
    { from: at(-20), to: at(5), reason: 'disconnected' },
    { from: at(40), to: null, reason: 'connection_lost' },
  ])
  await change(70, true, 'connected')
  expect((await timeline(id)).presence?.items.at(-1)).toMatchObject({ from: at(40), to: at(70) })
})

test('commands, settings, visits and updates of the period are told, each with what it leads to', async () => {
  const id = await addTotem()
  const command = { device_id: id, name: 'ups.reboot', args: {}, username: 'eva@a.example', expires_at: at(99) }
  await insert('device_command', { ...command, accepted_at: at(1), ended_at: at(2), state: 'done' })
  await insert('device_command', { ...command, accepted_at: at(61) })
  await insert('device_command', { ...command, accepted_at: at(3), settings_version: 4 })
  await insert('audit_log', {
    inserted_at: at(4),
    action_id: 6,
    entity_type_id: 1,
    entity_id: id,
    username: 'eva@a.example',
    call: 'Device/ApplyDisplaySettings',
    outcome: 'done',
    after: { section: 'display', number: 1, displayNumber: 1, backlightLevel: 40 },
  })
  await insert('maintenance_entry', { device_id: id, start_at: at(-5), end_at: at(5), action_comment: 'Cleaned' })
  const { commands, settings, maintenance } = await timeline(id)
  expect(commands?.items).toMatchObject([{ name: 'ups.reboot', from: at(1), to: at(2), by: 'eva@a.example' }])
  expect(settings?.items).toMatchObject([{ at: at(4), name: 'display.apply' }])
  // The arguments leave out the fields that only identify the row, which no command has.
  expect(settings?.items[0]?.args).toEqual({ displayNumber: 1, backlightLevel: 40 })
  expect(maintenance?.items).toMatchObject([{ from: at(-5), to: at(5), comment: 'Cleaned', id: expect.any(Number) }])
})

test('on battery is what the UPS reported, no longer than a reading holds', async () => {
  const id = await addTotem()
  const reading = (minute: number, status: string) =>
    insert('reading_ups', { device_id: id, number: 1, device_dt: at(minute), inserted: at(minute), status })
  for (const minute of [0, 1, 2]) await reading(minute, 'on line interactive normal')
  for (const minute of [3, 4]) await reading(minute, 'on battery')
  await reading(5, 'on line interactive normal')
  await reading(20, 'on battery')
  const { power } = await timeline(id)
  expect(power?.items[0]).toEqual({ from: at(3), to: at(5) })
  expect(power?.items[1]?.from).toBe(at(20))
  expect(Date.parse(power?.items[1]?.to ?? '') - T).toBeLessThan(40 * MINUTE_MS)
})

test('the newest are told where there are more than an answer holds, and since when', async () => {
  const id = await addTotem()
  await api.pool.query(
    `insert into device_command (device_id, name, args, username, accepted_at, expires_at)
     select $1, 'ups.reboot', '{}', '', $2::timestamptz + make_interval(secs => n), now() from generate_series(1, 502) n`,
    [id, at(0)],
  )
  const { commands } = await timeline(id)
  expect(commands?.items).toHaveLength(500)
  expect(commands?.since).toBe(new Date(T + 3000).toISOString())
})

test('whoever may only analyse is told of alerts and light alone', async () => {
  const analyst = await api.signedIn({ username: 'analyst@a.example', functions: [5] })
  expect(Object.keys(await timeline(await addTotem(), { token: analyst }))).toEqual(['alerts', 'light'])
})

test('what was written under the customer before is not told to the one who has the device now', async () => {
  const before = await addCustomer(api.pool, 'Before')
  const id = await addTotem(before)
  await addAlert(id, [['opened', at(1)]])
  await insert('maintenance_entry', { device_id: id, start_at: at(5), action_comment: 'Ours' })
  await api.pool.query(
    `with made as (
       insert into maintenance_window (target_kind, customer_id, target_device_id, reason, from_at, to_at, ends_at, time_zone, username)
       values ('device', $2, $1, 'Our lamps', $3, $4, $4, 'UTC', 'x') returning id, from_at, to_at)
     insert into device_maintenance (device_id, window_id, from_at, to_at, occurrence_at, due_to)
     select $1, id, from_at, to_at, from_at, to_at from made`,
    [id, before, at(2), at(3)],
  )
  const next = await addCustomer(api.pool, 'The next')
  await api.pool.query('update device set customer_id = $2 where id = $1', [id, next])
  const token = await api.signedIn({ username: 'next@b.example', functions: [2], customerId: next })
  const theirs = await timeline(id, { token })
  expect(theirs.alerts?.items).toEqual([])
  expect([theirs.maintenance?.items, theirs.windows?.items]).toEqual([[], []])
  expect((await timeline(id)).windows?.items).toMatchObject([{ from: at(2), to: at(3), reason: 'Our lamps' }])
  expect((await timeline(id)).alerts?.items).toHaveLength(1)
})

test('a period longer than a year is refused', async () => {
  const id = await addTotem()
  const query = { deviceId: id, dateFrom: at(0), dateTo: new Date(T + 367 * DAY_MS).toISOString() }
  expect((await ask(api, 'Device/GetDeviceTimeline', { token: staff, query })).statusCode).toBe(400)
})
