import type { Values } from './chartSeries.ts'
import type { View } from './chartView.ts'

/** What a line, or a band between two lines, covers of each column of pixels; NaN where it covers nothing. */
export interface Envelope {
  readonly low: Float64Array
  readonly high: Float64Array
}

/**
 * Lowest and highest value of a line within each of `columnCount` columns of what is in view: of its points there, and
 * of where it crosses the borders of the column. So nothing is lost however many points fall into one column, and
 * columns that a line connects touch each other. A missing value breaks the line; a break narrower than a column cannot
 * be seen. For a band, `low` and `high` are its edges; for a line both are its values.
 */
export function envelopeOf(
  timesS: readonly number[],
  { low, high }: { readonly low: Values; readonly high: Values },
  { min, max }: View,
  columnCount: number,
): Envelope {
  const covered = {
    low: new Float64Array(columnCount).fill(Number.NaN),
    high: new Float64Array(columnCount).fill(Number.NaN),
  }
  const spanOfAllS = max - min
  const columnAt = (timeS: number) => Math.floor(((timeS - min) * columnCount) / spanOfAllS)
  const cover = (column: number, lowest: number, highest: number) => {
    if (column < 0 || column >= columnCount) return
    if (!((covered.low[column] as number) <= lowest)) covered.low[column] = lowest
    if (!((covered.high[column] as number) >= highest)) covered.high[column] = highest
  }
  const { start, end } = pointsAround(timesS, min, max)
  for (let index = start; index < end; index++) {
    const [lowest, highest] = [low[index], high[index]]
    if (!isKnown(lowest) || !isKnown(highest)) continue
    const timeS = timesS[index] as number
    const column = columnAt(timeS)
    cover(column, lowest, highest)
    const [nextLow, nextHigh] = [low[index + 1], high[index + 1]]
    if (index + 1 >= end || !isKnown(nextLow) || !isKnown(nextHigh)) continue
    const spanS = (timesS[index + 1] as number) - timeS
    const last = Math.min(columnCount, columnAt(timesS[index + 1] as number))
    for (let border = Math.max(0, column + 1); border <= last; border++) {
      const part = (min + (border * spanOfAllS) / columnCount - timeS) / spanS
      const [lowHere, highHere] = [lowest + (nextLow - lowest) * part, highest + (nextHigh - highest) * part]
      cover(border - 1, lowHere, highHere)
      cover(border, lowHere, highHere)
    }
  }
  return covered
}

const isKnown = (value: number | null | undefined): value is number => value !== null && value !== undefined

/** Indexes of the points in view, with one more on each side, from which a line comes in and to which it goes out. */
function pointsAround(timesS: readonly number[], min: number, max: number) {
  return {
    start: Math.max(0, firstIndexFrom(timesS, min) - 1),
    end: Math.min(timesS.length, firstIndexFrom(timesS, max) + 1),
  }
}

/** The first moment that is not before `momentS`; the length where there is none. `timesS` rises. */
export function firstIndexFrom(timesS: readonly number[], momentS: number): number {
  let [low, high] = [0, timesS.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((timesS[middle] as number) < momentS) low = middle + 1
    else high = middle
  }
  return low
}
