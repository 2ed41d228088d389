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
  /** A snooze has ended since they were told something. */
  readonly hasWoken: boolean
}

/** A mail to write, or how long to wait until one is due; undefined: they know. */
export type TurnMail = { readonly tells: 'over' | 'again' | 'still' } | { readonly waitMs: number } | undefined

/**
 * Whether somebody is told that an incident is over, is met again, or goes on after a snooze. That it is met again or
 * goes on is told at once. That it is over is told after five calm minutes; each time that this was wrong the wait
 * doubles, up to an hour, so that what comes and goes every few minutes is told once.
 */
export function turnMail({ timesWrong, toldOver, isOver, calmMs, hasWoken }: Turn): TurnMail {
  if (isOver === toldOver) return hasWoken && !isOver ? { tells: 'still' } : undefined
  if (!isOver) return { tells: 'again' }
  const waitMs = Math.min(LONGEST_CALM_MS, FIRST_CALM_MS * 2 ** Math.min(timesWrong, 8)) - calmMs
  return waitMs > 0 ? { waitMs } : { tells: 'over' }
}

export type NewsMail = 'opened' | 'again' | 'worse' | 'more'

/** What somebody was told of an incident, and what may be news to them. */
export interface News {
  /** The last mail about the incident; undefined: none. */
  readonly last:
    | { readonly is: 'sent' | 'waitsForMore' | 'waits'; readonly isOver: boolean; readonly severityId: number }
    | undefined
  /** Of the worst alert that is new: 1 critical, 2 warning, 3 information. */
  readonly severityId: number
  /** Its condition is met now. */
  readonly isActive: boolean
  /** A mail named this alert, when it was in an earlier incident. */
  readonly wasNamed: boolean
}

/**
 * What somebody is told when alerts are new in an incident. The first alert, one that is worse than what they know, and
 * one that comes after "over" are told at once; more of the same is told later, together. While a mail waits nothing
 * else is told, because it will name them all.
 */
export function newsMail({ last, severityId, isActive, wasNamed }: News): NewsMail | undefined {
  if (last === undefined) return wasNamed ? 'again' : 'opened'
  if (last.is === 'waits') return undefined
  if (last.isOver && isActive) return 'again'
  if (!last.isOver && severityId < last.severityId) return 'worse'
  return last.is === 'waitsForMore' || wasNamed ? undefined : 'more'
}
