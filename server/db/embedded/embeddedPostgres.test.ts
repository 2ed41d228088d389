import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { afterEach, expect, test } from 'vitest'
import { runFolder } from '#server/testing/database/freshDatabase.ts'
import { findPackage, provideBinaries } from './binaries.ts'
import { keepPasswords } from './clusterPasswords.ts'
import { canUse, unprivilegedAccount } from './databaseAccount.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embeddedPostgres.ts'
import { choosePlacement, clusterFolder } from './placement.ts'
import { endOrphan } from './postmaster.ts'
import { isAlive } from './processes.ts'

const isRoot = process.getuid?.() === 0
const STARTER = fileURLToPath(new URL('../../testing/database/embeddedStarter.ts', import.meta.url))
/** No other user can run a program in a folder that only root can enter. */
const canSwitchUser = isRoot && canUse(unprivilegedAccount(), STARTER, 'read')

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

let made: string | undefined
/** Returns a data folder with a stopped cluster, made once because that takes longer than most tests about it. */
async function stoppedCluster(): Promise<string> {
  if (made === undefined) {
    const folder = runFolder('stopped')
    const dataFolder = join(folder, 'data')
    const { stop } = await startEmbeddedPostgres({ dataFolder, settings: { fsync: 'off' } })
    await stop()
    made = dataFolder
  }
  return made
}

async function setUpAgain() {
  const made = await stoppedCluster()
  const given = setUp()
  // The copy keeps its owner: PostgreSQL starts on no folder of another user.
  spawnSync('cp', ['-a', made, given.dataFolder])
  return given
}

function setUp() {
  const folder = runFolder('embedded')
  const dataFolder = join(folder, 'data')
  const systemFolder = join(folder, 'system')
  const cluster = join(dataFolder, 'postgres-18')
  cleanUps.push(async () => {
    await endOrphan(cluster)
    rmSync(folder, { recursive: true, force: true })
  })
  const sentences: string[] = []
  const start = async (settings: Record<string, string> = {}) => {
    const started = await startEmbeddedPostgres({
      dataFolder,
      systemFolder,
      settings: { fsync: 'off', ...settings },
      log: (sentence) => sentences.push(sentence),
    })
    cleanUps.push(started.stop)
    return started
  }
  return { folder, dataFolder, systemFolder, cluster, sentences, start }
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

type Told = { ownerUrl?: string; sentence?: string; problem?: string }

async function startElsewhere(programArguments: string[], enough: (told: Told) => boolean, uid?: number) {
  const child = spawn(process.execPath, [STARTER, ...programArguments], {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: '/',
    ...(uid === undefined ? {} : { uid, gid: uid }),
  })
  cleanUps.push(() => kill(child, 'SIGTERM'))
  for await (const line of createInterface({ input: child.stdout })) {
    const told = JSON.parse(line) as Told
    if (enough(told)) return { child, told }
  }
  throw new Error('The starter ended before it said what was waited for.')
}

async function kill(child: ChildProcess, signal: NodeJS.Signals) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.on('exit', resolve))
  child.kill(signal)
  await ended
}

const hasUrl = ({ ownerUrl }: Told) => ownerUrl !== undefined
const postmasterPid = (cluster: string) => Number.parseInt(readFileSync(join(cluster, 'postmaster.pid'), 'utf8'), 10)

test('a first start makes a cluster that is durable, checked and closed to the network', async () => {
  const { start } = setUp()
  const { ownerUrl } = await start({ fsync: 'on' })
  const wanted = {
    data_checksums: 'on',
    fsync: 'on',
    synchronous_commit: 'on',
    password_encryption: 'scram-sha-256',
    listen_addresses: '',
    jit: 'off',
    server_encoding: 'UTF8',
    TimeZone: 'UTC',
    max_locks_per_transaction: '1024',
  }
  const names = Object.keys(wanted).map((name) => `'${name}'`)
  const rows = await query(ownerUrl, `select name, setting from pg_settings where name in (${names})`)
  expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual(wanted)
})

test('nobody signs in without the password, not even over the socket', async () => {
  const { start } = await setUpAgain()
  const { ownerUrl } = await start()
  const wrong = new URL(ownerUrl)
  wrong.password = 'wrong'
  await expect(query(wrong.href, 'select 1')).rejects.toMatchObject({ code: '28P01' })
})

test('the passwords are readable for nobody else', async () => {
  const { start, dataFolder } = await setUpAgain()
  await start()
  expect(statSync(join(dataFolder, 'postgres.passwords.json')).mode & 0o777).toBe(0o600)
})

const hadToRecover = (cluster: string) =>
  readdirSync(join(cluster, 'log')).some((name) =>
    readFileSync(join(cluster, 'log', name), 'utf8').includes('was not properly shut down'),
  )

test('data survive a stop, and the second start has nothing to recover', async () => {
  const { start, cluster } = await setUpAgain()
  const first = await start()
  await query(first.ownerUrl, 'create table kept as select 42 as answer')
  await first.stop()
  const second = await start()
  expect(hadToRecover(cluster)).toBe(false)
  expect(await query(second.ownerUrl, 'select answer from kept')).toEqual([{ answer: 42 }])
})

test('stopping ends everything at once, open transactions too, and may be asked twice', async () => {
  const { start, cluster } = await setUpAgain()
  const { ownerUrl, stop } = await start()
  const client = new Client({ connectionString: ownerUrl })
  client.on('error', () => {})
  await client.connect()
  await client.query('begin; create table open ()')
  const pid = postmasterPid(cluster)
  await Promise.all([stop(), stop()])
  expect(isAlive(pid)).toBe(false)
})

test('a killed start leaves a database that the next start replaces, with its data', async () => {
  const { start, dataFolder, systemFolder, cluster, sentences } = await setUpAgain()
  const { child, told } = await startElsewhere([dataFolder, systemFolder], hasUrl)
  await query(told.ownerUrl ?? '', 'create table kept as select 42 as answer')
  const orphan = postmasterPid(cluster)
  await kill(child, 'SIGKILL')
  expect(isAlive(orphan)).toBe(true)
  const next = await start()
  expect(await query(next.ownerUrl, 'select answer from kept')).toEqual([{ answer: 42 }])
  expect(isAlive(orphan)).toBe(false)
  expect(sentences).toEqual(['Ended the database of an earlier start that was killed.'])
})

test('a start killed while it makes the cluster is done again', async () => {
  const { start, dataFolder, systemFolder, cluster } = setUp()
  const { child } = await startElsewhere([dataFolder, systemFolder], ({ sentence }) => sentence !== undefined)
  await kill(child, 'SIGKILL')
  expect(existsSync(cluster)).toBe(false)
  const { ownerUrl } = await start()
  expect(await query(ownerUrl, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('a pid file whose number belongs to another program by now blocks nothing', async () => {
  const { start, cluster } = await setUpAgain()
  const first = await start()
  const lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')
  await first.stop()
  writeFileSync(join(cluster, 'postmaster.pid'), [process.pid, ...lines.slice(1)].join('\n'))
  const { ownerUrl } = await start()
  expect(await query(ownerUrl, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('a database in use is not taken for an orphan', async () => {
  const { start, dataFolder, systemFolder, cluster } = await setUpAgain()
  const { child } = await startElsewhere([dataFolder, systemFolder], hasUrl)
  await expect(start()).rejects.toThrow(
    `The data folder ${dataFolder} is in use by another Wayside (process ${child.pid}).`,
  )
  expect(isAlive(postmasterPid(cluster))).toBe(true)
})

test('a database of another major version stops the start with one sentence', async () => {
  const { start, dataFolder } = setUp()
  mkdirSync(join(dataFolder, 'postgres-17'), { recursive: true })
  writeFileSync(join(dataFolder, 'postgres-17', 'PG_VERSION'), '17\n')
  if (isRoot) spawnSync('chown', ['-R', 'nobody', join(dataFolder, 'postgres-17')])
  await expect(start()).rejects.toThrow(/holds a database of PostgreSQL 17, but this Wayside runs PostgreSQL 18/)
})

test('lost passwords are replaced by new ones that work', async () => {
  const { start, dataFolder } = await setUpAgain()
  const first = await start()
  await first.stop()
  rmSync(join(dataFolder, 'postgres.passwords.json'))
  const { ownerUrl, applicationUrl } = await start()
  expect(ownerUrl).not.toBe(first.ownerUrl)
  expect(await query(ownerUrl, 'select 1 as one')).toEqual([{ one: 1 }])
  expect(await query(applicationUrl, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('a database that dies is back at the same address', async () => {
  const { start, cluster } = await setUpAgain()
  const { ownerUrl } = await start()
  process.kill(postmasterPid(cluster), 'SIGKILL')
  await expect.poll(() => query(ownerUrl, 'select 1 as one').catch(() => 'away')).toBe('away')
  await expect
    .poll(() => query(ownerUrl, 'select 1 as one').catch(() => 'away'), { timeout: 15_000, interval: 100 })
    .toEqual([{ one: 1 }])
})

const isLinux = process.platform === 'linux'

test.runIf(isLinux)(
  'backends of a killed database that notice nothing are ended before it is started again',
  async () => {
    const { start, cluster } = await setUpAgain()
    const { ownerUrl } = await start()
    const busy = new Client({ connectionString: ownerUrl })
    busy.on('error', () => {})
    await busy.connect()
    const backend = (await busy.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid ?? 0
    // The statement works for a minute without checking for interrupts.
    busy
      .query('do $$ declare n bigint := 0; begin loop n := n + 1; exit when n > 4000000000; end loop; end $$')
      .catch(() => {})
    // A process that merely stands in the folder must be spared.
    const bystander = spawn('sleep', ['60'], { cwd: cluster, stdio: 'ignore' })
    cleanUps.push(() => bystander.kill('SIGKILL'))
    await expect
      .poll(() => query(ownerUrl, `select state from pg_stat_activity where pid = ${backend}`))
      .toEqual([{ state: 'active' }])
    process.kill(postmasterPid(cluster), 'SIGKILL')
    await expect.poll(() => isAlive(backend), { timeout: 5_000 }).toBe(false)
    await expect
      .poll(() => query(ownerUrl, 'select 1 as one').catch(() => 'away'), { timeout: 15_000, interval: 100 })
      .toEqual([{ one: 1 }])
    expect(isAlive(bystander.pid ?? 0)).toBe(true)
  },
)

test('a start that is given up leaves no process', async () => {
  const { dataFolder, systemFolder, cluster } = setUp()
  const givenUp = AbortSignal.abort()
  await expect(startEmbeddedPostgres({ dataFolder, systemFolder, signal: givenUp })).rejects.toThrow()
  expect(existsSync(join(cluster, 'postmaster.pid'))).toBe(false)
})

test.runIf(isRoot)('as root the database runs as an unprivileged user in a process group of its own', async () => {
  const { start, cluster } = await setUpAgain()
  await start()
  const pid = postmasterPid(cluster)
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  expect(status).toMatch(new RegExp(`^Uid:\\s+${unprivilegedAccount().ids?.uid}\\s`, 'm'))
  expect(spawnSync('ps', ['-o', 'pgid=', '-p', `${pid}`], { encoding: 'utf8' }).stdout.trim()).toBe(`${pid}`)
})

test.runIf(isRoot)(
  'as root below a folder that only root can enter, the database lives elsewhere and says so',
  async () => {
    const { start, folder, dataFolder, systemFolder, sentences } = setUp()
    chmodSync(folder, 0o711)
    mkdirSync(dataFolder, { mode: 0o700 })
    const first = await start()
    const [said] = sentences
    expect(said).toContain(`The database is kept in ${systemFolder}/`)
    expect(said).toContain(`who cannot reach ${dataFolder}.`)
    expect(existsSync(join(dataFolder, 'postgres-18'))).toBe(false)
    await query(first.ownerUrl, 'create table kept as select 42 as answer')
    await first.stop()
    // The database stays even when the folder becomes readable: a start must never begin with an empty database.
    chmodSync(dataFolder, 0o755)
    const second = await start()
    expect(await query(second.ownerUrl, 'select answer from kept')).toEqual([{ answer: 42 }])
  },
)

test.runIf(canSwitchUser)('an ordinary user starts it as himself, and root later leaves it his', async () => {
  const { start, dataFolder, systemFolder, cluster } = setUp()
  const uid = unprivilegedAccount().ids?.uid ?? 0
  mkdirSync(dataFolder)
  spawnSync('chown', ['nobody', dataFolder])
  const { child, told } = await startElsewhere([dataFolder, systemFolder], hasUrl, uid)
  await query(told.ownerUrl ?? '', 'create table kept as select 42 as answer')
  await kill(child, 'SIGTERM')
  const { ownerUrl } = await start()
  expect(await query(ownerUrl, 'select answer from kept')).toEqual([{ answer: 42 }])
  expect(statSync(cluster).uid).toBe(uid)
})

test.runIf(canSwitchUser)('an ordinary user is told that the database belongs to another user', async () => {
  const { start, dataFolder, systemFolder } = await setUpAgain()
  const first: EmbeddedPostgres = await start()
  await first.stop()
  const { told } = await startElsewhere([dataFolder, systemFolder], ({ problem }) => problem !== undefined, 12_345)
  expect(told.problem).toContain('belongs to nobody: start Wayside as root as before, or set WAYSIDE_DATA')
})

test.runIf(canSwitchUser)('a user without an entry in the list of users is told what is missing', async () => {
  const { dataFolder, systemFolder } = setUp()
  mkdirSync(dataFolder)
  chmodSync(dataFolder, 0o777)
  const { told } = await startElsewhere([dataFolder, systemFolder], ({ problem }) => problem !== undefined, 12_345)
  expect(told.problem).toContain('User 12345 has no entry in /etc/passwd')
})

/** Lists the rights that anybody would need to take over the machine's database. */
const RIGHTS = `select rolname as name, rolsuper as super, rolcanlogin as login, rolcreatedb as createdb from pg_roles
  where rolname like 'wayside%' order by rolname`
const AS_MADE_NOW = [
  { name: 'wayside_app', super: false, login: true, createdb: false },
  { name: 'wayside_owner', super: false, login: true, createdb: false },
  { name: 'wayside_superuser', super: true, login: false, createdb: true },
]

test('nobody signs in as a superuser, and the owner may make roles, own tables and copy the database', async () => {
  const { start } = await setUpAgain()
  const { ownerUrl } = await start()
  expect(await query(ownerUrl, RIGHTS)).toEqual(AS_MADE_NOW)
  await query(
    ownerUrl,
    'create table kept (); grant select on kept to wayside_app; create role somebody in role wayside_app',
  )
  expect(await query(ownerUrl, 'select rolreplication as is from pg_roles where rolname = current_user')).toEqual([
    { is: true },
  ])
  await expect(query(ownerUrl, `copy kept to program 'id'`)).rejects.toMatchObject({ code: '42501' })
})

test('a cluster whose owner made it, as earlier versions did, is changed at the next start with all it holds', async () => {
  const { start, dataFolder, systemFolder, sentences } = setUp()
  mkdirSync(dataFolder, { recursive: true })
  const { folder, account } = choosePlacement(dataFolder, systemFolder)
  const found = findPackage()
  const cluster = clusterFolder(folder, found.major)
  mkdirSync(cluster, { mode: 0o700 })
  const passwordFile = join(folder, 'old.password')
  writeFileSync(passwordFile, keepPasswords(folder).owner)
  const { uid = process.getuid?.() ?? 0, gid = process.getgid?.() ?? 0 } = account.ids ?? {}
  for (const path of [cluster, passwordFile]) chownSync(path, uid, gid)
  const { initdb } = provideBinaries(found, account, folder)
  const options = ['--username=wayside_owner', '--auth=scram-sha-256', '--encoding=UTF8', '--locale=C', '--no-sync']
  const made = spawnSync(initdb, [`--pgdata=${cluster}`, `--pwfile=${passwordFile}`, ...options], {
    cwd: '/',
    ...account.ids,
  })
  expect(made.status).toBe(0)
  const settings = { fsync: 'off' }
  appendFileSync(join(cluster, 'postgresql.conf'), "\ninclude_if_exists 'wayside.conf'\n")
  const before = await startEmbeddedPostgres({ dataFolder, systemFolder, settings, ownerIsSuperuser: true })
  await query(
    before.ownerUrl,
    `create table reading (id integer generated always as identity, at date) partition by range (at);
     create table reading_1 partition of reading for values from ('2026-01-01') to ('2027-01-01');
     create sequence numbers; create type mood as enum ('lit'); create view seen as select * from reading;
     create function answer() returns int language sql as 'select 42';
     grant select, insert on reading to wayside_app; create role second_login in role wayside_app;
     insert into reading (at) values ('2026-05-05')`,
  )
  await before.stop()
  const after = await start()
  expect(await query(after.ownerUrl, RIGHTS)).toEqual(AS_MADE_NOW)
  expect(sentences).toContain('The owner of the database is no superuser any more.')
  expect(await query(after.applicationUrl, 'insert into reading (at) values (current_date) returning id')).toEqual([
    { id: 2 },
  ])
  await query(
    after.ownerUrl,
    `alter table reading_1 alter column at set default current_date; alter table reading add column further text; alter sequence numbers restart;
     alter type mood add value 'dark'; create or replace view seen as select id, at from reading; drop function answer();
     drop role second_login; drop table reading cascade; create schema own; set role wayside_app`,
  ).catch((error: unknown) => expect(String(error)).toBe(''))
  await after.stop()
  await start()
  expect(sentences.filter((sentence) => sentence.startsWith('The owner'))).toHaveLength(1)
}, 90_000)
