import { DAY_MS } from '#domain/units/time.ts'

/**
 * SQL of a moment as microseconds since 1970: whole numbers below 2^53, which milliseconds would cut. Not `extract`, which
 * works it out digit by digit.
 */
export const microsecondsOf = (column: string) => `(date_part('epoch', ${column}) * 1000000)::bigint`

/** SQL of the way back. */
export const momentOf = (parameter: string) => `(timestamptz 'epoch' + ${parameter}::float8 * interval '1 microsecond')`

const FIRST_WINDOW_MS = DAY_MS / 4

/**
 * A period from its end backwards in windows that begin at UTC midnights, each twice as long as the one before: what
 * stands in the newest day is found without looking at the others, and a lone row after years in a dozen steps.
 */
export function* wideningWindows(from: Date, to: Date): Generator<{ from: Date; to: Date }> {
  let endMs = to.getTime()
  for (let lengthMs = FIRST_WINDOW_MS; endMs > from.getTime(); lengthMs = Math.max(DAY_MS, lengthMs * 2)) {
    const beginMs = Math.max(from.getTime(), Math.floor((endMs - lengthMs) / DAY_MS) * DAY_MS)
    yield { from: new Date(beginMs), to: new Date(endMs) }
    endMs = beginMs
  }
}

/** The UTC days of a period, newest first, cut to it: each lies in one partition. */
export function* dayWindows(from: Date, to: Date): Generator<{ from: Date; to: Date }> {
  let endMs = to.getTime()
  while (endMs > from.getTime()) {
    const beginMs = Math.max(from.getTime(), Math.floor((endMs - 1) / DAY_MS) * DAY_MS)
    yield { from: new Date(beginMs), to: new Date(endMs) }
    endMs = beginMs
  }
}
