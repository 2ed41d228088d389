import type { AddressInfo } from 'node:net'
import type { Logger } from 'pino'
import type { StateEvent } from '#contract/http/live.ts'
import type { DeviceId } from '#domain/ids.ts'
import { accountSide } from './accountRoutes.ts'
import { alertRoutes } from './alertRoutes.ts'
import { careRoutes } from './careRoutes.ts'
import { type ClientSide, clientSide } from './clientRoutes.ts'
import { commandRoutes } from './commandRoutes.ts'
import type { Config } from './config.ts'
import type { Db } from './db/database.ts'
import { DEFAULT_RETENTION_DAYS } from './db/partitions.ts'
import { type DeviceAreaNeeds, deviceAreaRoutes } from './deviceAreaRoutes.ts'
import { createAlertStore } from './features/alerts/alerts.store.ts'
import { consoleSettingsRoutes } from './features/consoleSettings/consoleSettings.routes.ts'
import { deviceStateRoutes } from './features/deviceState/deviceState.routes.ts'
import { createDeviceStateStore } from './features/deviceState/deviceState.store.ts'
import { type DeviceAddresses, deviceAddresses, localAddresses } from './features/devices/deviceAddresses.ts'
import { createDeviceEventStore } from './features/devices/deviceEvents.store.ts'
import { lookupRoutes } from './features/lookups/lookups.routes.ts'
import { createLookupStore } from './features/lookups/lookups.store.ts'
import { CommandPath } from './gateway/commands/CommandPath.ts'
import { readCommandEvents } from './gateway/commands/commandEvents.ts'
import { startGateway } from './gateway/gateway.ts'
import {
  databaseAnswers,
  databaseStores,
  dataFolderHasRoom,
  poolAnswers,
  reportsAreStored,
  somebodyLeads,
} from './healthChecks.ts'
import { createAudit } from './http/audit.store.ts'
import { buildHttpServer } from './http/buildHttpServer.ts'
import { createLimitRefusals, deviceRefusal } from './http/limitRefusals.store.ts'
import { createLiveHub, type LiveHub } from './http/live/hub.ts'
import { liveRoutes } from './http/live/live.routes.ts'
import { type ConnectedProcesses, connectOtherProcesses } from './http/live/otherProcesses.store.ts'
import type { OverviewTeller } from './http/live/overviewTeller.ts'
import type { Route } from './http/route.ts'
import { ClockWatch } from './jobs/ClockWatch.ts'
import { clientRolloutsJob } from './jobs/clientRollouts.ts'
import { commandSweepJob } from './jobs/commandSweep.ts'
import { darkDaysJob } from './jobs/darkDays.ts'
import { darkRecountJob } from './jobs/darkRecount.ts'
import { deadProcessesJob } from './jobs/deadProcesses.ts'
import { deletedDevicesJob } from './jobs/deletedDevices.ts'
import { expiredRowsJob, keepDays } from './jobs/housekeeping.ts'
import { type RunningJobs, startJobs } from './jobs/leader.ts'
import { MailQueue } from './jobs/mailQueue.ts'
import { overviewCountsJob } from './jobs/overviewCounts.ts'
import { releaseFolderJob } from './jobs/releaseFolder.ts'
import { rollupJob } from './jobs/rollups.ts'
import { createMailSide } from './mail/createMailer.ts'
import { metricsText } from './metrics.ts'
import { createClients } from './network/clients.ts'
import { peopleRoutes } from './peopleRoutes.ts'
import { openPools, type Pools } from './pools.ts'
import { overviewTeller, readRoutes } from './readRoutes.ts'
import { AlertRules } from './telemetry/alerts/alertRules.ts'
import { startAlertWatch } from './telemetry/alerts/alertWatch.ts'
import { readCurrentState, readCurrentStates } from './telemetry/currentState.ts'
import { readHourlyMeans } from './telemetry/hourlyMeans.ts'

const DEVICE_MESSAGES_PER_SECOND = 20

export interface ServerNeeds {
  readonly config: Config
  readonly databaseUrls: { readonly ownerUrl: string; readonly applicationUrl: string }
  readonly consoleFolder: string
  readonly log: Logger
  /** Why the server is not ready although the database answers; undefined when nothing is missing. */
  readonly missing: (db: Db) => Promise<string | undefined>
  /** Usernames that count as internal beside the configured ones. */
  readonly internalUsers: readonly string[]
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

/** Joins the parts on a migrated database and listens. When one cannot start, those that run are stopped again. */
export async function startServer(needs: ServerNeeds): Promise<RunningServer> {
  const pools = openPools(needs.databaseUrls)
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

async function startParts(needs: ServerNeeds, pools: Pools, onStop: (stop: () => Promise<unknown>) => void) {
  const { config, log } = needs
  const clients = createClients(config.trustedProxies)
  const onFault = (error: unknown) => log.warn({ error }, 'Refusals by limits could not be written down yet.')
  const limitRefusals = createLimitRefusals(pools.db, { onFault })
  const clock = new ClockWatch({ pool: pools.gateway, retentionDays: DEFAULT_RETENTION_DAYS, log })
  await clock.start()
  onStop(async () => clock.stop())
  const days = keepDays(clock, DEFAULT_RETENTION_DAYS, log)
  const live = liveSide(pools, log)
  const commands = new CommandPath({
    pool: pools.gateway,
    connectListener: pools.connectListener,
    onMoved: (deviceId) => live.noteChangedElsewhere(deviceId),
    log: (sentence, detail) => log.warn(detail, sentence),
  })
  const alerts = await startAlertWatch({
    pool: pools.gateway,
    connect: pools.connectListener,
    onAlerts: live.noteAlerts,
    log: (sentence, error) => log.warn({ error }, sentence),
  })
  // Beside the gateway: a fold that has begun ends with the lane that it waits for, and no other begins.
  onStop(() => alerts.stop())
  let addresses: DeviceAddresses | undefined
  const gateway = await startGateway({
    pool: pools.gateway,
    bindAddress: config.bindAddress,
    port: config.mqttPort,
    clients,
    expectsProxyHeader: config.proxyProtocol.includes('mqtt'),
    deviceMessagesPerSecond: config.deviceMessagesPerSecond ?? DEVICE_MESSAGES_PER_SECOND,
    onLimited: (address) => limitRefusals.note(deviceRefusal(address, 'MQTT sign-in')),
    onStored: (deviceIds) => deviceIds.forEach(live.noteChanged),
    alerts,
    onAlerts: live.noteAlerts,
    onPresence: live.noteChanged,
    clock,
    onReply: (deviceId, reply) => commands.reply(deviceId, reply),
    inOrder: (deviceId, work) => commands.inOrder(deviceId, work),
    consoleOrigin: () => addresses && new URL(addresses.httpUrl).origin,
    log: (sentence, detail) => log.warn(detail, sentence),
  })
  onStop(() => Promise.all([commands.stop(), gateway.stop()]))
  commands.open(gateway)
  const hub = live.open(gateway.processId)
  onStop(() => live.stop())
  const overview = overviewTeller(pools.calls, log)
  onStop(async () => overview.stop())

  let jobs: RunningJobs | undefined
  const internalUsers = [...config.internalUsers, ...needs.internalUsers]
  const account = accountSide(pools.calls, { ...config, internalUsers })
  const { signIn } = account
  const client = clientSide(pools.calls, config)
  const http = await buildHttpServer({
    routes: routesOf(pools, {
      config,
      account,
      client,
      hub,
      overview,
      commands,
      onAlerts: live.noteAlerts,
      deviceArea: {
        addresses: () => required(addresses),
        releaseKeys: client.releaseKeys,
        closeRevoked: () => void gateway.closeRevoked().catch((error: unknown) => log.warn({ error }, 'revocation')),
        onChanged: live.noteChanged,
        onAlerts: live.noteAlerts,
      },
    }),
    authenticate: signIn.authenticate,
    recogniseBrowser: account.recogniseBrowser,
    audit: createAudit(pools.db),
    downloads: client.downloads,
    config,
    clients,
    limitRefusals,
    expectsProxyHeader: config.proxyProtocol.includes('http'),
    consoleFolder: needs.consoleFolder,
    log,
    readiness: () => unreadiness(pools, needs.missing),
    healthChecks: [
      databaseAnswers(needs.databaseUrls.applicationUrl),
      poolAnswers(pools.gateway, 'devices'),
      databaseStores(pools.gateway, gateway.processId),
      reportsAreStored(gateway.storingTrouble),
      dataFolderHasRoom(config.dataFolder),
      somebodyLeads(() => jobs?.leaderSeenAtMs() ?? performance.now()),
      clock.clockTrouble,
      clock.jumpTrouble,
      days.trouble,
      () => unreadiness(pools, needs.missing),
    ],
    hasApiDocs: config.apiDocs === 'public',
    metricsToken: config.metricsToken,
    metrics: async () => metricsText(gateway.counters, gateway.connectedDevices()),
  })
  onStop(() => http.close())
  http.server.on('upgrade', (request, socket, head) => gateway.handleUpgrade(request, socket, head))
  await http.listen({ host: config.bindAddress, port: config.httpPort })
  const { port: httpPort } = http.server.address() as AddressInfo
  const listening = { bindAddress: config.bindAddress, httpPort, mqttPort: gateway.port }
  addresses = deviceAddresses({ ...listening, publicUrl: config.publicUrl })

  const { httpUrl: consoleUrl } = addresses
  const mails = new MailQueue({
    ...createMailSide(config, consoleUrl, log),
    pool: pools.calls,
    consoleUrl,
    log,
    now: clock.now,
  })
  onStop(() => mails.stop())
  const running = startJobs({
    watch: pools.ownerWatch,
    jobs: [
      ...days.jobs,
      deadProcessesJob(pools.gateway, live.noteChanged),
      commandSweepJob(() => commands.sweep()),
      rollupJob,
      clock.deleting(darkDaysJob),
      darkRecountJob(log),
      clock.deleting(deletedDevicesJob(log)),
      mails.job,
      clock.deleting(expiredRowsJob),
      overviewCountsJob(),
      releaseFolderJob(client.scanReleases),
      clientRolloutsJob(),
    ],
    log,
    now: clock.now,
  })
  jobs = running
  onStop(() => running.stop())
  return { addresses, localAddresses: localAddresses(listening) }
}

/** What tells consoles of changes. The gateway is told whom to tell before it listens, and only then has an identity. */
function liveSide(pools: Pools, log: Logger) {
  let hub: LiveHub | undefined
  let others: ConnectedProcesses | undefined
  return {
    noteChanged: (deviceId: DeviceId) => hub?.noteChanged(deviceId),
    noteAlerts: (deviceIds: ReadonlySet<DeviceId>) => hub?.noteAlerts(deviceIds),
    noteChangedElsewhere: (deviceId: DeviceId) => hub?.noteChangedElsewhere([deviceId]),
    open(processId: string): LiveHub {
      const { events } = createDeviceEventStore(pools.db)
      const { justChanged } = createAlertStore(pools.db)
      others = connectOtherProcesses({
        pool: pools.calls,
        processId,
        connect: pools.connectListener,
        onChangedElsewhere: (deviceIds) => hub?.noteChangedElsewhere(deviceIds),
        onAlertsElsewhere: (deviceIds) => hub?.noteAlertsElsewhere(deviceIds),
        onWatchedElsewhere: (deviceIds) => hub?.noteWatchedElsewhere(deviceIds),
        onPeopleChanged: () => hub?.recheckRights(),
        onReconnected: () => hub?.retellAll(),
        log,
      })
      hub = createLiveHub({
        others,
        log,
        readDevices: events,
        readAlerts: justChanged,
        readCommands: (scope, deviceIds) => readCommandEvents(pools.calls, scope, deviceIds),
        readStates: async (scope, deviceIds) => stateEvents(await readCurrentStates(pools.calls, scope, deviceIds)),
      })
      return hub
    },
    async stop() {
      hub?.stop()
      await others?.stop()
    },
  }
}

/** Every call of the contract with what answers it. */
function routesOf(
  { calls, db }: Pools,
  parts: {
    readonly config: Config
    readonly account: ReturnType<typeof accountSide>
    readonly client: ClientSide
    readonly hub: LiveHub
    readonly overview: OverviewTeller
    readonly commands: CommandPath
    readonly onAlerts: (devices: ReadonlySet<DeviceId>) => void
    readonly deviceArea: Omit<DeviceAreaNeeds, 'pool'>
  },
): readonly Route[] {
  const { config, account, client, hub, overview, commands, onAlerts, deviceArea } = parts
  return [
    ...account.routes,
    ...consoleSettingsRoutes(config),
    ...lookupRoutes(createLookupStore(db)),
    ...deviceAreaRoutes({ ...deviceArea, pool: calls }),
    ...deviceStateRoutes({
      store: createDeviceStateStore(calls),
      currentState: (deviceId) => readCurrentState(calls, deviceId),
      hourlyMeans: (deviceId) => readHourlyMeans(calls, deviceId, new Date()),
    }),
    ...readRoutes(calls),
    ...alertRoutes(calls, onAlerts),
    ...careRoutes(calls),
    ...peopleRoutes(calls),
    ...commandRoutes(calls, commands),
    ...client.routes,
    ...liveRoutes({
      hub,
      overview,
      visibleDevices: createDeviceEventStore(db).visible,
      reauthenticate: account.signIn.reauthenticate,
    }),
  ]
}

function required(addresses: DeviceAddresses | undefined): DeviceAddresses {
  if (!addresses) throw new Error('A call was answered before the server listened.')
  return addresses
}

function stateEvents(states: Awaited<ReturnType<typeof readCurrentStates>>): StateEvent[] {
  return [...states].map(([deviceId, readings]) => ({
    deviceId,
    values: readings.map(({ numbered, value, at }) => ({
      field_id: numbered.id,
      field_value: value,
      value_dt: at.toISOString(),
    })),
  }))
}

/** In words why nothing can be read here, or nothing is there to be read. */
async function unreadiness({ calls, db }: Pools, missing: ServerNeeds['missing']) {
  return (await poolAnswers(calls, 'calls')()) ?? missing(db)
}
