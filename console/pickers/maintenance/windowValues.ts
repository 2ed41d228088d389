import { readLocalTime } from '#console/lib/time/localTime.ts'
import { viewerTimeZone } from '#console/lib/time/viewerZone.ts'
import type { MaintenanceWindow, WindowSchedule } from '#contract/http/alerting/maintenanceWindows.ts'
import type { LocalDate } from '#domain/units/wallClock.ts'
import { addDays, momentOf, wallClock } from '#domain/units/wallClock.ts'

/** What somebody plans, as its form has it. */
export interface WindowValues {
  readonly kind: 'once' | 'weekly'
  /** Absent: now. */
  readonly from: Date | undefined
  readonly to: Date | undefined
  /** Instead of `to`, for as long as nobody chose one. */
  readonly minutes: number | undefined
  /** As texts of numbers, 0 is Monday. */
  readonly weekdays: readonly string[]
  readonly fromTime: string | null
  readonly toTime: string | null
  readonly timeZone: string
  readonly firstDay: LocalDate
  readonly lastDay: LocalDate | null
  readonly reason: string
  readonly tellsCustomer: boolean
}

/** For how long, by one press. */
export interface Preset {
  readonly id: string
  readonly label: string
  readonly minutes?: number
  /** The midnight after now, on the wall of the device. */
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

/** Of a window that is changed. */
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

/** As the calls take it; of values without errors. */
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
