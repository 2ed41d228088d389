import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import {
  getAvailability,
  getDarkMinutes,
  getPlannedDarkness,
  MOST_DARK_DAYS,
} from '#contract/http/insight/darkMinutes.ts'
import { eventsTopic } from '#contract/mqtt/topics.ts'
import { lightDay } from '#domain/darkness/minutes/lightDays.ts'
import type { CustomerId } from '#domain/ids.ts'
import { MINUTE_MS } from '#domain/units/time.ts'
import { addDays, momentOf, wallClock } from '#domain/units/wallClock.ts'
import { countDueDays } from '#server/darkness/darkDays.ts'
import { refreshRollups } from '#server/telemetry/rollup/rollups.ts'
import { apiTestWithDevices } from '#server/testing/apiTest.ts'
import { addUser, ask, openSession } from '#server/testing/callers.ts'
import { WEEK_DAYS } from '#server/testing/database/keptDays.ts'
import { insertDevices, type TestDevice } from '#server/testing/devices/gatewayFixture.ts'

/** This zone has no summer time, so every day has 1440 minutes. */
const ZONE = 'Asia/Tokyo'
const TODAY = wallClock(new Date(), ZONE).date
const DATE = addDays(TODAY, -3)
const EVE = addDays(DATE, -1)
const at = (time: string, date = DATE) => momentOf(date, time, ZONE).getTime()

const { gateway, ...api } = await apiTestWithDevices({ keptDays: WEEK_DAYS })
const owner = new pg.Client({ connectionString: gateway.database.ownerUrl })
await owner.connect()
afterAll(() => owner.end())
const token = await api.signedIn({ username: 'manager@a.example', functions: [2] })

/** Gives devices to a customer as if they had never had another. */
async function belongTo(ids: readonly number[], customerId: CustomerId) {
  await gateway.owner.query('update device set customer_id = $2 where id = any($1)', [ids, customerId])
  await gateway.owner.query('delete from device_departure where device_id = any($1)', [ids])
}

const NIGHT = { From: '22:30', To: '05:00' }
const offTimes = (night: { readonly From: string; readonly To: string } | undefined) =>
  JSON.stringify(
    Object.fromEntries(
      ['wd', 'wknd', 'hol'].flatMap((group) => [
        [`${group}TimeOffFrom`, night?.From ?? null],
        [`${group}TimeOffTo`, night?.To ?? null],
      ]),
    ),
  )

async function addTotem({ displays = 1, statusId = 2 } = {}): Promise<TestDevice> {
  const [device] = (await insertDevices(gateway.owner, 1)) as [TestDevice]
  await gateway.owner.query(
    `update device set time_zone = $2, status_id = $3, created_at = now() - interval '30 days' where id = $1`,
    [device.id, ZONE, statusId],
  )
  for (let number = 1; number <= displays; number++) {
    await gateway.owner.query(
      `insert into device_component (device_id, component_model_id, category_id, number) values ($1, 17, 6, $2)`,
      [device.id, number],
    )
  }
  return device
}

async function confirm({ id }: TestDevice, night: typeof NIGHT | undefined, atMs: number) {
  await gateway.pool.query(
    `insert into device_setting (device_id, section, number, reported, reported_at) values ($1, 'turnOff', 1, $2, $3)
     on conflict (device_id, section, number) do update set reported = excluded.reported, reported_at = excluded.reported_at`,
    [id, offTimes(night), new Date(atMs)],
  )
}

type Report = { readonly at: string; readonly values: Readonly<Record<string, number>> }
const report = (atMs: number, backlight_level: number): Report => ({
  at: new Date(atMs).toISOString(),
  values: { backlight_level },
})

/** The display is dark at night as planned and from 10:00 to 10:45, and silent from 12:00 to 13:00. */
function reportsOfDay(): Report[] {
  const isWithin = (atMs: number, from: string, to: string) => atMs >= at(from) && atMs < at(to)
  return Array.from({ length: 1440 }, (_, minute) => at('00:00') + minute * MINUTE_MS + 130).flatMap((atMs) => {
    if (isWithin(atMs, '12:00', '13:00')) return []
    const isDark = atMs < at('05:00') || atMs >= at('22:30') || isWithin(atMs, '10:00', '10:45')
    return [report(atMs, isDark ? 0 : 80)]
  })
}
const OF_DAY = {
  unplannedDarkMinutes: 45,
  unknownMinutes: 59,
  plannedDarkMinutes: 390,
  litInOffTimesMinutes: 0,
  maintenanceMinutes: 0,
  litMinutes: 946,
}

async function publish(device: TestDevice, reports: readonly Report[], number = 1) {
  const client = await gateway.connect(device)
  for (let from = 0; from < reports.length; from += 500) {
    const topic = eventsTopic(device.guid, 'display', number)
    await client.publishAsync(topic, JSON.stringify(reports.slice(from, from + 500)), { qos: 1 })
  }
  await client.endAsync()
}

async function runJobs() {
  const options = { now: new Date(), isOver: () => false }
  await gateway.gateway.mergeState()
  await refreshRollups(owner, options)
  await countDueDays(owner, options)
}

async function darkMinutes({ id }: TestDevice, dateFrom = DATE, dateTo = DATE) {
  const answer = await ask(api, 'Device/GetDarkMinutes', { token, query: { deviceId: id, dateFrom, dateTo } })
  expect(answer.statusCode, answer.body).toBe(200)
  return getDarkMinutes.answer.parse(answer.json())
}
async function availability(query: object = {}) {
  const asked = { token, query: { dateFrom: DATE, dateTo: DATE, limit: 100, ...query } }
  return getAvailability.answer.parse((await ask(api, 'Dashboard/GetAvailability', asked)).json())
}
const inTheRanking = async ({ id }: TestDevice, query: object = {}) =>
  (await availability(query)).worst.find(({ deviceId }) => deviceId === id)

const shuffled = <Item>(items: readonly Item[]) =>
  items
    .map((item, index) => ({ item, key: (index * 7919) % 1013 }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item)

test('in order, late or shuffled: a day has the same minutes, before the job has counted them and after', async () => {
  const [inOrder, late, mixed] = await Promise.all([addTotem(), addTotem(), addTotem()])
  const reports = reportsOfDay()
  const all = [inOrder, late, mixed]
  for (const device of all) await confirm(device, NIGHT, at('00:00', EVE))
  await publish(inOrder, reports)
  await publish(late, reports.slice(900))
  await runJobs()
  expect((await darkMinutes(late)).days[0]).toMatchObject({ plannedDarkMinutes: 90, lengthMinutes: 1440 })
  await publish(late, reports.slice(0, 900))
  await publish(mixed, shuffled(reports))
  for (const device of all) expect((await darkMinutes(device)).days).toMatchObject([{ date: DATE, ...OF_DAY }])
  await runJobs()
  expect((await gateway.rows('select from dark_due')).length).toBe(0)
  for (const device of all) {
    expect((await darkMinutes(device)).days).toEqual([
      { date: DATE, lengthMinutes: 1440, measuredMinutes: 0, ...OF_DAY, availabilityPercent: (100 * 946) / 991 },
    ])
    expect(await inTheRanking(device)).toMatchObject(OF_DAY)
  }
})

test('days without a word are unknown from the day a device was added, and today only up to now', async () => {
  const device = await addTotem()
  const { days, total } = await darkMinutes(device, addDays(TODAY, -40), addDays(TODAY, 3))
  expect(days[0]?.date).toBe(wallClock(new Date(Date.now() - 30 * 86_400_000), ZONE).date)
  expect(days.at(-1)?.date).toBe(TODAY)
  expect(days.at(-1)?.lengthMinutes).toBeLessThan(1440)
  expect(days.every(({ unknownMinutes, lengthMinutes }) => unknownMinutes === lengthMinutes)).toBe(true)
  expect(total.availabilityPercent).toBeNull()
  expect(await inTheRanking(device)).toMatchObject({ unknownMinutes: 1440, unplannedDarkMinutes: 0 })
})

test('the first day of a device begins with the device', async () => {
  const device = await addTotem()
  await gateway.owner.query(`update device set created_at = now() - interval '8 minutes' where id = $1`, [device.id])
  const eightAgo = Date.now() - 8 * MINUTE_MS
  await publish(
    device,
    [0, 1, 2].map((minute) => report(eightAgo + minute * MINUTE_MS, 80)),
  )
  const { total, days } = await darkMinutes(device, addDays(TODAY, -2), TODAY)
  // The day may end within these minutes, and the running one is not over.
  expect(total.unknownMinutes + total.litMinutes).toBeLessThanOrEqual(9)
  expect(total.litMinutes).toBeGreaterThanOrEqual(3)
  expect(days.reduce((sum, { lengthMinutes }) => sum + lengthMinutes, 0)).toBeLessThanOrEqual(9)
  await runJobs()
  const ranked = await inTheRanking(device, { dateFrom: addDays(TODAY, -2), dateTo: TODAY })
  expect(ranked?.unknownMinutes).toBeLessThanOrEqual(9)
})

test('off times count from when they were confirmed, and only what the device says it is', async () => {
  const device = await addTotem()
  await publish(device, [report(at('23:00'), 0), report(at('23:01'), 0), report(at('23:02'), 0)])
  await confirm(device, NIGHT, at('23:01'))
  expect((await darkMinutes(device)).days).toMatchObject([
    { unplannedDarkMinutes: 1, plannedDarkMinutes: 3, litMinutes: 0 },
  ])
  await confirm(device, undefined, at('23:02'))
  expect((await darkMinutes(device)).days).toMatchObject([{ unplannedDarkMinutes: 3, plannedDarkMinutes: 1 }])
})

test('light in off times is told apart from light that was owed, by device, by customer and in all', async () => {
  const device = await addTotem()
  const { rows } = await gateway.owner.query(`insert into customer (name) values ('Lit at night') returning id`)
  const customerId = rows[0].id as CustomerId
  await belongTo([device.id], customerId)
  await confirm(device, { From: '00:00', To: '08:00' }, at('00:00', EVE))
  // The display is lit in its off time from 00 to 08, and dark by a fault from 08 to 16.
  const isFaulty = (hour: number) => hour >= 8 && hour < 16
  const minutes = Array.from({ length: 1440 }, (_, minute) => minute)
  await publish(
    device,
    minutes.map((minute) => report(at('00:00') + minute * MINUTE_MS, isFaulty(Math.floor(minute / 60)) ? 0 : 80)),
  )
  const expected = { litInOffTimesMinutes: 480, unplannedDarkMinutes: 480, litMinutes: 480, availabilityPercent: 50 }
  expect((await darkMinutes(device)).days).toMatchObject([{ ...expected, lengthMinutes: 1440, unknownMinutes: 0 }])
  await runJobs()
  const { days, total: ofDevice } = await darkMinutes(device)
  expect(days).toMatchObject([{ ...expected, maintenanceMinutes: 0 }])
  expect(ofDevice).toMatchObject({ ...expected, notToldApartBefore: null })
  const { total, customers, worst } = await availability({ customerId })
  for (const one of [total, customers[0], worst[0]])
    expect(one).toMatchObject({ ...expected, notToldApartBefore: null })
})

test('the last reading of a day reaches into the next one, whoever counts', async () => {
  const device = await addTotem()
  await publish(device, [report(at('23:59') + 30_000, 80)])
  const next = addDays(DATE, 1)
  const both = async () => (await darkMinutes(device, DATE, next)).days.map(({ litMinutes }) => litMinutes)
  // The two kinds have half a minute and one and a half; a half is rounded to the worse kind.
  expect(await both()).toEqual([0, 1])
  await runJobs()
  expect(await both()).toEqual([0, 1])
})

test('readings that come before the job has counted are all counted, also when it was killed at work', async () => {
  const device = await addTotem()
  const gather = async () => {
    await gateway.gateway.mergeState()
    await refreshRollups(owner, { now: new Date(), isOver: () => false })
  }
  const next = addDays(DATE, 1)
  // These reports fall on one UTC day and two local days.
  await publish(device, [report(at('14:00'), 80)])
  await gather()
  await publish(device, [report(at('01:00', next), 0)])
  await gather()
  const doomed = new pg.Client({ connectionString: gateway.database.ownerUrl })
  doomed.on('error', () => undefined)
  await doomed.connect()
  const { rows } = await doomed.query('select pg_backend_pid() as pid')
  const dying = countDueDays(doomed, { now: new Date(), isOver: () => false }).catch(() => undefined)
  await owner.query('select pg_terminate_backend($1::integer)', [rows[0].pid])
  await dying
  await countDueDays(owner, { now: new Date(), isOver: () => false })
  const counted = await inTheRanking(device, { dateTo: next })
  expect(counted).toMatchObject({ litMinutes: 2, unplannedDarkMinutes: 2, unknownMinutes: 2876 })
})

test('the worst display of a device counts, also one that never reported', async () => {
  const device = await addTotem({ displays: 2 })
  await publish(device, [report(at('15:00'), 80), report(at('15:01'), 80)], 1)
  expect((await darkMinutes(device)).days).toMatchObject([{ litMinutes: 0, unknownMinutes: 1440 }])
  await publish(device, [report(at('15:00'), 70)], 2)
  expect((await darkMinutes(device)).days).toMatchObject([{ litMinutes: 2, unknownMinutes: 1438 }])
})

test('a device in another zone is counted anew', async () => {
  const device = await addTotem()
  await publish(device, [report(at('03:00'), 80)])
  await runJobs()
  expect((await darkMinutes(device)).total.litMinutes).toBe(2)
  await gateway.owner.query(`update device set time_zone = 'UTC' where id = $1`, [device.id])
  await runJobs()
  const [eve, day] = (await darkMinutes(device, EVE, DATE)).days
  expect([eve?.litMinutes, day?.litMinutes]).toEqual([2, 0])
})

test('a device of which many days in a row are counted can be put into another zone', async () => {
  const device = await addTotem()
  await gateway.owner.query(
    `insert into device_dark_day (device_id, day, unplanned_min, planned_min, lit_min, counted_to)
     select $1, current_date - n, 0, 0, 1440, now() from generate_series(0, 400) n`,
    [device.id],
  )
  await gateway.owner.query(`update device set time_zone = 'UTC' where id = $1`, [device.id])
  const { rows } = await gateway.owner.query('select count(*)::integer from dark_due where device_id = $1', [device.id])
  expect(rows[0].count).toBeGreaterThan(2)
})

test('customers and ranking count Paired devices with displays, the most unplanned minutes first', async () => {
  const [one, two, repaired, blind] = await Promise.all([
    addTotem(),
    addTotem(),
    addTotem({ statusId: 3 }),
    addTotem({ displays: 0 }),
  ])
  const { rows } = await gateway.owner.query(`insert into customer (name) values ('Dark Ltd') returning id`)
  const customerId = rows[0].id as CustomerId
  const ids = [one, two, repaired, blind].map(({ id }) => id)
  await belongTo(ids, customerId)
  for (const device of [one, repaired]) await publish(device, [report(at('15:00'), 0), report(at('15:02'), 80)])
  await publish(two, [report(at('15:00'), 0), report(at('15:02'), 0), report(at('15:04'), 0)])
  await runJobs()
  const { total, customers, worst } = await availability({ customerId })
  expect(worst.map(({ deviceId, unplannedDarkMinutes }) => [deviceId, unplannedDarkMinutes])).toEqual([
    [two.id, 6],
    [one.id, 2],
  ])
  expect(total).toMatchObject({ devices: 2, unplannedDarkMinutes: 8, litMinutes: 2, availabilityPercent: 20 })
  expect(total.unknownMinutes).toBe(2 * 1440 - 10)
  expect(customers).toEqual([{ customerId, customerName: 'Dark Ltd', ...total }])
  expect((await availability({ customerId, limit: 1 })).worst).toHaveLength(1)
  const own = await openSession(
    api.pool,
    await addUser(api.pool, { username: `own@${customerId}.example`, functions: [2], customerId }),
  )
  const seen = await ask(api, 'Dashboard/GetAvailability', { token: own, query: { dateFrom: DATE, dateTo: DATE } })
  expect(seen.json().total).toEqual(total)
})

test('days stay with the customer with whom they began, also when the device is another’s', async () => {
  const device = await addTotem()
  const { rows } = await gateway.owner.query(
    `insert into customer (name) values ('Before Ltd'), ('After Ltd') returning id`,
  )
  const [before, after] = rows.map(({ id }) => id as CustomerId) as [CustomerId, CustomerId]
  await belongTo([device.id], before)
  await gateway.owner.query(`update device set name = 'Named before' where id = $1`, [device.id])
  await gateway.owner.query(`update device set customer_id = $2, name = 'Moved' where id = $1`, [device.id, after])
  await gateway.owner.query('update device_departure set last_day = $2 where device_id = $1', [device.id, EVE])
  const minute = [report(at('15:00', EVE), 0), report(at('15:02', EVE), 80)]
  await publish(device, [...minute, report(at('15:00'), 0), report(at('15:04'), 0), report(at('15:06'), 80)])
  await runJobs()
  const asked = { dateFrom: EVE, dateTo: DATE }
  const seenBy = async (customerId: CustomerId) => {
    const username = `${randomUUID()}@dark.example`
    const own = await openSession(api.pool, await addUser(api.pool, { username, functions: [2], customerId }))
    const answer = await ask(api, 'Dashboard/GetAvailability', { token: own, query: asked })
    const days = await ask(api, 'Device/GetDarkMinutes', { token: own, query: { ...asked, deviceId: device.id } })
    return { light: getAvailability.answer.parse(answer.json()), days: days.json() }
  }
  const [old, own] = [await seenBy(before), await seenBy(after)]
  const sum = ({ light }: typeof old) => [
    light.total.devices,
    light.total.unplannedDarkMinutes,
    light.total.unknownMinutes,
  ]
  expect([sum(old), sum(own)]).toEqual([
    [1, 2, 1440 - 4],
    [1, 4, 1440 - 6],
  ])
  expect(old.light.worst).toMatchObject([{ deviceName: 'Named before', deviceHasLeft: true }])
  expect(own.light.worst).toMatchObject([{ deviceName: 'Moved', deviceHasLeft: false }])
  expect(old.days).toMatchObject({ code: 'not_found' })
  // The next customer sees days from the one on which the device came.
  await gateway.owner.query('update device_departure set last_day = $2 where device_id = $1', [device.id, DATE])
  expect((await seenBy(after)).days.days).toMatchObject([{ date: DATE }])
  const ofStaff = await ask(api, 'Dashboard/GetAvailability', { token, query: asked })
  const named = getAvailability.answer.parse(ofStaff.json()).customers.map(({ customerName }) => customerName)
  expect(named).toEqual(expect.arrayContaining(['Before Ltd', 'After Ltd']))
})

test('planned darkness is cut at both ends of the period, and what lies ahead is as it is now', async () => {
  const device = await addTotem()
  await confirm(device, NIGHT, at('00:00', EVE))
  const planned = async (from: number, to: number) => {
    const query = { deviceId: device.id, dateFrom: new Date(from).toISOString(), dateTo: new Date(to).toISOString() }
    const answer = await ask(api, 'Device/GetPlannedDarkness', { token, query })
    return answer.statusCode === 200 ? getPlannedDarkness.answer.parse(answer.json()) : answer.json()
  }
  const iso = (ms: number) => new Date(ms).toISOString()
  expect(await planned(at('00:00'), at('23:00'))).toEqual([
    { from: iso(at('00:00')), to: iso(at('05:00')) },
    { from: iso(at('22:30')), to: iso(at('23:00')) },
  ])
  expect(await planned(at('00:00', '2020-01-01'), at('00:00', '2020-01-08'))).toEqual([])
  const ahead = addDays(TODAY, 10)
  const { fromMs, toMs } = lightDay(ahead, ZONE)
  expect(await planned(fromMs, toMs)).toHaveLength(2)
  // A time that crosses midnight is one time.
  expect(await planned(at('12:00'), at('12:00') + 86_400_000)).toHaveLength(1)
  expect(await planned(at('00:00', '2020-01-01'), at('00:00'))).toMatchObject({ code: 'invalid_request' })
})

test('a period that is too long or ends before it begins is refused in words', async () => {
  const [device] = (await insertDevices(gateway.owner, 1)) as [TestDevice]
  const refusal = async (path: string, query: object) => (await ask(api, path, { token, query: { ...query } })).json()
  const long = { dateFrom: addDays(DATE, -MOST_DARK_DAYS), dateTo: DATE }
  const words = `A period of dark minutes may have at most ${MOST_DARK_DAYS} days.`
  expect(await refusal('Device/GetDarkMinutes', { deviceId: device.id, ...long })).toMatchObject({ message: words })
  expect(await refusal('Dashboard/GetAvailability', long)).toMatchObject({ code: 'invalid_request', message: words })
  const turned = { dateFrom: DATE, dateTo: EVE }
  expect(await refusal('Dashboard/GetAvailability', turned)).toMatchObject({ code: 'invalid_request' })
})

test('minutes of a maintenance window are maintenance, dark or lit, and count neither for nor against', async () => {
  const device = await addTotem()
  await confirm(device, NIGHT, at('00:00') - MINUTE_MS)
  await publish(device, reportsOfDay())
  await owner.query(
    `insert into device_maintenance (device_id, window_id, from_at, to_at, occurrence_at, due_to)
     values ($1, 1, $2, $3, $2, $3)`,
    [device.id, new Date(at('10:30')), new Date(at('11:00'))],
  )
  const expected = { ...OF_DAY, unplannedDarkMinutes: 30, litMinutes: 931, maintenanceMinutes: 30 }
  expect((await darkMinutes(device)).days).toMatchObject([expected])
  const plannedBy = async () =>
    (await owner.query('select planned_by from device_dark_day where device_id = $1 and day = $2', [device.id, DATE]))
      .rows[0]?.planned_by
  await runJobs()
  expect((await darkMinutes(device)).days).toMatchObject([expected])
  expect((await inTheRanking(device))?.unplannedDarkMinutes).toBe(30)
  expect(await plannedBy()).toEqual([0, OF_DAY.plannedDarkMinutes, 0])
  // Off times that an emergency gave to the device are its own (decision 405).
  await owner.query(
    `insert into emergency_dark_device (emergency_id, device_id, off_times)
     select 1, device_id, reported from device_setting where device_id = $1`,
    [device.id],
  )
  await owner.query(
    `insert into dark_due (device_id, day, hours, due_at) values ($1, $2, $3, now() - interval '1 s')`,
    [device.id, DATE, 2 ** 24 - 1],
  )
  await runJobs()
  expect(await plannedBy()).toEqual([OF_DAY.plannedDarkMinutes, 0, 0])
})

test('darkness that a sensor measures counts, whatever backlight is reported, and it is said how much was measured', async () => {
  const device = await addTotem()
  const reports = reportsOfDay().map(({ at: moment, values }) => {
    const atMs = Date.parse(moment)
    const isDead = atMs >= at('15:00') && atMs < at('16:00')
    // The light sensor was installed at noon.
    if (atMs < at('12:00')) return { at: moment, values }
    const panelLight = isDead || values.backlight_level === 0 ? 0 : 60
    return { at: moment, values: { ...values, panel_light: panelLight } }
  })
  await publish(device, shuffled(reports))
  const expected = {
    date: DATE,
    ...{ unplannedDarkMinutes: 300 + 45 + 60 + 90, unknownMinutes: 59, plannedDarkMinutes: 0 },
    ...{ litInOffTimesMinutes: 0, maintenanceMinutes: 0, litMinutes: 946 - 60, measuredMinutes: 660 },
  }
  expect(await darkMinutes(device)).toMatchObject({ days: [expected], total: { measuredMinutes: 660 } })
  await runJobs()
  expect(await darkMinutes(device)).toMatchObject({ days: [expected], total: { measuredMinutes: 660 } })
})

test('darkness has the causes that its evidence shows, and unknown time what the installation missed', async () => {
  const device = await addTotem()
  await owner.query(
    `insert into device_presence_history (device_id, at, is_online, reason) values
       ($1, $2, true, 'connected'), ($1, $3, false, 'left'), ($1, $4, true, 'connected')`,
    [device.id, new Date(at('00:00', EVE)), new Date(at('10:10')), new Date(at('10:30'))],
  )
  await owner.query('insert into server_outage (from_at, to_at) values ($1, $2)', [
    new Date(at('12:10')),
    new Date(at('12:40')),
  ])
  await publish(device, reportsOfDay())
  await runJobs()
  const { rows } = await owner.query(
    'select unplanned_min, causes, away_min from device_dark_day where device_id = $1 and day = $2',
    [device.id, DATE],
  )
  // No off times were confirmed, so the night is dark without a plan too; from 10:10 to 10:30 it was offline.
  const [{ unplanned_min: unplanned, causes, away_min: away }] = rows
  expect(causes).toEqual([0, 0, 20, 0, unplanned - 20, 0])
  expect(away).toBe(30)
  await owner.query('delete from server_outage')
})
