import { isDeepStrictEqual } from 'node:util'
import { notFound } from './callError.ts'

/** @throws CallError `not_found` without a row: it never existed, is deleted, or is outside the scope */
export async function foundRow<Row>(query: Promise<Row | undefined>): Promise<Row> {
  const row = await query
  if (row === undefined) throw notFound()
  return row
}

/** The fields that a request changes, before and after. What is undefined or the same as before is not changed. */
export function changedFields<Known extends object>(
  known: Known,
  asked: { readonly [Name in keyof Known]?: Known[Name] | undefined },
  names: readonly (keyof Known)[] = Object.keys(asked) as (keyof Known)[],
): { readonly before: Partial<Known>; readonly after: Partial<Known> } {
  const before: Partial<Known> = {}
  const after: Partial<Known> = {}
  for (const name of names) {
    const wanted = asked[name]
    if (wanted === undefined || isDeepStrictEqual(wanted, known[name])) continue
    before[name] = known[name]
    after[name] = wanted
  }
  return { before, after }
}
