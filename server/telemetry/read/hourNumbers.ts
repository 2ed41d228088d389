export const DAY_HOURS = 24

/** Reads PostgreSQL's numbers with commas between. An empty text is a gap and becomes NaN. */
export const numbersFromText = (text: string): number[] =>
  text.split(',').map((number) => (number === '' ? Number.NaN : Number(number)))
