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
  const [lows, highs] = [numbersOf(low), numbersOf(high)]
  const { start, end } = pointsAround(timesS, min, max)
  // The point before, while the line comes from there.
  let [beforeS, beforeLow, beforeHigh, beforeColumn] = [0, Number.NaN, Number.NaN, 0]
  for (let index = start; index < end; index++) {
    const [lowest, highest] = [lows[index] as number, highs[index] as number]
    const timeS = timesS[index] as number
    const column = Math.floor(((timeS - min) * columnCount) / spanOfAllS)
    // NaN is nothing known, before or here: no border is crossed.
    if (column !== beforeColumn && !Number.isNaN(beforeLow + lowest + beforeHigh + highest)) {
      const last = Math.min(columnCount, column)
      for (let border = Math.max(0, beforeColumn + 1); border <= last; border++) {
        const part = (min + (border * spanOfAllS) / columnCount - beforeS) / (timeS - beforeS)
        const lowHere = beforeLow + (lowest - beforeLow) * part
        const highHere = beforeHigh + (highest - beforeHigh) * part
        cover(covered, border - 1, lowHere, highHere)
        cover(covered, border, lowHere, highHere)
      }
    }
    if (!Number.isNaN(lowest + highest)) cover(covered, column, lowest, highest)
    beforeS = timeS
    beforeLow = lowest
    beforeHigh = highest
    beforeColumn = column
  }
  return covered
}

function cover({ low, high }: Envelope, column: number, lowest: number, highest: number) {
  if (column < 0 || column >= low.length) return
  if (!((low[column] as number) <= lowest)) low[column] = lowest
  if (!((high[column] as number) >= highest)) high[column] = highest
}

const numbers = new WeakMap<Values, Float64Array>()

/** The values as plain numbers, NaN where there is none: walked through at every frame, and several times faster. */
function numbersOf(values: Values): Float64Array {
  const known = numbers.get(values)
  if (known) return known
  const made = Float64Array.from(values, (value) => value ?? Number.NaN)
  numbers.set(values, made)
  return made
}

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
