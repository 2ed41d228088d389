import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openPool } from '../db/connect/pool.ts'
import { startEmbeddedPostgres } from '../db/embedded/embeddedPostgres.ts'
import { migrate } from '../db/upgrade/migrate.ts'
import { SmallDisk } from '../testing/backup/SmallDisk.ts'
import { runFolder } from '../testing/database/freshDatabase.ts'
import { databaseStores, dataFolderHasRoom, reportsAreStored } from './healthChecks.ts'

test('a disk without inodes is not told as a full one, and both are told as what they are', async ({ skip }) => {
  const folder = runFolder('inodes')
  const disk = SmallDisk.make(join(folder, 'data'), 400, 6000)
  if (disk === undefined) return skip('nobody may mount a small disk here')
  onTestFinished(disk.remove)
  const settings = { fsync: 'off', max_wal_size: '64MB', wal_recycle: 'off' }
  const postgres = await startEmbeddedPostgres({ dataFolder: disk.folder, settings })
  onTestFinished(postgres.stop)
  await migrate(postgres.ownerUrl, { retentionDays: 1 })
  const pool = openPool(postgres.ownerUrl, { maximumConnections: 2, name: 'test' })
  onTestFinished(() => pool.end())
  const stores = databaseStores(pool, '00000000-0000-4000-8000-000000000000', postgres.folder)
  const room = dataFolderHasRoom(disk.folder)
  expect(await stores()).toBeUndefined()
  expect(await room()).toBeUndefined()

  disk.takeInodes(500)
  expect(await room()).toMatch(/^The disk of the data folder has only \d{3} inodes left, although \d+ MB are free\.$/)
  disk.free()
  disk.takeInodes(0)
  const noInodes = /^The disk of the database has no inodes left: .*, although \d+ MB are free\.$/
  expect(await stores()).toMatch(noInodes)
  const refused = await pool.query('create table more ()').catch((error: Error) => error)
  const unstored = () => ({ sinceMs: performance.now() - 60_000, error: refused as Error })
  expect(await reportsAreStored(unstored, undefined, postgres.folder)()).toMatch(
    /^Reports of devices have not been stored for 60 s\. The disk of the database has no inodes left/,
  )
  // What needs no new file is stored all the same.
  expect((await pool.query("insert into customer (name) values ('Stored')")).rowCount).toBe(1)

  disk.free()
  disk.fill()
  expect(await stores()).toBe('The disk of the database is full.')
  expect(await room()).toBe('The disk of the data folder is full: 0 MB are free.')
  disk.free()
  expect(await stores()).toBeUndefined()
}, 120_000)
