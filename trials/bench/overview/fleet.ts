import type pg from 'pg'

export interface FleetOptions {
  readonly devices: number
  readonly alerts: number
}

export interface Fleet {
  readonly staffToken: string
  readonly customerToken: string
  readonly customerId: number
}

const CUSTOMERS = 50
/** A fleet with some thresholds has as many kinds of conditions. */
const CONDITIONS = 40
const OPEN_IN_A_THOUSAND = 5
/** These have hours of two days: more than any page reads, for all and for each customer. */
const HOTTEST_OF_CUSTOMER = 20

/** SQL: the tags of device n, which cover 0.5, 1, 10 and 40 percent; the newest devices come last by name. */
const TAGS = `array_remove(array['line ' || n % 200, case when n % 100 = 7 then 'rewire' end,
  case when 'Device ' || n > 'Device 91' then 'newest' end, case when n % 5 < 2 then 'indoor' end], null)`

/**
 * Makes devices of 50 customers, most of them paired and online with a state of 30 values, and alerts of a year that
 * are more frequent by day and on workdays; none leaves that year during the count. All of it is made by statements
 * over sets.
 */
export async function makeFleet(db: pg.Client, { devices, alerts }: FleetOptions, tokens: readonly [string, string]) {
  await db.query(`insert into customer (name) select 'Customer ' || n from generate_series(1, $1::int) n`, [CUSTOMERS])
  await db.query(
    `insert into device (guid, name, model_id, customer_id, iot_device_id, status_id, address, tags, tag_keys,
       latitude, longitude)
     select gen_random_uuid(), 'Device ' || n, (array[1, 15, 16, 22])[n % 4 + 1], (select min(id) from customer) + n % $2::int,
       '', ${STATUS}, 'Street ' || n, tags, tags, 36 + n % 997 / 40.0, -9 + n % 1009 / 30.0
     from generate_series(1, $1::int) n, lateral (select ${TAGS}) given (tags)`,
    [devices, CUSTOMERS],
  )
  await db.query(
    `with process as (insert into server_process (id, lease_until) values (gen_random_uuid(), now() + interval '1 day')
       returning id)
     insert into device_connection (device_id, connection_id, process_id)
     select d.id, gen_random_uuid(), process.id from device d, process where d.id % 20 <> 0`,
  )
  await db.query(
    `insert into device_state (device_id, event_type_id, number, newest_at, oldest_moved_at, received_at, fields)
     select id, 4, 1, now(), now(), now(), jsonb_build_object(
       'internal_temp', jsonb_build_array(round((40 + 6 * sqrt(-2 * ln(1 - random())) * cos(6.283 * random()))::numeric, 1), ms),
       'intake_temp', jsonb_build_array(round((20 + 10 * random())::numeric, 1), ms))
       || (select jsonb_object_agg('field_number_' || f, jsonb_build_array(f * 3.5, ms)) from generate_series(1, 28) f)
     from device, (select floor(extract(epoch from now()) * 1000)::bigint as ms) at`,
  )
  await insertVerdicts(db)
  await db.query(
    `insert into alert (device_id, condition_id, status_id, condition_state_id, created_at, found_at, field_id,
       operator_code, value_dec, period_id, action_type_id, condition_text, state_since, closed_at)
     select (select min(id) from device) + (random() * ($2::int - 1))::int, n, case when is_open then 1 else 2 end, 1,
       at, at, 4101 + kind % 10, 'GT', kind, 1, 1, 'Display: Field ' || kind % 10 || ' > ' || kind, at,
       case when not is_open then at end
     from (
       select n, n % 1000 < $3::int as is_open, n % $4::int as kind,
         now() - interval '364 days' * power(random(), case when n % 3 = 0 then 1 else 0.8 end) as at
       from generate_series(1, $1::int) n) a`,
    [alerts, devices, OPEN_IN_A_THOUSAND, CONDITIONS],
  )
  await insertWarmest(db)
  const { rows } = await db.query<{ id: number }>('select min(id) as id from customer')
  const customerId = rows[0]?.id ?? 0
  await addUser(db, 'staff@bench.example', tokens[0], null)
  await addUser(db, 'customer@bench.example', tokens[1], customerId)
  await db.query(
    `update device_now n set active_alerts = coalesce(active.alerts, 0),
       customer_id = case when d.status_id = 2 then d.customer_id end, wrong_since = n.newest_at,
       wrong_kinds = (n.light = 'unplanned')::int + n.is_silent::int * 2 + (active.alerts > 0 is true)::int * 4
         + n.is_on_battery::int * 16
     from device d left join (
       select device_id, count(*) as alerts from alert where status_id = 1 group by device_id) active
       on active.device_id = d.id
     where d.id = n.device_id`,
  )
  await db.query('select gather_overview_counts()')
  await db.query('vacuum analyze')
  return { staffToken: tokens[0], customerToken: tokens[1], customerId } satisfies Fleet
}

/** Inserts hours of two days of the warmest devices, which the Overview draws. */
async function insertWarmest(db: pg.Client) {
  await db.query(`insert into rollup (device_id, field_id, day, means, minima, maxima, counts)
    select device_id, field, day::date, t, t, t, array_fill(60, array[24])
    from (select device_id, row_number() over (partition by d.customer_id
        order by (s.fields -> 'internal_temp' ->> 0)::float8 desc) as place
      from device_state s join device d on d.id = s.device_id) hot,
      unnest(array[4101, 4102]) field, unnest(array[now() at time zone 'UTC', now() at time zone 'UTC' - interval '1 day']) day,
      lateral (select array_agg((field % 40 + h / 3.0)::real) as t from generate_series(0, 23) h) temps
    where place <= ${HOTTEST_OF_CUSTOMER}`)
}

/** Inserts verdicts that the job would take long to find: one of twenty silent, one of a hundred dark. */
async function insertVerdicts(db: pg.Client) {
  await db.query(
    `delete from device_now;
     insert into device_now (device_id, newest_at, internal_temp, internal_temp_at, intake_temp, intake_temp_at, light,
       light_since, cause, is_silent, silent_since, is_on_battery, client_version, client_version_at)
     select device_id, newest_at, (fields -> 'internal_temp' ->> 0)::float8, newest_at,
       (fields -> 'intake_temp' ->> 0)::float8, newest_at,
       case when device_id % 20 = 0 then 'unknown' when device_id % 100 = 7 then 'unplanned' else 'lit' end, newest_at,
       case when device_id % 100 = 7 then '{"displayNumber": 1, "displayName": "Display", "finding": "sourceLost",
         "link": "content", "sentence": "Display is dark: the display gets no picture.", "action": null}'::jsonb end,
       device_id % 20 = 0, newest_at, device_id % 500 = 3, ${VERSION}, newest_at from device_state`,
  )
}

/** SQL: one version in two hundred is old, one in ten not the newest, and some are unknown. */
const VERSION = `case when device_id % 200 = 3 then '1.9.0' when device_id % 100 = 4 then null
  when device_id % 10 = 5 then '2.3.11' else '2.4.1' end`

/** Of 40 devices 2 are pending, 2 in maintenance, 1 deactivated, 1 out of order, and all others active. */
const STATUS = `coalesce((array[1, 1, 3, 3, 4, 5])[n % 40 + 1], 2)`

async function addUser(db: pg.Client, username: string, token: string, customerId: number | null) {
  await db.query(
    `with role as (insert into app_role (name) values ('role of ' || $1::text) returning id),
       functions as (insert into app_role_function select id, unnest(array[1, 2, 5]::smallint[]) from role),
       person as (insert into app_user (username, role_id, customer_id) select $1, id, $3 from role returning id)
     insert into app_session (token_hash, user_id, expires_at)
     select sha256($2::text::bytea), id, now() + interval '1 day' from person`,
    [username, token, customerId],
  )
}
