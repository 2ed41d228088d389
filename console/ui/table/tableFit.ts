import type { Column } from './tableColumn.ts'

/** A flexible column needs this width before its words are mostly cut. */
const FLEXIBLE_PX = 120

type Fitted = Pick<Column<never>, 'widthPx' | 'leaves'>

export const neededPx = (columns: readonly Fitted[]): number =>
  columns.reduce((sum, { widthPx = FLEXIBLE_PX }) => sum + widthPx, 0)

/**
 * It returns the columns that fit the container: those with `leaves` go one by one, the lowest first, until the rest
 * has room. While the width is unknown it returns all of them.
 *
 * @param wholePx the width that all columns together need
 * @returns with `fits` false when even the rest has no room
 */
export function fittingColumns<One extends Fitted>(
  columns: readonly One[],
  wholePx: number,
  containerPx: number | undefined,
): { readonly columns: readonly One[]; readonly minWidthPx: number; readonly fits: boolean } {
  if (containerPx === undefined) return { columns, minWidthPx: wholePx, fits: true }
  const leaving = columns.filter(({ leaves }) => leaves !== undefined).sort((a, b) => (a.leaves ?? 0) - (b.leaves ?? 0))
  const gone = new Set<One>()
  let minWidthPx = wholePx
  for (const column of leaving) {
    if (minWidthPx <= containerPx) break
    gone.add(column)
    minWidthPx -= neededPx([column])
  }
  return { columns: columns.filter((column) => !gone.has(column)), minWidthPx, fits: minWidthPx <= containerPx }
}
