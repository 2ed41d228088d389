import { MOST_COUNTED_ROWS } from '#contract/call/listOptions.ts'
import { formatNumber } from '#domain/units/numbers.ts'

/**
 * It words the position of a page that has rows: "1–100 of 3,756"; a total beyond what the server counts is "more than
 * 10,000", and one that it never counts is left out.
 */
export function pagePosition(firstRow: number, shownCount: number, total: number | null | undefined): string {
  const lastRow = firstRow + shownCount - 1
  const rows = `${formatNumber(firstRow)}–${formatNumber(lastRow)}`
  if (total === undefined) return rows
  const of = total === null ? `more than ${formatNumber(MOST_COUNTED_ROWS)}` : formatNumber(total)
  return `${rows} of ${of}`
}
