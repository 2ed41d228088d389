import { createHash } from 'node:crypto'

/**
 * A statement with a name is parsed once on each connection and soon planned no more. It pays where making the plan takes a
 * millisecond, as where many tables are joined, or where every call asks. A connection keeps every text as long as it
 * lives, so a statement whose text depends on what is asked must have no name (docs/decisions/0275).
 */
export const prepared = (text: string, values: readonly unknown[]) => ({
  name: createHash('sha256').update(text).digest('base64'),
  text,
  values: [...values],
})
