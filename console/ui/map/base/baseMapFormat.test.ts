import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readLine, writeLine } from './baseMapFormat.ts'

const coordinate = fc.integer({ min: -20_000, max: 40_000 })

test('a line is read as it was written', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(coordinate, coordinate)), (line) => {
      expect(readLine(writeLine(line))).toEqual(line)
    }),
  )
})
