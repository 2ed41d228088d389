import { HardwareError } from '../hardware.ts'

/** How long an instrument has; a real agent's, but for tests that cannot wait. */
export interface Patience {
  readonly readMs: number
  readonly commandMs: number
  readonly testMs: number
  /** How long a look waits for a reading that is under way; what comes later is told by the next look, with its age. */
  readonly lookMs: number
  /** Between tries of what does not answer: doubled from the first up to the second. */
  readonly firstRestMs: number
  readonly longestRestMs: number
}

export const PATIENCE: Patience = {
  readMs: 4000,
  commandMs: 7000,
  testMs: 5000,
  lookMs: 1500,
  firstRestMs: 5000,
  longestRestMs: 60_000,
}

/** Thrown in place of an answer that did not come. */
export class TooLate extends HardwareError {}

/** Ends after `ms` whatever the work does; the signal tells the work. */
export async function within<Result>(
  ms: number,
  sentence: string,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const aborting = new AbortController()
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    reject(new TooLate(sentence))
    aborting.abort()
  }, ms)
  try {
    const working = work(aborting.signal)
    // Who comes too late may still fail, and nobody would hear it.
    working.catch(() => undefined)
    return await Promise.race([working, promise])
  } finally {
    clearTimeout(timer)
  }
}
