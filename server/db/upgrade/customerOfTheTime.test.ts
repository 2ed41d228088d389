import { readdir, readFile } from 'node:fs/promises'
import { beforeAll, expect, test } from 'vitest'
import { databaseTest } from '#server/testing/database/databaseTest.ts'

const FOLDER = new URL('../migrations/', import.meta.url)
const THIS = '0018_customer_of_the_time.sql'

const { owner } = await databaseTest('empty')
beforeAll(async () => {
  const names = (await readdir(FOLDER)).filter((name) => name < THIS).sort()
  for (const name of names) await owner.query(await readFile(new URL(name, FOLDER), 'utf8'))
})

const run = async (sql: string, values: unknown[] = []) => (await owner.query(sql, values)).rows

const changed = (at: string, before: object, after: object) =>
  run(
    `insert into audit_log (inserted_at, action_id, entity_type_id, entity_id, entity_name, customer_id, username, call,
       outcome, before, after)
     values ($1, 2, 1, 1, 'as it was', $2, 'staff', 'Device/SetDeviceDetails', 'done', $3, $4)`,
    [at, (before as { customerId?: number }).customerId ?? 2, before, after],
  )

/** Seeds two devices; the first moved from the first customer to the second, was renamed, and went on to the third. */
async function seedMoves() {
  await run(`insert into customer (name) values ('First'), ('Second'), ('Third')`)
  await run(
    `insert into device (guid, name, address, status_id, model_id, customer_id, iot_device_id)
     select gen_random_uuid(), 'Now', 'Here', 2, 1, customer, '' from unnest(array[3, 1]) customer`,
  )
  await run(
    `insert into app_role (name) values ('role');
     insert into app_user (username, role_id, customer_id) values ('One@first.example', 1, 1), ('staff', 1, null)`,
  )
  await changed('2026-01-10', { customerId: 1, address: 'Old street' }, { customerId: 2, address: 'Here' })
  await changed('2026-01-15', { name: 'Second name' }, { name: 'Now' })
  await changed('2026-01-20', { customerId: 2 }, { customerId: 3 })
  await run(
    `insert into alert (device_id, condition_id, created_at, found_at, field_id, operator_code, period_id,
       action_type_id, condition_text, state_since, status_id)
     select device, 1, at, at, 4101, 'GT', 1, 1, 'Warm', at, 2
     from unnest(array[1, 2]) device cross join unnest(array['2026-01-05', '2026-01-12', '2026-01-25']::timestamptz[]) at
     union all
     select 1, 2, '2026-01-06', '2026-01-06', 4101, 'GT', 1, 1, 'Open', now(), 1`,
  )
  await run(
    `insert into device_command (device_id, name, args, username, accepted_at, expires_at)
     select 1, 'ups.reboot', '{}', '', at, at from unnest(array['2026-01-05', '2026-01-25']::timestamptz[]) at`,
  )
  await run(
    `insert into maintenance_entry (device_id, start_at, action_comment, created_at)
     values (1, now(), 'x', '2026-01-12'), (2, now(), 'x', '2026-01-12')`,
  )
  await run(
    `insert into device_setting (device_id, section, number, desired_at, desired_by)
     values (1, 'turnOff', 1, '2026-01-05', 'one@first.example'), (2, 'turnOff', 1, null, null)`,
  )
}

test('rows of before are given to whoever had the device then, by the audit rows of its moves', async () => {
  await seedMoves()
  await run('select gather_overview_counts()')
  await run(await readFile(new URL(THIS, FOLDER), 'utf8'))

  expect(await run('select customer_id, name, address, last_day::text from device_departure order by left_at')).toEqual(
    [
      { customer_id: 1, name: 'Second name', address: 'Old street', last_day: '2026-01-10' },
      { customer_id: 2, name: 'Now', address: 'Here', last_day: '2026-01-20' },
    ],
  )
  const customersIn = async (table: string, order: string) =>
    (await run(`select customer_id from ${table} order by device_id, ${order}`)).map(({ customer_id }) => customer_id)
  // The open alert belongs to whoever has the device now.
  expect(await customersIn('alert', 'created_at')).toEqual([1, 3, 2, 3, 1, 1, 1])
  expect(await customersIn('device_command', 'accepted_at')).toEqual([1, 3])
  expect(await customersIn('maintenance_entry', 'id')).toEqual([2, 1])
  expect(await run('select customer_id, desired_by_id from device_setting order by device_id')).toEqual([
    { customer_id: 1, desired_by_id: 1 },
    { customer_id: 1, desired_by_id: null },
  ])
  expect(await run('select arrived_customer_id from audit_log order by id')).toEqual([
    { arrived_customer_id: 2 },
    { arrived_customer_id: null },
    { arrived_customer_id: 3 },
  ])
  await run('select gather_overview_counts()')
  const counted = await run(
    `select customer_id, (select sum(n) from alert_day d cross join unnest(d.hours) n where d.customer_id = k.customer_id)
       ::int as alerts from (select distinct customer_id from alert_day) k order by 1`,
  )
  expect(counted).toEqual([
    { customer_id: 0, alerts: 7 },
    { customer_id: 1, alerts: 4 },
    { customer_id: 2, alerts: 1 },
    { customer_id: 3, alerts: 2 },
  ])
})
