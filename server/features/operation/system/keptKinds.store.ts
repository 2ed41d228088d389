import type pg from 'pg'
import type { SystemState } from '#contract/http/operation/system.ts'
import { DAY_MS } from '#domain/units/time.ts'
import { sizesSql } from '#server/db/distribute/citusState.ts'
import { readWorkers } from '#server/db/distribute/workers.ts'
import {
  CLOSED_DAY_TABLE,
  isReadingTable,
  LOOK_TABLE,
  MESSAGE_TABLE,
  ROLLUP_TABLE,
} from '#server/db/partitions/readingTables.ts'
import type { Config } from '#server/settings/config.ts'

type Kept = SystemState['kept'][number]
type Days = Pick<Config, 'openDays' | 'closedDays' | 'rollupDays' | 'alertDays' | 'lightDays'>

interface Tables {
  readonly parent: string
  /** The name of the oldest one that holds something ends with its day or month. */
  readonly first: string | null
  readonly bytes: number
}

const tablesSql = (sizes: string) => `
  select p.relname as parent, min(substring(c.relname from '[0-9]+$')) filter (where row_bytes > 0) as first,
    sum(bytes)::float8 as bytes
  from pg_inherits i join pg_class p on p.oid = i.inhparent and p.relkind = 'p' join pg_class c on c.oid = i.inhrelid
  join ${sizes} sizes on relid = c.oid
  where c.relkind = 'r' group by 1`

const ROWS_SQL = `
  select (select min(created_at) from alert where withdrawn_at is null) as alerts,
    pg_total_relation_size('alert') + pg_total_relation_size('alert_event') as alert_bytes,
    (select min(day)::timestamp at time zone 'UTC' from customer_dark_day) as light,
    pg_total_relation_size('device_dark_day') + pg_total_relation_size('display_day') + pg_total_relation_size('customer_dark_day') as light_bytes`

interface Rows {
  readonly alerts: Date | null
  readonly alert_bytes: string
  readonly light: Date | null
  readonly light_bytes: string
}

const CLOSING_SQL = `
  select ran_at as "ranAt", worked_ms / greatest(ran_ms, 1) as share,
    greatest(0, (now() at time zone 'UTC')::date - $1::integer - $2::date) as "daysLeft"
  from closing_state`

interface ClosingRow {
  readonly ranAt: Date | null
  readonly share: number | null
  readonly daysLeft: number
}

/** Reads what is stored: on which machines, since when and until when, and how closing days goes on. */
export async function readStored(
  pool: pg.Pool,
  days: Days,
): Promise<Pick<SystemState, 'kept' | 'closing' | 'workers'>> {
  const [kept, workers] = await Promise.all([readKept(pool, days), readWorkers(pool)])
  return { ...kept, workers }
}

async function readKept(pool: pg.Pool, days: Days): Promise<Pick<SystemState, 'kept' | 'closing'>> {
  const { rows: tables } = await pool.query<Tables>(tablesSql(await sizesSql(pool, LOOK_TABLE)))
  const [rows] = (await pool.query<Rows>(ROWS_SQL)).rows
  const of = (parent: string) => tables.find((one) => one.parent === parent)
  const open = tables.filter(({ parent }) => isReadingTable(parent))
  const firstOpen = open.flatMap(({ first }) => first ?? []).toSorted()[0]
  const [closing] = (await pool.query<ClosingRow>(CLOSING_SQL, [days.openDays, firstOpen ?? null])).rows
  const kept: Kept[] = [
    {
      ...{ kind: 'open', keptDays: days.openDays, bytes: open.reduce((sum, { bytes }) => sum + bytes, 0) },
      ...times(dayOf(firstOpen), (day) => day + (days.openDays + 1) * DAY_MS),
    },
    byMonth('closed', days.closedDays, of(CLOSED_DAY_TABLE)),
    byMonth('messages', days.closedDays, of(MESSAGE_TABLE)),
    byMonth('means', days.rollupDays, of(ROLLUP_TABLE)),
    byRow('light', days.lightDays, rows?.light, rows?.light_bytes),
    byRow('alerts', days.alertDays, rows?.alerts, rows?.alert_bytes),
  ]
  const { daysLeft = 0, share = null, ranAt } = closing ?? {}
  return { kept, closing: { daysLeft, share, ranAt: ranAt?.toISOString() ?? null } }
}

/** Whole months go, each when its last day is old enough. */
function byMonth(kind: Kept['kind'], keptDays: number, tables: Tables | undefined): Kept {
  const end = (day: number) => Date.UTC(new Date(day).getUTCFullYear(), new Date(day).getUTCMonth() + 1, 1)
  return {
    ...{ kind, keptDays, bytes: tables?.bytes ?? 0 },
    ...times(dayOf(tables?.first), (day) => end(day) + keptDays * DAY_MS),
  }
}

const byRow = (
  kind: Kept['kind'],
  keptDays: number,
  first: Date | null | undefined,
  bytes: string | undefined,
): Kept => ({
  ...{ kind, keptDays, bytes: Number(bytes ?? 0) },
  ...times(first?.getTime(), (at) => at + (keptDays + 1) * DAY_MS),
})

const times = (fromMs: number | undefined, goes: (fromMs: number) => number) => ({
  from: fromMs === undefined ? null : new Date(fromMs).toISOString(),
  goesAt: fromMs === undefined ? null : new Date(goes(fromMs)).toISOString(),
})

/** Reads `202605` and `20260507`. */
function dayOf(text: string | null | undefined): number | undefined {
  if (typeof text !== 'string') return undefined
  return Date.UTC(Number(text.slice(0, 4)), Number(text.slice(4, 6)) - 1, Number(text.slice(6) || 1))
}
