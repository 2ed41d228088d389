import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { getAvailability } from '#contract/http/insight/darkMinutes.ts'
import type { CustomerId, DeviceId } from '#domain/ids.ts'
import { MINUTE_MS } from '#domain/units/time.ts'
import { addDays, momentOf, wallClock } from '#domain/units/wallClock.ts'
import { deletedDevicesJob } from '#server/fleet/deletedDevices.ts'
import type { RunEnd } from '#server/jobs/JobRunner.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { addCustomer, addDevice, ask } from '#server/testing/callers.ts'
import { seededRandom } from '#testing/seededRandom.ts'
import { keepDays, settleDevices } from './darkSums.ts'
import { darkSumsJob } from './darkSumsJob.ts'

const api = await apiTest()
const owner = new pg.Client({ connectionString: api.ownerUrl })
await owner.connect()
afterAll(() => owner.end())
const staff = await api.signedIn({ username: 'staff@a.example', functions: [2] })

const ZONES = ['Asia/Tokyo', 'Europe/Prague', 'America/New_York'] as const
const KEPT_DAYS = 80
const today = (zone: string) => wallClock(new Date(), zone).date

/** Runs the job as the leader does, until no work is left. */
const runJob = (job = darkSumsJob(), lead = new AbortController().signal) =>
  untilDone(() => job.run(owner, new Date(), lead))

async function untilDone(run: () => Promise<RunEnd>) {
  while (await run());
}

interface Fleet {
  readonly customers: readonly CustomerId[]
  readonly devices: readonly DeviceId[]
}

let fleets = 0

async function addFleet(): Promise<Fleet> {
  fleets++
  const names = ['Light Ltd', 'Dark Ltd', 'Dim Ltd']
  const customers: CustomerId[] = []
  for (const name of names) customers.push(await addCustomer(api.pool, `${name} ${fleets}`))
  const devices: DeviceId[] = []
  for (let index = 0; index < 12; index++) {
    const { id } = await addDevice(api.pool, { name: `Sign ${index}`, customerId: customers[index % 3] as CustomerId })
    // All days counted below are later, because nothing is counted before a device exists.
    await owner.query(
      'update device set time_zone = $2, status_id = 2, created_at = now() - $3::interval where id = $1',
      [id, ZONES[index % 2], `${index * 5} days 2 hours`],
    )
    await setDisplays(id, index % 6 === 5 ? 0 : 1)
    devices.push(id)
  }
  return { customers, devices }
}

async function setDisplays(id: DeviceId, displays: number) {
  await owner.query('delete from device_component where device_id = $1', [id])
  if (displays === 0) return
  await owner.query(
    'insert into device_component (device_id, component_model_id, category_id, number) values ($1, 17, 6, 1)',
    [id],
  )
}

async function happen({ customers, devices }: Fleet, chance: () => number) {
  const pick = <Item>(from: readonly Item[]) => from[Math.floor(chance() * from.length)] as Item
  const id = pick(devices)
  const acts = [
    () => owner.query('update device set status_id = $2 where id = $1', [id, pick([1, 2, 2, 2, 5])]),
    () => owner.query('update device set customer_id = $2 where id = $1', [id, pick(customers)]),
    () => owner.query('update device_departure set last_day = current_date - 20 where device_id = $1', [id]),
    () => moveTo(id, pick(ZONES)),
    () => owner.query('update device set deleted_at = now() where id = $1', [id]),
    () => setDisplays(id, pick([0, 1, 1])),
    () => settleDevices(owner, devices),
    () => runJob(),
  ]
  // Days are counted more often than anything else happens.
  if (chance() < 0.5) await pick(acts)()
  else await countSome(id, chance)
}

const NOTHING = { unplanned: 0, planned: 0, lit: 0, litInOffTime: 0, maintenance: 0 }

/** Moves a device without counting days that have not begun there, because those have no minutes yet. */
async function moveTo(id: DeviceId, zone: string) {
  await owner.query('update device set time_zone = $2 where id = $1', [id, zone])
  const dates = [today(zone), addDays(today(zone), 1)]
  await keepDays(
    owner,
    id,
    dates.map((date) => ({ date, minutes: NOTHING, measured: 0, toMs: countedToOf.get(id) ?? 0 })),
  )
}

const someMinutes = (some: (most: number) => number) => ({
  unplanned: some(3) * some(200),
  planned: some(200),
  lit: some(600),
  litInOffTime: some(5) === 0 ? null : some(100),
  maintenance: some(50),
})

/** A later count of today never counts less than an earlier one. */
const countedToOf = new Map<DeviceId, number>()

async function countSome(id: DeviceId, chance: () => number) {
  const { rows } = await owner.query<{ time_zone: string }>('select time_zone from device where id = $1', [id])
  const zone = rows[0]?.time_zone ?? 'UTC'
  const some = (most: number) => Math.floor(chance() * most)
  const dates = new Set(Array.from({ length: 1 + some(6) }, () => addDays(today(zone), -some(KEPT_DAYS) * some(2))))
  const countedTo = Math.max(countedToOf.get(id) ?? 0, Date.now() - some(60) * MINUTE_MS)
  countedToOf.set(id, countedTo)
  const days = [...dates].map((date) => ({
    date,
    minutes: date === today(zone) ? NOTHING : someMinutes(some),
    measured: 0,
    toMs: date === today(zone) ? countedTo : momentOf(addDays(date, 1), '00:00', zone).getTime(),
  }))
  await keepDays(owner, id, days)
}

type Query = Readonly<Record<string, string | number>>

async function availability(query: Query) {
  const answer = await ask(api, 'Dashboard/GetAvailability', { token: staff, query })
  expect(answer.statusCode, api.logged.join()).toBe(200)
  return getAvailability.answer.parse(answer.json())
}

/** Asks the same questions while every customer is summed, and while none is. */
async function askedTwice(questions: readonly Query[]) {
  const { rows } = await owner.query<{ customer_id: number }>('select customer_id from dark_summed')
  const bySums: unknown[] = []
  for (const question of questions) bySums.push(await availability(question))
  await owner.query('delete from dark_summed')
  const byDays: unknown[] = []
  for (const question of questions) byDays.push(await availability(question))
  await owner.query('insert into dark_summed select unnest($1::integer[])', [rows.map((row) => row.customer_id)])
  return { bySums, byDays }
}

/** Answers cover time up to the last full minute, so both must fall into the same minute. */
async function withinOneMinute<Result>(work: () => Promise<Result>): Promise<Result> {
  const minute = () => Math.floor(Date.now() / MINUTE_MS)
  for (;;) {
    const began = minute()
    const result = await work()
    if (minute() === began) return result
  }
}

test('whatever happens in whatever order, sums tell what the days of all devices tell', async () => {
  const chance = seededRandom()
  for (let round = 0; round < 3; round++) {
    const fleet = await addFleet()
    for (let step = 0; step < 60; step++) await happen(fleet, chance)
    await runJob()
    const questions = [0, 7, 39, 90].flatMap((days) =>
      [undefined, ...fleet.customers].map((customerId) => ({
        dateFrom: addDays(today('UTC'), -days - 1),
        dateTo: addDays(today('UTC'), 1 - Math.floor(chance() * 3)),
        limit: 1 + Math.floor(chance() * 3),
        ...(customerId && { customerId }),
      })),
    )
    const { bySums, byDays } = await withinOneMinute(() => askedTwice(questions))
    expect(bySums).toEqual(byDays)
  }
})

const minuteOf = (ms: number) => Math.floor(ms / MINUTE_MS)

test('a device that is eight minutes old has eight minutes, by the sums and by the days', async () => {
  const [customerId = 0] = (await addFleet()).customers
  const { id } = await addDevice(api.pool, { name: 'New', customerId: await addCustomer(api.pool, `New ${fleets}`) })
  const createdMs = Date.now() - 8 * MINUTE_MS
  await owner.query(`update device set status_id = 2, time_zone = 'Asia/Tokyo', created_at = $2 where id = $1`, [
    id,
    new Date(createdMs),
  ])
  await setDisplays(id, 1)
  await runJob()
  const { rows } = await owner.query('select customer_id from device where id = $1', [id])
  const date = today('Asia/Tokyo')
  const asked = (customer: number) => ({ dateFrom: addDays(date, -1), dateTo: date, limit: 5, customerId: customer })
  const { bySums, byDays, unknownMinutes } = await withinOneMinute(async () => ({
    ...(await askedTwice([asked(rows[0].customer_id), asked(Number(customerId))])),
    // A slow machine makes the device a minute older before it asks.
    unknownMinutes: minuteOf(Date.now()) - minuteOf(createdMs),
  }))
  expect(bySums).toEqual(byDays)
  expect(bySums[0]).toMatchObject({ total: { devices: 1, unknownMinutes }, worst: [{ unknownMinutes }] })
})

test('the answer comes from the sums once every customer has them, and a new lead makes wrong ones right', async () => {
  await addFleet()
  const [customerId] = await addFleet().then(async ({ customers, devices }) => {
    for (const id of devices) {
      const minutes = { unplanned: 5, planned: 0, lit: 60, litInOffTime: 0, maintenance: 0 }
      await keepDays(owner, id, [{ date: addDays(today('UTC'), -1), minutes, measured: 0, toMs: Date.now() }])
    }
    return customers
  })
  const asked = { dateFrom: addDays(today('UTC'), -2), dateTo: today('UTC'), limit: 1, customerId: customerId ?? 0 }
  const minutes = async () => (await availability(asked)).total.unplannedDarkMinutes
  const job = darkSumsJob()
  await runJob(job)
  const right = await minutes()
  expect(right).toBeGreaterThan(0)
  await owner.query('update customer_dark_day set unplanned_min = unplanned_min + 1000 where customer_id = $1', [
    customerId,
  ])
  expect(await minutes()).toBe(right + 1000)
  await runJob(job)
  expect(await minutes()).toBe(right)
})

test('a device whose data goes at once after its deletion is in no sum any more', async () => {
  const { customers, devices } = await addFleet()
  const minutes = { unplanned: 5, planned: 0, lit: 60, litInOffTime: 0, maintenance: 0 }
  const date = addDays(today('UTC'), -1)
  for (const id of devices) await keepDays(owner, id, [{ date, minutes, measured: 0, toMs: Date.now() }])
  await runJob()
  const [id] = devices
  await owner.query('update device set deleted_at = now() where id = $1', [id])
  await owner.query('insert into device_deletion (device_id) values ($1) on conflict do nothing', [id])
  const job = deletedDevicesJob({ log: { info: () => undefined }, takeOut: settleDevices })
  await untilDone(() => job.run(owner, new Date(), new AbortController().signal))
  const asked = { dateFrom: date, dateTo: date, limit: 1, customerId: customers[0] ?? 0 }
  expect((await availability(asked)).total.unplannedDarkMinutes).toBe(15)
})
