import { expect, test } from 'vitest'
import { beginOf, lightDay, sinceBegin } from './lightDays.ts'

const ZONE = 'Europe/Prague'
const CREATED = new Date('2026-11-20T16:54:31Z')
const DAY = lightDay('2026-11-20', ZONE)

test('a device owes light from the minute in which it was added', () => {
  expect(new Date(beginOf(CREATED, null, ZONE)).toISOString()).toBe('2026-11-20T16:54:00.000Z')
  expect(beginOf(CREATED, '2026-11-20', ZONE)).toBe(beginOf(CREATED, null, ZONE))
  expect(beginOf(CREATED, '2026-11-25', ZONE)).toBe(beginOf(CREATED, null, ZONE))
})

test('of which something older is known, from the beginning of that day', () => {
  expect(beginOf(CREATED, '2026-11-19', ZONE)).toBe(lightDay('2026-11-19', ZONE).fromMs)
})

test('a day that began before is cut, and none becomes longer', () => {
  const beginMs = beginOf(CREATED, null, ZONE)
  expect(sinceBegin(DAY, beginMs)).toEqual({ ...DAY, fromMs: beginMs })
  expect(sinceBegin(lightDay('2026-11-21', ZONE), beginMs)).toEqual(lightDay('2026-11-21', ZONE))
  const before = lightDay('2026-11-19', ZONE)
  expect(sinceBegin(before, beginMs)).toEqual({ ...before, fromMs: before.toMs })
})
