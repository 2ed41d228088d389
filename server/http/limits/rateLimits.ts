import { CallError } from '#server/http/call/callError.ts'
import type { SharedPlaces, ShareUses } from './SharedCounts.store.ts'

export interface RateLimit {
  readonly uses: number
  readonly perSeconds: number
}

/**
 * The limits of one client or one user. They stop machines, and an office of 200 people behind one address does not
 * meet them. Guessing is slowed down elsewhere (server/features/people/signIn/attempts.store.ts).
 */
export interface RateLimits {
  readonly signInsPerAddress: RateLimit
  /** Counts the other changes without a sign-in, and requests that cannot be read: each leaves an audit row. */
  readonly publicChangesPerAddress: RateLimit
  readonly publicReadsPerAddress: RateLimit
  /** Counts mails that strangers have sent to an address of their choice. */
  readonly mailsAskedPerAddress: RateLimit
  readonly unauthenticatedPerAddress: RateLimit
  readonly callsPerUser: RateLimit
  /** It is counted apart from the user's own calls, so that a runaway program leaves its user what they need. */
  readonly callsPerApiToken: RateLimit
}

export const DEFAULT_RATE_LIMITS: RateLimits = {
  signInsPerAddress: { uses: 600, perSeconds: 60 },
  publicChangesPerAddress: { uses: 120, perSeconds: 60 },
  publicReadsPerAddress: { uses: 6000, perSeconds: 60 },
  mailsAskedPerAddress: { uses: 10, perSeconds: 3600 },
  unauthenticatedPerAddress: { uses: 600, perSeconds: 60 },
  callsPerUser: { uses: 6000, perSeconds: 60 },
  callsPerApiToken: { uses: 1200, perSeconds: 60 },
}

/** A limit refused the request before anything was done. It leaves no audit row, so that a flood fills no table. */
export class RateLimited extends CallError {
  constructor(retryAfterSeconds: number) {
    super('too_many_requests', undefined, { retryAfterSeconds })
  }
}

const MOST_SUBJECTS = 20_000
/** Other processes are informed of every twentieth part of a limit, so that light use costs no notices. */
const TOLD_PARTS = 20

interface Window {
  readonly endsAtMs: number
  uses: number
  /** The uses that were counted here and not yet shared with the other processes. */
  untold: number
}

/**
 * Counts uses per subject in windows of fixed length. The memory is bounded: the oldest subjects are forgotten.
 * @param share connects it to the other processes, so that all count together
 */
export function createRateLimiter({ uses, perSeconds }: RateLimit, share: ShareUses = notShared) {
  const windows = new Map<string, Window>()
  const toldParts = Math.max(1, Math.floor(uses / TOLD_PARTS))

  function count(subject: string, more: number, nowMs: number): Window {
    let window = windows.get(subject)
    if (!window || window.endsAtMs <= nowMs) {
      windows.delete(subject)
      window = { endsAtMs: nowMs + perSeconds * 1000, uses: 0, untold: 0 }
      windows.set(subject, window)
      const oldest = windows.size > MOST_SUBJECTS ? windows.keys().next().value : undefined
      if (oldest !== undefined) windows.delete(oldest)
    }
    window.uses += more
    return window
  }

  const tell = share((subject, more) => void count(subject, more, performance.now()))
  /** @throws RateLimited when the subject has used up its window */
  return (subject: string): void => {
    const now = performance.now()
    const window = count(subject, 1, now)
    if (window.uses > uses) throw new RateLimited(Math.max(1, Math.ceil((window.endsAtMs - now) / 1000)))
    window.untold += 1
    if (window.untold < toldParts) return
    tell(subject, window.untold)
    window.untold = 0
  }
}

const notShared: ShareUses = () => () => undefined
const HELD_BY_NOBODY_ELSE: SharedPlaces = { hold: () => undefined, elsewhere: () => 0 }

/**
 * Counts places of each subject. Taking one returns the function that gives it back.
 * @param shared counts the places taken in other processes, so that the limit holds for all together
 */
export function createPlaces(mostAtOnce: number, shared = HELD_BY_NOBODY_ELSE) {
  const taken = new Map<string, number>()
  const hold = (subject: string, count: number) => {
    if (count > 0) taken.set(subject, count)
    else taken.delete(subject)
    shared.hold(subject, count)
  }
  /** @throws RateLimited when all are taken */
  return (subject: string): (() => void) => {
    const present = taken.get(subject) ?? 0
    if (present + shared.elsewhere(subject) >= mostAtOnce) throw new RateLimited(1)
    hold(subject, present + 1)
    let isTaken = true
    return () => {
      if (!isTaken) return
      isTaken = false
      hold(subject, (taken.get(subject) ?? 1) - 1)
    }
  }
}

export function takeAll(takes: readonly (() => () => void)[]): () => void {
  const taken: (() => void)[] = []
  const leave = () => {
    for (const give of taken) give()
  }
  try {
    for (const take of takes) taken.push(take())
  } catch (error) {
    leave()
    throw error
  }
  return leave
}

/** Bounds the calls of one subject that run at the same time, because an expensive call must not run a hundredfold. */
export function createConcurrencyLimit(takePlace: ReturnType<typeof createPlaces>) {
  /** @throws RateLimited when that many already run */
  return async <Result>(subject: string, work: () => Promise<Result>): Promise<Result> => {
    const leave = takePlace(subject)
    try {
      return await work()
    } finally {
      leave()
    }
  }
}
