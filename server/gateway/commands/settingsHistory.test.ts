import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { backupFixture } from '#server/testing/backup/backupFixture.ts'
import { raiseAfterRestore } from './settingsHistory.ts'

const source = await backupFixture()
const pools: pg.Pool[] = []
afterAll(() => Promise.all(pools.map((pool) => pool.end())))

/**
 * The pool has the server's role, which may do no more than the application. Its `end` does not wait until the
 * connections are closed, so that the database's end may still reach one.
 */
function poolOf(connectionString: string): pg.Pool {
  const pool = new pg.Pool({ connectionString, max: 2 })
  pool.on('error', () => undefined)
  pools.push(pool)
  return pool
}
const versionsIn = async (db: Pick<pg.Client, 'query'>) =>
  (await db.query<{ version: number }>('select version from device_settings order by device_id')).rows.map(
    ({ version }) => version,
  )

test('versions rise once above what devices were told, when the database goes on from a backup', async () => {
  const application = poolOf(source.applicationUrl)
  await source.owner.query('update settings_history set line = null')
  await source.owner.query('update device set deleted_at = null')
  await source.owner.query('delete from device_settings')
  await source.owner.query(`insert into device_settings (device_id, version) select min(id), 4 from device`)

  await raiseAfterRestore(application)
  await raiseAfterRestore(application)
  expect(await versionsIn(source.owner), 'on its own line').toEqual([4])

  await source.takeCopy()
  const told = 250_000_000
  await source.owner.query('update device_settings set version = 9')
  const restored = await source.restore()
  const pool = poolOf(restored.ownerUrl)
  await Promise.all([raiseAfterRestore(pool), raiseAfterRestore(pool)])
  const versions = await versionsIn(restored.owner)
  expect(versions.length).toBeGreaterThan(0)
  for (const version of versions) expect(version).toBeGreaterThan(9)
  expect(versions[0], 'room is left for what is to come').toBeLessThan(told)
  await raiseAfterRestore(pool)
  expect(await versionsIn(restored.owner)).toEqual(versions)
}, 240_000)

test('a database from before this was kept rises too, and devices without a row with it', async () => {
  await source.owner.query(`update settings_history set line = 'not kept'`)
  await source.owner.query('delete from device_settings')
  await raiseAfterRestore(poolOf(source.applicationUrl))
  const devices = await source.owner.query('select from device')
  const versions = await versionsIn(source.owner)
  expect(versions).toHaveLength(devices.rowCount ?? 0)
  expect(versions[0]).toBeGreaterThan(200_000_000)
})
