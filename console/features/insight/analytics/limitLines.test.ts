import { expect, test } from 'vitest'
import type { ChartSeries } from '#console/ui/chart/series/chartSeries.ts'
import { limitLines } from './read/useLimits.ts'

const line = (key: string, device: string, changes: Partial<ChartSeries> = {}): ChartSeries => ({
  ...{
    key,
    name: `Display · Temperature (°C) · ${device}`,
    unit: '°C',
    color: '#111111',
    axis: 'left',
    values: [1, 2],
  },
  ...changes,
})
const limit = (of: string, value: number) => ({ of, value, sign: '>' })
const SHARED = '#888888'

test('equal limits of two devices are one line with both names, in the colour of neither', () => {
  const lines = [line('a', 'Praha'), line('b', 'Graz', { color: '#222222' })]
  const [only, ...more] = limitLines(lines, [1, 2], [limit('a', 40), limit('b', 40)], SHARED)
  expect(more).toEqual([])
  expect(only).toMatchObject({ of: ['a', 'b'], color: SHARED, values: [40, 40], isLevel: true })
  expect(only?.name).toBe('Display · Temperature (°C) · Praha, Graz, limit > 40')
})

test('another value, unit or axis is a limit of its own', () => {
  const lines = [line('a', 'Praha'), line('b', 'Graz', { axis: 'right' }), line('c', 'Lyon', { unit: '%' })]
  const limits = [limit('a', 40), limit('a', 50), limit('b', 40), limit('c', 40)]
  expect(limitLines(lines, [1], limits, SHARED)).toHaveLength(4)
  expect(limitLines(lines, [1], [limit('a', 40)], SHARED)[0]).toMatchObject({
    color: '#111111',
    name: 'Display · Temperature (°C) · Praha, limit > 40',
  })
})
