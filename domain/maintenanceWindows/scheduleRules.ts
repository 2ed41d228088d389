import { DAY_MS, MINUTE_MS } from '#domain/units/time.ts'
import { type MaintenanceSchedule, nextOccurrences, type OneTime, type Weekly } from './maintenanceSchedule.ts'

export const LONGEST_REASON = 500
const SHORTEST_WINDOW_MS = MINUTE_MS
/** People set the status of the device for longer maintenance. */
const LONGEST_WINDOW_MS = 92 * DAY_MS
const FURTHEST_START_MS = 366 * DAY_MS
/** Browser clocks are late, and people take a moment, so a beginning this long ago means now. */
const STILL_NOW_MS = 5 * MINUTE_MS

export interface ScheduleFault {
  readonly field: 'kind' | 'from' | 'to' | 'weekdays' | 'firstDay' | 'lastDay'
  readonly says: string
}

const fault = (field: ScheduleFault['field'], says: string): ScheduleFault => ({ field, says })

/** Returns why a window cannot be created like this now; undefined if it can. */
export function scheduleFault(schedule: MaintenanceSchedule, now: Date): ScheduleFault | undefined {
  return schedule.kind === 'once' ? oneTimeFault(schedule, now) : weeklyFault(schedule, now)
}

function oneTimeFault({ from, to }: OneTime, now: Date): ScheduleFault | undefined {
  if (from.getTime() < now.getTime() - STILL_NOW_MS) {
    return fault('from', 'Maintenance cannot begin in the past: what was no maintenance then stays so.')
  }
  if (from.getTime() > now.getTime() + FURTHEST_START_MS) {
    return fault('from', 'Maintenance can be planned a year ahead.')
  }
  return endFault({ from, to }, now)
}

function endFault({ from, to }: Pick<OneTime, 'from' | 'to'>, now: Date): ScheduleFault | undefined {
  const lastsMs = to.getTime() - Math.max(from.getTime(), now.getTime())
  if (to <= now) return fault('to', 'The end has passed already.')
  if (lastsMs < SHORTEST_WINDOW_MS) return fault('to', 'The end must be at least a minute after the start.')
  if (to.getTime() - from.getTime() > LONGEST_WINDOW_MS) return fault('to', 'Maintenance can last 92 days at most.')
  return undefined
}

function weeklyFault(schedule: Weekly, now: Date): ScheduleFault | undefined {
  const { weekdays, firstDay, lastDay } = schedule
  if (weekdays.length === 0) return fault('weekdays', 'Choose at least one day of the week.')
  if (lastDay !== null && lastDay < firstDay) return fault('lastDay', 'The last day is before the first day.')
  const [next] = nextOccurrences(schedule, now, 1)
  if (next === undefined) {
    return lastDay === null
      ? fault('weekdays', 'It would never begin.')
      : fault('lastDay', 'It would never begin: none of these days lies between now and the last day.')
  }
  if (next.fromMs > now.getTime() + FURTHEST_START_MS) {
    return fault('firstDay', 'Maintenance can be planned a year ahead.')
  }
  return undefined
}

interface Change {
  readonly before: MaintenanceSchedule
  readonly after: MaintenanceSchedule
  readonly now: Date
  /** A part of it has passed, or lasts now. */
  readonly hasBegun: boolean
}

/** Returns why a window cannot be changed like this; undefined if it can. Past maintenance stays as it was. */
export function changeFault({ before, after, now, hasBegun }: Change): ScheduleFault | undefined {
  if (!hasBegun) return scheduleFault(after, now)
  if (before.kind !== after.kind) {
    return fault('kind', 'Maintenance that has begun stays one time or weekly. End it, and plan another.')
  }
  if (after.kind === 'weekly' || before.kind === 'weekly') return scheduleFault(after, now)
  if (before.from.getTime() !== after.from.getTime()) return fault('from', 'It has begun: its start stays.')
  return endFault(after, now)
}
