import { type RawBuilder, type SqlBool, sql } from 'kysely'

/** Pattern for `ilike` that finds a text anywhere: its own wildcards mean themselves. */
export const containing = (text: string): string => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`

/** Whether a column holds a text, by a look at each row. */
export const holds = (column: string, text: string) => sql<SqlBool>`${sql.ref(column)} ilike ${containing(text)}`

/**
 * The same by the index over `text_grams` of the column. What it estimates is left to that condition alone: both say the
 * same, and the planner would take them for independent.
 */
export const holdsByIndex = (column: string, text: string) =>
  sql<SqlBool>`(text_grams(${sql.ref(column)}) @> text_needles(${text}) and coalesce(${holds(column, text)}, false))`

/**
 * SQL: one of two values, by whether most devices are likely to be found by a question.
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

/** Whether a folded text of `device` has all of these, by a look at each row; not while it waits to be folded. */
export const holdsNeedles = (text: 'search_text' | 'place_text', needles: readonly string[]) =>
  sql<SqlBool>`coalesce(${sql.ref(`device.${text}`)} like all(${needles.map(containing)}::text[]), false)`

/** Of what `text_grams` gives, the longest that a text must have to contain this one. */
function longestRuns(text: string): string[] {
  const size = Math.min(3, text.length)
  return Array.from({ length: text.length - size + 1 }, (_, place) => text.slice(place, place + size))
}

/**
 * SQL: one of two values, by whether most names of devices are likely to hold a text. What is not taken is not worked out.
 *
 * @param valueBy makes the value from the condition that a name of `device` holds the text
 */
export const byNames = <Value>(text: string, valueBy: (named: RawBuilder<SqlBool>) => RawBuilder<Value>) =>
  sql<Value>`case when is_common_in_names(${text}) then ${valueBy(holds('device.name', text))}
    else ${valueBy(holdsByIndex('device.name', text))} end`
