import { MINUTE_MS } from '../units/time.ts'

const FIRST_CALM_MS = 5 * MINUTE_MS
const LONGEST_CALM_MS = 60 * MINUTE_MS

export interface Turn {
  /** Counts how often they were notified too early that it is resolved. */
  readonly timesWrong: number
  /** The last mail said that it is resolved. */
  readonly toldOver: boolean
  readonly isOver: boolean
  /** The duration of the present state. */
  readonly calmMs: number
  readonly hasWoken: boolean
}

/** A mail to write, or the wait until one is due; undefined if they know already. */
export type TurnMail = { readonly tells: 'over' | 'again' | 'still' } | { readonly waitMs: number } | undefined

/**
 * Decides whether to notify somebody that an incident is resolved, active again, or goes on after a snooze. The last
 * two are sent at once. A resolution is sent after five calm minutes; each time that it was wrong the wait doubles, up
 * to an hour, so that an incident which comes and goes every few minutes is sent once.
 */
export function turnMail({ timesWrong, toldOver, isOver, calmMs, hasWoken }: Turn): TurnMail {
  if (isOver === toldOver) return hasWoken && !isOver ? { tells: 'still' } : undefined
  if (!isOver) return { tells: 'again' }
  const waitMs = Math.min(LONGEST_CALM_MS, FIRST_CALM_MS * 2 ** Math.min(timesWrong, 8)) - calmMs
  return waitMs > 0 ? { waitMs } : { tells: 'over' }
}

export type NewsMail = 'opened' | 'again' | 'worse' | 'more'

/** What somebody knows of an incident, and what may be new to them. */
export interface News {
  /** The last mail about the incident; undefined for none. */
  readonly last:
    | { readonly is: 'sent' | 'waitsForMore' | 'waits'; readonly isOver: boolean; readonly severityId: number }
    | undefined
  /** The severity of the worst new alert: 1 critical, 2 warning, 3 information. */
  readonly severityId: number
  readonly isActive: boolean
  /** A mail named this alert when it was in an earlier incident. */
  readonly wasNamed: boolean
}

/**
 * Decides what to send about new alerts in an incident. The first alert, a worse one than known, and one after the
 * resolution are sent at once; others are sent later, together. While a mail waits nothing else is sent, because it
 * will name them all.
 */
export function newsMail({ last, severityId, isActive, wasNamed }: News): NewsMail | undefined {
  if (last === undefined) return wasNamed ? 'again' : 'opened'
  if (last.is === 'waits') return undefined
  if (last.isOver && isActive) return 'again'
  if (!last.isOver && severityId < last.severityId) return 'worse'
  return last.is === 'waitsForMore' || wasNamed ? undefined : 'more'
}
