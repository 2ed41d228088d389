import { MINUTE_MS } from '#domain/units/time.ts'
import { addDays, type LocalDate, type LocalTime, momentOf, wallClock } from '#domain/units/wallClock.ts'
import { type DayGroup, groupOfDay } from './offTimes.ts'
import { type Position, type SunDay, sunDay } from './sunTimes.ts'

/** Minutes after sunrise or sunset; before it when negative. */
export interface SunMoment {
  readonly sun: 'sunrise' | 'sunset'
  readonly offsetMinutes: number
}

/** The level of the backlight from a moment of the day on. */
export interface DayPlanEntry {
  readonly from: LocalTime | SunMoment
  /** Null ends the plan's influence from then on. */
  readonly backlightPercent: number | null
}

/** The levels of all displays by the time of the day (rules/setup 13). A kind of day without entries has no plan. */
export interface DayPlan {
  readonly workdays: readonly DayPlanEntry[]
  readonly weekends: readonly DayPlanEntry[]
  readonly holidays: readonly DayPlanEntry[]
}

/** The location of a display. Without a position nothing follows the sun. */
export interface LightPlace {
  readonly timeZone: string
  readonly position: Position | undefined
}

/** A part of a local day; the parts of a day are consecutive and cover all of it. */
export interface DayPlanStep {
  readonly from: Date
  /** The first moment that no longer belongs to it. */
  readonly to: Date
  /** Null if the plan does not apply. */
  readonly backlightPercent: number | null
}

export const MOST_DAY_PLAN_ENTRIES = 12
export const MOST_SUN_OFFSET_MINUTES = 240

const KEY_OF_GROUP = { workday: 'workdays', weekend: 'weekends', holiday: 'holidays' } as const satisfies Record<
  DayGroup,
  keyof DayPlan
>
export const DAY_PLAN_KEYS = Object.values(KEY_OF_GROUP)
export const NO_DAY_PLAN: DayPlan = { workdays: [], weekends: [], holidays: [] }

export const isSunMoment = (from: DayPlanEntry['from']): from is SunMoment => typeof from !== 'string'

/** Names the moment of an entry: "22:00", "sunset", "30 min before sunrise". */
export function momentLabel(from: DayPlanEntry['from']): string {
  if (!isSunMoment(from)) return from
  const { sun, offsetMinutes } = from
  if (offsetMinutes === 0) return sun
  return `${Math.abs(offsetMinutes)} min ${offsetMinutes < 0 ? 'before' : 'after'} ${sun}`
}

export function dayPlanError(plan: DayPlan): string | undefined {
  for (const key of DAY_PLAN_KEYS) {
    const names = plan[key].map(({ from }) => momentLabel(from))
    const twice = names.find((name, index) => names.indexOf(name) !== index)
    if (twice !== undefined) return `Two entries for ${key} begin at the same time: ${twice}.`
  }
  return undefined
}

export const isPlanned = (plan: DayPlan): boolean => DAY_PLAN_KEYS.some((key) => plan[key].length > 0)

/** Whether it needs the position of the display. */
export const goesByTheSun = (plan: DayPlan): boolean =>
  DAY_PLAN_KEYS.some((key) => plan[key].some(({ from }) => isSunMoment(from)))

/** Returns why a device would not carry out a plan, before it is sent. Removing a plan needs no knowledge. */
export function dayPlanRefusal(
  plan: DayPlan,
  device: { readonly knowsDayPlans: boolean | null | undefined; readonly position: Position | null | undefined },
) {
  if (!isPlanned(plan)) return undefined
  if (device.knowsDayPlans === false) {
    const sentence = 'The client of this device does not know day plans. Update the client first; nothing was sent.'
    return { code: 'client_too_old', sentence } as const
  }
  if (goesByTheSun(plan) && !device.position) {
    const sentence =
      'This device has no position, so sunrise is unknown. Set a position or use fixed times. Nothing was sent.'
    return { code: 'position_unknown', sentence } as const
  }
  return undefined
}

const entriesOf = (plan: DayPlan, date: LocalDate, holidays: ReadonlySet<LocalDate>) =>
  plan[KEY_OF_GROUP[groupOfDay(date, holidays)]]

const boundsOf = (date: LocalDate, timeZone: string) =>
  [momentOf(date, '00:00', timeZone), momentOf(addDays(date, 1), '00:00', timeZone)] as const

/** Returns the entries of this day in order. Sun moments outside the day move to its first or last minute. */
function happeningOn(
  plan: DayPlan,
  date: LocalDate,
  { timeZone, position }: LightPlace,
  holidays: ReadonlySet<string>,
) {
  const [start, end] = boundsOf(date, timeZone)
  const lastMs = end.getTime() - MINUTE_MS
  let sun: SunDay | undefined
  const momentMs = ({ from }: DayPlanEntry): number | undefined => {
    if (!isSunMoment(from)) return momentOf(date, from, timeZone).getTime()
    if (!position) return undefined
    sun ??= sunDay(date, position, timeZone)
    const at = sun[from.sun]
    return at && Math.min(lastMs, Math.max(start.getTime(), at.getTime() + from.offsetMinutes * MINUTE_MS))
  }
  return entriesOf(plan, date, holidays)
    .flatMap((entry) => {
      const atMs = momentMs(entry)
      return atMs === undefined ? [] : [{ ...entry, atMs }]
    })
    .toSorted((a, b) => a.atMs - b.atMs || byWall(a.from, b.from))
}

/** Entries that clocks skip happen at one moment, in the order of local time. */
const byWall = (one: DayPlanEntry['from'], other: DayPlanEntry['from']) =>
  isSunMoment(one) || isSunMoment(other) ? 0 : one < other ? -1 : 1

/**
 * Returns one local day. An entry lasts until the next one, over midnight until the first of the next day; a day whose
 * kind has no entries has no plan from midnight to midnight. An hour that clocks skip happens at the moment of the
 * change, one that they repeat is one long period.
 */
export function dayPlanSteps(
  plan: DayPlan,
  place: LightPlace,
  holidays: ReadonlySet<LocalDate>,
  date: LocalDate,
): readonly DayPlanStep[] {
  const [start, end] = boundsOf(date, place.timeZone)
  if (entriesOf(plan, date, holidays).length === 0) return [{ from: start, to: end, backlightPercent: null }]
  const carried = happeningOn(plan, addDays(date, -1), place, holidays).at(-1)?.backlightPercent ?? null
  const moments = [{ atMs: start.getTime(), backlightPercent: carried }, ...happeningOn(plan, date, place, holidays)]
  return moments.flatMap(({ atMs, backlightPercent }, index) => {
    const untilMs = moments[index + 1]?.atMs ?? end.getTime()
    return atMs < untilMs ? [{ from: new Date(atMs), to: new Date(untilMs), backlightPercent }] : []
  })
}

/** A week of equal days shows whether the period ever ends. */
const LOOKS_AHEAD_DAYS = 8

/** Returns the first moment at which the plan's level changes after this period; undefined if it never does. */
export function dayPlanHoldsUntil(
  plan: DayPlan,
  place: LightPlace,
  holidays: ReadonlySet<LocalDate>,
  { from, backlightPercent }: Pick<DayPlanStep, 'from' | 'backlightPercent'>,
): Date | undefined {
  const { date } = wallClock(from, place.timeZone)
  for (let day = 0; day <= LOOKS_AHEAD_DAYS; day++) {
    const steps = dayPlanSteps(plan, place, holidays, addDays(date, day))
    const next = steps.find((step) => step.from > from && step.backlightPercent !== backlightPercent)
    if (next) return next.from
  }
  return undefined
}

export function dayPlanStepAt(
  plan: DayPlan,
  place: LightPlace,
  holidays: ReadonlySet<LocalDate>,
  at: Date,
): DayPlanStep | undefined {
  const { date } = wallClock(at, place.timeZone)
  return dayPlanSteps(plan, place, holidays, date).find(({ from, to }) => at >= from && at < to)
}
