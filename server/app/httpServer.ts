import type { AddressInfo } from 'node:net'
import type { CommandPath } from '../gateway/commands/CommandPath.ts'
import type { Gateway } from '../gateway/gateway.ts'
import { buildHttpServer } from '../http/buildHttpServer.ts'
import { createAudit } from '../http/call/audit.store.ts'
import { createUnprovedChanges } from '../http/limits/unprovedChanges.store.ts'
import { type HealthCheck, type Metrics, type OperationsDeps, troublesOf } from '../http/pages/operations.ts'
import { buildOperationsServer } from '../http/pages/operationsServer.ts'
import { HttpMeasures } from '../http/perform/httpMeasures.ts'
import { createMetrics } from '../monitoring/metrics.ts'
import { startProcessPublisher } from '../monitoring/processPublisher.ts'
import { refusedNotice } from '../monitoring/systemFigures.store.ts'
import { plainHosts } from '../network/plainHosts.ts'
import type { TlsPorts } from '../network/tlsPorts.ts'
import { secretsTrouble } from '../secrets/secretKeys.store.ts'
import { ROLES } from '../settings/settingValues.ts'
import type { BackgroundJobs } from './BackgroundJobs.ts'
import type { Features } from './features.ts'
import {
  databaseAnswers,
  databaseStores,
  dataFolderHasRoom,
  jobsAreDone,
  oneMachinePerDevice,
  poolAnswers,
  reportsAreStored,
  somebodyElseLeads,
  somebodyLeads,
  workersAnswer,
  workersAreNotCopied,
} from './healthChecks.ts'
import type { Platform, ServerDeps } from './platform.ts'
import type { Pools } from './pools.ts'
import { PRODUCT_VERSION } from './productVersion.ts'

interface HttpParts {
  readonly gateway: Gateway
  readonly commands: CommandPath
  readonly features: Features
  readonly background: BackgroundJobs
}

/** Serves browsers, downloads of devices, and monitoring. @returns the ports */
export async function startHttpServer(deps: ServerDeps, platform: Platform, parts: HttpParts) {
  const { config, pools, log, live, clients, limitRefusals, sharedCounts, patience, tls, onStop } = platform
  const { gateway, features } = parts
  const readiness = () => unreadiness(pools, deps.missing)
  const healthChecks = [...checksOf(deps, platform, parts), readiness]
  const measures = new HttpMeasures()
  const operations = {
    readiness,
    healthChecks,
    notices: [
      () => refusedNotice(pools.gateway),
      oneMachinePerDevice(gateway.devicesWithTwoMachines),
      () => secretsTrouble(platform.cipher, config),
      workersAreNotCopied(pools.gateway, config.backupFolder),
    ],
    ...(config.roles.length < ROLES.length && { roles: config.roles }),
    metrics: metricsOf(platform, parts, { healthChecks, measures }),
    metricsToken: config.metricsToken,
  }
  const http = await buildHttpServer({
    ...features.asked,
    ...operations,
    routes: [...features.routes, ...live.open(gateway.processId, features.told)],
    audit: createAudit(pools.db, patience),
    countUnproved: createUnprovedChanges(pools.db),
    config,
    clients,
    limitRefusals,
    sharedCounts,
    expectsProxyHeader: config.proxyProtocol.includes('http'),
    servesCalls: config.roles.includes('api'),
    consoleFolder: deps.consoleFolder,
    log,
    measures,
    streamLimits: config,
    hasApiDocs: config.apiDocs === 'public',
  })
  onStop(() => http.close())
  let door: TlsPorts | undefined
  http.addHook('preClose', async () => door?.close())
  if (config.roles.includes('gateway')) {
    http.server.on('upgrade', (request, socket, head) => gateway.handleUpgrade(request, socket, head))
  }
  await listenForWatchers(platform, operations)
  await http.listen({ host: plainHosts(config).http, port: config.httpPort })
  door = await tls?.openHttps((socket) => http.server.emit('connection', socket))
  tellOfProcess(platform, parts, () => troublesOf(healthChecks))
  return { httpPort: (http.server.address() as AddressInfo).port, httpsPort: door?.port }
}

/** Publishes this process to the others, for the page of the system. */
function tellOfProcess(
  { config, pools, clock, onStop }: Platform,
  { gateway, background }: HttpParts,
  troubles: () => Promise<readonly string[]>,
): void {
  const endTelling = startProcessPublisher({
    pool: pools.gateway,
    version: PRODUCT_VERSION,
    roles: config.roles,
    gateway,
    background,
    now: clock.now,
    folders: foldersOf(config),
    troubles,
  })
  onStop(async () => endTelling())
}

/** Opens the monitoring port, where one is set. */
async function listenForWatchers({ config, log, onStop }: Platform, operations: OperationsDeps): Promise<void> {
  if (config.metricsPort === undefined) return
  const own = buildOperationsServer(operations)
  onStop(() => own.close())
  const address = await own.listen({ host: config.bindAddress, port: config.metricsPort })
  log.info({ address }, 'Metrics and health are on a port of their own.')
}

function checksOf(
  deps: ServerDeps,
  { config, pools, clock, days, backups, tls, patience }: Platform,
  { gateway, background }: HttpParts,
): readonly HealthCheck[] {
  const leaderSeenAtMs = () => background.jobs?.leaderSeenAtMs() ?? performance.now()
  return [
    databaseAnswers(deps.databaseUrls.applicationUrl, patience),
    poolAnswers(pools.gateway, 'devices'),
    databaseStores(pools.gateway, gateway.processId, deps.databaseUrls.folder),
    workersAnswer(pools.gateway),
    reportsAreStored(gateway.storingTrouble, patience, deps.databaseUrls.folder),
    dataFolderHasRoom(config.dataFolder),
    config.roles.includes('jobs') ? somebodyLeads(leaderSeenAtMs, patience) : somebodyElseLeads(pools.calls, patience),
    jobsAreDone(background, clock.now),
    clock.clockTrouble,
    clock.jumpTrouble,
    days.trouble,
    ...backups.checks,
    async () => tls?.certificate.trouble(),
  ]
}

interface Measured {
  readonly healthChecks: readonly HealthCheck[]
  readonly measures: HttpMeasures
}

function metricsOf(
  { config, pools, clock, backups, tls }: Platform,
  { gateway, commands, background }: HttpParts,
  { healthChecks, measures }: Measured,
): Metrics {
  const { calls, gateway: ofGateway, reports } = pools
  return createMetrics({
    version: PRODUCT_VERSION,
    gateway,
    commands,
    background,
    http: measures,
    pools: { calls: [calls], gateway: [ofGateway], lanes: reports.lanes, beside_lanes: [reports.beside] },
    pool: calls,
    now: clock.now,
    folders: foldersOf(config),
    backups: backups.gauges,
    certificateExpiresAt: () => tls?.certificate.expiresAt(),
    troubles: () => troublesOf(healthChecks),
  })
}

const foldersOf = ({ dataFolder, backupFolder }: Platform['config']) => ({ data: dataFolder, backups: backupFolder })

/** Says why nothing can be read here, or nothing exists to be read. */
async function unreadiness({ calls, db }: Pools, missing: ServerDeps['missing']) {
  return (await poolAnswers(calls, 'calls')()) ?? missing(db)
}
