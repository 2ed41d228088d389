import { stderr, stdin } from 'node:process'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type pg from 'pg'
import type { DeviceId } from '#domain/ids.ts'
import { openPool } from '../db/connect/pool.ts'
import { openDatabase } from '../db/database.ts'
import { DATABASE } from '../db/embedded/cluster.ts'
import { SOCKET_PORT } from '../db/embedded/socketFolder.ts'
import { addLogin, removeLogin } from '../db/logins/databaseLogins.ts'
import { DEFAULT_RETENTION_DAYS } from '../db/partitions/partitions.ts'
import { erasePerson } from '../features/insight/auditLog/erasePerson.store.ts'
import { readKeptHead, verdictLabel } from '../features/insight/auditLog/verdictLabels.ts'
import { verifyAudit } from '../features/insight/auditLog/verifyAudit.store.ts'
import { resetFactorsFromCommandLine } from '../features/people/factors/resetFactors.ts'
import { setPasswordFromCommandLine } from '../features/people/signIn/setPassword.ts'
import { createAudit } from '../http/call/audit.store.ts'
import { confirmOldDays } from '../jobs/confirmOldDays.ts'
import { replaceLostSecretsKey, rotateSecretsKey } from '../secrets/secretKeyChanges.store.ts'
import { type Config, ConfigError, takeConfig } from '../settings/config.ts'
import { DISTRIBUTE_USAGE, distributeTables, readDistribute } from './distributeTables.ts'
import { exportReadings, type ReadingsExport } from './exportReadings.ts'
import { GRAFANA_LOGIN_USAGE, type GrafanaDeps, readGrafanaLogin } from './grafanaLogin.ts'
import { openServersDatabase } from './openDatabase.ts'
import { sayPreflight } from './preflight.ts'

const USAGE = [
  'Usage:',
  '  npm run admin -- set-password USERNAME      (the new password is asked for, or read from a pipe)',
  '  npm run admin -- reset-factors USERNAME     (takes the second factors of who has lost them away)',
  '  npm run admin -- export FIRST_DAY LAST_DAY FOLDER [--csv] [--device ID]',
  '                                              (readings of UTC days like 2026-05-07, a Parquet file for each component and day)',
  '  npm run admin -- preflight                  (what starting this version would do to the database; does none of it)',
  '  npm run admin -- drop-old-days              (says which days a clock that jumped would drop)',
  '  npm run admin -- drop-old-days --confirm    (the clock is right: the server drops them)',
  '  npm run admin -- verify-audit               (whether each sealed entry of the audit log is as it was)',
  '  npm run admin -- verify-audit --head N:HEX  (and whether it still ends in, or goes on from, a head that you kept)',
  '  npm run admin -- add-database-login NAME    (a second login of the application; prints its DATABASE_URL)',
  '  npm run admin -- remove-database-login NAME (the one before, once no server uses it)',
  ...GRAFANA_LOGIN_USAGE,
  ...DISTRIBUTE_USAGE,
  '  npm run admin -- rotate-secrets-key         (encrypts kept secrets by a new key; goes on where it broke off)',
  '  npm run admin -- replace-lost-secrets-key   (begins with another key; what the lost one encrypted is entered again)',
  '  npm run admin -- erase-person USERNAME      (takes name and addresses of a deleted user out of everything)',
].join('\n')

/** Reads the password from a pipe, or from the terminal without showing it. */
async function readPassword(username: string): Promise<string> {
  if (!stdin.isTTY) return (await text(stdin)).replace(/\r?\n$/, '')
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const ask = createInterface({ input: stdin, output: nowhere, terminal: true })
  stderr.write(`New password of ${username}: `)
  const password = await ask.question('')
  ask.close()
  stderr.write('\n')
  return password
}

interface Work {
  /** Only the owner of the tables may do this. */
  readonly asOwner?: boolean
  /** It reads or writes a whole table. */
  readonly mayTakeLong?: boolean
}

async function withServersDatabase(
  config: Config,
  work: (pool: pg.Pool) => Promise<void>,
  { asOwner = false, mayTakeLong = false }: Work = {},
): Promise<void> {
  const { url, ownerUrl, isOwner, close } = await openServersDatabase(config, { asOwner })
  const pool = openPool(asOwner ? ownerUrl : url, {
    maximumConnections: 1,
    name: 'admin',
    asApplication: isOwner && !asOwner,
    ...(mayTakeLong ? { statementTimeoutMs: 0 } : {}),
  })
  try {
    await work(pool)
  } finally {
    await pool.end()
    await close()
  }
}

async function setPassword(config: Config, username: string): Promise<void> {
  const password = await readPassword(username)
  await withServersDatabase(config, async (pool) => {
    const db = openDatabase(pool)
    await setPasswordFromCommandLine({ db, audit: createAudit(db) }, username, password)
    console.log(`The password of ${username} is set; all sessions of ${username} have ended.`)
  })
}

const resetFactors = (config: Config, username: string) =>
  withServersDatabase(config, async (pool) => {
    const db = openDatabase(pool)
    await resetFactorsFromCommandLine({ db, audit: createAudit(db) }, username)
    console.log(`${username} has no second factor any more; all sessions of ${username} have ended.`)
  })

const dropOldDays = (config: Config, isConfirmed: boolean) =>
  withServersDatabase(config, async (pool) => {
    console.log(await confirmOldDays({ pool, retentionDays: DEFAULT_RETENTION_DAYS, isConfirmed }))
  })

const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))

/** Undefined for arguments that it does not understand. */
function readExport([firstDay = '', lastDay = '', folder, ...options]: readonly string[]): ReadingsExport | undefined {
  if (!isDay(firstDay) || !isDay(lastDay) || folder === undefined) return undefined
  const [format, ...rest] =
    options[0] === '--csv' ? ['csv' as const, ...options.slice(1)] : ['parquet' as const, ...options]
  const [flag, id, ...others] = rest
  if (flag === undefined) return { firstDay, lastDay, folder, format }
  if (flag !== '--device' || !/^\d+$/.test(id ?? '') || others.length > 0) return undefined
  return { firstDay, lastDay, folder, format, deviceIds: [Number(id) as DeviceId] }
}

const exportTo = (config: Config, asked: ReadingsExport) =>
  withServersDatabase(
    config,
    async (pool) => {
      const files = await exportReadings(pool, asked)
      console.log(`${files} files of readings are in ${asked.folder}.`)
    },
    { mayTakeLong: true },
  )

const verifyLog = (config: Config, kept: string | undefined) =>
  withServersDatabase(
    config,
    async (pool) => {
      const verdict = await verifyAudit(pool, kept === undefined ? undefined : readKeptHead(kept))
      console.log(verdictLabel(verdict))
      if (verdict.findings.length > 0) process.exitCode = 1
    },
    { mayTakeLong: true },
  )

const erase = (config: Config, username: string) =>
  withServersDatabase(
    config,
    async (pool) => {
      const db = openDatabase(pool)
      const { entries } = await erasePerson(db, createAudit(db), username)
      console.log(`${username} is erased, in ${entries} entries of the audit log too. They can still be verified.`)
    },
    { asOwner: true, mayTakeLong: true },
  )

function addDatabaseLogin(config: Config, name: string): Promise<void> {
  // A restored copy of the server has the address of the one that it replaces.
  const address = new URL(ownDatabase(config))
  const add = async (owner: pg.Pool) => {
    address.password = await addLogin(owner, name)
    address.username = name
    console.log(address.href)
  }
  return withServersDatabase(config, add, { asOwner: true })
}

function removeDatabaseLogin(config: Config, name: string): Promise<void> {
  if (new URL(ownDatabase(config)).username === name) throw new Error(`${name} is what DATABASE_URL names.`)
  const remove = async (owner: pg.Pool) => {
    await removeLogin(owner, name)
    console.log(`${name} may not log in any more.`)
  }
  return withServersDatabase(config, remove, { asOwner: true })
}

function ownDatabase({ databaseUrl }: Config): string {
  if (databaseUrl !== undefined) return databaseUrl
  throw new Error('The embedded database has no other logins: it is reached by a socket in its own folder alone.')
}

/** The embedded database listens on no port until its operator lets it (docs/guide/run/grafana.md). */
function placeOfDatabase({ databaseUrl }: Config): Pick<GrafanaDeps, 'host' | 'database'> {
  if (databaseUrl === undefined) return { host: `localhost:${SOCKET_PORT}`, database: DATABASE }
  const { hostname, port, pathname } = new URL(databaseUrl)
  return { host: `${hostname}:${port || SOCKET_PORT}`, database: pathname.slice(1) }
}

const grafanaLogin = (config: Config, act: (deps: GrafanaDeps) => Promise<string>) =>
  withServersDatabase(
    config,
    async (owner) => {
      const db = openDatabase(owner)
      console.log(await act({ db, audit: createAudit(db), ...placeOfDatabase(config) }))
    },
    { asOwner: true },
  )

const changeSecretsKey = (config: Config, change: typeof rotateSecretsKey) =>
  withServersDatabase(config, async (owner) => console.log(await change(owner, config)), {
    asOwner: true,
    mayTakeLong: true,
  })

/** Exits with 1 when something prevents the update, for scripts. */
async function look(config: Config): Promise<void> {
  const isClear = await sayPreflight(config, (text) => console.log(text))
  if (!isClear) process.exitCode = 1
}

/** Exits with 1 when something is missing, for scripts. */
async function distributeAs(config: Config, asked: NonNullable<ReturnType<typeof readDistribute>>): Promise<void> {
  const isComplete = await distributeTables(config, asked, (text) => console.log(text))
  if (!isComplete) process.exitCode = 1
}

async function main([command, ...rest]: readonly string[]): Promise<void> {
  const [first, second] = rest
  const asked = command === 'export' ? readExport(rest) : undefined
  if (asked) return exportTo(takeConfig(), asked)
  if (command === 'verify-audit' && rest.length === 0) return verifyLog(takeConfig(), undefined)
  if (command === 'verify-audit' && first === '--head' && rest.length === 2) return verifyLog(takeConfig(), second)
  if (command === 'erase-person' && first !== undefined && rest.length === 1) return erase(takeConfig(), first)
  if (command === 'add-database-login' && first !== undefined && rest.length === 1)
    return addDatabaseLogin(takeConfig(), first)
  if (command === 'remove-database-login' && first !== undefined && rest.length === 1)
    return removeDatabaseLogin(takeConfig(), first)
  const distributing = readDistribute([command ?? '', ...rest])
  if (distributing) return distributeAs(takeConfig(), distributing)
  const act = command === 'grafana-login' ? readGrafanaLogin(rest) : undefined
  if (act) return grafanaLogin(takeConfig(), act)
  if (command === 'set-password' && first !== undefined && rest.length === 1) return setPassword(takeConfig(), first)
  if (command === 'reset-factors' && first !== undefined && rest.length === 1) return resetFactors(takeConfig(), first)
  if (command === 'rotate-secrets-key' && rest.length === 0) return changeSecretsKey(takeConfig(), rotateSecretsKey)
  if (command === 'replace-lost-secrets-key' && rest.length === 0)
    return changeSecretsKey(takeConfig(), replaceLostSecretsKey)
  if (command === 'preflight' && rest.length === 0) return look(takeConfig())
  const isConfirmed = first === '--confirm'
  if (command !== 'drop-old-days' || rest.length > (isConfirmed ? 1 : 0)) throw new Error(USAGE)
  return dropOldDays(takeConfig(), isConfirmed)
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  const isOurs = error instanceof ConfigError || error instanceof Error
  console.error(isOurs ? error.message : String(error))
  process.exitCode = 1
}
