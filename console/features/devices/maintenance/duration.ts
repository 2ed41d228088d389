import type { MaintenanceEntry } from '#contract/http/devices/maintenance.ts'
import { formatWholeDuration } from '#domain/units/durations.ts'
import { UNKNOWN_TEXT } from '#domain/units/numbers.ts'

type Stretch = Pick<MaintenanceEntry, 'startDt' | 'endDt'>

/** Whether work has begun and has no end yet. */
export const isGoingOn = ({ startDt, endDt }: Stretch, now: Date) =>
  new Date(startDt) <= now && (endDt === null || new Date(endDt) > now)

/** Days, hours and minutes (rules/display 4) up to the end, or until now; unknown for what has neither begun nor an end. */
export function durationText({ startDt, endDt }: Stretch, now: Date): string {
  const startMs = Date.parse(startDt)
  const endMs = endDt === null ? now.getTime() : Date.parse(endDt)
  return endMs < startMs ? UNKNOWN_TEXT : formatWholeDuration((endMs - startMs) / 60_000)
}
