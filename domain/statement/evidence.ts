import type { DeviceGuid } from '#domain/ids.ts'
import { addDays, type LocalDate, momentOf } from '#domain/units/wallClock.ts'

/** Returns the time that the timeline of a device shows for these local days, both included. */
export function evidencePeriod(
  from: LocalDate,
  to: LocalDate,
  timeZone: string,
): { readonly from: Date; readonly to: Date } {
  return { from: momentOf(from, '00:00', timeZone), to: momentOf(addDays(to, 1), '00:00', timeZone) }
}

/** Returns the address of the readings, states and events behind a figure, below that of the console. */
export function evidencePath(guid: DeviceGuid, from: LocalDate, to: LocalDate, timeZone: string): string {
  const period = evidencePeriod(from, to, timeZone)
  return `/devices/${guid}/status?view=timeline&dateFrom=${period.from.toISOString()}&dateTo=${period.to.toISOString()}`
}
