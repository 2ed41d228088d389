import { MINUTE_MS } from '../units/time.ts'
import { MORE_APART_MS } from './mailRules.ts'
import { turnMail } from './mailSchedule.ts'

export interface NotifiedState {
  readonly state: 'active' | 'over' | 'closed'
  /** 1 critical, 2 warning, 3 information. */
  readonly severityId: number
  /** The cause; undefined in messages of an older version. */
  readonly causeText?: string
  readonly isAcknowledged: boolean
  readonly deviceCount: number
  readonly alertCount: number
  /** The alert that was raised last; undefined in messages of an older version. */
  readonly newestAlertId?: number
}

/** The kinds of news in a message. */
export type MessageNews = 'opened' | 'worse' | 'again' | 'still' | 'changed' | 'over'

/** A message whose counts merely grow is replaced at most this often. */
const CHANGES_APART_MS = MINUTE_MS

export interface MessageStanding {
  /** The content of the last message; undefined if there was none. */
  readonly told: NotifiedState | undefined
  readonly now: NotifiedState
  /** The incident has been active, or not, for this long. */
  readonly calmMs: number
  /** The time since the last message. */
  readonly sinceToldMs: number
  /** Counts how often it said that the incident is resolved. */
  readonly timesOver: number
  /** The message can be replaced. */
  readonly updates: boolean
  readonly hasWoken: boolean
}

/** Returns what a message shall say now, or the wait until that may change; undefined if it is up to date. */
export function messageNews(standing: MessageStanding): MessageNews | { readonly waitMs: number } | undefined {
  const { told, now, calmMs, timesOver, hasWoken } = standing
  if (told === undefined) return 'opened'
  const [wasOver, isOver] = [told.state !== 'active', now.state !== 'active']
  // Whoever closed all of it knows that it is resolved.
  if (!wasOver && now.state === 'closed') return 'over'
  const turn = turnMail({ timesWrong: Math.max(0, timesOver), toldOver: wasOver, isOver, calmMs, hasWoken })
  if (turn && 'tells' in turn) return turn.tells
  const change = now.state === 'closed' ? undefined : changeOf(standing, told)
  if (turn === undefined || change === undefined) return change ?? turn
  return typeof change === 'object' ? { waitMs: Math.min(change.waitMs, turn.waitMs) } : change
}

/**
 * Returns what to send although the incident is neither resolved nor active again: with replacement any difference,
 * else only what nobody was notified of.
 */
function changeOf(
  { now, sinceToldMs, updates }: MessageStanding,
  told: NotifiedState,
): MessageNews | { readonly waitMs: number } | undefined {
  const isActive = now.state === 'active'
  if (isActive && now.severityId < told.severityId) return 'worse'
  if (updates && isActive && now.isAcknowledged !== told.isAcknowledged) return 'changed'
  const hasMore =
    now.alertCount > told.alertCount || (now.newestAlertId ?? 0) > (told.newestAlertId ?? Number.POSITIVE_INFINITY)
  const differs =
    now.deviceCount !== told.deviceCount ||
    now.alertCount !== told.alertCount ||
    now.severityId !== told.severityId ||
    (told.causeText !== undefined && now.causeText !== told.causeText)
  if (!hasMore && !(updates && isActive && differs)) return undefined
  const apartMs = updates ? CHANGES_APART_MS : MORE_APART_MS
  return sinceToldMs >= apartMs ? 'changed' : { waitMs: apartMs - sinceToldMs }
}
