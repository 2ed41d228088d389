import type pg from 'pg'
import { DAY_MS, HOUR_MS } from '#domain/units/time.ts'
import { lockUntilCommit } from '#server/db/advisoryLocks.ts'
import { firstKeptDayMs } from '#server/db/partitions/partitions.ts'
import { transactionOn } from '#server/db/transaction.ts'
import type { Job } from '#server/jobs/JobRunner.ts'

const EVERY_MS = 6 * HOUR_MS
/** Each transaction deletes so many rows at most, so that nobody waits long for its locks. */
const ROWS_AT_ONCE = 2_000

export interface AgedRowsSettings {
  readonly alertDays: number
  readonly lightDays: number
}

/**
 * Deletes rows that are beyond their retention where whole tables cannot go: alerts and minutes of light of everybody,
 * and everything of customers whose data is kept for a shorter time (decision 332). What a customer's device reported
 * while it was another's stays as long as that one's.
 */
export function agedRowsJob({ alertDays, lightDays }: AgedRowsSettings): Job {
  return {
    name: 'aged rows',
    everyMs: EVERY_MS,
    async run(owner, now, stopped) {
      const isOver = () => stopped.aborted
      const lightFrom = new Date(firstKeptDayMs(now, lightDays))
      for (const statement of LIGHT_SQL) await deleteAll(owner, statement, [lightFrom], isOver)
      await deleteAll(owner, LIGHT_OF_CUSTOMERS_SQL, [lightFrom, now], isOver)
      await deleteAlerts(owner, now, alertDays, isOver)
      for (const owned of await ownedLonger(owner, now)) {
        for (const statement of STATEMENTS_OF_DEVICE) await deleteAll(owner, statement, owned, isOver)
      }
    },
  }
}

type IsOver = () => boolean

/** Repeats a statement with a limit, each time in its own transaction, until nothing is left. */
async function deleteAll(owner: pg.ClientBase, text: string, values: readonly unknown[], isOver: IsOver) {
  for (let deleted = ROWS_AT_ONCE; deleted === ROWS_AT_ONCE && !isOver(); ) {
    deleted = await transactionOn(owner, async () => {
      await owner.query(`select ${lockUntilCommit('rollups')}, ${lockUntilCommit('darkDays')}`)
      return (await owner.query(text, [...values])).rowCount ?? 0
    })
  }
}

/** The key is looked for twice, because the place of a row is not its own in a partitioned table. */
const limited = (table: string, key: string, condition: string) => `
  delete from ${table} where (${key}) in (select ${key} from ${table} where ${condition} limit ${ROWS_AT_ONCE})`

const LIGHT_SQL = [
  limited('device_dark_day', 'device_id, day', 'day < $1::date'),
  limited('display_day', 'device_id, day, number', 'day < $1::date'),
]

const CUSTOMER_DAYS = `select customer_id, day from customer_dark_day s join customer c on c.id = s.customer_id
  where s.day < greatest($1::date, $2::date - c.kept_days) limit ${ROWS_AT_ONCE}`
const LIGHT_OF_CUSTOMERS_SQL = `delete from customer_dark_day where (customer_id, day) in (${CUSTOMER_DAYS})`

const IN_DAYS = 'device_id = $1 and day >= $2::timestamptz::date and day < $3::timestamptz::date'
const STATEMENTS_OF_DEVICE = [
  limited('closed_day', 'device_id, event_type_id, number, day', IN_DAYS),
  limited('rollup', 'device_id, field_id, day', IN_DAYS),
  limited('device_dark_day', 'device_id, day', IN_DAYS),
  limited('display_day', 'device_id, day, number', IN_DAYS),
  limited('device_message', 'device_id, at, hash', 'device_id = $1 and at >= $2 and at < $3'),
  limited(
    'late_reading',
    'device_id, event_type_id, number, device_dt',
    'device_id = $1 and device_dt >= $2 and device_dt < $3',
  ),
]

/** Finds the times in which devices belonged to customers whose data of then is no longer kept. */
async function ownedLonger(
  owner: pg.ClientBase,
  now: Date,
): Promise<(readonly [deviceId: number, from: Date, to: Date])[]> {
  const { rows } = await owner.query<{ device_id: number; from_at: Date; to_at: Date }>(OWNED_SQL, [
    new Date(firstKeptDayMs(now, 0)),
  ])
  // A day in which a device moved is the later customer's.
  return rows.map(({ device_id, from_at, to_at }) => [device_id, midnight(from_at), midnight(to_at)])
}

const midnight = (at: Date) => new Date(Math.floor(at.getTime() / DAY_MS) * DAY_MS)

const OWNED_SQL = `
  with owned as (
    select device_id, customer_id, left_at as to_at,
      lag(left_at, 1, 'epoch') over (partition by device_id order by left_at) as from_at
    from device_departure
    union all
    select d.id, d.customer_id, 'infinity', coalesce(left_at, 'epoch')
    from device d
    left join (select device_id, max(left_at) as left_at from device_departure group by 1) p on p.device_id = d.id
  )
  select device_id, from_at, least(to_at, $1::timestamptz - make_interval(days => kept_days)) as to_at
  from owned join customer c on c.id = customer_id
  where kept_days is not null and from_at < $1::timestamptz - make_interval(days => kept_days)
  order by device_id, from_at`

const BEFORE = `(select id, $1::timestamptz - make_interval(days => least(kept_days, $2::integer)) as before from customer)`

/**
 * Deletes incidents that are over for so long, customer by customer, then alerts that are closed for so long and in no
 * incident any more.
 */
async function deleteAlerts(owner: pg.ClientBase, now: Date, alertDays: number, isOver: IsOver): Promise<void> {
  const [ofIncidents, ofAlerts] = [
    await tablesWith(owner, ['incident_id']),
    await tablesWith(owner, ['device_id', 'alert_id']),
  ]
  const times = [new Date(firstKeptDayMs(now, 0)), alertDays]
  for (let some = 1; some > 0 && !isOver(); ) {
    some = await transactionOn(owner, async () => {
      await owner.query(`select ${lockUntilCommit('incidents')}`)
      const { rows } = await owner.query<{ incident_id: string }>(SHARES_SQL, times)
      const ids = rows.map(({ incident_id }) => incident_id)
      if (ids.length === 0) return 0
      const { rows: left } = await owner.query<{ id: string }>(LEFT_SQL, [ids])
      const gone = left.map(({ id }) => id)
      for (const table of ofIncidents) await owner.query(`delete from ${table} where incident_id = any ($1)`, [gone])
      await owner.query('delete from incident where id = any ($1)', [gone])
      return ids.length
    })
  }
  for (let some = 1; some > 0 && !isOver(); ) {
    some = await transactionOn(owner, async () => {
      const { rows } = await owner.query<{ device_id: number; id: string }>(ALERTS_SQL, times)
      const keys = [rows.map(({ device_id }) => device_id), rows.map(({ id }) => id)]
      const these = `select * from unnest($1::integer[], $2::bigint[])`
      for (const table of ofAlerts)
        await owner.query(`delete from ${table} where (device_id, alert_id) in (${these})`, keys)
      await owner.query(`delete from alert where (device_id, id) in (${these})`, keys)
      return rows.length
    })
  }
}

const SHARES_SQL = `
  with gone as (
    delete from incident_share s where (incident_id, customer_id) in (
      select incident_id, customer_id from incident_share join ${BEFORE} c on c.id = customer_id
      where over_at < c.before limit ${ROWS_AT_ONCE / 10})
    returning incident_id, customer_id
  ), parts as (
    delete from incident_part p using gone g where p.incident_id = g.incident_id and p.customer_id = g.customer_id
  )
  select incident_id from gone`

const LEFT_SQL = `select id from incident i where id = any ($1)
  and not exists (select from incident_share s where s.incident_id = i.id and s.customer_id > 0)`

const ALERTS_SQL = `
  select a.device_id, a.id from alert a join ${BEFORE} c on c.id = a.customer_id
  left join incident_part p on p.device_id = a.device_id and p.alert_id = a.id
  where (a.status_id = 2 or a.withdrawn_at is not null) and coalesce(a.withdrawn_at, a.closed_at, a.created_at) < c.before
    and p.alert_id is null
  limit ${ROWS_AT_ONCE / 4}`

/** A record of maintenance names its alert, and stays when that is gone. */
const KEPT_TABLES = ['maintenance_entry', 'status_news']

/** Tables are found by their columns, so that no later one is forgotten. */
async function tablesWith(owner: pg.ClientBase, columns: readonly string[]): Promise<string[]> {
  const { rows } = await owner.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c
     where c.relkind = 'r' and not c.relispartition and c.relnamespace = 'public'::regnamespace and c.relname <> all ($2)
       and (select count(*) from pg_attribute a where a.attrelid = c.oid and a.attname = any ($1) and not a.attisdropped)
         = cardinality($1) order by 1`,
    [columns, KEPT_TABLES],
  )
  return rows.map(({ name }) => name)
}
