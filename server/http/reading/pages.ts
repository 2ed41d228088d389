import type { z } from 'zod'
import { MOST_COUNTED_ROWS } from '#contract/call/listOptions.ts'
import { notValid } from '#domain/validation/messages.ts'
import { CallError } from '#server/http/call/callError.ts'

/** A page of a list starts after the row of a key, or after a number of rows (rules/calls 11). */
export interface PageRequest<Key> {
  readonly after?: Key | undefined
  readonly skip: number
  readonly size: number
}

interface Paging {
  /** The first row is 1. */
  readonly rowNum?: number | null | undefined
  readonly pageSize?: number | null | undefined
  readonly limit?: number | null | undefined
  readonly next?: string | null | undefined
}

/** Tells whether a call asks for a page. Lists that are older than their pages answer plain rows otherwise. */
export const isPaged = ({ rowNum, pageSize, limit, next }: Paging): boolean =>
  [rowNum, pageSize, limit, next].some((given) => given != null)

/**
 * Reads which page a call asks for; a key takes precedence over a row number.
 * @param keyOf reads a key, or refuses it
 */
export function askedPage<Key>(asked: Paging, usualSize: number, keyOf: (next: string) => Key): PageRequest<Key> {
  const { rowNum, pageSize, limit, next } = asked
  const size = Math.min(pageSize ?? limit ?? usualSize, limit ?? pageSize ?? usualSize)
  if (next != null) return { after: keyOf(next), skip: 0, size }
  if (rowNum != null && rowNum > MOST_COUNTED_ROWS) throw new CallError('page_too_deep')
  return { skip: (rowNum ?? 1) - 1, size }
}

/**
 * Reads a page and the key of the next one. It reads one row more than asked, which tells whether there is a next page.
 */
export async function readPage<Row extends object, Key>(
  page: PageRequest<Key>,
  read: (page: PageRequest<Key>) => Promise<readonly Row[]>,
  keyOf: (row: Row) => object | Promise<object>,
): Promise<{ readonly rows: Row[]; readonly next: string | null }> {
  const found = await read({ ...page, size: page.size + 1 })
  const rows = found.slice(0, page.size)
  const end = found.length > page.size ? rows.at(-1) : undefined
  return { rows, next: end ? writePageKey(await keyOf(end)) : null }
}

export const ROWS_TO_COUNT = MOST_COUNTED_ROWS + 1

/** A total is exact or null, because counting on would cost more than reading. */
export const exactTotal = (count: number): number | null => (count > MOST_COUNTED_ROWS ? null : count)

function writePageKey(key: object): string {
  return Buffer.from(JSON.stringify(key)).toString('base64url')
}

/** @throws CallError `invalid_request` when the text is no such key */
export function readPageKey<Schema extends z.ZodType>(text: string, schema: Schema): z.output<Schema> {
  const key = schema.safeParse(parsed(text))
  if (!key.success) throw new CallError('invalid_request', notValid('next'))
  return key.data
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
  } catch {
    return undefined
  }
}
