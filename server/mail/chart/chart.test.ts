import { expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '#domain/units/time.ts'
import { LARGEST_PICTURE_BYTES, pngOf } from './chartPicture.ts'
import { type ChartToDraw, chartPeriod, chartSvg } from './chartSvg.ts'

const openedMs = Date.UTC(2026, 10, 20, 10)
const chart = (changes: Partial<ChartToDraw> = {}): ChartToDraw => ({
  ...chartPeriod(openedMs, openedMs + HOUR_MS),
  timesMs: [openedMs - MINUTE_MS, openedMs, openedMs + MINUTE_MS],
  values: [59, 61, 62.5],
  level: 60,
  openedMs,
  unit: '°C',
  timeZone: 'Europe/Prague',
  ...changes,
})
const textsOf = (svg: string) => [...svg.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text]) => text)

test('a chart has the unit, round values, and round times of the clock of whoever reads it', () => {
  expect(textsOf(chartSvg(chart()))).toEqual(['60', '62', '08:00', '09:00', '10:00', '11:00', '°C'])
  expect(textsOf(chartSvg(chart({ timeZone: 'Asia/Kolkata' })))).toContain('15:00')
})

test('a line leads over no silence, and of many readings each column keeps its lowest and highest', () => {
  const apart = chartSvg(chart({ timesMs: [openedMs - 2 * HOUR_MS, openedMs], values: [1, 2] }))
  expect(/<path d="(M[^"]*)" fill="none"/.exec(apart)?.[1]?.match(/M/g)).toHaveLength(2)
  const count = 20_000
  const timesMs = Array.from({ length: count }, (_, index) => openedMs - HOUR_MS + (index * HOUR_MS) / count)
  const values = timesMs.map((_, index) => (index === 777 ? 99 : 50 + (index % 3)))
  const dense = chartSvg(chart({ timesMs, values }))
  expect(dense.length).toBeLessThan(30_000)
  expect(textsOf(dense)).toContain('80')
})

test('the picture is a PNG below 40 kB, also of the wildest readings, in letters of our own', async () => {
  const timesMs = Array.from({ length: 5_000 }, (_, index) => openedMs - HOUR_MS + index * 1_400)
  const values = timesMs.map((_, index) => 50 + 30 * Math.sin(index * index))
  const picture = await pngOf(chartSvg(chart({ timesMs, values })))
  expect(picture.subarray(1, 4).toString()).toBe('PNG')
  expect(picture.length).toBeLessThan(LARGEST_PICTURE_BYTES)
  // Letters are drawn: without them it is another picture.
  expect(await pngOf(chartSvg(chart({ unit: '' })))).not.toEqual(await pngOf(chartSvg(chart())))
})

test('what cannot be drawn fails, and the next one is drawn all the same', async () => {
  await expect(pngOf('no picture')).rejects.toThrow()
  expect((await pngOf(chartSvg(chart()))).length).toBeGreaterThan(1_000)
})
