import { chownSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { findPackage, provideBinaries } from '#server/db/embedded/binaries.ts'
import { writeSettings } from '#server/db/embedded/cluster.ts'
import { accountOf, ownAccount } from '#server/db/embedded/databaseAccount.ts'
import { startPostmaster } from '#server/db/embedded/postmaster.ts'
import { backupFixture, grants, rowHashes } from '#server/testing/backup/backupFixture.ts'
import { takeCopy } from '../copies/takeCopy.ts'
import { restoreCluster } from './restoreCluster.ts'

// Wayside does not run this PostgreSQL: it is the same program, reached by an address and a role of its own.

const database = await backupFixture()
const isRoot = process.getuid?.() === 0
const ROLE = 'their_owner'
await database.owner.query(`create role ${ROLE} login password 'of-theirs'; grant select on migration to ${ROLE}`)
await database.owner.query(`grant connect on database wayside to ${ROLE}`)
const url = new URL(database.ownerUrl)
url.username = ROLE
url.password = 'of-theirs'

const take = () =>
  takeCopy({
    ...{ ownerUrl: url.href, isEmbedded: false, key: undefined },
    ...{ dataFolder: database.dataFolder, folder: database.backups },
  })

test('a role that may not copy is told what a superuser has to allow', async () => {
  await expect(take()).rejects.toThrow(
    /The role their_owner may not copy the database: .*alter role their_owner replication/,
  )
})

/** The guide says that root gives the folder to the user who runs PostgreSQL. */
function makeEmpty(cluster: string): void {
  mkdirSync(cluster, { mode: 0o700 })
  if (!isRoot) return
  const { uid, gid } = statSync(join(database.dataFolder, 'postgres-18'))
  chownSync(cluster, uid, gid)
}

test('the data directory of another PostgreSQL comes back with rows, roles and grants', async () => {
  await database.owner.query(`alter role ${ROLE} replication`)
  await take()
  const [rows, granted] = [await rowHashes(database.owner), await grants(database.owner)]
  const cluster = join(database.folder, 'theirs')
  const wish = {
    folder: database.backups,
    dataFolder: join(database.folder, 'files'),
    key: undefined,
    say: () => undefined,
  }
  if (isRoot) {
    await expect(restoreCluster({ ...wish, cluster })).rejects.toThrow(`Make ${cluster} first, empty, and give it`)
    makeEmpty(cluster)
  }
  await restoreCluster({ ...wish, cluster })

  const account = isRoot ? accountOf(statSync(cluster)) : ownAccount
  const binaries = provideBinaries(findPackage(), account, database.folder)
  const theirs = { folder: cluster, binaries, account }
  await writeSettings(theirs, { unix_socket_directories: cluster })
  const postmaster = await startPostmaster(theirs)
  onTestFinished(postmaster.stop)
  const back = new URL(database.ownerUrl)
  back.searchParams.set('host', cluster)
  const owner = new pg.Client({ connectionString: back.href })
  await owner.connect()
  onTestFinished(() => owner.end())
  expect(await rowHashes(owner)).toEqual(rows)
  expect(await grants(owner)).toEqual(granted)
  await expect(restoreCluster({ ...wish, cluster })).rejects.toThrow('is not empty')
}, 60_000)

test('of two restores at the same time one comes back whole, and the other says that it does', async () => {
  writeFileSync(join(database.dataFolder, 'release-key.pub'), 'public')
  await take()
  const say = () => undefined
  const restores = async (...targets: readonly [cluster: string, files: string][]) => {
    for (const cluster of new Set(targets.map(([name]) => name))) makeEmpty(join(database.folder, cluster))
    const ended = await Promise.allSettled(
      targets.map(([cluster, files]) =>
        restoreCluster({
          ...{ folder: database.backups, key: undefined, say },
          ...{ cluster: join(database.folder, cluster), dataFolder: join(database.folder, files) },
        }),
      ),
    )
    return ended.flatMap((end) => (end.status === 'rejected' ? [String(end.reason)] : []))
  }
  const cluster = join(database.folder, 'twice')
  expect(await restores(['twice', 'files-1'], ['twice', 'files-2'])).toEqual([
    expect.stringMatching(new RegExp(`Another restore writes to ${cluster} \\(process ${process.pid}\\)|is not empty`)),
  ])
  expect(readdirSync(cluster)).toContain('PG_VERSION')

  expect(await restores(['one', 'files-3'], ['other', 'files-3'])).toEqual([
    expect.stringMatching(/files-3 (is in use by another Wayside \(process \d+\)|is not empty)/),
  ])
  const [one, other] = ['one', 'other'].map((name) => readdirSync(join(database.folder, name)))
  expect([one?.length, other?.length]).toContain(0)
  expect(readdirSync(join(database.folder, 'files-3'))).toEqual(['release-key.pub'])
}, 60_000)
