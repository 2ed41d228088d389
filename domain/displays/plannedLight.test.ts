import { expect, test } from 'vitest'
import { momentOf, wallClock } from '#domain/units/wallClock.ts'
import type { DayPlan } from './dayPlan.ts'
import type { OffTimes } from './offTimes.ts'
import { isPlannedDark, plannedLightAt, plannedLightOfDay } from './plannedLight.ts'

const BERLIN = { timeZone: 'Europe/Berlin', position: { latitude: 52.52, longitude: 13.405 } }
const NO_HOLIDAYS: ReadonlySet<string> = new Set()
const OFF: OffTimes = {
  wdTimeOffFrom: '23:00',
  wdTimeOffTo: '05:00',
  wkndTimeOffFrom: null,
  wkndTimeOffTo: null,
  holTimeOffFrom: null,
  holTimeOffTo: null,
}
const entries = [
  { from: { sun: 'sunset' as const, offsetMinutes: 0 }, backlightPercent: 60 },
  { from: '22:00', backlightPercent: 0 },
  { from: '04:00', backlightPercent: 30 },
  { from: '08:00', backlightPercent: null },
]
const PLAN: DayPlan = { workdays: entries, weekends: entries, holidays: entries }
const both = { offTimes: OFF, dayPlan: PLAN }
const FRIDAY = '2026-11-20'

test('off times go over the day plan, and the day plan over everything else', () => {
  const ruleAt = (time: string) => {
    const planned = plannedLightAt(both, BERLIN, NO_HOLIDAYS, momentOf(FRIDAY, time, BERLIN.timeZone))
    return [planned.rule, isPlannedDark(planned)]
  }
  expect(['04:30', '07:00', '12:00', '17:00', '22:30', '23:30'].map(ruleAt)).toEqual([
    ['offTimes', true],
    ['dayPlan', false],
    ['none', false],
    ['dayPlan', false],
    ['dayPlan', true],
    ['offTimes', true],
  ])
})

test('a whole day is told by the same rule as each of its minutes', () => {
  for (const date of [FRIDAY, '2026-11-21', '2026-03-29', '2026-10-25']) {
    const steps = plannedLightOfDay(both, BERLIN, NO_HOLIDAYS, date)
    const [startMs, endMs] = [steps[0]?.from.getTime() ?? 0, steps.at(-1)?.to.getTime() ?? 0]
    for (let atMs = startMs; atMs < endMs; atMs += 60_000) {
      const step = steps.find(({ from, to }) => from.getTime() <= atMs && atMs < to.getTime())
      const planned = plannedLightAt(both, BERLIN, NO_HOLIDAYS, new Date(atMs))
      const percent = planned.rule === 'dayPlan' ? planned.backlightPercent : planned.rule === 'offTimes' ? 0 : null
      expect([atMs, step?.rule, step?.backlightPercent]).toEqual([atMs, planned.rule, percent])
    }
  }
  const shown = plannedLightOfDay(both, BERLIN, NO_HOLIDAYS, FRIDAY).map(
    ({ from, rule, backlightPercent }) => `${wallClock(from, BERLIN.timeZone).time} ${rule} ${backlightPercent}`,
  )
  expect(shown).toEqual([
    '00:00 offTimes 0',
    '05:00 dayPlan 30',
    '08:00 none null',
    '16:08 dayPlan 60',
    '22:00 dayPlan 0',
    '23:00 offTimes 0',
  ])
})
