import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Binaries } from './binaries.ts'
import type { Account } from './databaseAccount.ts'

export const OWNER_ROLE = 'wayside_owner'
/** This role makes a cluster and can do everything in it. Nobody signs in as it afterwards. */
export const SUPERUSER_ROLE = 'wayside_superuser'
export const DATABASE = 'wayside'

/** The owner owns the tables and may also make roles of the application, and backups. */
export const OWNER_RIGHTS = 'login createrole replication'

/** Nothing of the caller's environment reaches PostgreSQL: PGDATA, PGPORT or LANG would change what it does. */
export const POSTGRES_ENVIRONMENT = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

export type Cluster = Readonly<{ folder: string; binaries: Binaries; account: Account }>

/** Makes the cluster under its final name in one step, so that a killed initdb leaves nothing behind that counts. */
export async function makeCluster(
  { folder, binaries, account }: Cluster,
  ownerPassword: string,
  { isDurable, ownerIsSuperuser }: { readonly isDurable: boolean; readonly ownerIsSuperuser: boolean },
) {
  removeUnfinished(folder)
  const unfinished = `${folder}.new-${process.pid}-${Date.now()}`
  const passwordFile = `${unfinished}.password`
  mkdirSync(unfinished, { mode: 0o700 })
  // The superuser's password is random, and nobody knows it.
  writeFileSync(passwordFile, randomBytes(24).toString('hex'), { mode: 0o600 })
  if (account.ids !== undefined) {
    chownSync(unfinished, account.ids.uid, account.ids.gid)
    chownSync(passwordFile, account.ids.uid, account.ids.gid)
  }
  try {
    await run(binaries.initdb, initdbArguments(unfinished, passwordFile, isDurable), account)
    const settings = isDurable ? [] : ['-c', 'fsync=off']
    await runStatements({ folder: unfinished, binaries, account }, settings, [
      `create role ${OWNER_ROLE} ${ownerIsSuperuser ? 'login superuser' : OWNER_RIGHTS} password '${ownerPassword}'`,
      `alter role ${SUPERUSER_ROLE} nologin password null`,
      `create database ${DATABASE} owner ${OWNER_ROLE}`,
    ])
    appendFileSync(join(unfinished, 'postgresql.conf'), `\ninclude_if_exists '${SETTINGS_FILE}'\n`)
    renameSync(unfinished, folder)
  } finally {
    rmSync(passwordFile, { force: true })
  }
}

function initdbArguments(folder: string, passwordFile: string, isDurable: boolean): string[] {
  return [
    `--pgdata=${folder}`,
    `--username=${SUPERUSER_ROLE}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // The builtin provider sorts alike on every system; C.UTF-8 of the C library exists only on some.
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--data-checksums',
    ...(isDurable ? [] : ['--no-sync']),
  ]
}

function removeUnfinished(folder: string): void {
  const parent = join(folder, '..')
  for (const name of readdirSync(parent)) {
    if (!join(parent, name).startsWith(`${folder}.new-`)) continue
    // An initdb that outlived its starter may still write there; then the next start removes it.
    try {
      rmSync(join(parent, name), { recursive: true, force: true, maxRetries: 3 })
    } catch {}
  }
}

const SETTINGS_FILE = 'wayside.conf'

/** Writes the product's settings of PostgreSQL; `postgresql.conf` stays free for the operator's own lines below it. */
export async function writeSettings(cluster: Cluster, settings: Readonly<Record<string, string>>) {
  const lines = Object.entries({ ...(await productSettings(cluster)), ...settings }).map(
    ([name, value]) => `${name} = '${value.replaceAll("'", "''")}'\n`,
  )
  const file = join(cluster.folder, SETTINGS_FILE)
  writeFileSync(
    file,
    `# Written by Wayside at each start; your own settings go to the end of postgresql.conf.\n${lines.join('')}`,
  )
  // The user who runs PostgreSQL must be able to read it, whatever this process's umask is.
  chmodSync(file, 0o644)
}

async function productSettings(cluster: Cluster): Promise<Record<string, string>> {
  return {
    listen_addresses: '',
    unix_socket_permissions: '0700',
    max_connections: '100',
    // One query over a year of daily partitions locks each of them and its indexes.
    max_locks_per_transaction: '1024',
    shared_buffers: '256MB',
    fsync: 'on',
    synchronous_commit: 'on',
    max_wal_size: '4GB',
    // The first change of a page after each checkpoint is written whole; a fleet that reports touches the same ones again.
    checkpoint_timeout: '30min',
    // A log that backups could not take is dropped at this size, before it fills the disk.
    max_slot_wal_keep_size: '10GB',
    wal_compression: (await knowsSetting(cluster, 'wal_compression=lz4')) ? 'lz4' : 'pglz',
    jit: 'off',
    autovacuum: 'on',
    timezone: 'UTC',
    log_timezone: 'UTC',
    logging_collector: 'on',
    log_directory: 'log',
    // Seven files take the log, one for each day of the week, each emptied when its day comes again.
    log_filename: 'postgresql-%a.log',
    log_rotation_age: '1d',
    log_rotation_size: '0',
    log_truncate_on_rotation: 'on',
    log_min_duration_statement: '5s',
    // Parameters of statements hold readings, names and hashes, which no log needs.
    log_parameter_max_length: '0',
    log_parameter_max_length_on_error: '0',
  }
}

async function knowsSetting({ folder, binaries, account }: Cluster, setting: string): Promise<boolean> {
  const name = setting.slice(0, setting.indexOf('='))
  return run(binaries.postgres, ['-D', folder, '-c', setting, '-C', name], account).then(
    () => true,
    () => false,
  )
}

/** Sets the owner's password without knowing the old one; no PostgreSQL may run on the cluster. */
export const resetOwnerPassword = (cluster: Cluster, password: string) =>
  runStatements(cluster, [], [`alter role ${OWNER_ROLE} password '${password}'`])

/** Runs statements as the superuser, while no PostgreSQL runs on the cluster. */
async function runStatements(
  { folder, binaries, account }: Cluster,
  settings: readonly string[],
  statements: readonly string[],
): Promise<void> {
  const lines = statements.map((statement) => `${statement}\n`).join('')
  const said = await run(binaries.postgres, ['--single', '-D', folder, ...settings, 'postgres'], account, lines)
  // Single-user mode goes on after a statement that fails, and exits as if all had worked.
  const [fault] = /ERROR: .*/.exec(said) ?? []
  if (fault !== undefined) throw new Error(`The roles of the database could not be made: ${fault}`)
}

/** @returns its error output */
async function run(program: string, programArguments: string[], account: Account, input = ''): Promise<string> {
  const child = spawn(program, programArguments, {
    cwd: '/',
    env: POSTGRES_ENVIRONMENT,
    stdio: ['pipe', 'ignore', 'pipe'],
    ...account.ids,
  })
  const ended = new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve))
  // A program that does not read its input closes the pipe; its exit code says what went wrong.
  child.stdin.on('error', () => {}).end(input)
  const [status, complaint] = await Promise.all([ended, text(child.stderr)])
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${complaint.trim().slice(-2000)}`)
  return complaint
}

export const clusterExists = (folder: string) => existsSync(join(folder, 'PG_VERSION'))
