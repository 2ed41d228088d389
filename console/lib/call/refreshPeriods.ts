import { MINUTE_MS, SECOND_MS } from '#domain/units/time.ts'

/** How often what stands on the screen is read again, so that parts of one screen keep step. */
export const REFRESH_EVERY_MS = {
  /** Beside live events, which bring most of it within a second. */
  besideLive: 59 * SECOND_MS,
  /** What the server counts by the minute. */
  byTheMinute: MINUTE_MS,
  /** What a draft would do. */
  ofDraft: 30 * SECOND_MS,
  /** What is watched while it changes, and has no live events. */
  closely: 15 * SECOND_MS,
  /** A folder into which somebody puts files. */
  ofFolder: 10 * SECOND_MS,
  /** An update of clients, step by step. */
  ofUpdate: 2 * SECOND_MS,
  /** While the outcome of a command is waited for. */
  ofOutcome: 5 * SECOND_MS,
} as const
