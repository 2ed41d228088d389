import type pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../testing/database/freshDatabase.ts'
import { SwallowingProxy } from '../../testing/database/SwallowingProxy.ts'
import { eventually } from '../../testing/devices/gatewayFixture.ts'
import { IMPATIENCE } from '../../testing/impatience.ts'
import { inTransaction } from '../transaction.ts'
import { ConnectionWatch } from './ConnectionWatch.ts'
import { openPool } from './pool.ts'

let database: FreshDatabase
let proxy: SwallowingProxy
beforeAll(async () => {
  database = await freshDatabase()
  proxy = await SwallowingProxy.start(database.applicationUrl)
}, 120_000)
afterAll(async () => {
  await proxy.stop()
  await database.drop()
})

const pools: pg.Pool[] = []
afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.end()
  proxy.thaw()
})
function open(name: string, maximumConnections = 2): pg.Pool {
  const url = proxy.through(database.applicationUrl)
  const pool = openPool(url, { maximumConnections, name, watch: new ConnectionWatch(url, IMPATIENCE) })
  pools.push(pool)
  return pool
}
const pidOf = async (connection: Pick<pg.Pool, 'query'>) =>
  (await connection.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid

test('a slow statement has its time while the database works on it', async () => {
  const pool = open('slow')
  const slowMs = 3 * (IMPATIENCE.silentAfterMs + IMPATIENCE.lookEveryMs)
  const { rows } = await pool.query(`select pg_sleep(${slowMs / 1000}), 'slept' as word`)
  expect(rows).toMatchObject([{ word: 'slept' }])
}, 30_000)

test('a statement whose answer was lost fails, and its connection is never used again', async () => {
  const pool = open('lost', 1)
  const before = await pidOf(pool)
  proxy.onRequested((chunk) => chunk.includes('lost words') && proxy.swallow() > 0)
  const asked = pool.query(`select 'lost words'`)
  await expect(asked).rejects.toMatchObject({ code: 'ETIMEDOUT' })
  expect(await pidOf(pool)).not.toBe(before)
}, 30_000)

test('whoever says farewell to a dead connection again and again leaves nothing on it', async () => {
  const client = await new ConnectionWatch(database.applicationUrl, IMPATIENCE).connect({
    application_name: 'farewell',
  })
  const ended = new Promise((resolve) => client.once('end', resolve))
  client.giveUp()
  await ended
  const listening = client.listenerCount('end')
  for (let times = 0; times < 12; times++) await client.end()
  expect(client.listenerCount('end')).toBe(listening)
}, 30_000)

test('what a half-open connection has locked is free again, and so is its place', async () => {
  const pool = open('locks')
  const other = openPool(database.ownerUrl, { maximumConnections: 1, name: 'test owner' })
  pools.push(other)
  const { rows } = await other.query<{ id: number }>(`insert into customer (name) values ('Locked') returning id`)
  const update = () => other.query(`update customer set name = 'Free' where id = $1`, [rows[0]?.id])
  const { promise: locked, resolve: lock } = Promise.withResolvers<void>()
  const { promise: goesOn, resolve: goOn } = Promise.withResolvers<void>()
  const half = inTransaction(pool, async (connection) => {
    await connection.query('select from customer where id = $1 for update', [rows[0]?.id])
    lock()
    await goesOn
    await connection.query('select 1')
  })
  await locked
  proxy.swallow()
  goOn()
  await expect(half).rejects.toMatchObject({ code: 'ETIMEDOUT' })
  await update()
  const left = () =>
    other.query(
      `select from pg_stat_activity where datname = current_database() and application_name = 'wayside locks'`,
    )
  expect((await eventually(left, ({ rowCount }) => rowCount === 0)).rowCount).toBe(0)
}, 40_000)

test('a frozen database is given up, and used again when it goes on', async () => {
  const pool = open('frozen', 2)
  await Promise.all([pidOf(pool), pidOf(pool)])
  proxy.freeze()
  await expect(pidOf(pool)).rejects.toThrow()
  proxy.thaw()
  expect(await pidOf(pool)).toBeGreaterThan(0)
}, 40_000)
