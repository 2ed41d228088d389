import type { UserId } from '../ids.ts'
import { DAY_MS } from '../units/time.ts'
import { addDays, type LocalDate, type LocalTime, momentOf, wallClock } from '../units/wallClock.ts'

/** People take their place on call in turn, in local time of a zone, so that a change of clocks moves no hand-over. */
export interface Schedule {
  readonly timeZone: string
  /** The first member begins on this day. */
  readonly firstDay: LocalDate
  readonly handOver: LocalTime
  readonly everyDays: number
  /** There is at least one member, and they take over in this order. */
  readonly memberIds: readonly UserId[]
  /** Later ones take precedence. */
  readonly overrides: readonly ScheduleOverride[]
}

export interface ScheduleOverride {
  readonly userId: UserId
  readonly fromMs: number
  /** This moment is excluded. */
  readonly toMs: number
}

export interface OnCall {
  readonly userId: UserId
  /** The next hand-over, or beginning or end of an override. */
  readonly untilMs: number
}

/**
 * Returns who is on call at a moment: exactly one person. A hand-over that clocks skip in spring is at the moment of
 * the change, and of one that they repeat in autumn the first counts. Undefined if there are no members.
 */
export function onCallAt(schedule: Schedule, atMs: number): OnCall | undefined {
  const { memberIds, overrides } = schedule
  const turn = turnAt(schedule, atMs)
  const member = memberIds[((turn % memberIds.length) + memberIds.length) % memberIds.length]
  if (member === undefined) return undefined
  const instead = overrides.findLast(({ fromMs, toMs }) => fromMs <= atMs && atMs < toMs)
  const changes = overrides.flatMap(({ fromMs, toMs }) => [fromMs, toMs]).filter((ms) => ms > atMs)
  // A hand-over during an override has no effect before its end.
  const handOver = instead ? [] : [startOfTurn(schedule, turn + 1)]
  return { userId: instead?.userId ?? member, untilMs: Math.min(...handOver, ...changes) }
}

/** The first shift is 0; earlier ones are negative. */
function turnAt(schedule: Schedule, atMs: number): number {
  const { date } = wallClock(new Date(atMs), schedule.timeZone)
  const days = Math.round((Date.parse(date) - Date.parse(schedule.firstDay)) / DAY_MS)
  let turn = Math.floor(days / schedule.everyDays)
  while (startOfTurn(schedule, turn) > atMs) turn--
  while (startOfTurn(schedule, turn + 1) <= atMs) turn++
  return turn
}

const startOfTurn = ({ firstDay, everyDays, handOver, timeZone }: Schedule, turn: number): number =>
  momentOf(addDays(firstDay, turn * everyDays), handOver, timeZone).getTime()
