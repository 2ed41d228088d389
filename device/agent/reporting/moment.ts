/** One moment by two clocks: the first can be set, so durations are measured by the second. */
export interface Moment {
  readonly wallMs: number
  readonly steadyMs: number
}

/** @param monotonicMs replaces this process's clock in tests */
export function momentOf(now: () => number, monotonicMs = () => performance.now()): Moment {
  return { wallMs: now(), steadyMs: monotonicMs() }
}
