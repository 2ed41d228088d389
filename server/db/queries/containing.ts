import { type RawBuilder, type SqlBool, sql } from 'kysely'

/** Makes a pattern for `ilike` that finds a text anywhere; wildcards in the text match only themselves. */
export const containing = (text: string): string => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`

/** SQL condition: a column contains a text, checked row by row. */
export const holds = (column: string, text: string) => sql<SqlBool>`${sql.ref(column)} ilike ${containing(text)}`

/**
 * SQL condition: a column contains a text, found by the index over its `text_grams`. The estimate is left to the second
 * condition alone: both say the same, and the planner would take them for independent.
 */
export const holdsByIndex = (column: string, text: string) =>
  sql<SqlBool>`(text_grams(${sql.ref(column)}) @> text_needles(${text}) and coalesce(${holds(column, text)}, false))`

/**
 * SQL: one of two values, depending on whether most devices are likely to match.
 *
 * @param needles what the folded text of a device has to contain (domain/devices/searchText.ts); at least one
 * @param valueBy makes the value from the condition that `device` has them
 */
export function bySearch<Value>(
  needles: readonly string[],
  valueBy: (found: RawBuilder<SqlBool>) => RawBuilder<Value>,
): RawBuilder<Value> {
  const runs = sql`${needles.flatMap(longestRuns)}::text[]`
  const byLooking = holdsNeedles('search_text', needles)
  const byIndex = sql<SqlBool>`(text_grams(coalesce(device.search_text, '')) @> ${runs} and ${byLooking})`
  return sql<Value>`case when is_common_in_searches(${runs}) then ${valueBy(byLooking)} else ${valueBy(byIndex)} end`
}

/** SQL condition: a folded text of `device` contains all needles, row by row; false until the text is folded. */
export const holdsNeedles = (text: 'search_text' | 'place_text', needles: readonly string[]) =>
  sql<SqlBool>`coalesce(${sql.ref(`device.${text}`)} like all(${needles.map(containing)}::text[]), false)`

/** Returns the longest grams of a text: every text that contains it has all of these in its `text_grams`. */
function longestRuns(text: string): string[] {
  const size = Math.min(3, text.length)
  return Array.from({ length: text.length - size + 1 }, (_, place) => text.slice(place, place + size))
}

/**
 * SQL: one of two values, depending on whether most names of devices are likely to contain a text. The other value is
 * not evaluated.
 *
 * @param valueBy makes the value from the condition that a name of `device` contains the text
 */
export const byNames = <Value>(text: string, valueBy: (named: RawBuilder<SqlBool>) => RawBuilder<Value>) =>
  sql<Value>`case when is_common_in_names(${text}) then ${valueBy(holds('device.name', text))}
    else ${valueBy(holdsByIndex('device.name', text))} end`
