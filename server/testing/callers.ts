import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import pg from 'pg'
import { AUDIT_ACTIONS, type AuditAction } from '#contract/call/call.ts'
import { TOKEN_SCOPE_IDS, type TokenScope } from '#contract/call/tokenScopes.ts'
import { DEVICE_ANSWER_SECONDS } from '#contract/errors.ts'
import { watch } from '#contract/http/live.ts'
import { login } from '#contract/http/people/signIn.ts'
import type { CustomerId, DeviceId, DeviceModelId, UserId } from '#domain/ids.ts'
import type { FunctionId } from '#domain/permissions/functions.ts'
import { joinFeatures } from '#server/app/features.ts'
import { openPool } from '#server/db/connect/pool.ts'
import { openDatabase } from '#server/db/database.ts'
import { hashPassword } from '#server/features/people/signIn/passwords/passwords.ts'
import { bindSession } from '#server/features/people/signIn/sessionBinding.ts'
import { newApiToken, tokenHash } from '#server/features/people/signIn/tokens.ts'
import { CommandPath } from '#server/gateway/commands/CommandPath.ts'
import { buildHttpServer } from '#server/http/buildHttpServer.ts'
import { createAudit } from '#server/http/call/audit.store.ts'
import { type EventStream, streamRoute } from '#server/http/call/route.ts'
import { LimitRefusals } from '#server/http/limits/LimitRefusals.store.ts'
import type { RateLimits } from '#server/http/limits/rateLimits.ts'
import { createUnprovedChanges } from '#server/http/limits/unprovedChanges.store.ts'
import { createMailDelivery } from '#server/mail/sending/createMailer.ts'
import { readSystemState } from '#server/monitoring/systemState.ts'
import { createClients } from '#server/network/clients.ts'
import { createNotifier } from '#server/notifications/notifyOutside.ts'
import { createOutbound } from '#server/outbound/outbound.ts'
import { createLog } from '#server/programs/log.ts'
import { type Config, readConfig } from '#server/settings/config.ts'
import { LongReadsThread } from '#server/telemetry/longReads/LongReadsThread.ts'
import { freshDatabase } from './database/freshDatabase.ts'
import { testCipher } from './database/testCipher.ts'

export const PASSWORD = 'gravel tuba at lantern pier'
const passwordHash = hashPassword(PASSWORD)

const NO_LIMITS: RateLimits = {
  signInsPerAddress: { uses: 1e9, perSeconds: 60 },
  publicChangesPerAddress: { uses: 1e9, perSeconds: 60 },
  publicReadsPerAddress: { uses: 1e9, perSeconds: 60 },
  mailsAskedPerAddress: { uses: 1e9, perSeconds: 60 },
  unauthenticatedPerAddress: { uses: 1e9, perSeconds: 60 },
  callsPerUser: { uses: 1e9, perSeconds: 60 },
  callsPerApiToken: { uses: 1e9, perSeconds: 60 },
}

export interface StartedApi {
  readonly app: FastifyInstance
  readonly pool: pg.Pool
  readonly ownerUrl: string
  readonly applicationUrl: string
  readonly logged: string[]
  /** The readers of live updates, here without a stream. */
  readonly told: ReturnType<typeof joinFeatures>['told']
  readonly runJob: (name: string) => Promise<void>
  readonly stop: () => Promise<void>
}

export interface StartOptions {
  /** Starts a second server on the database of another. */
  readonly on?: Pick<StartedApi, 'ownerUrl' | 'applicationUrl'>
  /** Its own database has tables of so many past days. */
  readonly keptDays?: number
  readonly maximumConnections?: number
  readonly rateLimits?: RateLimits
  readonly config?: Partial<Config>
  readonly offeredUsers?: readonly string[]
  readonly requestTimeoutMs?: number
  readonly stalledAfterMs?: number
  readonly consoleFolder?: string
  readonly closeRevoked?: () => void
  readonly onDeviceChanged?: (deviceId: DeviceId) => void
  readonly commands?: CommandPath
  /** Handles the live stream; without it the stream says `ready` and ends. */
  readonly onWatch?: (stream: EventStream) => void | Promise<void>
}

const METRICS = {
  text: async () => 'wayside_up 1\n',
  deviceText: async function* () {
    yield 'wayside_device_up 1\n'
  },
}

export async function startApi(options: StartOptions = {}): Promise<StartedApi> {
  const own = options.on ? undefined : await freshDatabase(options)
  const database = options.on ?? own
  if (!database) throw new Error('There is no database.')
  const pool = openPool(database.applicationUrl, { maximumConnections: options.maximumConnections ?? 5, name: 'test' })
  const logged: string[] = []
  const { log } = createLog({ level: 'debug', write: (line) => logged.push(line) })
  const db = openDatabase(pool)
  const longReads = new LongReadsThread({ url: database.applicationUrl })
  const config: Config = { ...readConfig({}), dataFolder: '/nowhere', ...options.config }
  const callOutside = createOutbound({ allowed: config.outboundAllow })
  const features = joinFeatures({
    pool,
    db,
    longReads,
    config,
    offeredUsers: options.offeredUsers,
    log,
    clock: { now: () => new Date(), deleting: (job) => job },
    live: { noteChanged: options.onDeviceChanged ?? nothing, noteAlerts: nothing },
    commands: options.commands ?? pathWithoutDevices(pool),
    callOutside,
    cipher: testCipher,
    notifyOutside: createNotifier({ callOutside, mailWay: () => createMailDelivery(config, 'http://127.0.0.1:8080') }),
    readSystemFigures: () => readSystemState({ pool, now: () => new Date(), backups: async () => undefined }),
    closeRevoked: options.closeRevoked ?? nothing,
    addresses: () => ({ mqttUrl: 'mqtt://127.0.0.1:1883', httpUrl: 'http://127.0.0.1:8080' }),
  })
  const app = await buildHttpServer({
    ...features.asked,
    routes: [...features.routes, streamRoute(watch, ({ stream }) => (options.onWatch ?? sayReadyAndEnd)(stream))],
    audit: createAudit(db),
    countUnproved: createUnprovedChanges(db),
    limitRefusals: new LimitRefusals(db, { onFault: (fault) => log.warn({ fault }, 'limit refusals') }),
    clients: createClients(config.trustedProxies),
    config,
    log,
    readiness: nothing,
    healthChecks: [],
    metrics: METRICS,
    metricsToken: config.metricsToken,
    hasApiDocs: config.apiDocs === 'public',
    rateLimits: options.rateLimits ?? NO_LIMITS,
    checksAnswers: true,
    streamLimits: config,
    ...given(options, ['requestTimeoutMs', 'stalledAfterMs', 'consoleFolder']),
  })
  return {
    app,
    pool,
    logged,
    told: features.told,
    runJob: async (name) => {
      const job = features.jobs.find((one) => one.name === name)
      if (!job) throw new Error(`No feature has a job ${name}.`)
      const stopped = new AbortController().signal
      if ('runUnfenced' in job) return void (await job.runUnfenced(stopped))
      const owner = new pg.Client({ connectionString: database.ownerUrl })
      await owner.connect()
      await job.run(owner, new Date(), stopped).finally(() => owner.end())
    },
    ownerUrl: database.ownerUrl,
    applicationUrl: database.applicationUrl,
    stop: async () => {
      await app.close()
      features.stop()
      await longReads.end()
      await pool.end()
      await own?.drop()
    },
  }
}

const given = <Name extends keyof StartOptions>(options: StartOptions, names: readonly Name[]) =>
  Object.fromEntries(names.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]]))) as Partial<
    Pick<Required<StartOptions>, Name>
  >

const nothing = () => undefined

/** The path is never opened, so it holds no device and hears nothing; calls of offline devices never reach it. */
function pathWithoutDevices(pool: pg.Pool): CommandPath {
  const connectListener = () => Promise.reject(new Error('This path is not open.'))
  return new CommandPath({
    pool,
    connectListener,
    answerSeconds: DEVICE_ANSWER_SECONDS,
    onMoved: nothing,
    log: nothing,
  })
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

/** Adds a user with a role of its own and the password of all tests. */
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

export interface Request {
  readonly token?: string | undefined
  readonly method?: 'GET' | 'POST' | 'HEAD' | 'OPTIONS' | 'PUT' | 'DELETE'
  readonly query?: Readonly<Record<string, string | number | boolean>>
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly remoteAddress?: string
}

export function ask(
  { app }: StartedApi,
  path: string,
  { token, method = 'GET', query, body, headers, remoteAddress }: Request = {},
) {
  const texts = Object.entries(query ?? {}).map(([name, value]): [string, string] => [name, String(value)])
  const search = texts.length > 0 ? `?${new URLSearchParams(texts)}` : ''
  return app.inject({
    method,
    url: `/api/${path}${search}`,
    headers: { ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...headers },
    ...(body === undefined ? {} : { payload: body as object }),
    ...(remoteAddress === undefined ? {} : { remoteAddress }),
  })
}

export async function countAuditRows(pool: pg.Pool): Promise<number> {
  return (await pool.query('select count(*)::int as count from audit_log')).rows[0].count
}

/** Returns the id by which an audit row stores an action. */
export const auditActionId = (action: AuditAction): number | undefined =>
  AUDIT_ACTIONS.find(({ name }) => name === action)?.id

export interface TokenToAdd {
  readonly scopes?: readonly TokenScope[]
  readonly makerId?: UserId
  readonly customerId?: CustomerId
  /** The token may also make calls that require a fresh proof by default. */
  readonly withFreshFactor?: boolean
}

/** Adds an API token of this user, with every scope unless `wanted` says less. */
export async function addApiToken(pool: pg.Pool, userId: UserId, wanted: TokenToAdd = {}) {
  const { scopes = TOKEN_SCOPE_IDS, makerId = userId, customerId = null, withFreshFactor = true } = wanted
  const token = newApiToken()
  const { rows } = await pool.query(
    `insert into api_token (token_hash, beginning, name, user_id, maker_id, scopes, customer_id, with_fresh_factor, expires_at)
     values ($1, $2, 'Test', $3, $4, $5, $6, $7, now() + interval '30 days') returning id`,
    [tokenHash(token), token.slice(0, 8), userId, makerId, scopes, customerId, withFreshFactor],
  )
  return { id: rows[0].id as number, token }
}

/** Opens a session as signing in does, without the time that a password takes. */
export async function openSession(pool: pg.Pool, userId: UserId): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await pool.query(
    `insert into app_session (token_hash, user_id, expires_at)
     values (sha256($1::text::bytea), $2, now() + interval '1 day')`,
    [token, userId],
  )
  return token
}

/** Returns the headers of a browser's calls: the token and the session cookie. */
export async function openBoundSession(pool: pg.Pool, userId: UserId) {
  const token = await openSession(pool, userId)
  const client = { address: '', userAgent: '', binding: { cookies: '', origin: undefined } }
  const bound = bindSession(tokenHash(token), client, { longestHours: 1, isReachedByTls: false })
  await pool.query('update app_session set binding_hash = $1 where token_hash = $2', [bound?.hash, tokenHash(token)])
  return { token, headers: { cookie: bound?.cookies.join('; ').split(';')[0] ?? '' } }
}
