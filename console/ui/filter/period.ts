import { startOfViewersDay, startOfViewersDayMonthsBefore, viewersDaysLater } from '#console/lib/time/viewerZone.ts'
import { MINUTE_MS } from '#domain/units/time.ts'

/** `from` is inclusive, `to` exclusive, and `from` is always before `to`. */
export interface Period {
  readonly from: Date
  readonly to: Date
}

export interface PeriodPreset {
  readonly label: string
  readonly at: (now: Date) => Period
}

/** It spans whole days in the viewer's zone: a day with a change of clocks has 23 or 25 hours. */
const days = (now: Date, from: number, to = 1): Period => ({
  from: startOfViewersDay(now, from),
  to: startOfViewersDay(now, to),
})

/** The default period of a chart follows rules/analytics 6. */
export const todayOf = (now: Date): Period => days(now, 0)

export const PERIOD_PRESETS: readonly PeriodPreset[] = [
  { label: 'Today', at: todayOf },
  { label: 'Yesterday', at: (now) => days(now, -1, 0) },
  { label: 'Last 24 hours', at: (now) => lastFullMinutes(now, 24 * 60) },
  { label: 'Last 3 days', at: (now) => days(now, -2) },
  { label: 'Last 7 days', at: (now) => days(now, -6) },
  { label: 'Last 30 days', at: (now) => days(now, -29) },
  { label: 'Last 12 months', at: (now) => ({ ...days(now, 0), from: startOfViewersDayMonthsBefore(now, 12) }) },
]

export function presetOf({ from, to }: Period, now: Date): PeriodPreset | undefined {
  return PERIOD_PRESETS.find(({ at }) => {
    const preset = at(now)
    return preset.from.getTime() === from.getTime() && preset.to.getTime() === to.getTime()
  })
}

/** A start after the end, or an end before the start, moves the other to one day later or earlier. */
export function withFrom({ to }: Period, from: Date): Period {
  return { from, to: from < to ? to : viewersDaysLater(from, 1) }
}

export function withTo({ from }: Period, to: Date): Period {
  return { from: from < to ? from : viewersDaysLater(to, -1), to }
}

function lastFullMinutes(now: Date, minutes: number): Period {
  const toMs = Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS
  return { from: new Date(toMs - minutes * MINUTE_MS), to: new Date(toMs) }
}
