import { createHash } from 'node:crypto'
import type pg from 'pg'

const names = new Map<string, string>()

/**
 * A statement that each connection parses once, and plans anew only where that pays. Its name follows from its text,
 * so only for statements of which there are few: a connection keeps every one that it has seen.
 */
export function prepared(text: string, values: unknown[]): pg.QueryConfig {
  let name = names.get(text)
  if (name === undefined) {
    name = createHash('sha256').update(text).digest('base64')
    names.set(text, name)
  }
  return { name, text, values }
}

export interface PooledQuestion extends pg.QueryConfig {
  /** Planned once on each connection, for all values. */
  readonly isPlannedOnce: true
  /** Sent with others that are asked in this moment. */
  readonly goesTogether?: true
}

/**
 * The same, planned once for all values: for tables with many partitions, where PostgreSQL takes every plan for values
 * that it has just made for a bargain, and making it takes longer than carrying it out. Asked of a pool only.
 */
export const plannedOnce = (text: string, values: unknown[]): PooledQuestion => ({
  ...prepared(text, values),
  isPlannedOnce: true,
})

/** The same of what takes a fraction of a millisecond: to send it by itself would take longer (docs/decisions/0132). */
export const short = (text: string, values: unknown[]): PooledQuestion => ({
  ...plannedOnce(text, values),
  goesTogether: true,
})
