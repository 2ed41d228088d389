import { HardwareError } from '../hardware.ts'

/** The time limits for an instrument; only tests use others than a real agent's. */
export interface Patience {
  readonly readMs: number
  readonly commandMs: number
  readonly testMs: number
  /** A sample waits this long for a reading that is under way; the next sample reports a later one, with its age. */
  readonly lookMs: number
  /** The pause between attempts at a silent instrument: it doubles from the first up to the second value. */
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

/** Ends after `ms` whatever the work does; the signal reaches the work. */
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
    // Late work may still fail, and without a handler that would end the process.
    working.catch(() => undefined)
    return await Promise.race([working, promise])
  } finally {
    clearTimeout(timer)
  }
}
