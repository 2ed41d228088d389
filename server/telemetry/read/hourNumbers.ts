export const DAY_HOURS = 24

/** Reads numbers with commas between, as PostgreSQL writes them, and nothing for a gap: NaN here. */
export const numbersFromText = (text: string): number[] =>
  text.split(',').map((number) => (number === '' ? Number.NaN : Number(number)))
