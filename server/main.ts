import type { AddressInfo } from 'node:net'
import pg from 'pg'
import type { Logger } from 'pino'
import type { StateEvent } from '#contract/http/live.ts'
import type { DeviceId } from '#domain/ids.ts'
import type { Config } from './config.ts'
import { type Db, openDatabase } from './db/database.ts'
import { DEFAULT_RETENTION_DAYS } from './db/partitions.ts'
import { openPool } from './db/pool.ts'
import { APPLICATION_ROLE } from './db/roles.ts'
import { deviceStateRoutes } from './features/deviceState/deviceState.routes.ts'
import { createDeviceStateStore } from './features/deviceState/deviceState.store.ts'
import { type DeviceAddresses, deviceAddresses } from './features/devices/deviceAddresses.ts'
import { createDeviceEventStore } from './features/devices/deviceEvents.store.ts'
import { createDeviceListStore } from './features/devices/deviceList.store.ts'
import { deviceRoutes } from './features/devices/devices.routes.ts'
import { createDeviceService } from './features/devices/devices.service.ts'
import { createDeviceStore } from './features/devices/devices.store.ts'
import { lookupRoutes } from './features/lookups/lookups.routes.ts'
import { createLookupStore } from './features/lookups/lookups.store.ts'
import { createAttemptStore } from './features/signIn/attempts.store.ts'
import { signInRoutes } from './features/signIn/signIn.routes.ts'
import { createSignInService } from './features/signIn/signIn.service.ts'
import { createSignInStore } from './features/signIn/signIn.store.ts'
import { startGateway } from './gateway/gateway.ts'
import { createAudit } from './http/audit.store.ts'
import { buildHttpServer } from './http/buildHttpServer.ts'
import { createLiveHub, type LiveHub } from './http/live/hub.ts'
import { liveRoutes } from './http/live/live.routes.ts'
import { connectOtherProcesses } from './http/live/otherProcesses.store.ts'
import type { Route } from './http/route.ts'
import { deadProcessesJob } from './jobs/deadProcesses.ts'
import { expiredRowsJob, partitionJob } from './jobs/housekeeping.ts'
import { startJobs } from './jobs/leader.ts'
import { metricsText } from './metrics.ts'
import { readCurrentState, readCurrentStates } from './telemetry/currentState.ts'
import { readHourlyMeans } from './telemetry/hourlyMeans.ts'

const CALL_CONNECTIONS = 12
const GATEWAY_CONNECTIONS = 6

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
  readonly db: Db
  /** Within two seconds: what was read from devices is stored, consoles are told goodbye. */
  stop(): Promise<void>
}

/** Joins the parts on a migrated database and listens. */
export async function startServer(needs: ServerNeeds): Promise<RunningServer> {
  const { config, log, databaseUrls } = needs
  const asApplication = databaseUrls.applicationUrl === databaseUrls.ownerUrl
  const open = (name: string, maximumConnections: number) =>
    openPool(databaseUrls.applicationUrl, { maximumConnections, name, asApplication })
  const callPool = open('calls', CALL_CONNECTIONS)
  const gatewayPool = open('gateway', GATEWAY_CONNECTIONS)
  const db = openDatabase(callPool)

  let hub: LiveHub | undefined
  const noteChanged = (deviceId: DeviceId) => hub?.noteChanged(deviceId)
  const gateway = await startGateway({
    pool: gatewayPool,
    bindAddress: config.bindAddress,
    port: config.mqttPort,
    deviceMessagesPerSecond: config.deviceMessagesPerSecond,
    onStored: (deviceIds) => deviceIds.forEach(noteChanged),
    onPresence: noteChanged,
    log: (sentence, detail) => log.warn(detail, sentence),
  })
  const others = connectOtherProcesses({
    pool: callPool,
    processId: gateway.processId,
    connect: () => connectListener(databaseUrls.applicationUrl, asApplication),
    onChangedElsewhere: (deviceIds) => hub?.noteChangedElsewhere(deviceIds),
    onReconnected: () => hub?.retellAll(),
    log,
  })
  const deviceEvents = createDeviceEventStore(db)
  hub = createLiveHub({
    others,
    log,
    readDevices: (deviceIds) => deviceEvents.events(deviceIds),
    readStates: async (deviceIds) => stateEvents(await readCurrentStates(callPool, deviceIds)),
  })

  let addresses: DeviceAddresses | undefined
  const signIn = createSignInService({
    store: createSignInStore(db),
    attempts: createAttemptStore(db),
    labUsers: config.labUsers,
    internalUsers: [...config.internalUsers, ...needs.internalUsers],
  })
  const deviceState = createDeviceStateStore(db)
  const routes: readonly Route[] = [
    ...signInRoutes(signIn),
    ...lookupRoutes(createLookupStore(db)),
    ...deviceRoutes(
      createDeviceService({
        store: createDeviceStore(db),
        list: createDeviceListStore(db),
        addresses: () => required(addresses),
      }),
    ),
    ...deviceStateRoutes({
      store: deviceState,
      currentState: (deviceId) => readCurrentState(callPool, deviceId),
      hourlyMeans: (deviceId) => readHourlyMeans(callPool, deviceId, new Date()),
    }),
    ...liveRoutes({ hub, visibleDevices: deviceEvents.visible, reauthenticate: signIn.reauthenticate }),
  ]
  const http = await buildHttpServer({
    routes,
    authenticate: signIn.authenticate,
    audit: createAudit(db),
    config,
    consoleFolder: needs.consoleFolder,
    log,
    readiness: () => readiness(db, needs.missing),
    metrics: async () => metricsText(gateway.counters, gateway.connectedDevices()),
  })
  http.server.on('upgrade', (request, socket, head) => gateway.handleUpgrade(request, socket, head))
  await http.listen({ host: config.bindAddress, port: config.httpPort })
  const httpPort = (http.server.address() as AddressInfo).port
  addresses = deviceAddresses({
    publicUrl: config.publicUrl,
    bindAddress: config.bindAddress,
    httpPort,
    mqttPort: gateway.port,
  })
  const jobs = startJobs({
    ownerUrl: databaseUrls.ownerUrl,
    jobs: [partitionJob(DEFAULT_RETENTION_DAYS), expiredRowsJob, deadProcessesJob(gatewayPool, noteChanged)],
    log,
  })

  return {
    addresses,
    db,
    async stop() {
      hub?.stop()
      await Promise.all([gateway.stop(), http.close(), jobs.stop(), others.stop()])
      await Promise.all([callPool.end(), gatewayPool.end()])
    },
  }
}

function required(addresses: DeviceAddresses | undefined): DeviceAddresses {
  if (!addresses) throw new Error('A call was answered before the server listened.')
  return addresses
}

async function connectListener(url: string, asApplication: boolean): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'wayside listener',
    keepAlive: true,
    ...(asApplication ? { options: `-c role=${APPLICATION_ROLE}` } : {}),
  })
  await client.connect()
  return client
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

async function readiness(db: Db, missing: ServerNeeds['missing']) {
  try {
    const reason = await missing(db)
    return reason === undefined ? { ready: true } : { ready: false, reason }
  } catch {
    return { ready: false, reason: 'The database does not answer.' }
  }
}
