import type pg from 'pg'
import { SEVERITIES } from '#domain/alerts/conditionKinds.ts'
import { REFUSED_FOR_MS } from '#domain/devices/refusedReports.ts'
import { deviceStatusName } from '#domain/devices/status.ts'
import { DAY_MS } from '#domain/units/time.ts'
import { firstKeptDayMs, partitionName } from '#server/db/partitions/partitions.ts'
import { PARTITIONED_TABLES } from '#server/db/partitions/readingTables.ts'

/** Counting stops here, because more than this is too much in any case. */
const MOST_MARKS = 100_000

export type FiguresPool = pg.Pool

export interface SystemFigures {
  readonly processes: number
  readonly devices: readonly { readonly status: string; readonly state: 'online' | 'offline'; readonly count: number }[]
  readonly openAlerts: readonly {
    readonly severity: string
    readonly state: 'active' | 'over'
    readonly count: number
  }[]
  readonly devicesWithRefusedReports: number
  readonly devicesWithWrongClock: number
  readonly openIncidents: number
  readonly commandsWaiting: number
  readonly mailsWaiting: number
  readonly mailsWaitingSeconds: number
  readonly rollupMarks: number
  readonly rollupRefreshedAt: Date | undefined
  readonly refolds: number
  readonly refoldsSeconds: number
  readonly partitionsAheadDays: number
  readonly databaseBytes: number
}

interface OneRow {
  readonly processes: number
  readonly refused: number
  readonly wrong_clocks: number
  readonly open_incidents: number
  readonly commands: number
  readonly mails: number
  readonly mails_seconds: number
  readonly marks: number
  readonly refreshed_at: Date | null
  readonly refolds: number
  readonly refolds_seconds: number
  readonly bytes: number
  readonly partitions: readonly string[]
}

/** Reads all figures one after the other on one connection, so that scraping never takes several. */
export async function readSystemFigures(pool: pg.Pool, now: Date): Promise<SystemFigures> {
  const connection = await pool.connect()
  try {
    const [one] = (await connection.query<OneRow>(ONE_ROW, [MOST_MARKS])).rows
    if (!one) throw new Error('The database answered nothing.')
    const devices = await connection.query<{ status_id: number; online: boolean; count: number }>(DEVICES)
    const alerts = await connection.query<{ severity_id: number; active: boolean; count: number }>(OPEN_ALERTS)
    return {
      processes: one.processes,
      devices: devices.rows.map(({ status_id, online, count }) => ({
        status: deviceStatusName(status_id).toLowerCase().replaceAll(' ', '_'),
        state: online ? 'online' : 'offline',
        count,
      })),
      openAlerts: SEVERITIES.flatMap(({ id, name }) =>
        [true, false].map((active) => ({
          severity: name.toLowerCase(),
          state: active ? ('active' as const) : ('over' as const),
          count: alerts.rows.find((row) => row.severity_id === id && row.active === active)?.count ?? 0,
        })),
      ),
      devicesWithRefusedReports: one.refused,
      devicesWithWrongClock: one.wrong_clocks,
      openIncidents: one.open_incidents,
      commandsWaiting: one.commands,
      mailsWaiting: one.mails,
      mailsWaitingSeconds: Math.max(0, one.mails_seconds),
      rollupMarks: one.marks,
      rollupRefreshedAt: one.refreshed_at ?? undefined,
      refolds: one.refolds,
      refoldsSeconds: Math.max(0, one.refolds_seconds),
      partitionsAheadDays: daysAhead(new Set(one.partitions), now),
      databaseBytes: one.bytes,
    }
  } finally {
    connection.release()
  }
}

/** Counts the days after today that every partitioned table has without a gap. */
function daysAhead(names: ReadonlySet<string>, now: Date): number {
  const today = firstKeptDayMs(now, 0)
  const isThere = (day: number) =>
    PARTITIONED_TABLES.every(({ table }) => names.has(partitionName(table, today + day * DAY_MS)))
  let days = 0
  while (isThere(days + 1)) days++
  return days
}

/** SQL for the number of existing devices with a recently refused report. */
const REFUSED_DEVICES = `
  select count(*)::int as devices from device_refusal r join device d on d.id = r.device_id and d.deleted_at is null
  where r.last_at > now() - interval '${REFUSED_FOR_MS} milliseconds'`

/** A notice that needs no repair of the server, but that somebody must know. */
export async function refusedNotice(pool: FiguresPool): Promise<string | undefined> {
  const { rows } = await pool.query<{ devices: number }>(REFUSED_DEVICES)
  const count = rows[0]?.devices ?? 0
  if (count === 0) return undefined
  return `Reports of ${count} ${count === 1 ? 'device' : 'devices'} are refused: see the filter "Reports refused" of Devices.`
}

const WAITING_MAILS = `
  select next_try_at from notification where sent_at is null and given_up_at is null
  union all select next_try_at from password_mail where sent_at is null and given_up_at is null
  union all select next_try_at from maintenance_mail where sent_at is null and given_up_at is null`

const ONE_ROW = `
  with mail as (${WAITING_MAILS})
  select
    (select count(*) from server_process where lease_until > now()) as processes,
    (${REFUSED_DEVICES}) as refused,
    (select count(*) from device_now where clock_error_ms <> 0) as wrong_clocks,
    (select count(*) from incident_share where customer_id = -1 and state_id < 2) as open_incidents,
    (select count(*) from device_command where state in ('accepted', 'sent')) as commands,
    (select count(*) from mail) as mails,
    (select coalesce(extract(epoch from now() - min(next_try_at)), 0)::float8 from mail) as mails_seconds,
    (select count(*) from (
       select from rollup_mark where hour < date_trunc('hour', now(), 'UTC') limit $1) waiting) as marks,
    (select refreshed_at from rollup_state) as refreshed_at,
    (select count(*) from alert_refold) as refolds,
    (select coalesce(extract(epoch from now() - min(marked_at)), 0)::float8 from alert_refold) as refolds_seconds,
    pg_database_size(current_database()) as bytes,
    (select array_agg(c.relname::text) from pg_inherits i join pg_class c on c.oid = i.inhrelid and c.relkind = 'r'
     where not i.inhdetachpending) as partitions`

const DEVICES = `
  select status_id, online, sum(devices)::int as count from (
    select f.status_id, f.devices, exists (
      select from server_process p where p.id = any (f.process_ids) and p.lease_until > now()) as online
    from fleet_count f) counted
  group by status_id, online having sum(devices) <> 0 order by status_id, online`

const OPEN_ALERTS = `
  select severity_id, condition_state_id = 1 as active, count(*)::int as count from alert
  where status_id = 1 and withdrawn_at is null group by 1, 2 order by 1, 2`

/** The exported values of each device. A device that the query does not find gets `otherwise`. */
const DEVICE_VALUES = {
  wayside_device_info: { found: 'select id as device_id, 1 as value from device where id = any ($1)', otherwise: 1 },
  wayside_device_online: {
    found: `select distinct c.device_id, 1 as value from device_connection c join server_process p on p.id = c.process_id
      where c.device_id = any ($1) and not c.is_silent and p.lease_until > now()`,
    otherwise: 0,
  },
  wayside_device_last_report_timestamp_seconds: {
    found:
      'select device_id, extract(epoch from newest_at)::float8 as value from device_now where device_id = any ($1)',
    otherwise: undefined,
  },
  wayside_device_open_alerts: {
    found: `select device_id, count(*)::int as value from alert
      where device_id = any ($1) and status_id = 1 and withdrawn_at is null group by device_id`,
    otherwise: 0,
  },
  wayside_device_refused_reports: {
    found: `select device_id, count::float8 as value from device_refusal
      where device_id = any ($1) and last_at > now() - interval '${REFUSED_FOR_MS} milliseconds'`,
    otherwise: 0,
  },
  wayside_device_clock_error_seconds: {
    found: `select device_id, clock_error_ms / 1000.0::float8 as value from device_now
      where device_id = any ($1) and clock_error_ms <> 0`,
    otherwise: 0,
  },
} as const
export const DEVICE_METRICS = Object.keys(DEVICE_VALUES) as readonly (keyof typeof DEVICE_VALUES)[]

export interface DeviceValue {
  readonly guid: string
  readonly name: string
  readonly customer: string
  /** Undefined where nothing was reported. */
  readonly value: number | undefined
}

const DEVICES_AT_ONCE = 2_000

/** Reads one value of every device, some at a time, so that a large fleet is never in memory as a whole. */
export async function* readDeviceValues(
  pool: pg.Pool,
  metric: keyof typeof DEVICE_VALUES,
): AsyncGenerator<readonly DeviceValue[], void> {
  const { found, otherwise } = DEVICE_VALUES[metric]
  for (let afterId = 0; ; ) {
    const { rows: devices } = await pool.query<{ id: number; guid: string; name: string; customer: string }>(
      `select d.id, d.guid::text as guid, d.name, c.name as customer
       from device d join customer c on c.id = d.customer_id
       where d.deleted_at is null and d.id > $1 order by d.id limit $2`,
      [afterId, DEVICES_AT_ONCE],
    )
    const last = devices.at(-1)
    if (!last) return
    const ids = devices.map(({ id }) => id)
    const { rows } = await pool.query<{ device_id: number; value: number }>(found, [ids])
    const values = new Map(rows.map(({ device_id, value }) => [device_id, value]))
    yield devices.map(({ id, ...named }) => ({ ...named, value: values.get(id) ?? otherwise }))
    afterId = last.id
  }
}
