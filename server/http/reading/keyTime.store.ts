import { type RawBuilder, sql } from 'kysely'

/**
 * SQL: the moment of a row for the key of a page. With microseconds, as the database orders by them, so that no row falls
 * between two pages: a `Date` holds milliseconds.
 */
export const keyTime = (column: string): RawBuilder<string> =>
  sql<string>`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
