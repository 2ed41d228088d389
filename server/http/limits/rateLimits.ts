import { CallError } from '#server/http/call/callError.ts'

export interface RateLimit {
  readonly uses: number
  readonly perSeconds: number
}

/**
 * How much one client or one user may ask: a bound for machines that an office of 200 people behind one address does
 * not meet. Guessing is slowed down elsewhere (server/features/signIn/attempts.store.ts).
 */
export interface RateLimits {
  /** Signing in, and asking for a new password. */
  readonly signInsPerAddress: RateLimit
  /** What else changes something for nobody in particular, and what cannot be read: each leaves an audit row. */
  readonly publicChangesPerAddress: RateLimit
  readonly publicReadsPerAddress: RateLimit
  /** Wrong and missing tokens. */
  readonly unauthenticatedPerAddress: RateLimit
  readonly callsPerUser: RateLimit
}

export const DEFAULT_RATE_LIMITS: RateLimits = {
  signInsPerAddress: { uses: 600, perSeconds: 60 },
  publicChangesPerAddress: { uses: 120, perSeconds: 60 },
  publicReadsPerAddress: { uses: 6000, perSeconds: 60 },
  unauthenticatedPerAddress: { uses: 600, perSeconds: 60 },
  callsPerUser: { uses: 6000, perSeconds: 60 },
}

/** Refused before anything was done or looked up, so that a flood fills no table: it leaves no audit row. */
export class RateLimited extends CallError {
  constructor(retryAfterSeconds: number) {
    super('too_many_requests', undefined, { retryAfterSeconds })
  }
}

const MOST_SUBJECTS = 20_000

interface Window {
  readonly endsAtMs: number
  uses: number
}

/** Counts uses per subject in windows of fixed length; the memory is bounded, the oldest subjects are forgotten. */
export function createRateLimiter({ uses, perSeconds }: RateLimit) {
  const windows = new Map<string, Window>()
  /** @throws RateLimited when the subject has used up its window */
  return (subject: string): void => {
    const now = performance.now()
    let window = windows.get(subject)
    if (!window || window.endsAtMs <= now) {
      windows.delete(subject)
      window = { endsAtMs: now + perSeconds * 1000, uses: 0 }
      windows.set(subject, window)
      const oldest = windows.size > MOST_SUBJECTS ? windows.keys().next().value : undefined
      if (oldest !== undefined) windows.delete(oldest)
    }
    window.uses += 1
    if (window.uses > uses) throw new RateLimited(Math.max(1, Math.ceil((window.endsAtMs - now) / 1000)))
  }
}

/** Places of each subject; whoever takes one gives it back by what it is answered. */
export function createPlaces(mostAtOnce: number) {
  const taken = new Map<string, number>()
  /** @throws RateLimited when all are taken */
  return (subject: string): (() => void) => {
    const present = taken.get(subject) ?? 0
    if (present >= mostAtOnce) throw new RateLimited(1)
    taken.set(subject, present + 1)
    let isTaken = true
    return () => {
      if (!isTaken) return
      isTaken = false
      const left = (taken.get(subject) ?? 1) - 1
      if (left > 0) taken.set(subject, left)
      else taken.delete(subject)
    }
  }
}

/** Calls of one subject that run at the same time: an expensive call must not be asked a hundredfold. */
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
