import { expect, test } from 'vitest'
import { MINUTE_MS } from '../units/time.ts'
import { type MessageStanding, messageNews, type NotifiedState } from './messageNews.ts'

const ACTIVE: NotifiedState = { state: 'active', severityId: 2, isAcknowledged: false, deviceCount: 1, alertCount: 1 }
const say = (
  told: Partial<NotifiedState> | undefined,
  now: Partial<NotifiedState>,
  more: Partial<MessageStanding> = {},
) =>
  messageNews({
    told: told && { ...ACTIVE, ...told },
    now: { ...ACTIVE, ...now },
    calmMs: 10 * MINUTE_MS,
    sinceToldMs: 10 * MINUTE_MS,
    timesOver: 0,
    updates: true,
    hasWoken: false,
    ...more,
  })

test('what was not told yet is told as it is, also when it is over', () => {
  expect([say(undefined, {}), say(undefined, { state: 'over' })]).toEqual(['opened', 'opened'])
})

test('over waits for calm, closed does not, and again is told at once', () => {
  expect(say({}, { state: 'over' }, { calmMs: MINUTE_MS })).toEqual({ waitMs: 4 * MINUTE_MS })
  expect(say({}, { state: 'over' })).toBe('over')
  expect(say({}, { state: 'over' }, { timesOver: 2 })).toEqual({ waitMs: 10 * MINUTE_MS })
  expect(say({}, { state: 'closed' }, { calmMs: 0 })).toBe('over')
  expect(say({ state: 'over' }, {}, { calmMs: 0 })).toBe('again')
  expect(say({ state: 'over' }, { state: 'closed' })).toBeUndefined()
})

test('alerts that came since are told beside it ten minutes later, also when all of it is over', () => {
  const beside = { updates: false, sinceToldMs: 4 * MINUTE_MS }
  expect(say({}, { alertCount: 3 }, { updates: false })).toBe('changed')
  expect(say({}, { alertCount: 3 }, beside)).toEqual({ waitMs: 6 * MINUTE_MS })
  // One alert has gone, and another has come.
  expect(say({ newestAlertId: 7 }, { newestAlertId: 8 }, { updates: false })).toBe('changed')
  expect(say({ state: 'over' }, { state: 'over', alertCount: 2 })).toBe('changed')
  expect(say({ state: 'over' }, { state: 'closed', alertCount: 2 })).toBeUndefined()
})

test('what goes on when its snooze ends is told once', () => {
  expect(say({}, {}, { hasWoken: true, updates: false })).toBe('still')
  expect(say({}, { state: 'over' }, { hasWoken: true, calmMs: 0 })).toEqual({ waitMs: 5 * MINUTE_MS })
  expect(say({ state: 'over' }, { state: 'over' }, { hasWoken: true })).toBeUndefined()
})

test('in place everything is told that has changed, beside it only what is worse', () => {
  expect(say({}, { severityId: 1 }, { updates: false })).toBe('worse')
  expect(say({ severityId: 1 }, {}, { updates: false })).toBeUndefined()
  expect([say({}, { isAcknowledged: true }), say({}, { isAcknowledged: true }, { updates: false })]).toEqual([
    'changed',
    undefined,
  ])
  expect(say({}, { deviceCount: 2 })).toBe('changed')
  expect(say({}, { alertCount: 3 }, { sinceToldMs: MINUTE_MS / 2 })).toEqual({ waitMs: MINUTE_MS / 2 })
  expect(say({}, { severityId: 3, causeText: 'Another' }, { updates: false })).toBeUndefined()
  expect([say({}, { severityId: 3 }), say({ causeText: 'One' }, { causeText: 'Another' })]).toEqual([
    'changed',
    'changed',
  ])
  expect(say({}, {})).toBeUndefined()
})
