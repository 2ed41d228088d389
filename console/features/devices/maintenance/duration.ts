import type { MaintenanceEntry } from '#contract/http/devices/maintenance.ts'
import { formatWholeDuration } from '#domain/units/durations.ts'
import { UNKNOWN_TEXT } from '#domain/units/numbers.ts'

type Stretch = Pick<MaintenanceEntry, 'startDt' | 'endDt'>

export const isGoingOn = ({ startDt, endDt }: Stretch, now: Date) =>
  new Date(startDt) <= now && (endDt === null || new Date(endDt) > now)

/**
 * It gives days, hours and minutes (rules/display 4) until the end, or until now; it is a dash where the work has
 * neither begun nor an end.
 */
export function durationText({ startDt, endDt }: Stretch, now: Date): string {
  const startMs = Date.parse(startDt)
  const endMs = endDt === null ? now.getTime() : Date.parse(endDt)
  return endMs < startMs ? UNKNOWN_TEXT : formatWholeDuration((endMs - startMs) / 60_000)
}
