/** The server's time, carried on by a clock that nobody can set. Both are in milliseconds. */
export interface ServerClock {
  learn(serverNow: Date): void
  /** Undefined until the server has sent its time. */
  now(): Date | undefined
}

export function createServerClock(monotonicMs: () => number = () => performance.now()): ServerClock {
  let offsetMs: number | undefined
  return {
    learn: (serverNow) => {
      offsetMs = serverNow.getTime() - monotonicMs()
    },
    now: () => (offsetMs === undefined ? undefined : new Date(monotonicMs() + offsetMs)),
  }
}
