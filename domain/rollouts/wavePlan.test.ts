import fc from 'fast-check'
import { expect, test } from 'vitest'
import { arePercentsOfAll, planWaves } from './wavePlan.ts'

const ten = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]

test.each([
  [
    'a count first, then shares of the rest',
    2,
    [50, 100],
    [
      [1, 2],
      [3, 4, 5, 6],
      [7, 8, 9, 10],
    ],
  ],
  ['shares round up, so that the first of them is somebody', 0, [1, 100], [[1], [2, 3, 4, 5, 6, 7, 8, 9, 10]]],
  [
    'chosen devices first',
    [9, 3],
    [100],
    [
      [3, 9],
      [1, 2, 4, 5, 6, 7, 8, 10],
    ],
  ],
  ['everybody at once', 0, [100], [ten]],
  ['a first group of all leaves no other wave', 99, [10, 100], [ten]],
  ['waves of nobody are left out', 8, [1, 2, 3, 100], [[1, 2, 3, 4, 5, 6, 7, 8], [9], [10]]],
])('%s', (_words, firstGroup, wavePercents, waves) => {
  expect(planWaves(ten, { firstGroup, wavePercents })).toEqual(waves)
})

test('whatever the plan, every device is in exactly one wave, and no wave is empty', () => {
  const percents = fc
    .uniqueArray(fc.integer({ min: 1, max: 99 }), { maxLength: 6 })
    .map((some) => [...some.sort((a, b) => a - b), 100])
  const ids = fc.uniqueArray(fc.integer({ min: 1, max: 500 }), { maxLength: 60 })
  fc.assert(
    fc.property(ids, fc.oneof(fc.nat(70), ids), percents, (devices, firstGroup, wavePercents) => {
      const waves = planWaves(devices, { firstGroup, wavePercents })
      expect(waves.flat().toSorted()).toEqual(devices.toSorted())
      expect(waves.every((wave) => wave.length > 0)).toBe(true)
    }),
  )
})

test.each([
  [[100], true],
  [[10, 50, 100], true],
  [[10, 50], false],
  [[50, 10, 100], false],
  [[50, 50, 100], false],
  [[100, 100], false],
  [[], false],
])('shares %j take everybody in rising steps: %s', (percents, areThey) => {
  expect(arePercentsOfAll(percents)).toBe(areThey)
})
