import type { CommandArguments } from '#contract/mqtt/command.ts'

/** Local times `HH:mm` of the display; a group is both or neither (decisions: Calls). */
export type OffTimes = CommandArguments<'turnOff.apply'>

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

interface Span {
  readonly from: string
  readonly to: string
}

/** The error an operator reads, or undefined. */
export function offTimesError(times: OffTimes): string | undefined {
  const groups: readonly [string, string | null, string | null][] = [
    ['workdays', times.wdTimeOffFrom, times.wdTimeOffTo],
    ['weekends', times.wkndTimeOffFrom, times.wkndTimeOffTo],
    ['holidays', times.holTimeOffFrom, times.holTimeOffTo],
  ]
  const broken = groups.find(([, from, to]) => (from === null) !== (to === null))
  return broken && `Turn-off times for ${broken[0]} need both a start and an end.`
}

/** Whether displays are dark at this moment. A span may cross midnight and belongs to the day it starts on. */
export function isOffTime(times: OffTimes, at: Date, timeZone: string): boolean {
  const { time, weekday } = localTime(at, timeZone)
  const today = spanOf(times, weekday)
  if (today && (today.from < today.to ? time >= today.from && time < today.to : time >= today.from)) return true
  const yesterday = spanOf(times, (weekday + 6) % 7)
  return yesterday !== undefined && yesterday.from >= yesterday.to && time < yesterday.to
}

function spanOf(times: OffTimes, weekday: number): Span | undefined {
  const isWeekend = weekday >= 5
  const from = isWeekend ? times.wkndTimeOffFrom : times.wdTimeOffFrom
  const to = isWeekend ? times.wkndTimeOffTo : times.wdTimeOffTo
  return from === null || to === null ? undefined : { from, to }
}

/** `HH:mm` and the day of the week (0: Monday) on the wall beside the display. */
function localTime(at: Date, timeZone: string): { readonly time: string; readonly weekday: number } {
  const parts = formatFor(timeZone).formatToParts(at)
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((candidate) => candidate.type === type)?.value ?? ''
  return { time: `${part('hour')}:${part('minute')}`, weekday: WEEKDAYS.indexOf(part('weekday')) }
}

const formats = new Map<string, Intl.DateTimeFormat>()

function formatFor(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known) return known
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  formats.set(timeZone, format)
  return format
}
