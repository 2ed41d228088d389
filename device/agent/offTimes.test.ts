import { expect, test } from 'vitest'
import { isOffTime, type OffTimes, offTimesError } from './offTimes.ts'

const NEVER: OffTimes = {
  wdTimeOffFrom: null,
  wdTimeOffTo: null,
  wkndTimeOffFrom: null,
  wkndTimeOffTo: null,
  holTimeOffFrom: null,
  holTimeOffTo: null,
}
const WORKNIGHTS: OffTimes = { ...NEVER, wdTimeOffFrom: '22:30', wdTimeOffTo: '05:00' }
const isOff = (times: OffTimes, local: string, timeZone = 'UTC') => isOffTime(times, new Date(`${local}Z`), timeZone)

test('without times a display is never dark', () => {
  expect(isOff(NEVER, '2026-11-20T03:00')).toBe(false)
})

test('a span across midnight belongs to the day it starts on', () => {
  expect(isOff(WORKNIGHTS, '2026-11-20T22:29')).toBe(false)
  expect(isOff(WORKNIGHTS, '2026-11-20T22:30')).toBe(true)
  // Saturday morning still belongs to Friday; Monday morning belongs to Sunday, which has no span.
  expect(isOff(WORKNIGHTS, '2026-11-21T04:59')).toBe(true)
  expect(isOff(WORKNIGHTS, '2026-11-21T05:00')).toBe(false)
  expect(isOff(WORKNIGHTS, '2026-11-21T23:00')).toBe(false)
  expect(isOff(WORKNIGHTS, '2026-11-23T03:00')).toBe(false)
})

test('times are those on the wall beside the display, summer time included', () => {
  expect(isOff(WORKNIGHTS, '2026-07-10T20:30', 'Europe/Berlin')).toBe(true)
  expect(isOff(WORKNIGHTS, '2026-11-20T20:30', 'Europe/Berlin')).toBe(false)
})

test('a start without an end is refused by name', () => {
  expect(offTimesError({ ...NEVER, wkndTimeOffFrom: '10:00' })).toBe(
    'Turn-off times for weekends need both a start and an end.',
  )
  expect(offTimesError(WORKNIGHTS)).toBeUndefined()
})
