import type pg from 'pg'

/** A fleet gathers around these places, as around towns. */
const TOWNS = 400
const ONLINE_PART = 0.9
const ALERTS_PART = 0.05
/** The position of one device in so many is unknown. */
const WITHOUT_POSITION_EVERY = 50

/** Makes devices around some hundred towns, most of them connected, some with alerts, in customers of given sizes. */
export async function makeMapFleet(
  db: pg.Pool,
  devicesByCustomer: readonly number[],
  random: number,
): Promise<readonly number[]> {
  const client = await db.connect()
  try {
    await client.query('select setseed($1)', [random])
    await client.query(
      `create temporary table town as
         select n, 37 + random() * 25 as latitude, -8 + random() * 36 as longitude from generate_series(1, $1::int) n`,
      [TOWNS],
    )
    const customerIds: number[] = []
    for (const [index, devices] of devicesByCustomer.entries()) {
      const name = `Map benchmark ${index}`
      const { rows } = await client.query('insert into customer (name) values ($1) returning id', [name])
      customerIds.push(rows[0].id)
      await insertDevices(client, rows[0].id, devices)
    }
    await connectSome(client)
    await insertVerdicts(client)
    await client.query('vacuum analyze')
    return customerIds
  } finally {
    client.release()
  }
}

async function insertDevices(client: pg.PoolClient, customerId: number, devices: number) {
  await client.query(
    `insert into device (guid, name, address, status_id, model_id, customer_id, attr_serial, iot_device_id, latitude, longitude)
     select gen_random_uuid(), 'Stop ' || to_char(i, 'FM000000') || ' at the Market', 'Street ' || i,
       case when i % 10 < 8 then 2 else 1 + i % 6 end, (array[1, 15, 22])[1 + i % 3], $1, 'SN-' || i, '',
       case when i % $4 > 0 then latitude + (random() - 0.5) * 0.6 end,
       case when i % $4 > 0 then longitude + (random() - 0.5) * 0.8 end
     from generate_series(1, $2::int) i join town on town.n = 1 + i % $3`,
    [customerId, devices, TOWNS, WITHOUT_POSITION_EVERY],
  )
}

async function connectSome(client: pg.PoolClient) {
  await client.query(
    `with process as (
       insert into server_process (id, lease_until) values (gen_random_uuid(), now() + interval '1 day') returning id)
     insert into device_connection (device_id, connection_id, process_id)
     select device.id, gen_random_uuid(), process.id from device, process where random() < $1`,
    [ONLINE_PART],
  )
  await client.query(
    `insert into alert (device_id, condition_id, created_at, found_at, field_id, operator_code, period_id,
       action_type_id, condition_text, state_since)
     select id, kind, now(), now(), 4101, '>', 1, 1, 'warm', now()
     from device, generate_series(1, 3) kind where random() < $1`,
    [ALERTS_PART],
  )
}

/** Inserts verdicts that the job would take long to find: one of a hundred dark, one of fifty silent. */
async function insertVerdicts(client: pg.PoolClient) {
  await client.query(
    `delete from device_now;
     insert into device_now (device_id, customer_id, newest_at, light, light_since, cause, is_silent, silent_since,
       is_on_battery, wrong_since, wrong_kinds)
     select id, customer_id, now(), case when id % 100 = 7 then 'unplanned' else 'lit' end, now(),
       case when id % 100 = 7 then '{"displayNumber": 1, "displayName": "Display", "finding": "sourceLost",
         "link": "content", "sentence": "Display is dark: the display gets no picture.", "action": null}'::jsonb end,
       id % 50 = 3, now(), id % 500 = 3, now(), (id % 100 = 7)::int + (id % 50 = 3)::int * 2 + (id % 500 = 3)::int * 16
     from device where status_id = 2`,
  )
}
