import { expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '#domain/units/time.ts'
import { firstKnownHour, hoursWithout, lightHours } from './lightHours.ts'

const NONE = Number.NaN
const FIRST = 500_000
const at = (hour: number, minute = 0) => (FIRST + hour) * HOUR_MS + minute * MINUTE_MS
const extremes = (...hours: readonly (readonly [number, number])[]) => ({
  lowest: hours.map(([lowest]) => lowest),
  highest: hours.map(([, highest]) => highest),
})
const LIT = [40, 80] as const
const DARK = [0, 0] as const
const MIXED = [0, 80] as const
const UNKNOWN = [NONE, NONE] as const
const told = (planned: readonly { fromMs: number; toMs: number }[], ...displays: ReturnType<typeof extremes>[]) =>
  lightHours(FIRST, displays[0]?.lowest.length ?? 0, planned, displays).map(({ kind, isPartly, fromMs, toMs }) => [
    kind + (isPartly ? ' in part' : ''),
    fromMs / HOUR_MS - FIRST,
    toMs / HOUR_MS - FIRST,
  ])

test('an hour is dark as a whole where its highest backlight was none, and in part where its lowest was', () => {
  expect(told([], extremes(LIT, DARK, DARK, MIXED, LIT))).toEqual([
    ['lit', 0, 1],
    ['unplanned', 1, 3],
    ['unplanned in part', 3, 4],
    ['lit', 4, 5],
  ])
})

test('the worst display counts, and what is unknown of one is not lit', () => {
  expect(told([], extremes(LIT, LIT, UNKNOWN), extremes(DARK, UNKNOWN, DARK))).toEqual([
    ['unplanned', 0, 1],
    ['unknown', 1, 2],
    ['unplanned', 2, 3],
  ])
})

test('within off times it is the other way round', () => {
  expect(told([{ fromMs: at(-5), toMs: at(9) }], extremes(DARK, LIT, MIXED, UNKNOWN))).toEqual([
    ['planned', 0, 1],
    ['litInOffTime', 1, 2],
    ['litInOffTime in part', 2, 3],
    ['unknown', 3, 4],
  ])
})

test('an hour that was to be dark in part is as planned when it was both', () => {
  const planned = [{ fromMs: at(0, 30), toMs: at(2, 30) }]
  expect(told(planned, extremes(MIXED, DARK, MIXED))).toEqual([['planned', 0, 3]])
  expect(told(planned, extremes(LIT, DARK, DARK))).toEqual([
    ['litInOffTime in part', 0, 1],
    ['planned', 1, 2],
    ['unplanned in part', 2, 3],
  ])
})

test('a reading from before, at the edge of off times that begin with an hour, is no light and no darkness', () => {
  expect(told([{ fromMs: at(1), toMs: at(3) }], extremes(MIXED, MIXED, DARK, MIXED, LIT))).toEqual([
    ['lit', 0, 1],
    ['planned', 1, 3],
    ['lit', 3, 5],
  ])
})

test('hours without voltage, and the first hour of which anything is known', () => {
  expect(hoursWithout(FIRST, 3, extremes([230, 231], [0, 230], [0, 0]))).toMatchObject([
    { fromMs: at(1), isPartly: true },
    { fromMs: at(2), toMs: at(3), isPartly: false },
  ])
  expect(firstKnownHour(FIRST, [undefined, extremes(UNKNOWN, UNKNOWN, LIT)])).toBe(FIRST + 2)
  expect(firstKnownHour(FIRST, [undefined, extremes(UNKNOWN)])).toBeUndefined()
  expect(lightHours(FIRST, 3, [], [])).toEqual([])
})
