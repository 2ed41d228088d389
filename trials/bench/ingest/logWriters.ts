import type pg from 'pg'

/** What one table, or all tables of a kind, put into PostgreSQL's log. */
export interface LogWriter {
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

/** Says who wrote the log between two places. This needs a database that this trial has to itself. */
export async function logWriters(db: pg.Client, from: string, to: string): Promise<readonly LogWriter[]> {
  await db.query('create extension if not exists pg_walinspect')
  return (await db.query<LogWriter>(WRITERS_SQL, [from, to])).rows
}
