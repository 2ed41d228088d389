import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#domain/units/time.ts'
import type { OneTime, Weekly } from './maintenanceSchedule.ts'
import { weeklyLabel } from './scheduleLabels.ts'
import { changeFault, scheduleFault } from './scheduleRules.ts'

const NOW = new Date('2026-11-20T12:00:00Z')
const once = (fromMs: number, toMs: number): OneTime => ({
  kind: 'once',
  from: new Date(NOW.getTime() + fromMs),
  to: new Date(NOW.getTime() + toMs),
  timeZone: 'UTC',
})
const WEEKLY: Weekly = {
  kind: 'weekly',
  weekdays: [0, 2],
  from: '22:00',
  to: '02:00',
  timeZone: 'Europe/Prague',
  firstDay: '2026-11-01',
  lastDay: null,
}
const fieldOf = (schedule: OneTime | Weekly) => scheduleFault(schedule, NOW)?.field

test('maintenance begins now or later, ends after it begins, and lasts no longer than a season', () => {
  expect(fieldOf(once(0, 2 * HOUR_MS))).toBeUndefined()
  expect(fieldOf(once(-4 * MINUTE_MS, HOUR_MS))).toBeUndefined()
  expect(fieldOf(once(-6 * MINUTE_MS, HOUR_MS))).toBe('from')
  expect(fieldOf(once(367 * DAY_MS, 368 * DAY_MS))).toBe('from')
  expect(fieldOf(once(0, -1))).toBe('to')
  expect(fieldOf(once(0, 59_000))).toBe('to')
  expect(fieldOf(once(0, 92 * DAY_MS))).toBeUndefined()
  expect(fieldOf(once(0, 92 * DAY_MS + 1))).toBe('to')
})

test('a weekly window has days and begins some time', () => {
  expect(fieldOf(WEEKLY)).toBeUndefined()
  expect(fieldOf({ ...WEEKLY, weekdays: [] })).toBe('weekdays')
  expect(fieldOf({ ...WEEKLY, lastDay: '2026-10-31' })).toBe('lastDay')
  expect(fieldOf({ ...WEEKLY, lastDay: '2026-11-20' })).toBe('lastDay')
  expect(fieldOf({ ...WEEKLY, firstDay: '2028-01-01' })).toBe('firstDay')
})

test('of maintenance that has begun the start stays, and its end moves ahead of now alone', () => {
  const change = (before: OneTime | Weekly, after: OneTime | Weekly) =>
    changeFault({ before, after, now: NOW, hasBegun: true })?.field
  const before = once(-HOUR_MS, HOUR_MS)
  expect(change(before, once(-HOUR_MS, 3 * HOUR_MS))).toBeUndefined()
  expect(change(before, once(-HOUR_MS, 5 * MINUTE_MS))).toBeUndefined()
  expect(change(before, once(-HOUR_MS, -MINUTE_MS))).toBe('to')
  expect(change(before, once(-2 * HOUR_MS, HOUR_MS))).toBe('from')
  expect(change(before, WEEKLY)).toBe('kind')
  expect(change(WEEKLY, { ...WEEKLY, from: '21:00' })).toBeUndefined()
  expect(changeFault({ before: WEEKLY, after: once(HOUR_MS, DAY_MS), now: NOW, hasBegun: false })).toBeUndefined()
})

test('when a weekly window is, people read in few words', () => {
  expect(weeklyLabel(WEEKLY)).toBe('Mon, Wed 22:00–02:00 (next day), Europe/Prague')
  expect(weeklyLabel({ ...WEEKLY, weekdays: [4, 0, 1, 2, 3], to: '23:00' })).toBe('Mon–Fri 22:00–23:00, Europe/Prague')
  expect(weeklyLabel({ ...WEEKLY, weekdays: [0, 1, 2, 3, 4, 5, 6], to: '23:00' })).toMatch(/^Every day/)
  expect(weeklyLabel(once(0, 1))).toBeUndefined()
})
