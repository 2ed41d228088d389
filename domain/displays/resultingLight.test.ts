import { expect, test } from 'vitest'
import { momentOf, wallClock } from '#domain/units/wallClock.ts'
import type { DayPlan } from './dayPlan.ts'
import type { OffTimes } from './offTimes.ts'
import { resultingLightAt, resultingLightOfDay } from './resultingLight.ts'

const BERLIN = { timeZone: 'Europe/Berlin', position: undefined }
const OFF: OffTimes = {
  wdTimeOffFrom: '23:00',
  wdTimeOffTo: '05:00',
  wkndTimeOffFrom: null,
  wkndTimeOffTo: null,
  holTimeOffFrom: '12:00',
  holTimeOffTo: '13:00',
}
const EVENING = [
  { from: '20:00', backlightPercent: 40 },
  { from: '22:00', backlightPercent: 0 },
  { from: '06:00', backlightPercent: null },
]
const PLAN: DayPlan = { workdays: EVENING, weekends: [], holidays: [] }
const BOTH = { offTimes: OFF, dayPlan: PLAN }
const NONE: ReadonlySet<string> = new Set()
const BY_HAND = { isAutomatic: false, backlightPercent: 80 }
const AUTOMATIC = { isAutomatic: true, backlightPercent: 80 }
const FRIDAY = '2026-11-20'

const dayOf = (otherwise: typeof BY_HAND, holidays = NONE, date = FRIDAY) =>
  resultingLightOfDay(BOTH, otherwise, BERLIN, holidays, date).map(
    ({ from, rule, isLit, backlightPercent }) =>
      `${wallClock(from, BERLIN.timeZone).time} ${rule} ${isLit ? (backlightPercent ?? 'lit') : 'dark'}`,
  )

test('a day is the result of off times, then the plan, then the level set by hand', () => {
  expect(dayOf(BY_HAND)).toEqual([
    '00:00 offTimes dark',
    '05:00 dayPlan dark',
    '06:00 manualLevel 80',
    '20:00 dayPlan 40',
    '22:00 dayPlan dark',
    '23:00 offTimes dark',
  ])
})

test('the ambient light takes the place of the level set by hand where it steers the backlight', () => {
  expect(dayOf(AUTOMATIC).filter((step) => step.includes('ambientLight'))).toEqual(['06:00 ambientLight lit'])
})

test('a holiday goes over the workday, for off times and plan alike', () => {
  expect(dayOf(BY_HAND, new Set([FRIDAY]))).toEqual([
    '00:00 offTimes dark',
    '05:00 manualLevel 80',
    '12:00 offTimes dark',
    '13:00 manualLevel 80',
  ])
})

test('a display that was turned off by hand stays dark where no plan lights it', () => {
  const off = { isAutomatic: false, backlightPercent: 0 }
  expect(resultingLightOfDay({ offTimes: undefined, dayPlan: undefined }, off, BERLIN, NONE, FRIDAY)).toMatchObject([
    { rule: 'manualLevel', isLit: false },
  ])
  expect(dayOf(off).filter((step) => !step.endsWith('dark'))).toEqual(['20:00 dayPlan 40'])
})

test('a level that nobody knows counts as lit', () => {
  const unknown = { isAutomatic: false, backlightPercent: null }
  const noon = momentOf(FRIDAY, '12:00', BERLIN.timeZone)
  expect(resultingLightAt(BOTH, unknown, BERLIN, NONE, noon)).toEqual({
    rule: 'manualLevel',
    isLit: true,
    backlightPercent: null,
    until: undefined,
  })
})

test('what holds now says until when', () => {
  const at = (time: string) => resultingLightAt(BOTH, AUTOMATIC, BERLIN, NONE, momentOf(FRIDAY, time, BERLIN.timeZone))
  expect(at('21:00')).toMatchObject({ rule: 'dayPlan', backlightPercent: 40, until: new Date('2026-11-20T21:00:00Z') })
  expect(at('04:00')).toMatchObject({ rule: 'offTimes', isLit: false, until: new Date('2026-11-20T04:00:00Z') })
  expect(at('12:00')).toMatchObject({ rule: 'ambientLight', isLit: true, until: undefined })
})
