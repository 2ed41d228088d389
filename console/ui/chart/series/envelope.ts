import type { Values } from './chartSeries.ts'
import type { View } from './chartView.ts'

/** A line, or a band between two lines, covers this part of each column of pixels; NaN means that it covers nothing. */
export interface Envelope {
  readonly low: Float64Array
  readonly high: Float64Array
}

/**
 * It returns the lowest and highest value of a line within each of `columnCount` columns in view, from its points there
 * and its crossings of the column's borders. So nothing is lost however many points fall into one column, and columns
 * that a line connects touch each other. A missing value breaks the line; a break narrower than a column cannot be
 * seen. For a band, `low` and `high` are its edges; for a line both are its values.
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
  // The previous point counts while the line comes from it.
  let [beforeS, beforeLow, beforeHigh, beforeColumn] = [0, Number.NaN, Number.NaN, 0]
  for (let index = start; index < end; index++) {
    const [lowest, highest] = [lows[index] as number, highs[index] as number]
    const timeS = timesS[index] as number
    const column = Math.floor(((timeS - min) * columnCount) / spanOfAllS)
    // NaN means that a value is missing before or here, so no border is crossed.
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

/** Plain numbers, with NaN for a missing value, are several times faster to read at every frame. */
function numbersOf(values: Values): Float64Array {
  const known = numbers.get(values)
  if (known) return known
  const made = Float64Array.from(values, (value) => value ?? Number.NaN)
  numbers.set(values, made)
  return made
}

/** One more point on each side is included, because the line comes in from it and goes out to it. */
function pointsAround(timesS: readonly number[], min: number, max: number) {
  return {
    start: Math.max(0, firstIndexFrom(timesS, min) - 1),
    end: Math.min(timesS.length, firstIndexFrom(timesS, max) + 1),
  }
}

/** It returns the first index not before `momentS`, or the length where there is none. `timesS` rises. */
export function firstIndexFrom(timesS: readonly number[], momentS: number): number {
  let [low, high] = [0, timesS.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((timesS[middle] as number) < momentS) low = middle + 1
    else high = middle
  }
  return low
}
