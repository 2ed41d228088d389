import { readLocalTime } from '#console/lib/time/localTime.ts'
import { viewerTimeZone } from '#console/lib/time/viewerZone.ts'
import type { MaintenanceWindow, WindowSchedule } from '#contract/http/alerting/maintenanceWindows.ts'
import type { LocalDate } from '#domain/units/wallClock.ts'
import { addDays, momentOf, wallClock } from '#domain/units/wallClock.ts'

export interface WindowValues {
  readonly kind: 'once' | 'weekly'
  /** The window begins now if it is absent. */
  readonly from: Date | undefined
  readonly to: Date | undefined
  /** It replaces `to` until somebody chooses one. */
  readonly minutes: number | undefined
  /** Weekdays are texts of numbers, and 0 is Monday. */
  readonly weekdays: readonly string[]
  readonly fromTime: string | null
  readonly toTime: string | null
  readonly timeZone: string
  readonly firstDay: LocalDate
  readonly lastDay: LocalDate | null
  readonly reason: string
  readonly tellsCustomer: boolean
}

export interface Preset {
  readonly id: string
  readonly label: string
  readonly minutes?: number
  /** The window ends at the next midnight by the device's clock. */
  readonly isUntilMidnight?: true
}

export const PRESETS: readonly Preset[] = [
  { id: '30min', label: 'For 30 min', minutes: 30 },
  { id: '2h', label: 'For 2 h', minutes: 120 },
  { id: 'tonight', label: 'Until midnight', isUntilMidnight: true },
]

const USUAL_REASON = 'Work on site'
const USUAL_MINUTES = 120

export function newValues(preset: Preset | undefined, timeZone: string | undefined, now: Date): WindowValues {
  const zone = timeZone ?? viewerTimeZone()
  const today = wallClock(now, zone).date
  return {
    kind: 'once',
    from: undefined,
    to: preset?.isUntilMidnight ? momentOf(addDays(today, 1), '00:00', zone) : undefined,
    minutes: preset?.isUntilMidnight ? undefined : (preset?.minutes ?? USUAL_MINUTES),
    weekdays: [],
    fromTime: '02:00',
    toTime: '04:00',
    timeZone: zone,
    firstDay: today,
    lastDay: null,
    reason: USUAL_REASON,
    tellsCustomer: false,
  }
}

export function valuesOf({ schedule, reason, tellsCustomer }: MaintenanceWindow, now: Date): WindowValues {
  const fresh = { ...newValues(undefined, schedule.timeZone, now), reason, tellsCustomer, minutes: undefined }
  if (schedule.kind === 'once') {
    return { ...fresh, from: new Date(schedule.from), to: new Date(schedule.to) }
  }
  const { weekdays, from: fromTime, to: toTime, firstDay, lastDay } = schedule
  return { ...fresh, kind: 'weekly', weekdays: weekdays.map(String), fromTime, toTime, firstDay, lastDay }
}

type WindowErrors = Readonly<Partial<Record<'to' | 'weekdays' | 'fromTime' | 'toTime' | 'reason', string>>>

export function windowErrors(values: WindowValues): WindowErrors {
  const { kind, to, minutes, weekdays, fromTime, toTime, reason } = values
  const missing = reason.trim() === '' ? { reason: 'Reason is required' } : {}
  if (kind === 'once') return { ...missing, ...(to || minutes ? {} : { to: 'End is required' }) }
  return {
    ...missing,
    ...(weekdays.length === 0 && { weekdays: 'Choose at least one day' }),
    ...(readLocalTime(fromTime ?? '') === undefined && { fromTime: 'Enter a time as HH:mm' }),
    ...(readLocalTime(toTime ?? '') === undefined && { toTime: 'Enter a time as HH:mm' }),
  }
}

/** It expects values without errors, and returns the schedule of the calls. */
export function scheduleOf(values: WindowValues): WindowSchedule {
  const { timeZone } = values
  if (values.kind === 'once') {
    const { from, to, minutes } = values
    return {
      kind: 'once',
      timeZone,
      ...(from && { from: from.toISOString() }),
      ...(to ? { to: to.toISOString() } : minutes ? { minutes } : {}),
    }
  }
  return {
    kind: 'weekly',
    timeZone,
    weekdays: values.weekdays.map(Number).sort((a, b) => a - b),
    from: readLocalTime(values.fromTime ?? '') ?? '',
    to: readLocalTime(values.toTime ?? '') ?? '',
    firstDay: values.firstDay,
    lastDay: values.lastDay,
  }
}
