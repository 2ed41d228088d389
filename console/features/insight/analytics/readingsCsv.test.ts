import { expect, test } from 'vitest'
import { formatDateTime } from '#console/lib/time/time.ts'
import type { ChartSeries } from '#console/ui/chart/series/chartSeries.ts'
import { readingsCsv } from './readingsCsv.ts'

const begin = Date.parse('2026-11-20T10:00:00Z') / 1000
const timesS = [begin, begin + 3600, begin + 7200]
const line = (name: string, more: Partial<ChartSeries>): ChartSeries => ({
  key: name,
  name,
  color: '#000000',
  axis: 'left',
  values: [1.5, null, -3],
  ...more,
})
const at = (index: number) => formatDateTime(new Date((timesS[index] ?? 0) * 1000))

test('time comes first, then each metric with its lowest and highest where they are known', () => {
  const series = [line('Temperature · A', { low: [1, null, -4], high: [2, null, -2] }), line('=Uptime · B', {})]
  expect(readingsCsv(series, timesS, [0, 2]).split('\r\n')).toEqual([
    '"Time";"Temperature · A";"Temperature · A min";"Temperature · A max";"\'=Uptime · B"',
    `"${at(0)}";"1.5";"1";"2";"1.5"`,
    `"${at(2)}";"-3";"-4";"-2";"-3"`,
    '',
  ])
})

test('a gap is an empty cell, never a zero', () => {
  const series = [line('A', { low: [1, null, -4], high: [2, null, -2] })]
  expect(readingsCsv(series, timesS, [1])).toBe(`"Time";"A";"A min";"A max"\r\n"${at(1)}";"";"";""\r\n`)
})

test('nothing shown is nothing to export', () => {
  expect(() => readingsCsv([line('A', {})], timesS, [])).toThrow()
})
