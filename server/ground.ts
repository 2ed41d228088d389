import type { Logger } from 'pino'
import { createBackupSide } from './backup/backupSide.ts'
import type { Config } from './config.ts'
import { createVerdictTeller } from './darkness/now/verdictTeller.ts'
import type { Db } from './db/database.ts'
import { DEFAULT_RETENTION_DAYS } from './db/partitions.ts'
import { PATIENCE, type Patience } from './db/patience.ts'
import { createLimitRefusals } from './http/limits/limitRefusals.store.ts'
import { shareCounts } from './http/limits/sharedCounts.store.ts'
import { ClockWatch } from './jobs/ClockWatch.ts'
import { LiveSide } from './live/live.ts'
import { type Clients, createClients } from './network/clients.ts'
import type { Pools } from './pools.ts'
import { PRODUCT_VERSION } from './productVersion.ts'
import { openSecrets, secretsTrouble } from './secrets/secretKeys.store.ts'
import { keepDays } from './telemetry/retention/keptDays.ts'
import type { TlsSide } from './tlsSide.ts'
import { traceTo } from './watching/tracesOut.ts'

export interface ServerNeeds {
  readonly config: Config
  /** `folder`: of the database, where it is the embedded one. */
  readonly databaseUrls: { readonly ownerUrl: string; readonly applicationUrl: string; readonly folder?: string }
  readonly consoleFolder: string
  readonly log: Logger
  /** Why the server is not ready although the database answers; undefined when nothing is missing. */
  readonly missing: (db: Db) => Promise<string | undefined>
  /** Usernames that count as internal beside the configured ones. */
  readonly internalUsers: readonly string[]
  /** Usernames that the sign-in page offers; absent outside the demo. */
  readonly offeredUsers?: readonly string[]
  /** How many past days of readings are kept. */
  readonly retentionDays?: number
  readonly patience?: Patience
}

export type OnStop = (stop: () => Promise<unknown>) => void

export type Ground = Awaited<ReturnType<typeof layGround>>

/** What the parts share. */
export async function layGround(needs: ServerNeeds, pools: Pools, onStop: OnStop) {
  const { log, retentionDays = DEFAULT_RETENTION_DAYS, patience = PATIENCE } = needs
  const config = { ...needs.config, internalUsers: [...needs.config.internalUsers, ...needs.internalUsers] }
  onStop(traceTo(config, { log, version: PRODUCT_VERSION }))
  const clock = new ClockWatch({ pool: pools.gateway, retentionDays, log })
  await clock.start()
  onStop(async () => clock.stop())
  const cipher = await openSecrets(pools.calls, config)
  const trouble = secretsTrouble(cipher, config)
  if (trouble !== undefined) log.warn({}, trouble)
  const verdicts = createVerdictTeller(pools.gateway)
  onStop(() => verdicts.stop())
  const { ownerUrl } = needs.databaseUrls
  const backups = createBackupSide({ config, ownerUrl, pool: pools.calls, log, now: clock.now })
  const clients = createClients(config.trustedProxies)
  const tls = await openTls(config, clients, log, clock)
  onStop(async () => tls?.certificate.stop())
  const sharedCounts = shareCounts({ pool: pools.calls, connect: pools.connectListener, log })
  onStop(() => sharedCounts.stop())
  const onFault = (error: unknown) => log.warn({ error }, 'Refusals by limits could not be written down yet.')
  return {
    config,
    pools,
    log,
    clock,
    cipher,
    retentionDays,
    patience,
    verdicts,
    backups,
    live: new LiveSide({ pool: pools.calls, connect: pools.connectListener, log, onChanged: verdicts.tell }),
    days: keepDays(clock, retentionDays, log),
    clients,
    tls,
    sharedCounts,
    limitRefusals: createLimitRefusals(pools.db, { onFault }),
    onStop,
  }
}

async function openTls(
  config: Config,
  clients: Clients,
  log: Logger,
  { now }: ClockWatch,
): Promise<TlsSide | undefined> {
  const { tlsCert, tlsKey } = config
  if (tlsCert === undefined || tlsKey === undefined) return undefined
  const { openTlsSide } = await import('./tlsSide.ts')
  return openTlsSide({ config, tlsCert, tlsKey, clients, log, now })
}
