import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { DashboardValue, HeatMapRow } from '#contract/http/insight/overview.ts'
import type { CustomerId, DeviceId } from '#domain/ids.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { addCustomer, ask } from '#server/testing/callers.ts'

/** Two of these processes are alive, and one is not. */
const PROCESSES = [randomUUID(), randomUUID(), randomUUID()] as const

const api = await apiTest()
const { pool } = api
const customers = [await addCustomer(pool, 'Harbour'), await addCustomer(pool, 'Airport')]
const staff = await api.signedIn({ username: 'staff@a.example', functions: [2] })
const [ours] = customers
const harbour = await api.signedIn({ username: 'm@h.example', functions: [2], ...(ours && { customerId: ours }) })
await pool.query(
  `insert into server_process (id, lease_until) values ($1, now() + interval '1 hour'), ($2, now() + interval '1 hour'),
     ($3, now() - interval '1 second')`,
  [...PROCESSES],
)

const DEVICES = 12
const ZONE = 'Europe/Prague'

const run = async (sql: string, ...values: unknown[]) => (await api.pool.query(sql, values)).rows

async function newDevices(): Promise<DeviceId[]> {
  const rows = await run(
    `insert into device (guid, name, customer_id, model_id, status_id, iot_device_id)
     select gen_random_uuid(), 'Device ' || n, $1, 1, n % 6 + 1, '' from generate_series(1, $2::int) n returning id`,
    customers[0],
    DEVICES,
  )
  return rows.map(({ id }) => id)
}

/** Every change that the counts must follow, on some device; changing a missing row has no effect. */
type Change = readonly [kind: keyof typeof CHANGES, device: number, choice: number]

const CHANGES = {
  status: (id: DeviceId, choice: number) => run('update device set status_id = $2 where id = $1', id, (choice % 6) + 1),
  move: (id: DeviceId, choice: number) =>
    run('update device set customer_id = $2 where id = $1', id, customers[choice % 2]),
  remove: (id: DeviceId) => run('update device set deleted_at = now() where id = $1', id),
  bringBack: (id: DeviceId) => run('update device set deleted_at = null where id = $1', id),
  rename: (id: DeviceId, choice: number) => run('update device set name = $2 where id = $1', id, `Named ${choice}`),
  connect: (id: DeviceId, choice: number) =>
    run(
      'insert into device_connection (device_id, connection_id, process_id, is_silent) values ($1, gen_random_uuid(), $2, $3)',
      id,
      PROCESSES[choice % 3],
      choice % 4 === 0,
    ),
  hush: (id: DeviceId, choice: number) =>
    run('update device_connection set is_silent = $2 where device_id = $1', id, choice % 2 === 0),
  disconnect: (id: DeviceId) =>
    run(
      `delete from device_connection where connection_id =
         (select connection_id from device_connection where device_id = $1 order by connection_id limit 1)`,
      id,
    ),
  alert: (id: DeviceId, choice: number) =>
    run(
      `insert into alert (device_id, condition_id, status_id, created_at, found_at, field_id, operator_code, period_id,
         action_type_id, condition_text, state_since)
       select $1, 0, 2, now() - n * $2::int * interval '37 minutes', now(), 4101, 'GT', 1, 1, 'Warm', now()
       from generate_series(0, 2) n`,
      id,
      (choice * choice) % 15_000,
    ),
  withdraw: (id: DeviceId, choice: number) =>
    run(
      `update alert set withdrawn_at = case when withdrawn_at is null then now() end where id in
         (select id from alert where device_id = $1 order by id offset $2::int % 5 limit 2)`,
      id,
      choice,
    ),
  shift: (id: DeviceId, choice: number) =>
    run(
      `update alert set created_at = created_at - $2::int * interval '1 minute' where id in
         (select id from alert where device_id = $1 order by id offset 1 limit 1)`,
      id,
      choice,
    ),
  forget: (id: DeviceId) =>
    run('delete from alert where id in (select id from alert where device_id = $1 order by id limit 1)', id),
  gather: () => run('select gather_overview_counts()'),
} as const

const make = (devices: readonly DeviceId[], [kind, device, choice]: Change) =>
  CHANGES[kind](devices[device % devices.length] ?? (0 as DeviceId), choice)

const changes = fc.array(
  fc.tuple(fc.constantFrom(...(Object.keys(CHANGES) as (keyof typeof CHANGES)[])), fc.nat(DEVICES - 1), fc.nat(250)),
  { minLength: 20, maxLength: 60 },
) as fc.Arbitrary<Change[]>

const ONLINE = `exists (select from device_connection c join server_process p on p.id = c.process_id
  where c.device_id = d.id and not c.is_silent and p.lease_until > now())`

/** Counts from nothing but the rows themselves. */
async function naively(customerId: CustomerId | null) {
  const [values] = await run(
    `select count(*) filter (where status_id = 2 and ${ONLINE})::int as "DEVICES_ACTIVE",
       count(*) filter (where status_id = 3)::int as "DEVICES_MAINTENANCE",
       count(*) filter (where status_id = 5)::int as "DEVICES_OUT_OF_ORDER",
       count(*) filter (where status_id = 1)::int as "DEVICES_PENDING",
       count(*)::int as "DEVICES_ALL",
       (select count(distinct a.device_id)::int from alert a join device o on o.id = a.device_id
        where o.deleted_at is null and a.withdrawn_at is null and a.created_at >= now() - interval '1 day'
          and ($1::int is null or a.customer_id = $1)) as "DEVICES_WITH_ALERTS_24H"
     from device d where deleted_at is null and ($1::int is null or customer_id = $1)`,
    customerId,
  )
  const heat = await run(
    `select hn, dwn, count(a.at)::int as count_alerts from generate_series(0, 23) hn cross join generate_series(1, 7) dwn
     left join (select a.created_at at time zone $2 as at from alert a join device d on d.id = a.device_id
       where d.deleted_at is null and a.withdrawn_at is null and a.created_at >= now() - interval '1 year'
         and ($1::int is null or a.customer_id = $1)) a
       on extract(isodow from a.at) = dwn and extract(hour from a.at) = hn
     group by 1, 2 order by 2, 1`,
    customerId,
    ZONE,
  )
  return { values, heat }
}

async function answered(token: string, customerId?: CustomerId) {
  const query: Record<string, number> = customerId === undefined ? {} : { customerId }
  const values = (await ask(api, 'Dashboard/GetDashboardValues', { token, query })).json() as DashboardValue[]
  const heatQuery = { ...query, table: 'HEATMAP_ALERTS', timeZone: ZONE }
  const heat = (await ask(api, 'Dashboard/GetDashboardTable', { token, query: heatQuery })).json() as HeatMapRow[]
  return { values: Object.fromEntries(values.map(({ key, value }) => [key, value])), heat }
}

async function expectAllCounted() {
  const [ours, theirs] = customers
  if (ours === undefined || theirs === undefined) throw new Error('There are no customers.')
  expect(await answered(staff)).toEqual(await naively(null))
  expect(await answered(staff, theirs)).toEqual(await naively(theirs))
  expect(await answered(harbour)).toEqual(await naively(ours))
}

async function clear() {
  await run('update device set deleted_at = now() where deleted_at is null')
  await run('delete from alert')
  await run('delete from device_connection')
}

test('after any changes every number is the one that rows give, for staff, a customer filter and a customer user', async () => {
  await fc.assert(
    fc.asyncProperty(changes, async (some) => {
      await clear()
      const devices = await newDevices()
      for (const change of some) await make(devices, change)
      await expectAllCounted()
    }),
    { numRuns: 25, seed: 611, endOnFailure: true },
  )
}, 120_000)

test('changes at the same moment lose no count, also while counts are put together', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(changes, { minLength: 4, maxLength: 4 }), async (writers) => {
      await clear()
      const devices = await newDevices()
      await Promise.all(
        writers.map(async (some) => {
          for (const change of some) await make(devices.slice(0, 3), change)
        }),
      )
      await expectAllCounted()
    }),
    { numRuns: 15, seed: 612, endOnFailure: true },
  )
}, 120_000)

test('a process whose lease runs out takes its devices from the tile at that moment', async () => {
  await clear()
  const devices = await newDevices()
  const process = randomUUID()
  await run(`insert into server_process (id, lease_until) values ($1, now() + interval '1 hour')`, process)
  await run('update device set status_id = 2 where id = any ($1)', devices)
  await run(
    `insert into device_connection (device_id, connection_id, process_id) select d, gen_random_uuid(), $2 from unnest($1::int[]) d`,
    devices,
    process,
  )
  expect((await answered(staff)).values.DEVICES_ACTIVE).toBe(DEVICES)
  await run(`update server_process set lease_until = now() - interval '1 second' where id = $1`, process)
  expect((await answered(staff)).values.DEVICES_ACTIVE).toBe(0)
})

test('the gathered counts are few, however many changes there were', async () => {
  await clear()
  const devices = await newDevices()
  for (let round = 0; round < 30; round++) for (const id of devices.slice(0, 3)) await CHANGES.status(id, round)
  await run('select gather_overview_counts()')
  const [{ rows }] = (await run(
    'select count(*)::int as rows from fleet_count group by customer_id, status_id, process_ids order by 1 desc limit 1',
  )) as [{ rows: number }]
  expect(rows).toBe(1)
  expect(await run('select from alert_change')).toEqual([])
  await expectAllCounted()
})
