const DAY_MS = 86_400_000

/** SQL of a moment as microseconds since 1970: whole numbers below 2^53, which milliseconds would cut. */
export const microsecondsOf = (column: string) => `(extract(epoch from ${column}) * 1000000)::bigint`

/** SQL of the way back. */
export const momentOf = (parameter: string) => `(timestamptz 'epoch' + ${parameter}::float8 * interval '1 microsecond')`

/** The UTC days of a period, newest first, cut to it: each lies in one partition. */
export function* dayWindows(from: Date, to: Date): Generator<{ from: Date; to: Date }> {
  let endMs = to.getTime()
  while (endMs > from.getTime()) {
    const beginMs = Math.max(from.getTime(), Math.floor((endMs - 1) / DAY_MS) * DAY_MS)
    yield { from: new Date(beginMs), to: new Date(endMs) }
    endMs = beginMs
  }
}
