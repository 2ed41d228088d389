import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type pg from 'pg'
import { DAY_MS } from '#domain/units/time.ts'
import { type RunningServer, startServer } from '../app/server.ts'
import { describeError, provideFolder } from '../app/startErrors.ts'
import { openPool } from '../db/connect/pool.ts'
import { type Db, openDatabase } from '../db/database.ts'
import { startEmbeddedPostgres } from '../db/embedded/embeddedPostgres.ts'
import { existingCluster } from '../db/embedded/placement.ts'
import { migrate } from '../db/upgrade/migrate.ts'
import { demoDevice, FIRST_UPDATED } from '../demo/demoDevices.ts'
import { demoReleaseKey, demoVersions, makeDemoReleases } from '../demo/demoReleases.ts'
import { createDemoRolloutStore } from '../demo/demoRollout.store.ts'
import { beginDemoRollout } from '../demo/demoRollout.ts'
import { DEMO_ADMIN, DEMO_INTERNAL_USERS, DEMO_MANAGER, DEMO_SUPPORT_URL, DEMO_USERS } from '../demo/demoUsers.ts'
import { createPastAlertStore } from '../demo/pastAlerts.store.ts'
import { makePastAlerts } from '../demo/pastAlerts.ts'
import { makePastMonths } from '../demo/pastHours.store.ts'
import { keepPastOutage } from '../demo/pastOutage.store.ts'
import { readPast } from '../demo/pastReadings.ts'
import { keepPastSamples } from '../demo/pastSamples.store.ts'
import { createSeedStore } from '../demo/seed.store.ts'
import { seedDemo } from '../demo/seedDemo.ts'
import { hasSimulator, startSimulator } from '../demo/simulatorProcess.ts'
import { ensureDefaultConditions } from '../features/alerting/thresholds/defaultConditions.ts'
import { ensureFirstAdmin, FIRST_ADMIN } from '../features/people/signIn/firstAdmin.ts'
import { OLD_KEY_FILE, RELEASE_KEY_FILE } from '../features/software/releases/releaseKeys.ts'
import { createAudit } from '../http/call/audit.store.ts'
import { outboxFolder } from '../mail/sending/createMailer.ts'
import { type Config, ConfigError, takeConfig, unknownSettings } from '../settings/config.ts'
import { ROLES } from '../settings/settingValues.ts'
import { createLog } from './log.ts'
import { reachGivenDatabase } from './openDatabase.ts'
import { makeClosedFolder } from './privateFolder.ts'

const CONSOLE_FOLDER = fileURLToPath(new URL('../../dist/console', import.meta.url))
const QUARTER_HOUR_MS = 900_000
/** A stop may take four seconds from the signal to the last free port; this is the server's part. */
const GIVE_UP_STOPPING_AFTER_MS = 3_500

/** Stops what was started, newest first; what is added while stopping is stopped at once. */
class Started {
  readonly #stops: (() => Promise<unknown>)[] = []
  readonly signal = new AbortController()

  add(stop: () => Promise<unknown>): void {
    this.#stops.push(stop)
  }

  async stop(): Promise<void> {
    this.signal.abort()
    for (const stop of this.#stops.splice(0).reverse()) {
      await stop().catch((error: unknown) => console.error(String(error)))
    }
  }
}

async function databaseUrls(config: Config, started: Started, say: (line: string) => void) {
  const dataFolder = resolve(config.dataFolder)
  const given = await reachGivenDatabase(config, { asOwner: true, say, signal: started.signal.signal })
  if (given) {
    const own = existingCluster(dataFolder)
    if (own) say(`DATABASE_URL is set, so the database in ${own} is not used.`)
    return given
  }
  say('Starting the database …')
  const embedded = await startEmbeddedPostgres({ dataFolder, log: say, signal: started.signal.signal })
  started.add(embedded.stop)
  return embedded
}

/** A demo needs users and devices to show anything; otherwise somebody must be able to sign in. */
const missingPart = (isDemo: boolean, config: Config) => async (db: Db) => {
  const user = await db.selectFrom('app_user').select('id').where('deleted_at', 'is', null).limit(1).executeTakeFirst()
  if (!user) return 'There is no user yet.'
  if (!isDemo || config.demoDevices === 0) return undefined
  const device = await db.selectFrom('device').select('id').where('deleted_at', 'is', null).limit(1).executeTakeFirst()
  return device ? undefined : 'The devices of the demo are not there yet.'
}

function refuseImpossibleDemo({ proxyProtocol, roles }: Config): void {
  if (!hasSimulator()) {
    throw new ConfigError(
      'The demo runs in a clone only (npm start): this server was installed without its pretend devices.',
    )
  }
  if (proxyProtocol.length > 0) {
    throw new ConfigError('WAYSIDE_PROXY_PROTOCOL is not for the demo: its devices connect without a balancer.')
  }
  if (roles.length < ROLES.length) throw new ConfigError('WAYSIDE_ROLES is not for the demo: it runs by itself.')
}

async function run(started: Started): Promise<void> {
  const flag = { type: 'boolean', default: false } as const
  const { values: options } = parseArgs({ options: { demo: flag, 'only-compile': flag } })
  // All modules are kept without their types now.
  if (options['only-compile']) return
  const config = takeConfig()
  if (options.demo) refuseImpossibleDemo(config)
  const say = (line: string) => console.log(line)
  for (const name of unknownSettings()) say(`There is no setting ${name}; npm run config lists them all.`)
  const dataFolder = resolve(config.dataFolder)
  await provideFolder('WAYSIDE_DATA', dataFolder)
  await makeClosedFolder(dataFolder, say)
  if (existsSync(resolve(dataFolder, OLD_KEY_FILE))) {
    say(
      `${resolve(dataFolder, OLD_KEY_FILE)} is a private release key where this server could read it: npm run release moves it away, or move it yourself.`,
    )
  }
  const urls = await databaseUrls(config, started, say)
  await migrate(urls.ownerUrl)
  if (started.signal.signal.aborted) return

  const { log, end: endLog } = createLog({ level: config.logLevel ?? (options.demo ? 'warn' : 'info') })
  started.add(async () => endLog())
  const demoFolder = resolve(dataFolder, 'demo')
  const releaseKeys = hasDemoRollout(options.demo, config) ? [await demoReleaseKey(demoFolder)] : []
  const server = await startServer({
    config: {
      ...config,
      releaseKeys: [...config.releaseKeys, ...releaseKeys],
      supportUrl: config.supportUrl ?? (options.demo ? DEMO_SUPPORT_URL : undefined),
      apiDocs: config.apiDocs ?? (options.demo ? 'public' : 'off'),
      deviceMessagesPerSecond: config.deviceMessagesPerSecond ?? (options.demo ? 0 : undefined),
    },
    databaseUrls: urls,
    consoleFolder: CONSOLE_FOLDER,
    log,
    missing: missingPart(options.demo, config),
    internalUsers: options.demo ? DEMO_INTERNAL_USERS : [],
    ...(options.demo && { offeredUsers: DEMO_USERS.map(({ username }) => username) }),
  })
  started.add(server.stop)
  const admin = await ensureFirstAdmin(server.db, {
    username: options.demo ? DEMO_ADMIN : FIRST_ADMIN,
    password: config.adminPassword,
  })
  await ensureDefaultConditions(server.db)
  if (options.demo) await startDemo({ config, dataFolder, server, ownerUrl: urls.ownerUrl, releaseKeys, started, say })
  if (config.roles.includes('api') && !existsSync(CONSOLE_FOLDER))
    say('The console is not built: only the API answers (npm run build makes it).')
  announce(server, admin, options.demo, config, say)
}

interface DemoServer {
  readonly config: Config
  readonly dataFolder: string
  readonly server: RunningServer
  readonly ownerUrl: string
  /** Keys that sign releases of the demo itself. */
  readonly releaseKeys: readonly string[]
  readonly started: Started
  readonly say: (line: string) => void
}

async function startDemo(demo: DemoServer) {
  const { config, dataFolder, server, releaseKeys, started, say } = demo
  const fleetFile = resolve(dataFolder, 'demo', 'fleet.json')
  await seedDemo({
    db: server.db,
    store: createSeedStore(server.db),
    deviceCount: config.demoDevices,
    historyDays: config.demoPastDays,
    historyReportsPerSecond: config.demoPastPerSecond,
    fleetFile,
    trust: {
      releaseKeys: [...config.releaseKeys, ...releaseKeys],
      releaseKeyFile: resolve(dataFolder, RELEASE_KEY_FILE),
    },
    addresses: server.localAddresses,
  })
  if (config.demoDevices === 0) return
  started.add(startSimulator(fleetFile, resolve(dataFolder, 'demo', 'simulator'), say).stop)
  const { signal } = started.signal
  const { demoPastDays, demoAlertDays } = config
  if (demoPastDays > 0) {
    // The trends of a new demo begin with the day before it.
    const keeping = asOwner(demo, 'samples', (owner) => keepPastSamples(owner, signal))
    goOnBeside(demo, keeping, 'the day before could not be counted')
  }
  if (demoPastDays > 0 && demoAlertDays > 0) {
    // It runs until the devices of the outage have reported their past.
    const outage = { fleetFile, pastDays: demoPastDays, readRules: server.readAlertRules }
    const keeping = asOwner(demo, 'outage', (owner) => keepPastOutage(owner, outage, signal))
    goOnBeside(demo, keeping, 'the outage before could not be told')
  }
  if (demoAlertDays > demoPastDays)
    goOnBeside(demo, addPastAlerts(demo, fleetFile), 'the alerts of the past could not be made')
  if (hasDemoRollout(true, config)) goOnBeside(demo, beginRollout(demo), 'no update could be begun')
}

/** Nobody waits for this work but a stop. */
function goOnBeside({ started, say }: DemoServer, work: Promise<unknown>, failed: string): void {
  work.catch((error: unknown) => started.signal.signal.aborted || say(`Demo: ${failed}: ${String(error)}`))
  started.add(() => work.catch(() => undefined))
}

async function asOwner<Result>(
  { ownerUrl }: DemoServer,
  name: string,
  work: (owner: pg.Pool) => Promise<Result>,
): Promise<Result> {
  const owner = openPool(ownerUrl, { maximumConnections: 1, name: `demo ${name}` })
  return work(owner).finally(() => owner.end())
}

/** A fleet that begins today has no past. */
const hasDemoRollout = (isDemo: boolean, { demoPastDays, demoDevices }: Config) =>
  isDemo && demoPastDays > 0 && demoDevices > Math.max(...FIRST_UPDATED)

/** The rollout begins as soon as its devices are connected. */
async function beginRollout({ dataFolder, server: { db }, started }: DemoServer) {
  const { signal } = started.signal
  const folders = { demo: resolve(dataFolder, 'demo'), releases: resolve(dataFolder, 'releases') }
  const versions = await demoVersions()
  return beginDemoRollout({
    store: createDemoRolloutStore(db),
    db,
    audit: createAudit(db),
    versions,
    makeReleases: () => makeDemoReleases(versions, folders, signal),
    firstGroup: FIRST_UPDATED.map((index) => demoDevice(index).guid),
    by: DEMO_ADMIN,
    signal,
  })
}

async function addPastAlerts(demo: DemoServer, fleetFile: string): Promise<void> {
  const { config, server, started, say } = demo
  // Faults of the demo begin on the quarter of an hour.
  const nowMs = Math.floor(Date.now() / QUARTER_HOUR_MS) * QUARTER_HOUR_MS
  const from = new Date(nowMs - config.demoAlertDays * DAY_MS)
  const to = new Date(nowMs - config.demoPastDays * DAY_MS)
  const { signal } = started.signal
  const added = await asOwner(demo, 'past', async (owner) => {
    await makePastMonths(owner, from, to)
    const store = createPastAlertStore(openDatabase(owner), DEMO_MANAGER)
    return makePastAlerts({ store, readPast, readRules: server.readAlertRules, ...{ fleetFile, from, to, signal } })
  })
  if (added > 0) say(`Demo: ${added} alerts of the past.`)
}

function announce(
  { addresses }: RunningServer,
  admin: Awaited<ReturnType<typeof ensureFirstAdmin>>,
  isDemo: boolean,
  { roles, smtpUrl, dataFolder }: Config,
  say: (line: string) => void,
) {
  const password =
    admin.generatedPassword ??
    (admin.isNew ? 'as given by WAYSIDE_ADMIN_PASSWORD' : 'as set before (npm run admin -- set-password changes it)')
  say('')
  say('Wayside is ready.')
  if (roles.length < ROLES.length) say(`  Roles     ${roles.join(', ')}`)
  if (roles.includes('api')) say(`  Console   ${addresses.httpUrl}`)
  if (roles.includes('gateway')) say(`  MQTT      ${addresses.mqttUrl}`)
  if (roles.includes('jobs') && smtpUrl === undefined)
    say(`  Mails     ${outboxFolder(dataFolder)}   (no mail server is set: WAYSIDE_SMTP_URL)`)
  // The process that made a password shows it.
  if (!roles.includes('api') && !admin.isNew) return say('')
  say(`  Sign in   ${admin.username}`)
  say(`  Password  ${password}${admin.generatedPassword === undefined ? '' : '   (shown this once)'}`)
  if (isDemo) say('  Others    manager@, analyst@, customer@, lab@, internal@, nobody@demo.example, the same password')
  say('')
}

const started = new Started()
let isStopping = false

async function end(code: number) {
  if (isStopping) return
  isStopping = true
  // Our starter ends what is stuck beyond this (tools/children.mjs, the unit of systemd).
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), GIVE_UP_STOPPING_AFTER_MS).unref()
  await started.stop()
  // `process.exit` was seen to wait for threads without end.
  process.exitCode = code
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end(0))

try {
  await run(started)
} catch (error) {
  if (!isStopping) {
    console.error(describeError(error))
    await end(1)
  }
}
