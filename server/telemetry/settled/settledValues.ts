import { shortestReal } from '#domain/units/numbers.ts'
import { isBelievedAt, type SettledDay } from './settledDays.ts'

export type SettledValue = number | string

/** Returns a value as the database would say it; undefined where there is none. */
export function valueAt(cells: ArrayLike<SettledValue | null> | undefined, row: number): SettledValue | undefined {
  const value = cells?.[row] ?? undefined
  return typeof value === 'number' ? shortestReal(value) : value
}

/** Writes a number as the database does, which knows a negative zero. */
export const numberText = (number: number): string => (Object.is(number, -0) ? '-0' : String(number))

/** The milliseconds of a row's device time, cut as the database's driver does. */
export const msAt = ({ columns }: SettledDay, row: number): number => Math.floor((columns.at[row] as number) / 1000)

/** Yields the rows of a day that count, or all of them the other way round. */
export function* believedRows(
  { columns, begin, end }: SettledDay,
  order: 'oldestFirst' | 'newestFirst',
): Generator<number> {
  if (order === 'oldestFirst') {
    for (let row = begin; row < end; row++) if (isBelievedAt(columns, row)) yield row
  } else {
    for (let row = end - 1; row >= begin; row--) if (isBelievedAt(columns, row)) yield row
  }
}

export interface SettledBucket {
  readonly atMs: number
  readonly mean: number
  readonly least: number
  readonly greatest: number
  readonly count: number
}

/** Works out the buckets of one measured field that hold anything, as the database would. */
export function bucketsOf(day: SettledDay, field: string, stepMs: number): SettledBucket[] {
  const cells = day.columns.fields.get(field)
  if (cells === undefined) return []
  const buckets: SettledBucket[] = []
  const stepMicroseconds = stepMs * 1000
  let at = Number.NaN
  let [sum, count, least, greatest] = [-0, 0, 0, 0]
  const end = () => {
    if (count === 0) return
    const mean = shortestReal(Math.fround(sum / count))
    buckets.push({ atMs: at * stepMs, mean, least: shortestReal(least), greatest: shortestReal(greatest), count })
  }
  for (let row = day.begin; row < day.end; row++) {
    const value = cells[row]
    if (typeof value !== 'number' || !isBelievedAt(day.columns, row)) continue
    const bucket = Math.floor((day.columns.at[row] as number) / stepMicroseconds)
    if (bucket !== at) {
      end()
      at = bucket
      ;[sum, count, least, greatest] = [-0, 0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
    }
    sum += value
    count++
    if (value < least) least = value
    if (value > greatest) greatest = value
  }
  end()
  return buckets
}
