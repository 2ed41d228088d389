import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import type { Logger } from 'pino'
import type { DeviceId } from '#domain/ids.ts'
import { type AccountConfig, accountSide } from '#server/accountRoutes.ts'
import { alertRoutes } from '#server/alertRoutes.ts'
import { careRoutes } from '#server/careRoutes.ts'
import { type ClientConfig, clientSide } from '#server/clientRoutes.ts'
import { commandRoutes } from '#server/commandRoutes.ts'
import type { Config } from '#server/config.ts'
import { openDatabase } from '#server/db/database.ts'
import { deviceAreaRoutes } from '#server/deviceAreaRoutes.ts'
import { consoleSettingsRoutes } from '#server/features/consoleSettings/consoleSettings.routes.ts'
import { deviceStateRoutes } from '#server/features/deviceState/deviceState.routes.ts'
import { createDeviceStateStore } from '#server/features/deviceState/deviceState.store.ts'
import type { DeviceAddresses } from '#server/features/devices/deviceAddresses.ts'
import { createDeviceEventStore, type DeviceEventStore } from '#server/features/devices/deviceEvents.store.ts'
import { lookupRoutes } from '#server/features/lookups/lookups.routes.ts'
import { createLookupStore } from '#server/features/lookups/lookups.store.ts'
import { CommandPath } from '#server/gateway/commands/CommandPath.ts'
import { createAudit } from '#server/http/audit.store.ts'
import { buildHttpServer, type HttpServerNeeds } from '#server/http/buildHttpServer.ts'
import type { Caller } from '#server/http/caller.ts'
import { createLimitRefusals } from '#server/http/limitRefusals.store.ts'
import type { Route } from '#server/http/route.ts'
import { peopleRoutes } from '#server/peopleRoutes.ts'
import { readRoutes } from '#server/readRoutes.ts'
import { readCurrentState } from '#server/telemetry/currentState.ts'
import { readHourlyMeans } from '#server/telemetry/hourlyMeans.ts'

/** What the live stream needs from the features. */
export interface LiveSources extends DeviceEventStore {
  /** The same session with the rights of now; undefined when it ended. */
  readonly reauthenticate: (caller: Caller) => Promise<Caller | undefined>
}

export interface ApiNeeds
  extends Pick<
    HttpServerNeeds,
    | 'readiness'
    | 'healthChecks'
    | 'metrics'
    | 'metricsToken'
    | 'hasApiDocs'
    | 'requestTimeoutMs'
    | 'consoleFolder'
    | 'rateLimits'
    | 'checksAnswers'
    | 'clients'
  > {
  readonly pool: pg.Pool
  readonly log: Logger
  readonly config: Pick<Config, 'publicUrl' | 'supportUrl' | 'tileUrl' | 'tileAttribution'> &
    AccountConfig &
    ClientConfig
  readonly addresses: () => DeviceAddresses
  /** Of the gateway beside it; absent: there is none. */
  readonly closeRevoked?: () => void
  readonly onDeviceChanged?: (deviceId: DeviceId) => void
  /** Absent: no device is connected. */
  readonly commands?: CommandPath
  readonly liveRoutes: (sources: LiveSources) => readonly Route[]
}

const nothing = () => undefined

/** Joins the features to one HTTP server, which does not listen yet. */
export async function createApi(needs: ApiNeeds): Promise<FastifyInstance> {
  const { pool, config, addresses, closeRevoked = nothing, onDeviceChanged = nothing } = needs
  const db = openDatabase(pool)
  const account = accountSide(pool, config)
  const client = clientSide(pool, config)
  const routes = [
    ...account.routes,
    ...consoleSettingsRoutes(config),
    ...lookupRoutes(createLookupStore(db)),
    ...deviceAreaRoutes({
      pool,
      addresses,
      releaseKeys: client.releaseKeys,
      closeRevoked,
      onChanged: onDeviceChanged,
      onAlerts: nothing,
    }),
    ...deviceStateRoutes({
      store: createDeviceStateStore(needs.pool),
      currentState: (deviceId: DeviceId) => readCurrentState(pool, deviceId),
      hourlyMeans: (deviceId: DeviceId) => readHourlyMeans(pool, deviceId, new Date()),
    }),
    ...readRoutes(pool),
    ...alertRoutes(pool, nothing),
    ...careRoutes(pool),
    ...peopleRoutes(pool),
    ...commandRoutes(pool, needs.commands ?? pathWithoutDevices(pool)),
    ...client.routes,
    ...needs.liveRoutes({ ...createDeviceEventStore(db), reauthenticate: account.signIn.reauthenticate }),
  ]
  const { authenticate } = account.signIn
  const limitRefusals = createLimitRefusals(db, { onFault: (fault) => needs.log.warn({ fault }, 'limit refusals') })
  return buildHttpServer({
    ...needs,
    routes,
    authenticate,
    recogniseBrowser: account.recogniseBrowser,
    limitRefusals,
    audit: createAudit(db),
    downloads: client.downloads,
  })
}

/** Never opened, so it holds no device and hears nothing; calls of offline devices never come so far. */
function pathWithoutDevices(pool: pg.Pool): CommandPath {
  const connectListener = () => Promise.reject(new Error('This path is not open.'))
  return new CommandPath({ pool, connectListener, onMoved: nothing, log: nothing })
}
