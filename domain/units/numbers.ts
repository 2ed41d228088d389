/** A PostgreSQL `integer` has these limits: ids, counts and whole readings. */
export const SMALLEST_INTEGER = -2_147_483_648
export const LARGEST_INTEGER = 2_147_483_647
/** And a PostgreSQL `real` this one. */
export const MAXIMUM_REAL = 3.4028234663852886e38

/** Numbers are rounded to 2 decimals below 100, otherwise to whole numbers (rules/display 2). */
export function roundedForDisplay(value: number): number {
  const rounded = Math.abs(value) < 100 ? Math.round(value * 100) / 100 : Math.round(value)
  return Object.is(rounded, -0) ? 0 : rounded
}

const GROUPED = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 2 })

/** Formats every number that people read, measured or counted: `0.25`, `98.6`, `1,235`. */
export function formatNumber(value: number): string {
  return Number.isFinite(value) ? GROUPED.format(roundedForDisplay(value)) : UNKNOWN_TEXT
}

const decimalFormats = [0, 1, 2].map(
  (digits) => new Intl.NumberFormat('en-GB', { minimumFractionDigits: digits, maximumFractionDigits: digits }),
)

/** Returns how many decimals a column needs so that none of its numbers loses one (rules/display 2). */
export function decimalsOf(values: Iterable<number | null | undefined>): number {
  let most = 0
  for (const value of values) {
    if (typeof value !== 'number' || !Number.isFinite(value)) continue
    const hundredths = Math.round(Math.abs(roundedForDisplay(value)) * 100)
    most = Math.max(most, hundredths % 100 === 0 ? 0 : hundredths % 10 === 0 ? 1 : 2)
    if (most === 2) break
  }
  return most
}

/** Formats a number of a column with the decimals of all its numbers: `98.60` above `0.25`. */
export function formatWithDecimals(value: number, decimals: number): string {
  return Number.isFinite(value) ? (decimalFormats[decimals]?.format(value) ?? formatNumber(value)) : UNKNOWN_TEXT
}

/** Shown if there is no reading: never zero, never OK. */
export const UNKNOWN_TEXT = '–'

/** Returns a stored `real` as its shortest decimal: `Math.fround(60.1)` becomes 60.1, not 60.099998474121094. */
export function shortestReal(value: number): number {
  if (Number.isInteger(value)) return value
  // No two decimals of six digits are the same `real`, so the first that fits is the shortest.
  const thousandths = Math.round(value * 1000)
  if (Math.abs(thousandths) < 1e6 && Math.fround(thousandths / 1000) === Math.fround(value)) return thousandths / 1000
  for (let digits = 6; digits < 9; digits++) {
    const candidate = Number(value.toPrecision(digits))
    if (Math.fround(candidate) === Math.fround(value)) return candidate
  }
  return value
}
