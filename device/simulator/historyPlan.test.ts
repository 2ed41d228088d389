import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DAY_MS, MINUTE_MS } from '#domain/units/time.ts'
import {
  dayGapOf,
  type Gap,
  gapBefore,
  lightGapOf,
  newestChunk,
  newestDayChunk,
  newestLightChunk,
} from './historyPlan.ts'

const NOW_MS = Date.UTC(2026, 10, 20, 12, 0, 17)

function allTimes(first: Gap, anchorMs: number): readonly number[] {
  const times: number[] = []
  let gap = first
  for (;;) {
    const chunk = newestChunk(gap, anchorMs)
    if (!chunk) return times
    times.push(...[...chunk.times].reverse())
    gap = { ...gap, toMs: chunk.doneDownToMs }
  }
}

test('thirty days are told by the minutes between the tens of the last day, every ten minutes before, newest first', () => {
  const gap = gapBefore(NOW_MS, undefined, 30)
  expect(gap).toBeDefined()
  const times = allTimes(gap ?? { fromMs: 0, toMs: 0 }, NOW_MS)
  expect(times).toEqual([...times].sort((a, b) => b - a))
  const lastDay = times.filter((atMs) => atMs > NOW_MS - DAY_MS)
  expect(lastDay).toHaveLength(1440 - 144)
  expect(times.filter((atMs) => atMs <= NOW_MS - DAY_MS).length).toBeGreaterThan(29 * 144 - 2)
  expect(times.length).toBeLessThan(1440 + 29 * 144 + 2)
})

test('every ten minutes of the last day are told before, and with the rest no minute of it is missing', () => {
  const gap = gapBefore(NOW_MS, undefined, 30) ?? { fromMs: 0, toMs: 0 }
  const first: number[] = []
  let day = dayGapOf(gap, NOW_MS)
  for (let chunk = day && newestDayChunk(day); day && chunk; chunk = newestDayChunk(day)) {
    first.push(...[...chunk.times].reverse())
    day = { ...day, toMs: chunk.doneDownToMs }
  }
  expect(first).toHaveLength(144)
  const minutes = [...first, ...allTimes(gap, NOW_MS).filter((atMs) => atMs > NOW_MS - DAY_MS)].sort((a, b) => b - a)
  expect(minutes).toHaveLength(1440)
  expect(minutes.slice(1).every((atMs, index) => (minutes[index] ?? 0) - atMs === MINUTE_MS)).toBe(true)
})

test('no time lies outside the gap and none comes twice, wherever it was interrupted', () => {
  fc.assert(
    fc.property(fc.nat(3 * DAY_MS), fc.nat(3 * DAY_MS), (lengthMs, agoMs) => {
      const toMs = NOW_MS - agoMs
      const gap = { fromMs: toMs - lengthMs, toMs }
      const times = allTimes(gap, NOW_MS)
      expect(new Set(times).size).toBe(times.length)
      expect(times.every((atMs) => atMs > gap.fromMs && atMs < gap.toMs)).toBe(true)
    }),
  )
})

test('a device that reported a moment ago has no gap, one that was away for an hour has that hour', () => {
  expect(gapBefore(NOW_MS, NOW_MS - MINUTE_MS, 30)).toBeUndefined()
  expect(gapBefore(NOW_MS, NOW_MS - 60 * MINUTE_MS, 30)).toEqual({ fromMs: NOW_MS - 60 * MINUTE_MS, toMs: NOW_MS })
  expect(gapBefore(NOW_MS, undefined, 0)).toBeUndefined()
})

test('the backlight of two weeks is told every two minutes', () => {
  const gap = gapBefore(NOW_MS, undefined, 30) ?? { fromMs: 0, toMs: 0 }
  const times: number[] = []
  let light = lightGapOf(gap)
  expect(light).toEqual({ fromMs: NOW_MS - 14 * DAY_MS, toMs: NOW_MS })
  for (let chunk = light && newestLightChunk(light); light && chunk; chunk = newestLightChunk(light)) {
    times.push(...[...chunk.times].reverse())
    light = { ...light, toMs: chunk.doneDownToMs }
  }
  expect(times).toHaveLength(14 * 720)
  expect(times.slice(1).every((atMs, index) => (times[index] ?? 0) - atMs === 2 * MINUTE_MS)).toBe(true)
  expect(lightGapOf({ fromMs: NOW_MS - DAY_MS, toMs: NOW_MS })).toBeUndefined()
})
