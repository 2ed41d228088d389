import { afterEach, expect, test } from 'vitest'
import { learnServerTime, serverNowMs } from './serverClock.ts'

const NOW = Date.parse('2026-11-20T12:00:00.300Z')
afterEach(() => learnServerTime(new Date().toUTCString(), Date.now()))

const aheadOfThisComputer = () => Math.round((serverNowMs() - Date.now()) / 1000)

test('a computer ten minutes slow counts ages by the time of the server', () => {
  learnServerTime('Fri, 20 Nov 2026 12:10:00 GMT', NOW)
  expect(aheadOfThisComputer()).toBe(600)
})

test('a computer a year ahead does too', () => {
  learnServerTime('Thu, 20 Nov 2025 12:00:00 GMT', NOW)
  expect(aheadOfThisComputer()).toBe(-365 * 86_400)
})

test('a second of difference is the way of the answer and not the clock', () => {
  learnServerTime('Fri, 20 Nov 2026 12:10:00 GMT', NOW)
  learnServerTime('Fri, 20 Nov 2026 11:59:59 GMT', NOW)
  expect(aheadOfThisComputer()).toBe(0)
})

test.each([null, '', 'yesterday'])('an answer that says %j about its time changes nothing', (header) => {
  learnServerTime('Fri, 20 Nov 2026 12:10:00 GMT', NOW)
  learnServerTime(header, NOW)
  expect(aheadOfThisComputer()).toBe(600)
})
