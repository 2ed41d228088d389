export const DAY_HOURS = 24

const COMMA = 44
const MINUS = 45
const POINT = 46
const ZERO = 48
const NINE = 57
/** As many digits make a whole number below 2^53, and dividing that by a power of ten rounds just once. */
const EXACT_DIGITS = 15
const POWERS_OF_TEN = Array.from({ length: EXACT_DIGITS + 1 }, (_, exponent) => 10 ** exponent)

/**
 * Numbers with commas between, as PostgreSQL writes them, and nothing for a gap: NaN here. A year of a chart has more
 * than a hundred thousand of them, which `Number` would take longer to read than the database to find.
 */
export function numbersFromText(text: string, count: number): Float64Array {
  const numbers = new Float64Array(count).fill(Number.NaN)
  let begin = 0
  for (let index = 0; index < count && begin <= text.length; index++) {
    let digits = 0
    let whole = 0
    let behindPoint = -1
    let end = begin
    let isPlain = true
    for (; end < text.length; end++) {
      const code = text.charCodeAt(end)
      if (code === COMMA) break
      if (code >= ZERO && code <= NINE) {
        whole = whole * 10 + (code - ZERO)
        digits++
        if (behindPoint >= 0) behindPoint++
      } else if (code === POINT) behindPoint = 0
      else if (code !== MINUS || end > begin) isPlain = false
    }
    if (end > begin) {
      const isExact = isPlain && digits <= EXACT_DIGITS
      const size = isExact ? whole / (POWERS_OF_TEN[Math.max(0, behindPoint)] ?? 1) : Number.NaN
      numbers[index] = isExact ? (text.charCodeAt(begin) === MINUS ? -size : size) : Number(text.slice(begin, end))
    }
    begin = end + 1
  }
  return numbers
}
