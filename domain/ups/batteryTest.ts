import { addDays, type LocalDate, type LocalTime, momentOf, wallClock, weekdayOf } from '#domain/units/wallClock.ts'
import { UPS_ON_GRID } from '../catalogue/displayRules.ts'

/** The battery of a UPS is tested once in each window, in local time of the device. */
export type BatteryTestSchedule =
  /** 0 is Monday, 6 is Sunday. */
  | { readonly every: 'week'; readonly weekday: number; readonly from: LocalTime; readonly to: LocalTime }
  /** A shorter month has the test on its last day. */
  | { readonly every: 'month'; readonly day: number; readonly from: LocalTime; readonly to: LocalTime }

/**
 * The UPS's report of its last test, which `battery_test_result` contains and conditions compare. The client reports
 * `interrupted` for a test without a result because the device restarted meanwhile.
 */
export type BatteryTestResult = 'passed' | 'failed' | 'running' | 'aborted' | 'interrupted'

/** Below it a test would say little about the battery, and leave little of it for an outage. */
export const LEAST_CHARGE_PERCENT = 90

const isTestDay = (schedule: BatteryTestSchedule, date: LocalDate): boolean => {
  if (schedule.every === 'week') return weekdayOf(date) === schedule.weekday
  const day = Number(date.slice(8))
  const isLastOfMonth = addDays(date, 1).slice(8) === '01'
  return day === schedule.day || (isLastOfMonth && schedule.day > day)
}

/** Returns the window that contains this moment. If its end is not after its beginning, it ends on the next day. */
export function testWindowAt(
  schedule: BatteryTestSchedule,
  timeZone: string,
  at: Date,
): { readonly from: Date; readonly to: Date } | undefined {
  const today = wallClock(at, timeZone).date
  for (const date of [today, addDays(today, -1)]) {
    if (!isTestDay(schedule, date)) continue
    const from = momentOf(date, schedule.from, timeZone)
    const to = momentOf(schedule.from < schedule.to ? date : addDays(date, 1), schedule.to, timeZone)
    if (at >= from && at < to) return { from, to }
  }
  return undefined
}

/** The values of a UPS that a test depends on; undefined is unknown. */
export interface TestedUps {
  readonly status?: string | undefined
  readonly battery_charge?: number | undefined
  readonly battery_test_result?: string | undefined
}

/** Returns why no test may begin now, in words for an operator; undefined if it may. An unknown value is a reason. */
export function batteryTestObstacle({
  status,
  battery_charge: charge,
  battery_test_result: result,
}: TestedUps): string | undefined {
  if (!status) return 'The UPS does not report mains power, so its battery is not tested.'
  if (status !== UPS_ON_GRID) return 'Mains power is out or the battery is in use, so it is not tested.'
  if (charge === undefined) return 'The UPS does not report its battery charge, so it is not tested.'
  if (charge < LEAST_CHARGE_PERCENT) {
    return `The battery is at ${Math.floor(charge)} %. It is tested from ${LEAST_CHARGE_PERCENT} % on.`
  }
  return result === 'running' ? 'A battery test is running.' : undefined
}

export const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const

/** Returns, for example, "Every Monday, 03:00 to 04:00". */
export function batteryTestLabel(schedule: BatteryTestSchedule | null): string {
  if (schedule === null) return 'never automatically'
  const { from, to } = schedule
  const day = schedule.every === 'week' ? `every ${WEEKDAYS[schedule.weekday]}` : `on day ${schedule.day} of each month`
  return `${day}, ${from} to ${to}`
}
