/** One moment by two clocks: somebody may set the first, so whatever lasts is measured by the second. */
export interface Moment {
  readonly wallMs: number
  readonly steadyMs: number
}

/** @param monotonicMs other than this process's only in tests */
export function momentOf(now: () => number, monotonicMs = () => performance.now()): Moment {
  return { wallMs: now(), steadyMs: monotonicMs() }
}
