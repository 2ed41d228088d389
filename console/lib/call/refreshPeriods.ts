import { MINUTE_MS, SECOND_MS } from '#domain/units/time.ts'

/** Shared periods keep the parts of one screen in step. */
export const REFRESH_EVERY_MS = {
  besideLive: 59 * SECOND_MS,
  /** The server counts these by the minute. */
  byTheMinute: MINUTE_MS,
  ofDraft: 30 * SECOND_MS,
  /** It is for data that is watched while it changes and has no live events. */
  closely: 15 * SECOND_MS,
  ofFolder: 10 * SECOND_MS,
  ofUpdate: 2 * SECOND_MS,
  ofOutcome: 5 * SECOND_MS,
} as const
