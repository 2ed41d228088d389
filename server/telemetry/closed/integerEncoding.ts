/** Steps are packed by so many, each with as many bits as the widest of them needs. */
const PACKED_TOGETHER = 32
/** What a value takes in the dictionary of a file that is compressed afterwards. */
const BITS_OF_LISTED_VALUE = 16

/**
 * Chooses what takes fewer bits: steps from value to value, or places in a list of all values. A sensor wanders, so it is
 * mostly steps; traffic on a line jumps between few values.
 */
export function integerEncoding(cells: readonly (number | null)[]): 'DELTA_BINARY_PACKED' | 'RLE_DICTIONARY' {
  const values = cells.filter((cell) => cell !== null)
  const different = new Set(values).size
  const listed = values.length * bitsFor(different - 1) + different * BITS_OF_LISTED_VALUE
  return listed < bitsOfSteps(values) ? 'RLE_DICTIONARY' : 'DELTA_BINARY_PACKED'
}

function bitsOfSteps(values: readonly number[]): number {
  let bits = 0
  for (let begin = 1; begin < values.length; begin += PACKED_TOGETHER) {
    let [least, greatest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
    for (let row = begin; row < Math.min(begin + PACKED_TOGETHER, values.length); row++) {
      const step = (values[row] as number) - (values[row - 1] as number)
      if (step < least) least = step
      if (step > greatest) greatest = step
    }
    bits += PACKED_TOGETHER * bitsFor(greatest - least)
  }
  return bits
}

const bitsFor = (integer: number) => Math.ceil(Math.log2(integer + 1))
