import type pg from 'pg'
import { openTable } from '../../frame/table.ts'

/** What one table, or all tables of a kind, put into PostgreSQL's log. */
interface LogWriter {
  readonly name: string
  readonly bytes: number
  readonly records: number
}

/** Day partitions count for their table, with all of their indexes; what belongs to no table is commits and the like. */
const WRITERS_SQL = `
  with record as materialized (
    select start_lsn, record_length, record_type from pg_get_wal_records_info($1, $2)
  ), changed as (
    select distinct on (start_lsn) start_lsn, relfilenode from pg_get_wal_block_info($1, $2, false)
    order by start_lsn, block_id
  ), named as (
    select record_length,
      coalesce(
        regexp_replace(coalesce(of_index.relname, c.relname), '_\\d{6,8}$', '')
          || case when of_index.oid is null then '' else ', index' end,
        'no table: ' || record_type) as name
    from record
    left join changed using (start_lsn)
    left join pg_class c on pg_relation_filenode(c.oid) = changed.relfilenode
    left join pg_index i on i.indexrelid = c.oid
    left join pg_class of_index on of_index.oid = i.indrelid
  )
  select name, count(*)::int as records, sum(record_length)::float8 as bytes from named group by name order by 3 desc`

export interface LogSpan {
  readonly from: string
  readonly to: string
}

const SHOWN_SHARE = 0.01

/** @returns the place to which the log is on disk, because only what is there can be read */
export async function placeInLog(db: pg.Client): Promise<string> {
  const { rows } = await db.query<{ place: string }>('select pg_current_wal_flush_lsn()::text as place')
  return rows[0]?.place ?? ''
}

/** Prints who wrote the log between two places. Only a superuser may look, so another database stays silent. */
export async function printLogWriters(db: pg.Client, { from, to }: LogSpan, values: number) {
  const { rows: may } = await db.query<{ superuser: boolean }>(
    'select rolsuper as superuser from pg_roles where rolname = current_user',
  )
  if (!may[0]?.superuser) return
  await db.query('create extension if not exists pg_walinspect')
  const { rows: writers } = await db.query<LogWriter>(WRITERS_SQL, [from, to])
  const all = writers.reduce((sum, { bytes }) => sum + bytes, 0)
  const row = openTable(['B/value', 'records', 'B/record'])
  for (const { name, bytes, records } of writers) {
    if (bytes < all * SHOWN_SHARE) break
    row(`  log of ${name}`, [(bytes / values).toFixed(2), records, bytes / records])
  }
}
