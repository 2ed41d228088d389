import { expect, test } from 'vitest'
import { MINUTE_MS } from '../units/time.ts'
import { type MessageStanding, messageNews, type ToldState } from './messageNews.ts'

const ACTIVE: ToldState = { state: 'active', severityId: 2, isAcknowledged: false, deviceCount: 1, alertCount: 1 }
const say = (told: Partial<ToldState> | undefined, now: Partial<ToldState>, more: Partial<MessageStanding> = {}) =>
  messageNews({
    told: told && { ...ACTIVE, ...told },
    now: { ...ACTIVE, ...now },
    calmMs: 10 * MINUTE_MS,
    sinceToldMs: 10 * MINUTE_MS,
    timesOver: 0,
    updates: true,
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

test('in place everything is told that has changed, beside it only what is worse', () => {
  expect(say({}, { severityId: 1 }, { updates: false })).toBe('worse')
  expect(say({ severityId: 1 }, {})).toBeUndefined()
  expect([say({}, { isAcknowledged: true }), say({}, { isAcknowledged: true }, { updates: false })]).toEqual([
    'changed',
    undefined,
  ])
  expect(say({}, { deviceCount: 2 })).toBe('changed')
  expect(say({}, { alertCount: 3 }, { sinceToldMs: MINUTE_MS / 2 })).toEqual({ waitMs: MINUTE_MS / 2 })
  expect(say({}, { alertCount: 3 }, { updates: false })).toBeUndefined()
  expect(say({}, {})).toBeUndefined()
})
