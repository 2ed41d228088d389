import { afterAll, beforeAll, expect, test } from 'vitest'
import { HOUR_MS } from '#domain/units/time.ts'
import { PERIOD_PRESETS, presetOf, todayOf, withFrom, withTo } from './period.ts'

const zoneBefore = process.env.TZ
beforeAll(() => {
  process.env.TZ = 'Europe/Prague'
})
afterAll(() => {
  if (zoneBefore === undefined) delete process.env.TZ
  else process.env.TZ = zoneBefore
})

const now = new Date('2026-11-20T10:34:56Z')
const iso = (name: string, at: Date) => {
  const period = PERIOD_PRESETS.find(({ label }) => label === name)?.at(at)
  return [period?.from.toISOString(), period?.to.toISOString()]
}

test('the default is today to tomorrow, from one start of day to the next, in the zone of the viewer', () => {
  const { from, to } = todayOf(now)
  expect([from.toISOString(), to.toISOString()]).toEqual(['2026-11-19T23:00:00.000Z', '2026-11-20T23:00:00.000Z'])
})

test.each([
  ['spring', '2026-03-29T10:00:00Z', 23],
  ['autumn', '2026-10-25T10:00:00Z', 25],
])('the day of the %s change of clocks is %s and has %d hours', (_, at, hours) => {
  const { from, to } = todayOf(new Date(at))
  expect((to.getTime() - from.getTime()) / HOUR_MS).toBe(hours)
})

test.each([
  ['Today', '2026-11-19T23:00:00.000Z', '2026-11-20T23:00:00.000Z'],
  ['Yesterday', '2026-11-18T23:00:00.000Z', '2026-11-19T23:00:00.000Z'],
  ['Last 24 hours', '2026-11-19T10:34:00.000Z', '2026-11-20T10:34:00.000Z'],
  ['Last 3 days', '2026-11-17T23:00:00.000Z', '2026-11-20T23:00:00.000Z'],
  ['Last 7 days', '2026-11-13T23:00:00.000Z', '2026-11-20T23:00:00.000Z'],
  // Summer time puts midnight in Prague two hours before midnight in UTC.
  ['Last 30 days', '2026-10-21T22:00:00.000Z', '2026-11-20T23:00:00.000Z'],
  ['Last 12 months', '2025-11-19T23:00:00.000Z', '2026-11-20T23:00:00.000Z'],
])('%s', (name, from, to) => {
  expect(iso(name, now)).toEqual([from, to])
})

test('a period that is a preset is known by its name, another one is not', () => {
  for (const { label, at } of PERIOD_PRESETS) expect(presetOf(at(now), now)?.label).toBe(label)
  const { from, to } = todayOf(now)
  expect(presetOf({ from: new Date(from.getTime() + 1), to }, now)).toBeUndefined()
})

test('a start behind the end takes the end along, an end before the start takes the start along', () => {
  const { from, to } = todayOf(now)
  const later = new Date('2026-11-25T12:00:00Z')
  expect(withFrom({ from, to }, later)).toEqual({ from: later, to: new Date('2026-11-26T12:00:00Z') })
  expect(withFrom({ from, to }, now)).toEqual({ from: now, to })
  const earlier = new Date('2026-11-10T12:00:00Z')
  expect(withTo({ from, to }, earlier)).toEqual({ from: new Date('2026-11-09T12:00:00Z'), to: earlier })
  expect(withTo({ from, to }, now)).toEqual({ from, to: now })
})
