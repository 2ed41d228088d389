import { expect, test } from 'vitest'
import { placeStreetNames } from './streetNames.ts'

const street = (name: string, points: readonly (readonly [number, number])[], line: 'minor' | 'major' = 'minor') => ({
  name,
  line,
  points,
})
const widthOf = (name: string) => name.length * 10

test('a name stands along the straight part that is long enough, never on its head', () => {
  const [name] = placeStreetNames(
    [
      street('Storgata', [
        [300, 0],
        [200, 0],
        [0, 0],
        [0, 40],
      ]),
    ],
    [],
    widthOf,
  )
  expect(name).toMatchObject({ name: 'Storgata', x: 150, y: 0 })
  expect(Math.abs(name?.angle ?? 9)).toBe(0)
  expect(
    placeStreetNames(
      [
        street('Storgata', [
          [0, 0],
          [60, 0],
        ]),
      ],
      [],
      widthOf,
    ),
  ).toEqual([])
})

test('larger streets come first, and nothing covers what is taken', () => {
  const across = [
    [0, 100],
    [300, 100],
  ] as const
  const both = [street('Small', across), street('Large', across, 'major')]
  expect(placeStreetNames(both, [], widthOf).map(({ name }) => name)).toEqual(['Large'])
  expect(placeStreetNames(both, [{ left: 140, right: 160, top: 90, bottom: 110 }], widthOf)).toEqual([])
})
