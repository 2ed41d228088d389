import type { AddressInfo } from 'node:net'
import type { Logger } from 'pino'
import type { DeviceId } from '#domain/ids.ts'
import { createBackupSide } from './backup/backupSide.ts'
import type { Config } from './config.ts'
import { verdictJob } from './darkness/now/verdictJob.ts'
import { createVerdictTeller } from './darkness/now/verdictTeller.ts'
import { waitingJob } from './darkness/waiting/waitingJob.ts'
import type { Db } from './db/database.ts'
import { DEFAULT_RETENTION_DAYS } from './db/partitions.ts'
import { PATIENCE, type Patience } from './db/patience.ts'
import { startDeviceSide } from './deviceSide.ts'
import { readSealGauges } from './features/auditLog/auditSeal.store.ts'
import {
  type DeviceAddresses,
  deviceAddresses,
  type ListeningAt,
  localAddresses,
  readTrusted,
} from './features/devices/deviceAddresses.ts'
import { joinFeatures } from './features.ts'
import type { Gateway } from './gateway/gateway.ts'
import { deadProcessesJob } from './gateway/wire/deadProcesses.ts'
import {
  databaseAnswers,
  databaseStores,
  dataFolderHasRoom,
  poolAnswers,
  reportsAreStored,
  somebodyElseLeads,
  somebodyLeads,
} from './healthChecks.ts'
import { buildHttpServer } from './http/buildHttpServer.ts'
import { createAudit } from './http/call/audit.store.ts'
import { createLimitRefusals } from './http/limits/limitRefusals.store.ts'
import { INCIDENTS_JOB, incidentJob } from './incidents/incidentJob.ts'
import { ClockWatch } from './jobs/ClockWatch.ts'
import { createJobRinger } from './jobs/JobBells.ts'
import { type RunningJobs, startJobs } from './jobs/leader.ts'
import { LiveSide } from './live/live.ts'
import { createMailSide } from './mail/createMailer.ts'
import { endedMailsJob } from './mail/endedMails.ts'
import { MAILS_JOB, MailQueue } from './mail/mailQueue.ts'
import { metricsText } from './metrics.ts'
import { type Clients, createClients } from './network/clients.ts'
import { plainHosts } from './network/plainHosts.ts'
import type { TlsDoor } from './network/tlsDoor.ts'
import { openPools, type Pools } from './pools.ts'
import { ROLES } from './settingValues.ts'
import { keepNoSpareMemory } from './spareMemory.ts'
import { AlertRules } from './telemetry/alerts/alertRules.ts'
import { strayAlertsJob } from './telemetry/alerts/strayAlerts.ts'
import { readFieldReadings } from './telemetry/read/fieldReadings.ts'
import { keepDays } from './telemetry/retention/keptDays.ts'
import { rollupJob } from './telemetry/rollup/rollupJob.ts'
import { orphanedStateJob } from './telemetry/state/orphanedState.ts'
import type { TlsSide } from './tlsSide.ts'

export interface ServerNeeds {
  readonly config: Config
  readonly databaseUrls: { readonly ownerUrl: string; readonly applicationUrl: string }
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

export interface RunningServer {
  readonly addresses: DeviceAddresses
  /** For programs on this machine. */
  readonly localAddresses: DeviceAddresses
  readonly db: Db
  /** Conditions as they stand in the database now. */
  readonly readAlertRules: () => Promise<AlertRules>
  /** Within two seconds: what was read from devices is stored, consoles are told goodbye. */
  stop(): Promise<void>
}

type OnStop = (stop: () => Promise<unknown>) => void

/** Joins the parts on a migrated database and listens. When one cannot start, those that run are stopped again. */
export async function startServer(needs: ServerNeeds): Promise<RunningServer> {
  const pools = openPools(needs.databaseUrls, needs.patience)
  const stops: (() => Promise<unknown>)[] = []
  const stop = async () => {
    // Side by side: a call that takes its time must not keep readings from being stored.
    await Promise.all(stops.splice(0).map((stopPart) => stopPart()))
    await pools.end()
  }
  try {
    const addresses = await startParts(needs, pools, (stopPart) => stops.push(stopPart))
    return { ...addresses, db: pools.db, readAlertRules: () => AlertRules.read(pools.calls), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The parts one after the other: each is given those before it. */
async function startParts(needs: ServerNeeds, pools: Pools, onStop: OnStop) {
  const ground = await layGround(needs, pools, onStop)
  const { config, log, clock, live } = ground
  let addresses: DeviceAddresses | undefined
  let jobs: RunningJobs | undefined
  const { gateway, commands } = await startDeviceSide({
    ...ground,
    consoleOrigin: () => addresses && new URL(addresses.httpUrl).origin,
  })
  const features = joinFeatures({
    pool: pools.calls,
    db: pools.db,
    config,
    offeredUsers: needs.offeredUsers,
    log,
    clock,
    live,
    commands,
    closeRevoked: () => void gateway.closeRevoked().catch((error: unknown) => log.warn({ error }, 'revocation')),
    addresses: () => required(addresses),
  })
  onStop(() => live.stop())
  onStop(async () => features.stop())
  const leaderSeenAtMs = () => jobs?.leaderSeenAtMs() ?? performance.now()
  const listening: ListeningAt = {
    bindAddress: config.bindAddress,
    ...(await startHttpSide(needs, ground, { gateway, features, leaderSeenAtMs })),
    mqttPort: gateway.port,
    mqttsPort: gateway.tlsPort,
  }
  const { publicUrl, mqttUrl, deviceCa } = config
  addresses = { ...deviceAddresses({ ...listening, publicUrl, mqttUrl }), ...readTrusted(deviceCa) }
  if (config.roles.includes('jobs')) jobs = startJobSide(ground, features, addresses.httpUrl)
  const endOfRest = keepNoSpareMemory()
  onStop(async () => endOfRest())
  return { addresses, localAddresses: localAddresses(plainHosts(config), listening) }
}

type Ground = Awaited<ReturnType<typeof layGround>>
type Features = ReturnType<typeof joinFeatures>

/** What the parts share. */
async function layGround(needs: ServerNeeds, pools: Pools, onStop: OnStop) {
  const { log, retentionDays = DEFAULT_RETENTION_DAYS, patience = PATIENCE } = needs
  const config = { ...needs.config, internalUsers: [...needs.config.internalUsers, ...needs.internalUsers] }
  const clock = new ClockWatch({ pool: pools.gateway, retentionDays, log })
  await clock.start()
  onStop(async () => clock.stop())
  const verdicts = createVerdictTeller(pools.gateway)
  onStop(() => verdicts.stop())
  const { ownerUrl } = needs.databaseUrls
  const backups = createBackupSide({ config, ownerUrl, pool: pools.calls, log, now: clock.now })
  const clients = createClients(config.trustedProxies)
  const tls = await openTls(config, clients, log, clock)
  onStop(async () => tls?.certificate.stop())
  const onFault = (error: unknown) => log.warn({ error }, 'Refusals by limits could not be written down yet.')
  return {
    config,
    pools,
    log,
    clock,
    retentionDays,
    patience,
    verdicts,
    backups,
    live: new LiveSide({ pool: pools.calls, connect: pools.connectListener, log, onChanged: verdicts.tell }),
    days: keepDays(clock, retentionDays, log),
    clients,
    tls,
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

interface HttpParts {
  readonly gateway: Gateway
  readonly features: Features
  readonly leaderSeenAtMs: () => number
}

/** @returns the ports */
async function startHttpSide(needs: ServerNeeds, ground: Ground, { gateway, features, leaderSeenAtMs }: HttpParts) {
  const { config, pools, log, clock, live, days, backups, clients, limitRefusals, patience, tls, onStop } = ground
  const readiness = () => unreadiness(pools, needs.missing)
  const http = await buildHttpServer({
    ...features.asked,
    routes: [...features.routes, ...live.open(gateway.processId, features.told)],
    audit: createAudit(pools.db, patience),
    config,
    clients,
    limitRefusals,
    expectsProxyHeader: config.proxyProtocol.includes('http'),
    servesCalls: config.roles.includes('api'),
    ...(config.roles.length < ROLES.length && { roles: config.roles }),
    consoleFolder: needs.consoleFolder,
    log,
    readiness,
    healthChecks: [
      databaseAnswers(needs.databaseUrls.applicationUrl, patience),
      poolAnswers(pools.gateway, 'devices'),
      databaseStores(pools.gateway, gateway.processId),
      reportsAreStored(gateway.storingTrouble, patience),
      dataFolderHasRoom(config.dataFolder),
      config.roles.includes('jobs')
        ? somebodyLeads(leaderSeenAtMs, patience)
        : somebodyElseLeads(pools.calls, patience),
      clock.clockTrouble,
      clock.jumpTrouble,
      days.trouble,
      backups.trouble,
      async () => tls?.certificate.trouble(),
      readiness,
    ],
    hasApiDocs: config.apiDocs === 'public',
    metricsToken: config.metricsToken,
    metrics: async () =>
      metricsText(
        gateway.counters,
        gateway.connectedDevices(),
        // Without the database all else is told.
        await readSealGauges(pools.calls).catch(() => undefined),
        await backups.gauges().catch(() => undefined),
        tls?.certificate.expiresAt(),
      ),
  })
  onStop(() => http.close())
  let door: TlsDoor | undefined
  http.addHook('preClose', async () => door?.close())
  if (config.roles.includes('gateway')) {
    http.server.on('upgrade', (request, socket, head) => gateway.handleUpgrade(request, socket, head))
  }
  await http.listen({ host: plainHosts(config).http, port: config.httpPort })
  door = await tls?.openHttps((socket) => http.server.emit('connection', socket))
  return { httpPort: (http.server.address() as AddressInfo).port, httpsPort: door?.port }
}

/** What the clock starts: of the features, and of what lies below them. */
function startJobSide(
  { config, pools, log, clock, live, days, backups, onStop }: Ground,
  features: Features,
  consoleUrl: string,
) {
  const mails = new MailQueue({
    ...createMailSide(config, consoleUrl, log),
    pool: pools.calls,
    consoleUrl,
    log,
    now: clock.now,
    readings: (question, atMost) => readFieldReadings(pools.calls, question, atMost),
  })
  onStop(() => mails.stop())
  const ringIncidents = createJobRinger(pools.calls, INCIDENTS_JOB)
  const onAlerts = (deviceIds: ReadonlySet<DeviceId>) => {
    live.noteAlerts(deviceIds)
    if (deviceIds.size > 0) ringIncidents()
  }
  const jobs = startJobs({
    watch: pools.ownerWatch,
    jobs: [
      ...days.jobs,
      deadProcessesJob(pools.gateway, live.noteChanged),
      rollupJob,
      orphanedStateJob,
      verdictJob((deviceIds) => deviceIds.forEach(live.noteReported)),
      waitingJob(onAlerts),
      incidentJob(live.noteAlerts, MAILS_JOB),
      strayAlertsJob(pools.db, live.noteAlerts),
      mails.job,
      clock.deleting(endedMailsJob),
      ...backups.jobs,
      ...features.jobs,
    ],
    log,
    now: clock.now,
  })
  onStop(() => jobs.stop())
  return jobs
}

function required(addresses: DeviceAddresses | undefined): DeviceAddresses {
  if (!addresses) throw new Error('A call was answered before the server listened.')
  return addresses
}

/** In words why nothing can be read here, or nothing is there to be read. */
async function unreadiness({ calls, db }: Pools, missing: ServerNeeds['missing']) {
  return (await poolAnswers(calls, 'calls')()) ?? missing(db)
}
