import { MINUTE_MS } from '../units/time.ts'
import { MORE_APART_MS } from './mailRules.ts'
import { turnMail } from './mailSchedule.ts'

/** How an incident is, as far as a message speaks of it. */
export interface ToldState {
  readonly state: 'active' | 'over' | 'closed'
  /** 1 critical, 2 warning, 3 information. */
  readonly severityId: number
  /** What happened; undefined in what an older version told. */
  readonly causeText?: string
  readonly isAcknowledged: boolean
  readonly deviceCount: number
  readonly alertCount: number
  /** The last that was raised; undefined in what an older version told. */
  readonly newestAlertId?: number
}

/** What a message is about to say. */
export type MessageNews = 'opened' | 'worse' | 'again' | 'still' | 'changed' | 'over'

/** What only grows is told anew in place at most this often. */
const CHANGES_APART_MS = MINUTE_MS

export interface MessageStanding {
  /** What it said last; undefined: nothing yet. */
  readonly told: ToldState | undefined
  readonly now: ToldState
  /** How long the incident has been active, or not. */
  readonly calmMs: number
  /** Since it said something. */
  readonly sinceToldMs: number
  /** How often it said that it is over. */
  readonly timesOver: number
  /** It can be told anew in its place. */
  readonly updates: boolean
  /** A snooze has ended since it said something. */
  readonly hasWoken: boolean
}

/** What a message is to say now, or how long to wait until it may have to; undefined: it is as it says. */
export function messageNews(standing: MessageStanding): MessageNews | { readonly waitMs: number } | undefined {
  const { told, now, calmMs, timesOver, hasWoken } = standing
  if (told === undefined) return 'opened'
  const [wasOver, isOver] = [told.state !== 'active', now.state !== 'active']
  // Who closed all of it knows that it is over.
  if (!wasOver && now.state === 'closed') return 'over'
  const turn = turnMail({ timesWrong: Math.max(0, timesOver), toldOver: wasOver, isOver, calmMs, hasWoken })
  if (turn && 'tells' in turn) return turn.tells
  const change = now.state === 'closed' ? undefined : changeOf(standing, told)
  if (turn === undefined || change === undefined) return change ?? turn
  return typeof change === 'object' ? { waitMs: Math.min(change.waitMs, turn.waitMs) } : change
}

/** What is to be told although it is neither over nor active again: in place whatever differs, else what nobody was told of. */
function changeOf(
  { now, sinceToldMs, updates }: MessageStanding,
  told: ToldState,
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
