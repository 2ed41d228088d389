import type { MaintenanceSchedule } from './maintenanceSchedule.ts'

export const WEEKDAY_NAMES = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const
const WORKDAYS = [0, 1, 2, 3, 4]
const EVERY_DAY = [0, 1, 2, 3, 4, 5, 6]

/** Returns the times of a weekly schedule in words; undefined for a single one, whose moments are shown instead. */
export function weeklyLabel(schedule: MaintenanceSchedule): string | undefined {
  if (schedule.kind === 'once') return undefined
  const { weekdays, from, to, timeZone } = schedule
  const isNextDay = to <= from
  return `${daysLabel(weekdays)} ${from}–${to}${isNextDay ? ' (next day)' : ''}, ${timeZone}`
}

function daysLabel(weekdays: readonly number[]): string {
  const days = EVERY_DAY.filter((day) => weekdays.includes(day))
  if (days.length === EVERY_DAY.length) return 'Every day'
  if (days.join() === WORKDAYS.join()) return 'Mon–Fri'
  return days.map((day) => WEEKDAY_NAMES[day]).join(', ')
}
