import { offsetSpans } from '#domain/units/wallClock.ts'
import { DAY_MS, HOUR_MS, WEEK_MS } from '../units/time.ts'

const QUARTER_MS = HOUR_MS / 4
export const HOURS_OF_DAY = 24
export const DAYS_OF_WEEK = 7
const HOURS_OF_WEEK = HOURS_OF_DAY * DAYS_OF_WEEK
/** 1970 began on a Thursday. */
const FIRST_MONDAY_MS = 4 * DAY_MS

/** The colours of the heat map change with the number of alerts (rules/overview 8). */
export const HEAT_BANDS = [
  { from: 0, name: '0–3' },
  { from: 4, name: '4–7' },
  { from: 8, name: '8–15' },
  { from: 16, name: '16 and more' },
] as const

export function heatBandOf(count: number): number {
  return HEAT_BANDS.findLastIndex(({ from }) => count >= from)
}

/** Returns the same date and time of the year before, in UTC. */
export function yearBefore(moment: Date): Date {
  const before = new Date(moment)
  before.setUTCFullYear(before.getUTCFullYear() - 1)
  // The year before has no 29 February.
  if (before.getUTCMonth() !== moment.getUTCMonth()) before.setUTCDate(0)
  return before
}

/** The counts of one UTC day, in hours or in quarters of hours. */
export interface CountedDay {
  readonly dayMs: number
  readonly counts: readonly number[]
}

export function dayWith(atMs: number, alerts: number, isInQuarters: boolean): CountedDay {
  const dayMs = Math.floor(atMs / DAY_MS) * DAY_MS
  const counts = new Array<number>(isInQuarters ? HOURS_OF_DAY * 4 : HOURS_OF_DAY).fill(0)
  counts[Math.floor(((atMs - dayMs) / DAY_MS) * counts.length)] = alerts
  return { dayMs, counts }
}

/** Zones whose hours do not begin with UTC hours need quarters. */
export function needsQuarters(timeZone: string, fromMs: number, toMs: number): boolean {
  return offsetSpans(timeZone, fromMs, toMs).some(({ offsetMs }) => offsetMs % HOUR_MS !== 0)
}

/** Returns the beginning of the first whole step at or after a moment. */
export function firstWholeStep(fromMs: number, isInQuarters: boolean): number {
  const stepMs = isInQuarters ? QUARTER_MS : HOUR_MS
  return Math.ceil(fromMs / stepMs) * stepMs
}

/**
 * Adds days to the hours of the week in local time: 168 numbers, the first of which is Monday 00:00. What is before
 * `fromMs` is left out; an hour that clocks repeat in autumn can count twice as much.
 */
export function addToWeek(week: number[], days: readonly CountedDay[], timeZone: string, fromMs: number): void {
  if (days.length === 0) return
  const lastMs = days.reduce((latest, { dayMs }) => Math.max(latest, dayMs), fromMs) + DAY_MS
  const spans = offsetSpans(timeZone, fromMs, lastMs)
  for (const { dayMs, counts } of days) {
    const stepMs = DAY_MS / counts.length
    let span = spans.findIndex(({ untilMs }) => dayMs < untilMs)
    counts.forEach((count, index) => {
      const atMs = dayMs + index * stepMs
      if (atMs < fromMs || count === 0) return
      while (atMs >= (spans[span]?.untilMs ?? Number.POSITIVE_INFINITY)) span++
      const hour = hourOfWeek(atMs + (spans[span]?.offsetMs ?? 0))
      week[hour] = (week[hour] ?? 0) + count
    })
  }
}

function hourOfWeek(wallMs: number): number {
  const hours = Math.floor((wallMs - FIRST_MONDAY_MS) / HOUR_MS) % HOURS_OF_WEEK
  return hours < 0 ? hours + HOURS_OF_WEEK : hours
}

/** `untilMs` is excluded. */
export interface Stretch {
  readonly fromMs: number
  readonly untilMs: number
}

/** Returns when local time shows this hour of the week, in order; an hour repeated in autumn counts twice. */
export function stretchesOf(weekHour: string, timeZone: string, fromMs: number, untilMs: number): readonly Stretch[] {
  const [weekday = 1, hour = 0] = weekHour.split('-').map(Number)
  const hourOnWallMs = FIRST_MONDAY_MS + (weekday - 1) * DAY_MS + hour * HOUR_MS
  const stretches: Stretch[] = []
  let beginMs = fromMs
  for (const { untilMs: endMs, offsetMs } of offsetSpans(timeZone, fromMs, untilMs)) {
    // This is the last such hour that began before the span.
    let atMs = beginMs - ((((beginMs + offsetMs - hourOnWallMs) % WEEK_MS) + WEEK_MS) % WEEK_MS)
    for (; atMs < endMs; atMs += WEEK_MS) {
      const stretch = { fromMs: Math.max(atMs, beginMs), untilMs: Math.min(atMs + HOUR_MS, endMs) }
      if (stretch.fromMs < stretch.untilMs) stretches.push(stretch)
    }
    beginMs = endMs
  }
  return stretches
}

export const emptyWeek = (): number[] => new Array<number>(HOURS_OF_WEEK).fill(0)
