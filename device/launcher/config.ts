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

/** The file that systemd hands to the service alone by this name (`LoadCredential`); none outside of the service. */
export const credentialFiles = (name: string, { CREDENTIALS_DIRECTORY } = process.env): readonly string[] =>
  CREDENTIALS_DIRECTORY ? [`${CREDENTIALS_DIRECTORY}/${name}`] : []

/** A disk image says these in its environment, because every machine that starts from it has the same command line. */
export interface ClaimSettings {
  /** The address of the console, such as `https://wayside.example`. */
  readonly server: string | undefined
  readonly claimKey: string | undefined
  /** The networks in which the console may choose addresses once the device is claimed. */
  readonly allowedNetworks: readonly string[]
  /** The folder that systemd makes for the service while it runs (`RuntimeDirectory`). */
  readonly pageFolder: string | undefined
}

export function readClaimSettings(environment = process.env): ClaimSettings {
  return {
    server: environment.WAYSIDE_SERVER || undefined,
    claimKey: environment.WAYSIDE_CLAIM_KEY || undefined,
    allowedNetworks: (environment.WAYSIDE_ALLOWED_NETWORKS ?? '').split(/[\s,]+/).filter(Boolean),
    pageFolder: environment.RUNTIME_DIRECTORY || undefined,
  }
}
