import type { RawRow } from '#contract/http/devices/records.ts'

/** Some values of the row may come from an older report. */
export interface FilledRow {
  readonly row: RawRow
  readonly carried: ReadonlySet<string>
}

/**
 * Each gap gets the last value that the component reported before, as far as the rows reach. Reports whose clock was
 * not trusted stay as they are, and nothing is carried from them.
 *
 * @param rows newest first
 * @param names the fields, as the rows name them
 */
export function fillForward(rows: readonly RawRow[], names: readonly string[]): ReadonlyMap<RawRow, FilledRow> {
  const filled = new Map<RawRow, FilledRow>()
  const lastOf = new Map<number, Map<string, unknown>>()
  for (const row of rows.toReversed()) {
    if (row.claimed_at !== undefined) continue
    const last = lastOf.get(row.number) ?? new Map<string, unknown>()
    lastOf.set(row.number, last)
    const carried = new Map<string, unknown>()
    for (const name of names) {
      const value: unknown = row[name]
      if (value !== undefined && value !== null) last.set(name, value)
      else if (last.has(name)) carried.set(name, last.get(name))
    }
    const whole = { ...row, ...Object.fromEntries(carried) } as RawRow
    filled.set(row, { row: whole, carried: new Set(carried.keys()) })
  }
  return filled
}
