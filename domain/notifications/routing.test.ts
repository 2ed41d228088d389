import { expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '../units/time.ts'
import { hoursBeginMs, hoursEndMs, judgeRoute, type Route, type RoutedIncident } from './routing.ts'

const NOW = Date.parse('2026-11-25T12:00Z')
const ROUTE: Route = {
  severityId: 2,
  tag: '',
  tagKey: '',
  hours: null,
  steps: [{ afterMinutes: 0 }, { afterMinutes: 15 }, { afterMinutes: 15 }, { afterMinutes: 30 }],
}
const INCIDENT: RoutedIncident = {
  state: 'active',
  severityId: 2,
  tagKeys: new Set(['vip']),
  acknowledgedBy: undefined,
  snoozedUntilMs: undefined,
  isQuiet: false,
  isPaired: true,
  notifies: true,
  silentUntilMs: undefined,
}
const begun = (route: Partial<Route>, incident: Partial<RoutedIncident>, nowMs = NOW) =>
  judgeRoute({ ...ROUTE, ...route }, { ...INCIDENT, ...incident }, undefined, nowMs)
const going = (stepsDone: number, minutes: number, incident: Partial<RoutedIncident> = {}) =>
  judgeRoute(ROUTE, { ...INCIDENT, ...incident }, { beganMs: NOW, stepsDone }, NOW + minutes * MINUTE_MS)

test('what fits is told at once, and to the next until somebody has acknowledged it', () => {
  expect(begun({}, {})).toMatchObject({ begins: true, steps: [0], dueMs: NOW + 15 * MINUTE_MS })
  expect(going(1, 14)).toMatchObject({ steps: [], dueMs: NOW + 15 * MINUTE_MS })
  expect(going(1, 15)).toMatchObject({ steps: [1, 2], dueMs: NOW + 30 * MINUTE_MS })
  expect(going(1, 40)).toMatchObject({ steps: [1, 2, 3], dueMs: undefined })
  expect(going(1, 15, { acknowledgedBy: 'Ada' })).toMatchObject({
    steps: [],
    ends: true,
    whyNot: { outcome: 'not', reason: 'It was acknowledged.' },
  })
  expect(going(1, 15, { state: 'over' })).toMatchObject({ steps: [], ends: false, dueMs: undefined })
  expect(going(1, 15, { snoozedUntilMs: NOW + HOUR_MS })).toMatchObject({ steps: [], dueMs: NOW + HOUR_MS })
})

test.each([
  [{}, { severityId: 3 }, 'It is less severe than the route requires.'],
  [{ tag: 'Nord', tagKey: 'nord' }, {}, 'None of its devices has the tag Nord.'],
  [{}, { notifies: false }, 'The conditions of its alerts send no notifications.'],
  [{}, { state: 'over' as const }, 'It was resolved before anyone was notified.'],
])('%j of %j is not told: %s', (route, incident, reason) => {
  expect(begun(route, incident)).toMatchObject({ begins: false, steps: [], whyNot: { outcome: 'not', reason } })
})

test('what waits is looked at again when its time has come', () => {
  expect(begun({ tag: 'VIP', tagKey: 'vip' }, {}).begins).toBe(true)
  expect(begun({}, { snoozedUntilMs: NOW + HOUR_MS })).toMatchObject({
    begins: false,
    dueMs: NOW + HOUR_MS,
    whyNot: { outcome: 'waits', reason: 'It is snoozed.' },
  })
  expect(begun({}, { isQuiet: true })).toMatchObject({ dueMs: NOW + MINUTE_MS, whyNot: { outcome: 'waits' } })
  expect(begun({}, { silentUntilMs: NOW + 1 })).toMatchObject({ dueMs: NOW + 1, whyNot: undefined })
})

test('hours are those on the wall, across midnight and across a change of clocks', () => {
  const night = { weekdays: [0, 1, 2, 3, 4], from: '22:00', to: '06:00', timeZone: 'Europe/Prague' }
  // It is Wednesday noon in Prague, so it begins at 21:00 UTC.
  const beginMs = Date.parse('2026-11-25T21:00Z')
  expect(begun({ hours: night }, {})).toMatchObject({
    begins: false,
    dueMs: beginMs,
    whyNot: { outcome: 'waits', reason: 'It is outside the hours of the route.', untilMs: beginMs },
  })
  expect(begun({ hours: night }, {}, beginMs).begins).toBe(true)
  expect(hoursEndMs(night, beginMs)).toBe(Date.parse('2026-11-26T05:00Z'))
  // The night to Saturday belongs to Friday; the one to Sunday to nobody.
  expect(hoursEndMs(night, Date.parse('2026-11-28T04:59Z'))).toBe(Date.parse('2026-11-28T05:00Z'))
  expect(hoursEndMs(night, Date.parse('2026-11-29T03:00Z'))).toBeUndefined()
  // Clocks go forward in the night to Sunday, 29 March 2026, which is an hour shorter.
  const saturday = { ...night, weekdays: [5] }
  expect(hoursBeginMs(saturday, Date.parse('2026-03-28T12:00Z'))).toBe(Date.parse('2026-03-28T21:00Z'))
  expect(hoursEndMs(saturday, Date.parse('2026-03-28T22:00Z'))).toBe(Date.parse('2026-03-29T04:00Z'))
})

test('everybody with alert e-mails hears of what is over by then, and of each alert that was raised before maintenance', () => {
  const readers = { ...ROUTE, steps: [{ afterMinutes: 0, readers: true as const }] }
  const judged = (more: Partial<RoutedIncident>) => judgeRoute(readers, { ...INCIDENT, ...more }, undefined, NOW)
  expect(judged({ state: 'over' })).toMatchObject({ steps: [0], begins: true })
  expect(judged({ isQuiet: true })).toMatchObject({ steps: [0], begins: true })
  // Channels beside them wait for the end of the maintenance.
  const both = { ...ROUTE, steps: [{ afterMinutes: 0, readers: true as const }, { afterMinutes: 0 }] }
  expect(judgeRoute(both, { ...INCIDENT, isQuiet: true }, undefined, NOW)).toMatchObject({
    steps: [0],
    dueMs: NOW + MINUTE_MS,
  })
  expect(judged({ isQuiet: true, isPaired: false })).toMatchObject({ steps: [], whyNot: { outcome: 'waits' } })
})
