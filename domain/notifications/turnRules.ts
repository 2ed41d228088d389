import { MINUTE_MS } from '../units/time.ts'

const FIRST_CALM_MS = 5 * MINUTE_MS
const LONGEST_CALM_MS = 60 * MINUTE_MS

/** What somebody was told of an incident last, and how things are now. */
export interface Turn {
  /** How often they were told before that it is over. */
  readonly timesWrong: number
  /** The last mail said that it is over. */
  readonly toldOver: boolean
  readonly isOver: boolean
  /** How long it has been as it is now. */
  readonly calmMs: number
}

/** A mail to write, or how long to wait until one is due; undefined: they know. */
export type TurnMail = { readonly tells: 'over' | 'again' } | { readonly waitMs: number } | undefined

/**
 * Whether somebody is told that an incident is over, or met again. Met again is told at once. Over is told when it has been
 * over for five minutes, and after each time that this was wrong for twice as long, up to an hour: what comes and
 * goes every few minutes is told once.
 */
export function turnMail({ timesWrong, toldOver, isOver, calmMs }: Turn): TurnMail {
  if (isOver === toldOver) return undefined
  if (!isOver) return { tells: 'again' }
  const waitMs = Math.min(LONGEST_CALM_MS, FIRST_CALM_MS * 2 ** Math.min(timesWrong, 8)) - calmMs
  return waitMs > 0 ? { waitMs } : { tells: 'over' }
}

/** What somebody was told of an incident, and what may be news to them. */
export interface News {
  /** The last mail about the incident; undefined: none. */
  readonly last: { readonly isSent: boolean; readonly isOver: boolean; readonly severityId: number } | undefined
  /** Of the worst alert that is new: 1 critical, 2 warning, 3 information. */
  readonly severityId: number
  /** They were mailed about this alert in an earlier incident. */
  readonly wasMailed: boolean
}

/**
 * What somebody is told when alerts are new in an incident: of the first, and again of one that is worse than what they
 * know. A mail that was not sent yet will say how things are then; one that said "over" is followed by "again" anyway.
 */
export function newsMail({ last, severityId, wasMailed }: News): 'opened' | 'again' | 'worse' | undefined {
  if (last === undefined) return wasMailed ? 'again' : 'opened'
  return last.isSent && !last.isOver && severityId < last.severityId ? 'worse' : undefined
}
