import { expect, test } from 'vitest'
import { databaseTest } from '../../testing/database/databaseTest.ts'

/** Lists what keeps a table whose rows belong to devices from being distributed by device (Citus). */
const OF_DEVICES = `with of_device as (
  select c.oid, c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'device_id'
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and not a.attisdropped)`

const { owner: db } = await databaseTest()

async function names(sql: string): Promise<readonly string[]> {
  const { rows } = await db.query<{ name: string }>(`${OF_DEVICES} ${sql}`)
  return rows.map(({ name }) => name).sort()
}

/** These were made before the test existed: names leave these lists, and none is added. */
const KEYS_WITHOUT_DEVICE = ['alert_condition_pkey', 'maintenance_entry_by_id']
const TRIGGERS = [
  'alert.alert_customer',
  'alert.alert_deleted',
  'alert.alert_inserted',
  'alert.alert_moved',
  'alert_condition.alert_condition_changed',
  'device_command.device_command_customer',
  'device_connection.device_connected',
  'device_connection.device_connection_changed',
  'device_connection.device_disconnected',
  'device_setting.device_setting_customer',
  'device_setting.off_times_reported',
  'maintenance_entry.maintenance_customer',
]

const keysWithoutDevice = () =>
  names(
    `select i.relname as name from of_device t join pg_index x on x.indrelid = t.oid and x.indisunique
       join pg_class i on i.oid = x.indexrelid
     where not exists (select from pg_attribute a where a.attrelid = t.oid and a.attname = 'device_id'
       and a.attnum = any(x.indkey::int2[]))`,
  )

const referencesAway = () =>
  names(
    `select k.conname as name from of_device t join pg_constraint k on k.conrelid = t.oid and k.contype = 'f'
     where k.confrelid not in (select oid from of_device)`,
  )

const triggers = () =>
  names(
    `select distinct t.relname || '.' || g.tgname as name from of_device t
       join pg_trigger g on g.tgrelid = t.oid and not g.tgisinternal`,
  )

test('each key of a table of devices holds the device', async () => {
  expect(await keysWithoutDevice()).toEqual(KEYS_WITHOUT_DEVICE)
})

test('a table of devices points at no table that has no device', async () => {
  expect(await referencesAway()).toEqual([])
})

test('a table of devices has no triggers', async () => {
  expect(await triggers()).toEqual(TRIGGERS)
})

test('what is asked here finds a table that could not be spread', async () => {
  await db.query(`begin;
    create table planted (id integer primary key, device_id integer, customer_id integer references customer (id));
    create trigger planted_told after insert on planted for each row execute function suppress_redundant_updates_trigger()`)
  try {
    expect(await keysWithoutDevice()).toContain('planted_pkey')
    expect(await referencesAway()).toEqual(['planted_customer_id_fkey'])
    expect(await triggers()).toContain('planted.planted_told')
  } finally {
    await db.query('rollback')
  }
})
