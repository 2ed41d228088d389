import { Resvg } from '@resvg/resvg-js'
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
  for (const [count, everyMs] of [
    [5_000, 1_400],
    [660, MINUTE_MS],
    [1_620, MINUTE_MS],
  ] as const) {
    const timesMs = Array.from({ length: count }, (_, index) => openedMs - 3 * HOUR_MS + index * everyMs)
    const values = timesMs.map((_, index) => 50 + 30 * Math.sin(index * index))
    const period = chartPeriod(openedMs, (timesMs.at(-1) ?? 0) + everyMs)
    const picture = await pngOf(chartSvg(chart({ ...period, timesMs, values })))
    expect(picture.subarray(1, 4).toString()).toBe('PNG')
    expect(picture.length).toBeLessThan(LARGEST_PICTURE_BYTES)
  }
  // Letters are drawn: without them the picture differs.
  expect(await pngOf(chartSvg(chart({ unit: '' })))).not.toEqual(await pngOf(chartSvg(chart())))
})

test('what cannot be drawn fails, and the next one is drawn all the same', async () => {
  await expect(pngOf('no picture')).rejects.toThrow()
  expect((await pngOf(chartSvg(chart()))).length).toBeGreaterThan(1_000)
})

test('each pixel keeps its colour, as near as a sixteenth of a channel, and readers of PNG know it', async () => {
  const page = (body: string) => `<svg xmlns="http://www.w3.org/2000/svg" width="8" height="4">${body}</svg>`
  const colours = ['#ffffff', '#00708f', '#c2261d', '#d9e1e8']
  const bars = colours.map((colour, index) => `<rect x="${index * 2}" width="2" height="4" fill="${colour}"/>`)
  const picture = await pngOf(page(bars.join('')))
  const href = `data:image/png;base64,${picture.toString('base64')}`
  const image = page(`<image width="8" height="4" href="${href}" image-rendering="optimizeSpeed"/>`)
  const { pixels } = new Resvg(image).render()
  colours.forEach((colour, index) => {
    const seen = [0, 1, 2].map((channel) => pixels[(8 + index * 2) * 4 + channel] ?? 0)
    const drawn = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
    for (const [channel, value] of drawn.entries()) expect(Math.abs((seen[channel] ?? 0) - value)).toBeLessThan(10)
  })
})
