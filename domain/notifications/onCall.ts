import type { UserId } from '../ids.ts'
import { DAY_MS } from '../units/time.ts'
import { addDays, type LocalDate, type LocalTime, momentOf, wallClock } from '../units/wallClock.ts'

/** Who is on call in turn: on the wall of a zone, so that a change of clocks moves no hand-over. */
export interface Rota {
  readonly timeZone: string
  /** On which the first member begins. */
  readonly firstDay: LocalDate
  readonly handOver: LocalTime
  readonly everyDays: number
  /** In their order; at least one. */
  readonly memberIds: readonly UserId[]
  /** Later ones count before earlier ones. */
  readonly overrides: readonly RotaOverride[]
}

/** Somebody else for a while. */
export interface RotaOverride {
  readonly userId: UserId
  readonly fromMs: number
  /** Excluded. */
  readonly toMs: number
}

export interface OnCall {
  readonly userId: UserId
  /** When it is somebody's turn anew, or an override begins or ends. */
  readonly untilMs: number
}

/**
 * Who is on call at a moment: exactly one. A hand-over at a time that clocks skip in spring is the moment of the change,
 * and of one that they show twice in autumn the first counts. Undefined where nobody is a member.
 */
export function onCallAt(rota: Rota, atMs: number): OnCall | undefined {
  const { memberIds, overrides } = rota
  const turn = turnAt(rota, atMs)
  const member = memberIds[((turn % memberIds.length) + memberIds.length) % memberIds.length]
  if (member === undefined) return undefined
  const instead = overrides.findLast(({ fromMs, toMs }) => fromMs <= atMs && atMs < toMs)
  const changes = overrides.flatMap(({ fromMs, toMs }) => [fromMs, toMs]).filter((ms) => ms > atMs)
  // Whose turn it becomes during an override makes no difference before its end.
  const handOver = instead ? [] : [startOfTurn(rota, turn + 1)]
  return { userId: instead?.userId ?? member, untilMs: Math.min(...handOver, ...changes) }
}

/** The first is 0; before it they go on backwards. */
function turnAt(rota: Rota, atMs: number): number {
  const { date } = wallClock(new Date(atMs), rota.timeZone)
  const days = Math.round((Date.parse(date) - Date.parse(rota.firstDay)) / DAY_MS)
  let turn = Math.floor(days / rota.everyDays)
  while (startOfTurn(rota, turn) > atMs) turn--
  while (startOfTurn(rota, turn + 1) <= atMs) turn++
  return turn
}

const startOfTurn = ({ firstDay, everyDays, handOver, timeZone }: Rota, turn: number): number =>
  momentOf(addDays(firstDay, turn * everyDays), handOver, timeZone).getTime()
