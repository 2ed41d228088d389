/** Where a row stands in a list of one cell: what the list is sorted by, then its name, then its number. */
export interface Place {
  /** Lists by name have none. */
  readonly rank: number | string | null
  /** The name as it is compared. */
  readonly name: string
  /** Two cells may have a device of the same number. */
  readonly id: number
}

/** Where a row stands in the list of all cells. */
export interface MergedPlace extends Place {
  readonly cell: number
}

/** The first rows of one cell behind a place, in the order of the list. */
export interface CellPage<Row extends Place> {
  readonly cell: number
  readonly rows: readonly Row[]
}

type Merged<Row extends Place> = Row & MergedPlace

/** Numbers of devices begin with 1. */
const BEFORE_ALL = 0
const BEHIND_ALL = 2 ** 31 - 1

/** Orders rows of all cells as PostgreSQL orders those of one: nulls are the highest, and texts go by their bytes. */
export function comparePlaces(one: MergedPlace, other: MergedPlace, isDescending: boolean): number {
  const difference =
    compareRanks(one.rank, other.rank) ||
    compareTexts(one.name, other.name) ||
    one.cell - other.cell ||
    one.id - other.id
  return isDescending ? -difference : difference
}

function compareRanks(one: Place['rank'], other: Place['rank']): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null)
  return typeof one === 'number' && typeof other === 'number' ? one - other : compareTexts(String(one), String(other))
}

const SURROGATES_FROM = 0xd800
const BEHIND_SURROGATES = 0xe000

/** JavaScript compares halves of letters: those of letters beyond 0xffff lie before some that are smaller. */
function compareTexts(one: string, other: string): number {
  if (one === other) return 0
  const least = Math.min(one.length, other.length)
  for (let at = 0; at < least; at++) {
    const [a, b] = [one.charCodeAt(at), other.charCodeAt(at)]
    if (a !== b) return weight(a) - weight(b)
  }
  return one.length - other.length
}

const weight = (unit: number) =>
  unit < SURROGATES_FROM ? unit : unit < BEHIND_SURROGATES ? unit + 0x10_000 : unit - 0x800

/**
 * Returns the place behind which a cell begins, so that all cells go on behind the same row. A cell's own list knows no
 * cells: at equal ranks and names it begins before or behind all of them, as a number says that no device has.
 */
export function placeIn(cell: number, { rank, name, id, cell: ofRow }: MergedPlace): Place {
  return { rank, name, id: cell === ofRow ? id : cell < ofRow ? BEHIND_ALL : BEFORE_ALL }
}

/** Merges the rows of all cells until a page is full; no cell is read beyond what it sent. */
export function mergePages<Row extends Place>(
  pages: readonly CellPage<Row>[],
  size: number,
  isDescending: boolean,
): Merged<Row>[] {
  const heads = pages.map(({ cell, rows }) => ({ cell, rows, at: 0 }))
  const headOf = ({ cell, rows, at }: (typeof heads)[number]) => rows[at] && { ...rows[at], cell }
  const found: Merged<Row>[] = []
  while (found.length < size) {
    let first: { readonly row: Merged<Row>; readonly head: (typeof heads)[number] } | undefined
    for (const head of heads) {
      const row = headOf(head)
      if (row && (!first || comparePlaces(row, first.row, isDescending) < 0)) first = { row, head }
    }
    if (!first) return found
    found.push(first.row)
    first.head.at += 1
  }
  return found
}

/** Every so many rows a cell tells where it is, when a page far behind is wanted. */
export const stepFor = (skip: number, cells: number): number => Math.max(1, Math.ceil(Math.sqrt(skip / cells)))

export interface Start {
  readonly cell: number
  /** The cell begins behind this place; undefined means at its first row. */
  readonly after: Place | undefined
}

/**
 * Finds where each cell begins to be read for a page far behind, from every `step`-th place of each.
 *
 * @returns also how many rows of all cells lie before these beginnings
 */
export function startsFor(
  samples: readonly CellPage<Place>[],
  { step, skip, isDescending }: { readonly step: number; readonly skip: number; readonly isDescending: boolean },
): { readonly starts: readonly Start[]; readonly skipped: number } {
  // Up to a sample lie at most `step - 1` more rows of each cell than its own samples count, and all must be skipped.
  const most = Math.floor((skip - samples.length * (step - 1)) / step)
  const passed = mergePages(samples, Math.max(0, most), isDescending)
  const last = new Map(passed.map((place) => [place.cell, place]))
  return { starts: samples.map(({ cell }) => ({ cell, after: last.get(cell) })), skipped: passed.length * step }
}

/** A count of all cells is known if each of them answered and knows its own. */
export function sumCounts(counts: readonly (number | null | undefined)[]): number | null {
  let sum = 0
  for (const count of counts) {
    if (count === null || count === undefined) return null
    sum += count
  }
  return sum
}
