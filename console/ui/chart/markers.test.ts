import { expect, test } from 'vitest'
import { areMany, type ChartMarker, markerGroups } from './markers.ts'

const marker = (key: number, atS: number): ChartMarker => ({ key, atS, text: '', color: '#ff0000', href: '' })
const grouped = (markers: readonly ChartMarker[]) =>
  markerGroups(markers, (atS) => atS - 1000, { widthPx: 100, closestPx: 10 }).map(({ x, markers: inside }) => [
    x,
    inside.map(({ key }) => key),
  ])

test('markers stand in the order of time, and those out of sight are left out', () => {
  expect(grouped([marker(3, 1101), marker(2, 1100), marker(1, 1000), marker(0, 999)])).toEqual([
    [0, [1]],
    [100, [2]],
  ])
})

test('markers that would cover the first of a group join it; the next one further away starts anew', () => {
  expect(grouped([marker(1, 1020), marker(2, 1029), marker(3, 1030), marker(4, 1039)])).toEqual([
    [20, [1, 2]],
    [30, [3, 4]],
  ])
})

test('nothing is drawn for moments that have no place', () => {
  expect(markerGroups([marker(1, 1020)], () => Number.NaN, { widthPx: 100, closestPx: 10 })).toEqual([])
})

test('few marked places have lines, many have ticks, the earlier the narrower the chart', () => {
  const places = (count: number) => Array.from({ length: count }, (_, x) => ({ x, markers: [] }))
  expect(areMany(places(20), 1000)).toBe(false)
  expect(areMany(places(26), 1000)).toBe(true)
  expect(areMany(places(6), 100)).toBe(false)
  expect(areMany(places(7), 100)).toBe(true)
})
