import { nextOccurrences, occurrencesWithin, type Weekly } from '../maintenanceWindows/maintenanceSchedule.ts'
import { MINUTE_MS } from '../units/time.ts'
import type { LocalTime } from '../units/wallClock.ts'

/** Some hours of each week, in local time of a zone. */
export interface WeekHours {
  /** They begin on these weekdays; 0 is Monday. */
  readonly weekdays: readonly number[]
  readonly from: LocalTime
  /** A time before `from` is on the next day; the same time means a whole day. */
  readonly to: LocalTime
  readonly timeZone: string
}

const scheduleOf = (hours: WeekHours): Weekly => ({ ...hours, kind: 'weekly', firstDay: '2000-01-01', lastDay: null })

/** Returns when the present hours end; undefined outside these hours. */
export const hoursEndMs = (hours: WeekHours, atMs: number): number | undefined =>
  occurrencesWithin(scheduleOf(hours), { fromMs: atMs, toMs: atMs + 1 })[0]?.toMs

export const hoursBeginMs = (hours: WeekHours, afterMs: number): number | undefined =>
  nextOccurrences(scheduleOf(hours), new Date(afterMs), 1)[0]?.fromMs

/** Selects incidents, and decides when further people are notified. */
export interface Route {
  /** Matches this severity or worse: 1 critical, 2 warning, 3 information. */
  readonly severityId: number
  readonly tag: string
  readonly tagKey: string
  readonly hours: WeekHours | null
  /** Steps are in order; the first runs at once or later. */
  readonly steps: readonly RoutedStep[]
}

interface RoutedStep {
  readonly afterMinutes: number
  /** Notifies everybody with alert e-mails of each alert that asks for it, even if it is resolved by then. */
  readonly readers?: true
}

/** The parts of an incident that a route uses, as its readers see them. */
export interface RoutedIncident {
  readonly state: 'active' | 'over' | 'closed'
  readonly severityId: number
  readonly tagKeys: ReadonlySet<string>
  readonly acknowledgedBy: string | undefined
  readonly snoozedUntilMs: number | undefined
  /** All of its devices are in maintenance, or not Paired. */
  readonly isQuiet: boolean
  readonly isPaired: boolean
  /** The condition of one of its alerts asks for notification. */
  readonly notifies: boolean
  /** A silence may turn out to be one of many until then. */
  readonly silentUntilMs: number | undefined
}

export interface Run {
  readonly beganMs: number
  readonly stepsDone: number
}

/** The reason why somebody is not notified, or not yet. */
export interface WhyNot {
  readonly outcome: 'waits' | 'not'
  readonly reason: string
  /** The moment that the reason mentions. */
  readonly untilMs?: number
}

export interface RouteVerdict {
  /** The steps that are due now. */
  readonly steps: readonly number[]
  readonly begins: boolean
  readonly whyNot: WhyNot | undefined
  /** No step is left. */
  readonly ends: boolean
  /** The next evaluation, unless something changes. */
  readonly dueMs: number | undefined
}

export const OVER_BEFORE: WhyNot = { outcome: 'not', reason: 'It was resolved before anyone was notified.' }

const QUIET_MS = MINUTE_MS
const NOTHING = { steps: [], begins: false, ends: false, whyNot: undefined, dueMs: undefined } as const

const not = (reason: string): RouteVerdict => ({ ...NOTHING, whyNot: { outcome: 'not', reason } })
const waits = (reason: string, dueMs: number, untilMs?: number): RouteVerdict => ({
  ...NOTHING,
  whyNot: { outcome: 'waits', reason, ...(untilMs !== undefined && { untilMs }) },
  dueMs,
})

/** Returns what a route does about an incident at this moment. @param run the steps so far; undefined for none */
export function judgeRoute(route: Route, incident: RoutedIncident, run: Run | undefined, nowMs: number): RouteVerdict {
  if (run) return judgeSteps(route, incident, run, nowMs)
  if (incident.severityId > route.severityId) return not('It is less severe than the route requires.')
  if (route.tagKey !== '' && !incident.tagKeys.has(route.tagKey))
    return not(`None of its devices has the tag ${route.tag}.`)
  if (!incident.notifies) return not('The conditions of its alerts send no notifications.')
  const mailsReaders = route.steps.some(({ readers }) => readers)
  if (incident.state === 'closed' || (incident.state === 'over' && !mailsReaders))
    return { ...NOTHING, whyNot: OVER_BEFORE }
  const { snoozedUntilMs, silentUntilMs } = incident
  if (snoozedUntilMs !== undefined && snoozedUntilMs > nowMs)
    return waits('It is snoozed.', snoozedUntilMs, snoozedUntilMs)
  // The mail queue itself holds back alerts that were raised in maintenance, one by one.
  if (incident.isQuiet && !(mailsReaders && incident.isPaired))
    return waits('All of its devices are under maintenance or not Paired.', nowMs + QUIET_MS)
  if (silentUntilMs !== undefined && silentUntilMs > nowMs) return { ...NOTHING, dueMs: silentUntilMs }
  if (route.hours && hoursEndMs(route.hours, nowMs) === undefined) {
    const beginMs = hoursBeginMs(route.hours, nowMs)
    return beginMs === undefined
      ? not('Its hours never begin.')
      : waits('It is outside the hours of the route.', beginMs, beginMs)
  }
  return { ...judgeSteps(route, incident, { beganMs: nowMs, stepsDone: 0 }, nowMs), begins: true }
}

function judgeSteps(
  { steps }: Route,
  incident: RoutedIncident,
  { beganMs, stepsDone }: Run,
  nowMs: number,
): RouteVerdict {
  const due: number[] = []
  for (let step = stepsDone; step < steps.length; step++) {
    const dueMs = beganMs + (steps[step]?.afterMinutes ?? 0) * MINUTE_MS
    // A resolved incident may become active again, and the route goes on then.
    if (incident.state !== 'active' && !steps[step]?.readers) return { ...NOTHING, steps: due }
    const { snoozedUntilMs } = incident
    if (snoozedUntilMs !== undefined && snoozedUntilMs > nowMs) return { ...NOTHING, steps: due, dueMs: snoozedUntilMs }
    if (incident.isQuiet && !steps[step]?.readers) return { ...NOTHING, steps: due, dueMs: nowMs + QUIET_MS }
    if (incident.acknowledgedBy !== undefined && dueMs > beganMs) {
      const whyNot = { outcome: 'not', reason: 'It was acknowledged.' } as const
      return { ...NOTHING, steps: due, ends: true, whyNot }
    }
    if (dueMs > nowMs) return { ...NOTHING, steps: due, dueMs }
    due.push(step)
  }
  return { ...NOTHING, steps: due }
}
