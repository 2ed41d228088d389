/** What systemd tells a service that it watches (sd_notify(3), sd_watchdog_enabled(3)). */
export interface ServiceWatch {
  /** The socket on which it listens; undefined if nothing watches. */
  readonly socket: string | undefined
  /** It waits this long for a sign of life; undefined means forever. */
  readonly watchdogMs: number | undefined
}

export function readServiceWatch(environment = process.env): ServiceWatch {
  const microseconds = Number(environment.WATCHDOG_USEC)
  return {
    socket: environment.NOTIFY_SOCKET || undefined,
    watchdogMs: microseconds > 0 ? microseconds / 1000 : undefined,
  }
}
