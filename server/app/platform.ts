import type { Logger } from 'pino'
import { createBackups } from '../backup/backups.ts'
import { VerdictPublisher } from '../darkness/now/VerdictPublisher.ts'
import { PATIENCE, type Patience } from '../db/connect/patience.ts'
import type { Db } from '../db/database.ts'
import { DEFAULT_RETENTION_DAYS } from '../db/partitions/partitions.ts'
import { LimitRefusals } from '../http/limits/LimitRefusals.store.ts'
import { SharedCounts } from '../http/limits/SharedCounts.store.ts'
import { ClockWatch } from '../jobs/ClockWatch.ts'
import { LiveUpdates } from '../live/LiveUpdates.ts'
import { traceTo } from '../monitoring/tracesOut.ts'
import { type Clients, createClients } from '../network/clients.ts'
import { openSecrets, secretsTrouble } from '../secrets/secretKeys.store.ts'
import type { Config } from '../settings/config.ts'
import { keepDays } from '../telemetry/retention/keptDays.ts'
import type { Pools } from './pools.ts'
import { PRODUCT_VERSION } from './productVersion.ts'
import type { TlsListener } from './tlsListener.ts'

export interface ServerDeps {
  readonly config: Config
  /** The folder is set when the database is the embedded one. */
  readonly databaseUrls: { readonly ownerUrl: string; readonly applicationUrl: string; readonly folder?: string }
  readonly consoleFolder: string
  readonly log: Logger
  /** Says why the server is not ready although the database answers; undefined when nothing is missing. */
  readonly missing: (db: Db) => Promise<string | undefined>
  /** These usernames count as internal beside the configured ones. */
  readonly internalUsers: readonly string[]
  /** The sign-in page offers these usernames; absent outside the demo. */
  readonly offeredUsers?: readonly string[]
  /** Readings are kept for so many days. */
  readonly retentionDays?: number
  readonly patience?: Patience
}

export type OnStop = (stop: () => Promise<unknown>) => void

export type Platform = Awaited<ReturnType<typeof openPlatform>>

export async function openPlatform(deps: ServerDeps, pools: Pools, onStop: OnStop) {
  const { log, retentionDays = DEFAULT_RETENTION_DAYS, patience = PATIENCE } = deps
  const config = { ...deps.config, internalUsers: [...deps.config.internalUsers, ...deps.internalUsers] }
  onStop(traceTo(config, { log, version: PRODUCT_VERSION }))
  const clock = new ClockWatch({ pool: pools.gateway, retentionDays, log })
  await clock.start()
  onStop(async () => clock.stop())
  const cipher = await openSecrets(pools.calls, config)
  const trouble = secretsTrouble(cipher, config)
  if (trouble !== undefined) log.warn({}, trouble)
  const verdicts = new VerdictPublisher(pools.gateway)
  onStop(() => verdicts.stop())
  const { ownerUrl } = deps.databaseUrls
  const backups = createBackups({ config, ownerUrl, pool: pools.calls, log, now: clock.now })
  const clients = createClients(config.trustedProxies)
  const tls = await openTls(config, clients, log, clock)
  onStop(async () => tls?.certificate.stop())
  const sharedCounts = new SharedCounts({ pool: pools.calls, connect: pools.connectListener, log })
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
    live: new LiveUpdates({
      pool: pools.calls,
      connect: pools.connectListener,
      log,
      onChanged: (ids) => verdicts.tell(ids),
    }),
    days: keepDays(clock, {
      ...{ retentionDays, log },
      closing: {
        url: ownerUrl,
        ...{ openDays: config.openDays, share: config.closingPercent / 100 },
      },
      kept: config,
    }),
    clients,
    tls,
    sharedCounts,
    limitRefusals: new LimitRefusals(pools.db, { onFault }),
    onStop,
  }
}

async function openTls(
  config: Config,
  clients: Clients,
  log: Logger,
  { now }: ClockWatch,
): Promise<TlsListener | undefined> {
  const { tlsCert, tlsKey } = config
  if (tlsCert === undefined || tlsKey === undefined) return undefined
  const { openTlsListener } = await import('./tlsListener.ts')
  return openTlsListener({ config, tlsCert, tlsKey, clients, log, now })
}
