import { turnMail } from '../notifications/turnRules.ts'
import { MINUTE_MS } from '../units/time.ts'

/** How an incident is, as far as a message speaks of it. */
export interface ToldState {
  readonly state: 'active' | 'over' | 'closed'
  /** 1 critical, 2 warning, 3 information. */
  readonly severityId: number
  readonly isAcknowledged: boolean
  readonly deviceCount: number
  readonly alertCount: number
}

/** What a message is about to say. */
export type MessageNews = 'opened' | 'worse' | 'again' | 'changed' | 'over'

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
}

/** What a message is to say now, or how long to wait until it may have to; undefined: it is as it says. */
export function messageNews(standing: MessageStanding): MessageNews | { readonly waitMs: number } | undefined {
  const { told, now, calmMs, sinceToldMs, timesOver, updates } = standing
  if (told === undefined) return 'opened'
  const [wasOver, isOver] = [told.state !== 'active', now.state !== 'active']
  // Who closed all of it knows that it is over.
  if (!wasOver && now.state === 'closed') return 'over'
  const turn = turnMail({ timesWrong: Math.max(0, timesOver), toldOver: wasOver, isOver, calmMs })
  if (turn) return 'waitMs' in turn ? turn : turn.tells
  if (isOver || wasOver) return undefined
  if (now.severityId < told.severityId) return 'worse'
  if (!updates) return undefined
  if (now.isAcknowledged !== told.isAcknowledged) return 'changed'
  if (now.deviceCount === told.deviceCount && now.alertCount === told.alertCount) return undefined
  return sinceToldMs >= CHANGES_APART_MS ? 'changed' : { waitMs: CHANGES_APART_MS - sinceToldMs }
}
