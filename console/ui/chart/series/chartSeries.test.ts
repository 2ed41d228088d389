import { expect, test } from 'vitest'
import { axisLabel, axisRange, type ChartSeries, hasZero, lonelyIndexes } from './chartSeries.ts'

const series = (axis: ChartSeries['axis'], unit?: string): ChartSeries => ({
  key: `${axis}${unit}`,
  name: 'x',
  unit,
  color: '#000000',
  axis,
  values: [],
})

test('a reading between two gaps is drawn as a dot, also at both ends', () => {
  expect(lonelyIndexes([1, null, 2, 3, null, 4, null])).toEqual([0, 5])
  expect(lonelyIndexes([1, 2])).toEqual([])
  expect(lonelyIndexes([null, 0, null])).toEqual([1])
})

test('an axis names each unit of its own lines once', () => {
  const lines = [series('left', '°C'), series('left', '%'), series('left', '°C'), series('right', 's'), series('left')]
  expect(axisLabel(lines, 'left')).toBe('°C, %')
  expect(axisLabel(lines, 'right')).toBe('s')
})

test('auto-scale leaves a little room, and a line that never moves lies in the middle', () => {
  expect(axisRange(20, 30, { fits: true, label: '°C' })).toEqual([19.2, 30.8])
  expect(axisRange(50, 50, { fits: true, label: '°C' })).toEqual([45, 55])
  expect(axisRange(0, 0, { fits: true, label: '°C' })).toEqual([-1, 1])
})

test('without auto-scale an axis starts at zero, below it only for readings below it', () => {
  expect(axisRange(20, 30, { fits: false, label: '°C' })).toEqual([0, 31.5])
  expect(axisRange(-10, 30, { fits: false, label: '°C' })).toEqual([-10.5, 31.5])
  expect(axisRange(-10, -5, { fits: false, label: '°C' })).toEqual([-10.5, 1])
})

test('percentages reach to 100, and beyond only with readings beyond', () => {
  expect(axisRange(20, 30, { fits: false, label: '%' })).toEqual([0, 100])
  expect(axisRange(20, 120, { fits: false, label: '%' })).toEqual([0, 126])
  expect(axisRange(null, null, { fits: true, label: '%' })).toEqual([0, 100])
  expect(axisRange(null, null, { fits: true, label: '' })).toEqual([0, 1])
})

test('an area stands on zero, so an axis without a zero has none', () => {
  expect(hasZero(0, 30)).toBe(true)
  expect(hasZero(-10, 30)).toBe(true)
  expect(hasZero(19.2, 30.8)).toBe(false)
  expect(hasZero(-20, -10)).toBe(false)
  expect(hasZero(null, undefined)).toBe(false)
})
