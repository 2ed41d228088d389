import type { Db } from '../db/database.ts'
import type { DeviceAddresses } from '../features/devices/details/deviceAddresses.ts'
import { createMailDelivery } from '../mail/sending/createMailer.ts'
import { readSystemState } from '../monitoring/systemState.ts'
import { createNotifier } from '../notifications/notifyOutside.ts'
import { createOutbound } from '../outbound/outbound.ts'
import { AlertRules } from '../telemetry/alerts/alertRules.ts'
import { BackgroundJobs } from './BackgroundJobs.ts'
import { joinFeatures } from './features.ts'
import { startHttpServer } from './httpServer.ts'
import { startMqttServer } from './mqttServer.ts'
import { type OnStop, openPlatform, type ServerDeps } from './platform.ts'
import { openPools, type Pools } from './pools.ts'
import { ServerAddresses } from './ServerAddresses.ts'

export interface RunningServer {
  readonly addresses: DeviceAddresses
  /** Programs on this machine use these addresses. */
  readonly localAddresses: DeviceAddresses
  readonly db: Db
  readonly readAlertRules: () => Promise<AlertRules>
  /** Stores what devices have sent, and ends the consoles' streams, within two seconds. */
  stop(): Promise<void>
}

/** Joins the parts on a migrated database and listens. When one cannot start, the running ones are stopped again. */
export async function startServer(deps: ServerDeps): Promise<RunningServer> {
  const pools = openPools(deps.databaseUrls, deps.patience)
  const stops: (() => Promise<unknown>)[] = []
  const stop = async () => {
    // The parts stop side by side: a slow call must not keep readings from being stored.
    await Promise.all(stops.splice(0).map((stopPart) => stopPart()))
    await pools.end()
  }
  try {
    const addresses = await startParts(deps, pools, (stopPart) => stops.push(stopPart))
    return { ...addresses, db: pools.db, readAlertRules: () => AlertRules.read(pools.calls), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Starts the parts one after the other: each gets those before it. */
async function startParts(deps: ServerDeps, pools: Pools, onStop: OnStop) {
  const platform = await openPlatform(deps, pools, onStop)
  const { config, log, clock, live, cipher, backups } = platform
  const addresses = new ServerAddresses(config)
  const background = new BackgroundJobs(platform)
  const { gateway, commands } = await startMqttServer(platform, addresses)
  const callOutside = createOutbound({ allowed: config.outboundAllow })
  const notifyOutside = createNotifier({
    callOutside,
    mailWay: () => createMailDelivery(config, addresses.own.httpUrl),
  })
  const features = joinFeatures({
    pool: pools.calls,
    db: pools.db,
    longReads: pools.longReads,
    config,
    offeredUsers: deps.offeredUsers,
    log,
    clock,
    live,
    commands,
    callOutside,
    cipher,
    notifyOutside,
    readSystemFigures: () => readSystemState({ pool: pools.calls, now: clock.now, backups: backups.gauges }),
    closeRevoked: () => void gateway.closeRevoked().catch((error: unknown) => log.warn({ error }, 'revocation')),
    addresses: () => addresses.own,
  })
  onStop(() => live.stop())
  onStop(async () => features.stop())
  const ports = await startHttpServer(deps, platform, { gateway, commands, features, background })
  const { own, local } = addresses.listen({
    bindAddress: config.bindAddress,
    ...ports,
    mqttPort: gateway.port,
    mqttsPort: gateway.tlsPort,
  })
  if (config.roles.includes('jobs')) background.start(features, { consoleUrl: own.httpUrl, notifyOutside })
  return { addresses: own, localAddresses: local }
}
