import { MINUTE_MS } from '../units/time.ts'

const FIRST_CALM_MS = 5 * MINUTE_MS
const LONGEST_CALM_MS = 60 * MINUTE_MS

/** What somebody was told of an alert last, and how things are now. */
export interface Turn {
  /** How many mails about this alert came after the first. */
  readonly turn: number
  /** The last mail said that the condition is not met. */
  readonly toldOver: boolean
  readonly isOver: boolean
  /** How long it has been as it is now. */
  readonly calmMs: number
}

/** A mail to write, or how long to wait until one is due; undefined: they know. */
export type TurnMail = { readonly tells: 'over' | 'again' } | { readonly waitMs: number } | undefined

/**
 * Whether somebody is told that an alert is over, or met again. Met again is told at once. Over is told when it has been
 * over for five minutes, and after each time that this was wrong for twice as long, up to an hour: an alert that comes and
 * goes every few minutes is told once.
 */
export function turnMail({ turn, toldOver, isOver, calmMs }: Turn): TurnMail {
  if (isOver === toldOver) return undefined
  if (!isOver) return { tells: 'again' }
  const timesWrong = Math.floor((turn + 1) / 2)
  const waitMs = Math.min(LONGEST_CALM_MS, FIRST_CALM_MS * 2 ** Math.min(timesWrong, 8)) - calmMs
  return waitMs > 0 ? { waitMs } : { tells: 'over' }
}
