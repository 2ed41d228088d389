import fc from 'fast-check'
import { expect, test } from 'vitest'
import { envelopeOf } from './envelope.ts'

type Value = number | null

/** It computes the coverage of a line from `fromS` to `toS` naively, point by point and segment by segment. */
function coveredBy(timesS: readonly number[], values: readonly Value[], fromS: number, toS: number): number[] {
  const covered: number[] = []
  for (const [index, value] of values.entries()) {
    const timeS = timesS[index] as number
    if (value === null) continue
    if (timeS >= fromS && timeS < toS) covered.push(value)
    const next = values[index + 1]
    const nextS = timesS[index + 1]
    if (next === null || next === undefined || nextS === undefined || timeS >= toS || nextS <= fromS) continue
    const at = (momentS: number) => value + ((next - value) * (momentS - timeS)) / (nextS - timeS)
    covered.push(at(Math.max(fromS, timeS)), at(Math.min(toS, nextS)))
  }
  return covered
}

const line = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 40 }), fc.option(fc.integer({ min: -1000, max: 1000 }), { freq: 4 })), {
    minLength: 1,
    maxLength: 120,
  })
  .map((steps) => {
    let timeS = 0
    return steps.map(([stepS, value]) => {
      timeS += stepS
      return { timeS, value }
    })
  })

test('each column spans exactly what the whole line spans there, and a gap stays a gap', () => {
  fc.assert(
    fc.property(
      line,
      fc.integer({ min: -50, max: 2000 }),
      fc.integer({ min: 1, max: 60 }),
      fc.integer({ min: 1, max: 50 }),
      (points, min, columnCount, secondsPerColumn) => {
        const timesS = points.map(({ timeS }) => timeS)
        const values = points.map(({ value }) => value)
        const max = min + columnCount * secondsPerColumn
        const { low, high } = envelopeOf(timesS, { low: values, high: values }, { min, max }, columnCount)
        for (let column = 0; column < columnCount; column++) {
          const fromS = min + column * secondsPerColumn
          const wanted = coveredBy(timesS, values, fromS, fromS + secondsPerColumn)
          if (wanted.length === 0) {
            expect([low[column], high[column]]).toEqual([Number.NaN, Number.NaN])
            continue
          }
          expect(low[column]).toBeCloseTo(Math.min(...wanted), 6)
          expect(high[column]).toBeCloseTo(Math.max(...wanted), 6)
        }
      },
    ),
    { numRuns: 500 },
  )
})

test('a band spans from its lowest low to its highest high', () => {
  const timesS = [0, 1, 2, 3]
  const edges = { low: [5, 1, null, 4], high: [6, 9, null, 8] }
  const { low, high } = envelopeOf(timesS, edges, { min: 0, max: 4 }, 2)
  expect([...low]).toEqual([1, 4])
  expect([...high]).toEqual([9, 8])
})

test('the highest of 100,000 points is drawn however far out one zooms', () => {
  const timesS = Array.from({ length: 100_000 }, (_, index) => index)
  const values = timesS.map((_, index) => (index === 54_321 ? 99 : index % 7))
  const { high } = envelopeOf(timesS, { low: values, high: values }, { min: 0, max: 100_000 }, 1000)
  expect(high[543]).toBe(99)
  expect(Math.max(...high.filter((_, column) => column !== 543))).toBe(6)
})
