import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterEach, expect, test } from 'vitest'
import { passTime } from '#testing/passTime.ts'
import { openPool } from '../db/connect/pool.ts'
import { openDatabase } from '../db/database.ts'
import { startEmbeddedPostgres } from '../db/embedded/embeddedPostgres.ts'
import { ensureApplicationRole } from '../db/upgrade/applicationRole.ts'
import { ensureFirstAdmin } from '../features/people/signIn/firstAdmin.ts'
import { ensureRole } from '../features/people/signIn/signInUsers.store.ts'
import { emptyDatabase, freshDatabase, runFolder } from '../testing/database/freshDatabase.ts'

const ROUNDS = 20
const AT_ONCE = 3
const START = fileURLToPath(new URL('./start.ts', import.meta.url))

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

const several = <Value>(make: (index: number) => Value) => Array.from({ length: AT_ONCE }, (_, index) => make(index))

test('of servers that make the first administrator at once one is told the password, and all go on', async () => {
  const database = await freshDatabase()
  ends.push(database.drop)
  const pools = several(() => openPool(database.applicationUrl, { maximumConnections: 2, name: 'test' }))
  const owner = openPool(database.ownerUrl, { maximumConnections: 1, name: 'test owner' })
  ends.push(() => Promise.all([owner, ...pools].map((pool) => pool.end())))
  const databases = pools.map(openDatabase)
  const empty = () => owner.query('delete from app_user; delete from app_role_function; delete from app_role')
  for (let round = 0; round < ROUNDS; round++) {
    await empty()
    const roleIds = await Promise.all(databases.map((db) => ensureRole(db, 'Administrator', [1, 7])))
    expect(new Set(roleIds).size).toBe(1)
  }
  // There are fewer rounds of the whole, because making a password is slow.
  for (let round = 0; round < 3; round++) {
    await empty()
    const username = `admin${round}@x.example`
    const made = await Promise.all(databases.map((db) => ensureFirstAdmin(db, { username })))
    expect(made.filter(({ generatedPassword }) => generatedPassword !== undefined)).toHaveLength(1)
    const { rows } = await owner.query(
      `select username, array(select function_id::int from app_role_function f where f.role_id = u.role_id order by 1) as functions
       from app_user u`,
    )
    expect(rows).toEqual([{ username, functions: [1, 7] }])
    expect((await owner.query('select from app_role')).rowCount).toBe(1)
  }
})

test('the role of the application, one for all databases of a cluster, is made by several starters at once', async () => {
  const folder = runFolder('roles')
  const postgres = await startEmbeddedPostgres({
    ownerIsSuperuser: true,
    dataFolder: `${folder}/data`,
    systemFolder: `${folder}/system`,
    settings: { fsync: 'off' },
  })
  ends.push(postgres.stop)
  const connect = async (name: string, user?: string) => {
    const url = new URL(postgres.ownerUrl)
    url.pathname = `/${name}`
    if (user !== undefined) [url.username, url.password] = [user, 'x']
    const client = new pg.Client({ connectionString: url.href })
    await client.connect()
    ends.push(() => client.end())
    return client
  }
  const admin = await connect('wayside')
  await admin.query('drop owned by wayside_app; drop role wayside_app')
  // A foreign cluster may have such an owner: it may make roles, and is a member of none.
  await admin.query(`create role builder login createrole password 'x'`)
  const starters: pg.Client[] = []
  for (const name of several((index) => `other_${index}`)) {
    await admin.query(`create database ${name} owner builder`)
    starters.push(await connect(name, 'builder'), await connect(name, 'builder'))
  }
  for (let round = 0; round < ROUNDS; round++) {
    await Promise.all(starters.map((starter) => ensureApplicationRole(starter)))
    // A new connection is used, as the application does: a backend may remember former memberships.
    await (await connect('other_0', 'builder')).query('set role wayside_app; reset role')
    await admin.query('drop role wayside_app')
  }
})

test('three servers that start together on an empty database all live', async () => {
  const database = await emptyDatabase()
  ends.push(database.drop)
  const servers = several(() => startServer(database.ownerUrl))
  const addresses = await Promise.all(servers.map(({ address }) => address))
  for (const address of addresses) {
    expect(await (await fetch(`${address}/healthz`)).json()).toEqual({ healthy: true, troubles: [] })
  }
})

function startServer(databaseUrl: string): { readonly address: Promise<string> } {
  const child: ChildProcess = spawn(process.execPath, [START], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      DATABASE_URL: databaseUrl,
      WAYSIDE_DATA: runFolder('boot'),
      WAYSIDE_SECRETS_KEY: 'a1'.repeat(32),
      WAYSIDE_HTTP_PORT: '0',
      WAYSIDE_MQTT_PORT: '0',
    },
  })
  ends.push(async () => {
    if (child.exitCode !== null) return
    child.kill('SIGTERM')
    await once(child, 'exit')
  })
  let said = ''
  child.stdout?.on('data', (chunk) => {
    said += chunk
  })
  const complaint = text(child.stderr as NodeJS.ReadableStream)
  const address = (async () => {
    for (;;) {
      const [, found] = /Console\s+(\S+)/.exec(said) ?? []
      if (found !== undefined) return found
      if (child.exitCode !== null) throw new Error(`${said}${await complaint}`)
      await passTime(50, 'it says so on its output')
    }
  })()
  return { address }
}
