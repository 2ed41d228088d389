/** What systemd tells a service that it watches (sd_notify(3), sd_watchdog_enabled(3)). */
export interface ServiceWatch {
  /** Where it listens; undefined where nobody watches. */
  readonly socket: string | undefined
  /** How long it waits for a sign of life; undefined: for ever. */
  readonly watchdogMs: number | undefined
}

export function readServiceWatch(environment = process.env): ServiceWatch {
  const microseconds = Number(environment.WATCHDOG_USEC)
  return {
    socket: environment.NOTIFY_SOCKET || undefined,
    watchdogMs: microseconds > 0 ? microseconds / 1000 : undefined,
  }
}
