import { chmodSync, chownSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { findPackage, provideBinaries } from '#server/db/embedded/binaries.ts'
import { writeSettings } from '#server/db/embedded/cluster.ts'
import { accountOf, ownAccount } from '#server/db/embedded/databaseAccount.ts'
import { startPostmaster } from '#server/db/embedded/postmaster.ts'
import { backupFixture, grants, rowHashes } from '#server/testing/backupFixture.ts'
import { restoreCluster } from './restoreCluster.ts'
import { takeCopy } from './takeCopy.ts'

// A PostgreSQL that Wayside does not run: the same program, reached by an address and a role of its own.

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
    mkdirSync(cluster)
    const { uid, gid } = statSync(join(database.dataFolder, 'postgres-18'))
    chownSync(cluster, uid, gid)
    chmodSync(cluster, 0o700)
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
