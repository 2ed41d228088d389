import pg from 'pg'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { getAvailability, getDarkMinutes } from '#contract/http/insight/darkMinutes.ts'
import { eventsTopic } from '#contract/mqtt/topics.ts'
import { heatCell } from '#domain/panels/heatBands.ts'
import { DAY_MS } from '#domain/units/time.ts'
import { addDays, momentOf } from '#domain/units/wallClock.ts'
import { oldDaysJob } from '#server/telemetry/retention/keptDays.ts'
import { refreshRollups } from '#server/telemetry/rollup/rollups.ts'
import { apiTestWithDevices } from '#server/testing/apiTest.ts'
import { ask } from '#server/testing/callers.ts'
import { MONTH_DAYS } from '#server/testing/database/keptDays.ts'
import { eventually, insertDevices, type TestDevice } from '#server/testing/devices/gatewayFixture.ts'
import { countDueDays } from './darkDays.ts'
import { darkRecountJob, recountDays } from './darkRecount.ts'

/** The zone is ahead of UTC and has no summer time, so the UTC day of yesterday is over there. */
const ZONE = 'Asia/Tokyo'
const TODAY = new Date().toISOString().slice(0, 10)
const daysAgo = (days: number) => addDays(TODAY, -days)

const { gateway, ...api } = await apiTestWithDevices({ keptDays: MONTH_DAYS })
const owner = await connected()
afterAll(() => owner.end())
const token = await api.signedIn({ username: 'manager@a.example', functions: [2] })
beforeEach(async () => {
  await owner.query('delete from device_dark_day')
  await owner.query(`update rollup_state set complete_from = '-infinity'`)
})

async function connected() {
  const client = new pg.Client({ connectionString: gateway.database.ownerUrl })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

/** Makes a display that was lit for ten minutes of each of these days, five of them in off times up to 05:00. */
async function addTotem(days: readonly number[]): Promise<TestDevice> {
  const [device] = (await insertDevices(gateway.owner, 1)) as [TestDevice]
  const off = ['wd', 'wknd', 'hol'].flatMap((group) => [
    [`${group}TimeOffFrom`, '22:30'],
    [`${group}TimeOffTo`, '05:00'],
  ])
  await gateway.owner.query(
    `update device set time_zone = $2, status_id = 2, created_at = now() - interval '30 days' where id = $1`,
    [device.id, ZONE],
  )
  await gateway.owner.query(
    `insert into device_component (device_id, component_model_id, category_id, number) values ($1, 17, 6, 1)`,
    [device.id],
  )
  await gateway.owner.query(
    `insert into off_times_history (device_id, valid_from, off_times) values ($1, '-infinity', $2)`,
    [device.id, JSON.stringify(Object.fromEntries(off))],
  )
  const client = await gateway.connect(device)
  const reports = days.flatMap((day) => {
    const fromMs = momentOf(daysAgo(day), '04:55', ZONE).getTime()
    // Each reading holds for two minutes.
    return [0, 2, 4, 5, 7, 8].map((minute) => ({
      at: new Date(fromMs + minute * 60_000).toISOString(),
      values: { backlight_level: 80 },
    }))
  })
  await client.publishAsync(eventsTopic(device.guid, 'display', 1), JSON.stringify(reports), { qos: 1 })
  await client.endAsync()
  return device
}

const COUNTED = { litInOffTimesMinutes: 5, litMinutes: 5, unknownMinutes: 1430 }
const NOT_TOLD_APART = { litInOffTimesMinutes: null, litMinutes: 10, unknownMinutes: 1430 }

/** Counts days as they were before light in off times was counted separately. */
async function countAsBefore() {
  const options = { now: new Date(), isOver: () => false }
  await gateway.gateway.mergeState()
  await refreshRollups(owner, options)
  await countDueDays(owner, options)
  await owner.query(
    'update device_dark_day set lit_min = lit_min + lit_in_off_min, lit_in_off_min = null, metered_s = null',
  )
}

const recount = (client: pg.Client, steps: number) => {
  let left = steps
  return recountDays(client, { now: new Date(), isOver: () => left-- <= 0 })
}

async function minutesOf({ id }: TestDevice, days: readonly number[]) {
  const query = { deviceId: id, dateFrom: daysAgo(Math.max(...days)), dateTo: daysAgo(Math.min(...days)) }
  const answer = getDarkMinutes.answer.parse((await ask(api, 'Device/GetDarkMinutes', { token, query })).json())
  const byDate = new Map(answer.days.map((day) => [day.date, day]))
  return { days: days.map((day) => byDate.get(daysAgo(day))), total: answer.total }
}

async function availability(dateFrom: string, dateTo: string) {
  const answer = await ask(api, 'Dashboard/GetAvailability', { token, query: { dateFrom, dateTo } })
  return getAvailability.answer.parse(answer.json())
}

test('days whose readings remain are told apart, others stay as they were and say from when on it is known', async () => {
  const device = await addTotem([1, 2, 3, 4, 5])
  await countAsBefore()
  const before = await minutesOf(device, [1, 2, 3, 4, 5])
  expect(before.days).toMatchObject(Array(5).fill({ ...NOT_TOLD_APART, lengthMinutes: 1440 }))
  expect(before.total).toMatchObject({ litInOffTimesMinutes: null, litMinutes: 50, notToldApartBefore: TODAY })
  // The first hours of the day four days ago may have no readings, because they were in the UTC day before.
  await owner.query('update rollup_state set complete_from = $1', [daysAgo(4)])

  expect((await recount(owner, 100)).isDone).toBe(true)
  const { days, total } = await minutesOf(device, [1, 2, 3, 4, 5])
  expect(days).toMatchObject([COUNTED, COUNTED, COUNTED, NOT_TOLD_APART, NOT_TOLD_APART])
  for (const day of days)
    expect(day).toMatchObject({ lengthMinutes: 1440, plannedDarkMinutes: 0, maintenanceMinutes: 0 })
  expect(total).toMatchObject({ litInOffTimesMinutes: 15, litMinutes: 35, notToldApartBefore: daysAgo(3) })

  const fleet = await availability(daysAgo(5), daysAgo(1))
  const expected = { litInOffTimesMinutes: 15, litMinutes: 35, notToldApartBefore: daysAgo(3) }
  const ofDevice = fleet.worst.find(({ deviceId }) => deviceId === device.id)
  for (const one of [fleet.total, fleet.customers[0], ofDevice]) expect(one).toMatchObject(expected)
  expect((await availability(daysAgo(3), daysAgo(1))).total).toMatchObject({ notToldApartBefore: null })
  expect((await availability(daysAgo(5), daysAgo(4))).total).toMatchObject({
    litInOffTimesMinutes: null,
    litMinutes: 20,
    notToldApartBefore: daysAgo(3),
  })
})

test('no day loses its readings while days are counted, and counting waits for nobody who makes days due', async () => {
  const device = await addTotem([2, 3])
  const options = { now: new Date(), isOver: () => false }
  await gateway.gateway.mergeState()
  await refreshRollups(owner, options)
  const [gatherer, counter, retention] = await Promise.all([connected(), connected(), connected()])
  // A roll-up is working on one of the days.
  await gatherer.query('begin')
  await gatherer.query('update dark_due set due_at = due_at where device_id = $1 and day = $2', [device.id, daysAgo(3)])
  // The counter stops after it has taken its days.
  await owner.query('begin; lock table device_dark_day')
  const counting = countDueDays(counter, options)
  const waiting = async (client: pg.Client) => {
    const { rows } = await gatherer.query<{ kind: string }>(
      'select locktype as kind from pg_locks where not granted and pid = $1',
      [Reflect.get(client, 'processID')],
    )
    return rows[0]?.kind
  }
  expect(await eventually(() => waiting(counter), Boolean)).toBe('relation')
  const job = oldDaysJob({ retentionDays: MONTH_DAYS, log: { info: () => undefined }, onTrouble: () => undefined })
  const dropping = job.run(retention, new Date(), new AbortController().signal)
  expect(await eventually(() => waiting(retention), Boolean)).toBe('advisory')
  await owner.query('commit')
  await Promise.all([counting, dropping])
  await gatherer.query('rollback')
  const ofDevice = (table: string) => owner.query(`select from ${table} where device_id = $1`, [device.id])
  expect((await ofDevice('device_dark_day')).rowCount).toBeGreaterThan(0)
  expect((await ofDevice('dark_due')).rowCount).toBe(1)
  await countDueDays(owner, options)
  expect((await ofDevice('dark_due')).rowCount).toBe(0)
  await Promise.all([gatherer, counter, retention].map((client) => client.end()))
})

test('a device that moves makes days that lie side by side due once each, where its plan goes by the sun', async () => {
  const [device] = (await insertDevices(gateway.owner, 1)) as [TestDevice]
  await owner.query(
    `insert into device_dark_day (device_id, day, unplanned_min, planned_min, lit_min, counted_to)
     select $1, day::date, 0, 0, 0, now() from unnest($2::text[]) as day`,
    [device.id, [daysAgo(3), daysAgo(2), daysAgo(1)]],
  )
  const plan = { workdays: [{ from: { sun: 'sunset', offsetMinutes: 0 }, backlightPercent: 60 }] }
  await owner.query(`insert into day_plan_history values ($1, '-infinity', $2)`, [device.id, JSON.stringify(plan)])
  await owner.query('update device set latitude = 60, longitude = 5 where id = $1', [device.id])
  const { rows } = await owner.query('select day::text from dark_due where device_id = $1 order by day', [device.id])
  expect(rows.map(({ day }) => day)).toEqual([4, 3, 2, 1, 0].map(daysAgo))
  await owner.query('delete from dark_due where device_id = $1', [device.id])
})

test('the newest days come first, and a process that dies at work leaves nothing counted twice or forgotten', async () => {
  const days = Array.from({ length: 9 }, (_, index) => index + 1)
  const both = [await addTotem(days), await addTotem(days)] as const
  await countAsBefore()
  // Ten days are taken at once, which includes one device of the sixth newest day.
  expect(await recount(owner, 1)).toMatchObject({ counted: 10, isDone: false })
  const left = await gateway.rows('select max(day)::text as newest from device_dark_day where lit_in_off_min is null')
  expect(left).toEqual([{ newest: daysAgo(6) }])

  const doomed = await connected()
  const { rows } = await doomed.query('select pg_backend_pid() as pid')
  const dying = recount(doomed, 100).catch(() => undefined)
  await owner.query('select pg_terminate_backend($1::integer)', [rows[0].pid])
  await dying
  await recount(owner, 100)
  for (const device of both) expect((await minutesOf(device, days)).days).toMatchObject(days.map(() => COUNTED))
  expect(await recount(owner, 100)).toMatchObject({ counted: 0, isDone: true })
})

test('days of deleted devices, of those without displays by now, and ahead of them hold up no other day', async () => {
  const all = [await addTotem([1, 2]), await addTotem([1, 2]), await addTotem([1, 2])] as const
  const [deleted, blind, last] = all
  await countAsBefore()
  await owner.query('update device set deleted_at = now() where id = $1', [deleted.id])
  await owner.query('delete from device_component where device_id = $1', [blind.id])
  // The rows are as after a move to a zone far in the west, and more than are taken at once.
  await owner.query(
    `insert into device_dark_day (device_id, day, unplanned_min, planned_min, lit_min, counted_to)
     select $1, current_date + n, 0, 0, 0, now() from generate_series(2, 13) n`,
    [last.id],
  )
  expect(await recount(owner, 100)).toMatchObject({ counted: 14, isDone: true })
  expect((await minutesOf(last, [1, 2])).days).toMatchObject([COUNTED, COUNTED])
})

test('the job rests four times as long as it worked, and says how far it is', async () => {
  await addTotem(Array.from({ length: 25 }, (_, index) => index + 1))
  await countAsBefore()
  const said: object[] = []
  let nowMs = 0
  // Every reading of the clock is 100 ms after the one before.
  const job = darkRecountJob({ info: (details, message) => said.push({ ...details, message }) }, () => (nowMs += 100))
  const untold = async () => Number((await owner.query(UNTOLD_COUNT_SQL)).rows[0].untold)
  const run = () => job.run(owner, new Date(), new AbortController().signal)
  const moments: { readonly workedMs: number; readonly doneAtMs: number; readonly left: number }[] = []
  while ((await untold()) > 0) {
    const [before, left] = [nowMs, await untold()]
    await run()
    if ((await untold()) < left) moments.push({ workedMs: nowMs - before - 100, doneAtMs: nowMs, left: await untold() })
  }
  expect(moments.length).toBeGreaterThan(1)
  for (const [index, { workedMs, doneAtMs }] of moments.slice(0, -1).entries()) {
    const next = moments[index + 1]
    const beganAtMs = (next?.doneAtMs ?? 0) - (next?.workedMs ?? 0)
    expect(beganAtMs - doneAtMs).toBeGreaterThanOrEqual(4 * workedMs)
  }
  expect(said[0]).toMatchObject({ daysLeft: moments[0]?.left, newest: expect.anything() })
  expect(said.at(-1)).toMatchObject({ message: 'dark minutes: all days whose readings remain are counted anew' })
})

const UNTOLD_COUNT_SQL = 'select count(*) as untold from device_dark_day where lit_in_off_min is null'

test('energy and heat are counted with the light, of time without a meter by the model', async () => {
  const device = await addTotem([1])
  await owner.query(
    `insert into device_component (device_id, component_model_id, category_id, number) values ($1, 3, 2, 1)`,
    [device.id],
  )
  const client = await gateway.connect(device)
  const report = async (
    topic: 'device' | 'display' | 'ecu',
    reports: readonly (readonly [time: string, values: object])[],
  ) => {
    const events = reports.map(([time, values]) => ({ at: momentOf(daysAgo(1), time, ZONE).toISOString(), values }))
    await client.publishAsync(eventsTopic(device.guid, topic, 1), JSON.stringify(events), { qos: 1 })
  }
  await report('display', [
    ['12:00', { backlight_level: 60, backlight_automatic_status: 1, internal_temp: 45 }],
    ['12:02', { backlight_level: 100, backlight_automatic_status: 0, internal_temp: 52 }],
  ])
  await report('ecu', [
    ['12:01', { energy: 100 }],
    ['12:03', { energy: 100.05 }],
  ])
  const options = { now: new Date(), isOver: () => false }
  const count = async () => {
    await gateway.gateway.mergeState()
    await owner.query('update device_now set client_version = $2 where device_id = $1', [device.id, '9.1.0'])
    await refreshRollups(owner, options)
    await countDueDays(owner, options)
    const day = `device_id = ${device.id} and day = '${daysAgo(1)}'`
    const [dark] = await gateway.rows(`select metered_wh, metered_s, client_version from device_dark_day where ${day}`)
    const [display] = await gateway.rows(`select * from display_day where ${day}`)
    return { dark, display }
  }
  const { dark, display } = await count()
  // The version of a client is believed for a day that has just ended.
  const isJustOver = Date.now() - momentOf(daysAgo(0), '00:00', ZONE).getTime() < DAY_MS
  expect(dark).toEqual({ metered_wh: 50, metered_s: 120, client_version: isJustOver ? '9.1.0' : null })
  // Ten minutes at 80 %, five of them in off times; then two by the ambient rule and two by hand, of these two metered.
  expect(display).toMatchObject({
    light: [300, 300, 24_000, 0, 0, 0, 120, 120, 7200, 420, 420, 36_000, 0, 0, 0],
    unmetered: [720, 720, 48_000 + 3600 + 6000],
    unknown_s: 86_400 - 840,
  })
  const heat = (display as { readonly heat: readonly number[] }).heat
  expect(heat.flatMap((minutes, cell) => (minutes > 0 ? [[cell, minutes]] : []))).toEqual([
    [heatCell(60, 45), 2],
    [heatCell(100, 52), 2],
    [heatCell(80, undefined), 10],
  ])
  // A late reading of the meter alone counts the day anew.
  await report('ecu', [['12:09', { energy: 100.2 }]])
  await client.endAsync()
  expect((await count()).dark).toMatchObject({ metered_wh: 200, metered_s: 480 })
})
