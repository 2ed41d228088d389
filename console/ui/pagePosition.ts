const written = new Intl.NumberFormat('en')
const MOST_COUNTED = 10_000

/** "1–100 of 3,756"; a total beyond what the server counts is "more than 10,000". */
export function pagePosition(firstRow: number, shownCount: number, total: number | null): string {
  if (shownCount === 0) return total === 0 ? 'No rows' : `No rows on this page`
  const lastRow = firstRow + shownCount - 1
  const of = total === null ? `more than ${written.format(MOST_COUNTED)}` : written.format(total)
  return `${written.format(firstRow)}–${written.format(lastRow)} of ${of}`
}
