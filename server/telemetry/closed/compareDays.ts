import { ARRIVAL_STEP_MICROSECONDS } from './closedFile.ts'
import type { DayColumns } from './dayColumns.ts'

/** Finds the first thing in which a day that was read again differs from what was written; undefined for nothing. */
export function differenceOf(written: DayColumns, read: DayColumns): string | undefined {
  if (read.rows !== written.rows) return `${read.rows} rows instead of ${written.rows}`
  for (let row = 0; row < written.rows; row++) {
    if (read.at[row] !== written.at[row]) return `another device time in row ${row}`
    const arrival = Math.abs((read.inserted[row] ?? 0) - (written.inserted[row] ?? 0))
    if (!(arrival <= ARRIVAL_STEP_MICROSECONDS / 2)) return `another arrival in row ${row}`
  }
  const columns: [string, ArrayLike<unknown> | undefined, ArrayLike<unknown> | undefined][] = [
    ['claimed time', written.claimedAt, read.claimedAt],
    ['mark of a corrected time', written.isCorrected, read.isCorrected],
    ['unknown field', written.extra, read.extra],
  ]
  for (const name of new Set([...written.fields.keys(), ...read.fields.keys()]))
    columns.push([name, written.fields.get(name), read.fields.get(name)])
  for (const [name, one, other] of columns) {
    for (let row = 0; row < written.rows; row++)
      if (!Object.is(one?.[row] ?? null, other?.[row] ?? null)) return `another ${name} in row ${row}`
  }
  return undefined
}
