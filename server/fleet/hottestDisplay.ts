/** A device may have as many displays; `device_now` has the temperatures of each. */
export const DISPLAY_NUMBERS = [1, 2, 3] as const

/** Returns the column of `device_now` with the newest value of a field of a display. */
export const displayColumn = (number: number, field: string): string =>
  number === 1 ? field : `display${number}_${field}`

const temperaturesOf = (number: number): string => {
  const [internal, intake] = [displayColumn(number, 'internal_temp'), displayColumn(number, 'intake_temp')]
  return `(${number}, n.${internal}, n.${internal}_at, n.${intake}, n.${intake}_at)`
}

/** SQL: a lateral row `hot` with the hottest display that reported since then; `n` must be `device_now`. */
export const hottestDisplay = (since: string): string => `lateral (
  select number, internal_temp, case when intake_temp_at > ${since} then intake_temp end as intake_temp,
    internal_temp_at as at
  from (values ${DISPLAY_NUMBERS.map(temperaturesOf).join(', ')})
    display (number, internal_temp, internal_temp_at, intake_temp, intake_temp_at)
  where internal_temp_at > ${since} order by internal_temp desc, number limit 1) hot`
