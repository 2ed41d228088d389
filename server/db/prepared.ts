import { createHash } from 'node:crypto'
import type pg from 'pg'

/**
 * A statement that each connection parses once, and plans anew only where that pays. Its name follows from its text,
 * so only for statements of which there are few: a connection keeps every one that it has seen.
 */
export function prepared(text: string, values: unknown[]): pg.QueryConfig {
  return { name: createHash('sha1').update(text).digest('base64'), text, values }
}
