/** Microseconds are whole numbers below 2^53, and milliseconds would cut. `extract` is slower, digit by digit. */
export const microsecondsOf = (column: string) => `(date_part('epoch', ${column}) * 1000000)::bigint`

export const momentOf = (parameter: string) => `(timestamptz 'epoch' + ${parameter}::float8 * interval '1 microsecond')`
