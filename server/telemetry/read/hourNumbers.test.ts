import fc from 'fast-check'
import { expect, test } from 'vitest'
import { numbersFromText } from './hourNumbers.ts'

test('numbers are read as they were written, and nothing between commas is a gap', () => {
  expect(numbersFromText('1,,-2.5,0.1,1e-30,-3.4e+38,16777216,22.350000381')).toEqual([
    1,
    Number.NaN,
    -2.5,
    0.1,
    1e-30,
    -3.4e38,
    16_777_216,
    22.350000381,
  ])
  expect(numbersFromText(',,')).toEqual([Number.NaN, Number.NaN, Number.NaN])
  const number = fc.oneof(
    fc.double({ noDefaultInfinity: true, noNaN: true }),
    fc.integer({ min: -(10 ** 7), max: 10 ** 7 }).map((value) => value / 1000),
  )
  fc.assert(
    fc.property(fc.array(number, { minLength: 1, maxLength: 30 }), (numbers) => {
      const written = numbers.map((value) => (Object.is(value, -0) ? 0 : value))
      expect(numbersFromText(written.join(','))).toEqual(written)
    }),
  )
})
