import { feature, mesh } from 'topojson-client'
import { expect, test } from 'vitest'
import world from 'world-atlas/countries-50m.json'
import { type Position, polygonsOnFlatMap, splitAtDateLine } from './dateLine.ts'

/** Antarctica is closed along the pole, which no map shows. */
const isShown = ([, latitude = 0]: Position) => latitude > -85.05
const longestStep = (line: readonly Position[]) =>
  Math.max(
    0,
    ...line.slice(1).map((point, index) => {
      const before = line[index] ?? point
      return isShown(point) && isShown(before) ? Math.abs((point[0] ?? 0) - (before[0] ?? 0)) : 0
    }),
  )

test('a border across the date line ends on one side and goes on at the other', () => {
  const line: Position[] = [
    [178, 60],
    [179, 61],
    [-179, 62],
    [-178, 63],
  ]
  expect(splitAtDateLine(line)).toEqual([line.slice(0, 2), line.slice(2)])
  expect(splitAtDateLine(line.slice(0, 2))).toEqual([line.slice(0, 2)])
})

test('land across the date line is drawn whole at both ends of the map', () => {
  const island: Position[] = [
    [179, 70],
    [-179, 70],
    [-179, 72],
    [179, 72],
    [179, 70],
  ]
  const polygons = polygonsOnFlatMap([island])
  expect(polygons.map(([ring]) => ring?.map(([longitude]) => longitude))).toEqual([
    [179, 181, 181, 179, 179],
    [-181, -179, -179, -181, -181],
  ])
})

test('land that lies on one side stays as it is', () => {
  const island: Position[] = [
    [10, 50],
    [12, 50],
    [12, 52],
    [10, 50],
  ]
  expect(polygonsOnFlatMap([island])).toEqual([[island]])
})

test('no border and no coast of the bundled world runs across the map', () => {
  const topology = world as never as { objects: { land: never; countries: never } }
  const land = feature(topology as never, topology.objects.land) as unknown as {
    features: { geometry: { coordinates: Position[][][] } }[]
  }
  const rings = land.features.flatMap(({ geometry }) => geometry.coordinates.flatMap(polygonsOnFlatMap).flat())
  expect(rings.length).toBeGreaterThan(1000)
  expect(Math.max(...rings.map(longestStep))).toBeLessThan(180)
  const borders = (mesh(topology as never, topology.objects.countries).coordinates as Position[][]).flatMap(
    splitAtDateLine,
  )
  expect(Math.max(...borders.map(longestStep))).toBeLessThan(180)
})
