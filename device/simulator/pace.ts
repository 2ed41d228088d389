/** Lets `perSecond` units through, with at most a second's worth at once. */
export function createPace(perSecond: number) {
  let freeAtMs = performance.now()
  return {
    /** Waits until `units` may pass. */
    async take(units: number): Promise<void> {
      freeAtMs = Math.max(freeAtMs, performance.now() - 1000)
      const waitMs = freeAtMs - performance.now()
      freeAtMs += (units * 1000) / perSecond
      if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs))
    },
  }
}
export type Pace = ReturnType<typeof createPace>
