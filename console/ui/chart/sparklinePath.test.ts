import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sparklinePaths } from './sparklinePath.ts'

test('a missing hour breaks the line instead of being drawn as zero', () => {
  expect(sparklinePaths([0, 10, null, 10, 0], 100, 20).line).toBe('M0 20L25 0M75 0L100 20')
})

test('a constant series runs through the middle', () => {
  expect(sparklinePaths([5, 5, 5], 100, 20).line).toBe('M0 10L50 10L100 10')
})

test('a lone value between gaps is a dot', () => {
  expect(sparklinePaths([null, 5, null], 100, 20)).toEqual({ line: 'M50 10h0', area: '' })
})

test('without a value there is no line', () => {
  expect(sparklinePaths([null, null], 100, 20)).toEqual({ line: '', area: '' })
  expect(sparklinePaths([], 100, 20)).toEqual({ line: '', area: '' })
})

test('every point lies within the box, whatever the values', () => {
  const values = fc.array(fc.option(fc.double({ noNaN: true, min: -1e9, max: 1e9 })), { minLength: 1, maxLength: 24 })
  fc.assert(
    fc.property(values, (series) => {
      const { line } = sparklinePaths(series, 100, 20)
      for (const [, x, y] of line.matchAll(/[ML](\S+) ([\d.-]+)/g)) {
        expect(Number(x)).toBeGreaterThanOrEqual(0)
        expect(Number(x)).toBeLessThanOrEqual(100)
        expect(Number(y)).toBeGreaterThanOrEqual(0)
        expect(Number(y)).toBeLessThanOrEqual(20)
      }
    }),
  )
})
