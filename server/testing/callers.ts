import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { login } from '#contract/http/app.ts'
import { watch } from '#contract/http/live.ts'
import type { CustomerId, DeviceId, DeviceModelId, UserId } from '#domain/ids.ts'
import type { FunctionId } from '#domain/permissions/functions.ts'
import { openPool } from '#server/db/pool.ts'
import { hashPassword } from '#server/features/signIn/passwords.ts'
import type { CommandPath } from '#server/gateway/commands/CommandPath.ts'
import type { RateLimits } from '#server/http/rateLimits.ts'
import { type EventStream, streamRoute } from '#server/http/route.ts'
import { createLog } from '#server/log.ts'
import { createClients } from '#server/network/clients.ts'
import { createApi } from './callersApi.ts'
import { freshDatabase } from './freshDatabase.ts'

export const PASSWORD = 'gravel tuba at lantern pier'
const passwordHash = hashPassword(PASSWORD)

const NO_LIMITS: RateLimits = {
  signInsPerAddress: { uses: 1e9, perSeconds: 60 },
  publicChangesPerAddress: { uses: 1e9, perSeconds: 60 },
  publicReadsPerAddress: { uses: 1e9, perSeconds: 60 },
  unauthenticatedPerAddress: { uses: 1e9, perSeconds: 60 },
  callsPerUser: { uses: 1e9, perSeconds: 60 },
}

export interface StartedApi {
  readonly app: FastifyInstance
  readonly pool: pg.Pool
  readonly ownerUrl: string
  readonly applicationUrl: string
  /** Everything that was logged, as JSON lines. */
  readonly logged: string[]
  readonly stop: () => Promise<void>
}

export interface StartOptions {
  /** A second server on the database of another. */
  readonly on?: Pick<StartedApi, 'ownerUrl' | 'applicationUrl'>
  readonly rateLimits?: RateLimits
  readonly trustedProxies?: readonly string[]
  readonly publicUrl?: string
  readonly metricsToken?: string
  readonly hasApiDocs?: boolean
  readonly requestTimeoutMs?: number
  readonly consoleFolder?: string
  readonly tileUrl?: string
  readonly tileAttribution?: string
  readonly supportUrl?: string
  readonly labUsers?: readonly string[]
  readonly internalUsers?: readonly string[]
  readonly dataFolder?: string
  readonly releaseKeys?: readonly string[]
  readonly closeRevoked?: () => void
  readonly onDeviceChanged?: (deviceId: DeviceId) => void
  readonly commands?: CommandPath
  /** What the live stream does; absent: it says `ready` and ends. */
  readonly onWatch?: (stream: EventStream) => void | Promise<void>
}

/** The real API on a real database. */
export async function startApi(options: StartOptions = {}): Promise<StartedApi> {
  const own = options.on ? undefined : await freshDatabase()
  const database = options.on ?? own
  if (!database) throw new Error('There is no database.')
  const pool = openPool(database.applicationUrl, { maximumConnections: 5, name: 'test' })
  const logged: string[] = []
  const app = await createApi({
    pool,
    log: createLog({ level: 'debug', write: (line) => logged.push(line) }).log,
    config: {
      publicUrl: options.publicUrl,
      tileUrl: options.tileUrl,
      tileAttribution: options.tileAttribution ?? '',
      supportUrl: options.supportUrl,
      labUsers: options.labUsers ?? [],
      internalUsers: options.internalUsers ?? [],
      sessionIdleHours: 12,
      sessionLongestHours: 168,
      dataFolder: options.dataFolder ?? '/nowhere',
      releaseKeys: options.releaseKeys ?? [],
    },
    addresses: () => ({ mqttUrl: 'mqtt://127.0.0.1:1883', httpUrl: 'http://127.0.0.1:8080' }),
    readiness: () => undefined,
    healthChecks: [],
    metrics: async () => 'wayside_up 1\n',
    rateLimits: options.rateLimits ?? NO_LIMITS,
    checksAnswers: true,
    clients: createClients(options.trustedProxies),
    ...(options.metricsToken !== undefined && { metricsToken: options.metricsToken }),
    ...(options.hasApiDocs !== undefined && { hasApiDocs: options.hasApiDocs }),
    ...(options.requestTimeoutMs !== undefined && { requestTimeoutMs: options.requestTimeoutMs }),
    ...(options.closeRevoked && { closeRevoked: options.closeRevoked }),
    ...(options.onDeviceChanged && { onDeviceChanged: options.onDeviceChanged }),
    ...(options.commands && { commands: options.commands }),
    ...(options.consoleFolder === undefined ? {} : { consoleFolder: options.consoleFolder }),
    liveRoutes: () => [streamRoute(watch, ({ stream }) => (options.onWatch ?? sayReadyAndEnd)(stream))],
  })
  return {
    app,
    pool,
    logged,
    ownerUrl: database.ownerUrl,
    applicationUrl: database.applicationUrl,
    stop: async () => {
      await app.close()
      await pool.end()
      await own?.drop()
    },
  }
}

function sayReadyAndEnd(stream: EventStream): void {
  stream.send('ready', {})
  stream.close()
}

export async function addCustomer(pool: pg.Pool, name: string, countryId?: number): Promise<CustomerId> {
  const { rows } = await pool.query('insert into customer (name, country_id) values ($1, $2) returning id', [
    name,
    countryId ?? null,
  ])
  return rows[0].id
}

export interface UserToAdd {
  readonly username: string
  readonly functions: readonly FunctionId[]
  readonly customerId?: CustomerId
  readonly isLab?: boolean
}

/** A user with a role of its own and the password of all tests. */
export async function addUser(pool: pg.Pool, user: UserToAdd): Promise<UserId> {
  const role = await pool.query('insert into app_role (name) values ($1) returning id', [`role of ${user.username}`])
  const roleId = role.rows[0].id
  await pool.query('insert into app_role_function select $1, unnest($2::smallint[])', [roleId, user.functions])
  const { rows } = await pool.query(
    `insert into app_user (username, email, role_id, customer_id, password_hash, is_lab)
     values ($1, $1, $2, $3, $4, $5) returning id`,
    [user.username, roleId, user.customerId ?? null, await passwordHash, user.isLab ?? false],
  )
  return rows[0].id
}

export interface DeviceToAdd {
  readonly name: string
  readonly customerId: CustomerId
  readonly modelId?: DeviceModelId
  readonly statusId?: number
  readonly address?: string
  readonly attrSerial?: string
}

export async function addDevice(pool: pg.Pool, device: DeviceToAdd): Promise<{ id: DeviceId; guid: string }> {
  const { rows } = await pool.query(
    `insert into device (guid, name, customer_id, model_id, status_id, address, attr_serial, iot_device_id)
     values (gen_random_uuid(), $1, $2, $3, $4, $5, $6, '') returning id, guid`,
    [
      device.name,
      device.customerId,
      device.modelId ?? 1,
      device.statusId ?? 2,
      device.address ?? '',
      device.attrSerial ?? '',
    ],
  )
  return rows[0]
}

/** @returns the access token */
export async function signIn({ app }: StartedApi, username: string, password = PASSWORD): Promise<string> {
  const answer = await app.inject({
    method: 'POST',
    url: `/api/${login.path}`,
    payload: { username, password },
  })
  if (answer.statusCode !== 200) throw new Error(`${username} was not signed in: ${answer.body}`)
  return answer.json().accessToken
}

export interface Asked {
  readonly token?: string | undefined
  readonly method?: 'GET' | 'POST' | 'HEAD' | 'OPTIONS' | 'PUT' | 'DELETE'
  readonly query?: Readonly<Record<string, string | number | boolean>>
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** One request to a call, as a program would make it. */
export function ask({ app }: StartedApi, path: string, { token, method = 'GET', query, body, headers }: Asked = {}) {
  const texts = Object.entries(query ?? {}).map(([name, value]): [string, string] => [name, String(value)])
  const search = texts.length > 0 ? `?${new URLSearchParams(texts)}` : ''
  return app.inject({
    method,
    url: `/api/${path}${search}`,
    headers: { ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...headers },
    ...(body === undefined ? {} : { payload: body as object }),
  })
}

export async function countAuditRows(pool: pg.Pool): Promise<number> {
  return (await pool.query('select count(*)::int as count from audit_log')).rows[0].count
}

/** A session as signing in makes it, without the time that judging a password takes. */
export async function openSession(pool: pg.Pool, userId: UserId): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await pool.query(
    `insert into app_session (token_hash, user_id, expires_at)
     values (sha256($1::text::bytea), $2, now() + interval '1 day')`,
    [token, userId],
  )
  return token
}
