import type pg from 'pg'
import { EVENT_TYPES } from '#domain/catalogue/eventTypes.ts'
import { DAY_MS, HOUR_MS } from '#domain/units/time.ts'

export interface FleetOptions {
  readonly devices: number
  readonly days: number
  readonly rollupDays: number
  readonly exportRows: number
}

export interface Fleet {
  readonly deviceIds: readonly number[]
  /** This device reports much more often, for an export. */
  readonly chattyId: number
  /** Midnight UTC of today. */
  readonly endMs: number
  readonly token: string
}

/** Every report of the fleet measures these fields, of which roll-ups are made. */
export const FIELDS = (EVENT_TYPES.find(({ topic }) => topic === 'display')?.fields ?? [])
  .filter(({ isMeasurement }) => isMeasurement)
  .map(({ name, ordinal, tile }) => ({ column: name, id: 4100 + ordinal, hasTile: tile === 'always' }))

/** Makes a report of one display a minute for so many days, a year of roll-ups, and one device for the export. */
export async function makeFleet(db: pg.Client, options: FleetOptions, token: string): Promise<Fleet> {
  const endMs = Math.floor(Date.now() / DAY_MS) * DAY_MS
  await db.query(`insert into customer (name) values ('Benchmark') on conflict do nothing`)
  const { rows } = await db.query<{ id: number }>(
    `insert into device (guid, name, model_id, customer_id, iot_device_id)
     select gen_random_uuid(), 'Query ' || n, 22, (select min(id) from customer), '' from generate_series(0, $1) n
     returning id`,
    [options.devices],
  )
  const [chattyId = 0, ...deviceIds] = rows.map(({ id }) => id)
  for (let day = 0; day < options.days; day++) {
    const beginMs = endMs - (day + 1) * DAY_MS
    await insertReports(db, deviceIds, beginMs, 60_000)
    await insertReports(db, [chattyId], beginMs, Math.floor((options.days * DAY_MS) / options.exportRows))
  }
  await beginHour(db, deviceIds)
  await makeRollups(db, deviceIds, endMs, options.rollupDays)
  await db.query(
    `insert into device_state (device_id, event_type_id, number, newest_at, oldest_moved_at, received_at, fields)
     select unnest($1::integer[]), 4, 1, now(), now(), now(), '{"internal_temp": [20, 0]}'`,
    [deviceIds],
  )
  await addUser(db, token)
  await db.query('vacuum analyze')
  return { deviceIds, chattyId, endMs, token }
}

async function insertReports(
  db: pg.Client,
  deviceIds: readonly number[],
  beginMs: number,
  everyMs: number,
  count = Math.ceil(DAY_MS / everyMs),
) {
  const columns = FIELDS.map(({ column }) => `"${column}"`)
  const values = FIELDS.map((_, index) => `round((20 + 10 * sin(n / 200.0 + d + ${index}))::numeric, 1)::real`)
  await db.query(
    `insert into reading_display (device_dt, inserted, device_id, number, ${columns.join(', ')})
     select $2::timestamptz + n * $3::float8 * interval '1 millisecond', now(), d, 1, ${values.join(', ')}
     from generate_series(0, $4::integer) n, unnest($1::integer[]) d`,
    [deviceIds, new Date(beginMs), everyMs, count - 1],
  )
}

/** The running hour is in no roll-up yet, only noted as due. */
async function beginHour(db: pg.Client, deviceIds: readonly number[]) {
  const hourMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS
  await insertReports(db, deviceIds, hourMs, 60_000, Math.ceil((Date.now() - hourMs) / 60_000))
  await db.query('insert into rollup_mark select unnest($1::integer[]), 4, 1, $2', [deviceIds, new Date(hourMs)])
}

/** Days with reports get roll-ups of similar numbers; nothing here compares the two. */
async function makeRollups(db: pg.Client, deviceIds: readonly number[], endMs: number, days: number) {
  for (let day = 0; day <= days + 31; day += 28) {
    const month = new Date(endMs - day * DAY_MS)
    const from = new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth(), 1)).toISOString().slice(0, 10)
    const to = new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1, 1)).toISOString().slice(0, 10)
    const name = `rollup_${from.slice(0, 7).replace('-', '')}`
    await db.query(`create table if not exists ${name} partition of rollup for values from ('${from}') to ('${to}')`)
  }
  const hours = (sql: string) => `array(select ${sql} from generate_series(0, 23) h)`
  await db.query(
    `insert into rollup (device_id, field_id, day, means, minima, maxima, counts)
     select d, f, $3::date - n, ${hours('(20 + 10 * sin(n + h / 4.0 + d + f))::real')},
       ${hours('(19 + 10 * sin(n + h / 4.0 + d + f))::real')}, ${hours('(21 + 10 * sin(n + h / 4.0 + d + f))::real')},
       ${hours('60')}
     from unnest($1::integer[]) d, unnest($2::integer[]) f, generate_series(1, $4::integer) n`,
    [deviceIds, FIELDS.map(({ id }) => id), new Date(endMs).toISOString().slice(0, 10), days],
  )
}

export async function addUser(db: pg.Client, token: string) {
  await db.query(
    `with role as (insert into app_role (name) values ('Benchmark') returning id),
       functions as (insert into app_role_function select id, unnest(array[1, 2, 5]::smallint[]) from role),
       person as (insert into app_user (username, role_id, is_lab) select 'bench@example', id, true from role returning id)
     insert into app_session (token_hash, user_id, expires_at)
     select sha256($1::text::bytea), id, now() + interval '1 day' from person`,
    [token],
  )
}
