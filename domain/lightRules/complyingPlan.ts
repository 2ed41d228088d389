import { type DayPlan, type DayPlanEntry, isPlanned, NO_DAY_PLAN } from '#domain/displays/dayPlan.ts'
import type { DayGroup, OffTimes } from '#domain/displays/offTimes.ts'
import type { LocalDate, LocalTime } from '#domain/units/wallClock.ts'
import { type DeviceLight, planConflicts } from './planConflicts.ts'
import type { LightRule, LightRuleSet } from './ruleSet.ts'

/** A change of settings after which a device keeps a rule set. */
export type ComplyingChange =
  | { readonly kind: 'offTimes'; readonly offTimes: OffTimes }
  | { readonly kind: 'dayPlan'; readonly dayPlan: DayPlan }

const GROUPS = [
  { group: 'workday', from: 'wdTimeOffFrom', to: 'wdTimeOffTo', plan: 'workdays' },
  { group: 'weekend', from: 'wkndTimeOffFrom', to: 'wkndTimeOffTo', plan: 'weekends' },
  { group: 'holiday', from: 'holTimeOffFrom', to: 'holTimeOffTo', plan: 'holidays' },
] as const

const NEVER_OFF: OffTimes = {
  ...{ wdTimeOffFrom: null, wdTimeOffTo: null, wkndTimeOffFrom: null, wkndTimeOffTo: null },
  ...{ holTimeOffFrom: null, holTimeOffTo: null },
}

/**
 * Finds the least change with which a device keeps the dark hours of a set: longer off times, else a day plan where
 * there is none. Every answer was tried on the days that follow; undefined means that somebody has to plan it.
 */
export function complyingChange(
  set: LightRuleSet,
  light: DeviceLight,
  firstDate: LocalDate,
  knowsDayPlans: boolean,
): ComplyingChange | undefined {
  const dark = { ...set, rules: set.rules.filter(({ levelPercent }) => levelPercent === 0) }
  if (dark.rules.length === 0) return undefined
  const keeps = (change: Partial<DeviceLight>) => planConflicts(dark, { ...light, ...change }, firstDate).length === 0
  const offTimes = longerOffTimes(dark.rules, light.offTimes ?? NEVER_OFF)
  const isStillDark =
    offTimes && planConflicts(asRuleSet(light.offTimes), { ...light, offTimes }, firstDate).length === 0
  if (isStillDark && keeps({ offTimes })) return { kind: 'offTimes', offTimes }
  if (!knowsDayPlans || (light.dayPlan && isPlanned(light.dayPlan))) return undefined
  const dayPlan = darkPlan(dark.rules)
  return keeps({ dayPlan }) ? { kind: 'dayPlan', dayPlan } : undefined
}

/** A rule for one day of a group counts for all of them, because off times know groups only. */
const appliesTo = ({ days, onHolidays }: LightRule, group: DayGroup): boolean => {
  if (group === 'holiday') return onHolidays !== 'never'
  if (onHolidays === 'only') return false
  return days.some((day) => (group === 'weekend') === day >= 5)
}

function longerOffTimes(rules: readonly LightRule[], present: OffTimes): OffTimes | undefined {
  let times = present
  for (const { group, from, to } of GROUPS) {
    for (const rule of rules.filter((one) => appliesTo(one, group))) {
      const [oldFrom, oldTo] = [times[from], times[to]]
      const union = oldFrom === null || oldTo === null ? rule : unionOf({ from: oldFrom, to: oldTo }, rule)
      if (union === undefined) return undefined
      times = { ...times, [from]: union.from, [to]: union.to }
    }
  }
  return times
}

/** What was dark stays dark: a longer night may begin on another kind of day than it did. */
function asRuleSet(offTimes: OffTimes = NEVER_OFF): LightRuleSet {
  const days = { workday: [0, 1, 2, 3, 4], weekend: [5, 6], holiday: [] }
  const rules = GROUPS.flatMap(({ group, from, to }): readonly LightRule[] => {
    const [start, end] = [offTimes[from], offTimes[to]]
    if (start === null || end === null) return []
    const onHolidays = group === 'holiday' ? 'only' : 'never'
    return [{ days: days[group], from: start, to: end, onHolidays, levelPercent: 0, belowLux: null }]
  })
  const everywhere = { name: '', country: null, area: null, source: '', sourceUrl: '' }
  return { ...everywhere, rules, exceptDates: [], validFrom: null, validUntil: null }
}

interface Times {
  readonly from: LocalTime
  readonly to: LocalTime
}

const DAY_MINUTES = 1440
const minuteOf = (time: LocalTime) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
const lengthOf = ({ from, to }: Times) =>
  from === to ? DAY_MINUTES : (minuteOf(to) - minuteOf(from) + DAY_MINUTES) % DAY_MINUTES

/** Joins two times of a day that overlap or touch; off times cannot hold two that do not. */
function unionOf(one: Times, other: Times): Times | undefined {
  for (const [first, second] of [
    [one, other],
    [other, one],
  ] as const) {
    const gap = (minuteOf(second.from) - minuteOf(first.from) + DAY_MINUTES) % DAY_MINUTES
    if (gap > lengthOf(first)) continue
    const whole = Math.max(lengthOf(first), gap + lengthOf(second))
    if (whole >= DAY_MINUTES) return { from: first.from, to: first.from }
    return { from: first.from, to: whole === lengthOf(first) ? first.to : second.to }
  }
  return undefined
}

function darkPlan(rules: readonly LightRule[]): DayPlan {
  let plan = NO_DAY_PLAN
  for (const { group, plan: key } of GROUPS) {
    const entries = rules
      .filter((rule) => appliesTo(rule, group))
      .flatMap(({ from, to }): readonly DayPlanEntry[] => [
        { from, backlightPercent: 0 },
        ...(from === to ? [] : [{ from: to, backlightPercent: null }]),
      ])
    plan = { ...plan, [key]: entries.toSorted((a, b) => (String(a.from) < String(b.from) ? -1 : 1)) }
  }
  return plan
}
