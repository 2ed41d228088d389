import { type RawBuilder, sql } from 'kysely'

/**
 * SQL: the moment of a row for the key of a page. It has microseconds, by which the database orders: a `Date` holds
 * only milliseconds, and rows would fall between two pages.
 */
export const keyTime = (column: string): RawBuilder<string> =>
  sql<string>`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
