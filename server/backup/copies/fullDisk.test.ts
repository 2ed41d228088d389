import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { backupFixture } from '#server/testing/backup/backupFixture.ts'
import { SmallDisk } from '#server/testing/backup/SmallDisk.ts'
import { restoreCluster } from '../restore/restoreCluster.ts'
import { restoreCopy } from '../restore/restoreCopy.ts'

// The disk becomes full in the middle of a restore.

const database = await backupFixture({ isEmpty: true })
const key = randomBytes(32)
mkdirSync(join(database.dataFolder, 'outbox'))
writeFileSync(join(database.dataFolder, 'outbox', 'mail.eml'), randomBytes(3 * 1024 * 1024))
await database.takeCopy(key)

let disks = 0
function makeDisk(megabytes: number): SmallDisk | undefined {
  disks += 1
  const disk = SmallDisk.make(join(database.folder, `disk-${disks}`), megabytes)
  if (disk) onTestFinished(disk.remove)
  return disk
}
const mayMount = SmallDisk.make(join(database.folder, 'disk-0'), 1)
mayMount?.remove()

const wishOf = (folder: string) => ({
  ...{ folder: database.backups, key, say: () => undefined },
  ...{ dataFolder: join(folder, 'data'), systemFolder: join(folder, 'system') },
  settings: { fsync: 'off' },
})
const refusal = (restoring: Promise<unknown>) =>
  restoring.then(
    () => undefined,
    (error: Error) => `${error.name}: ${error.message}`,
  )
const namesOn = ({ folder }: SmallDisk) => readdirSync(folder, { recursive: true }).map(String)

test.runIf(mayMount)(
  'a restore whose disk becomes full names it and leaves nothing that looks whole, wherever it came to',
  async () => {
    const refusals: string[] = []
    for (let megabytes = 1; ; megabytes = Math.ceil(megabytes * 1.4)) {
      const disk = makeDisk(megabytes) as SmallDisk
      const refused = await refusal(restoreCopy(wishOf(disk.folder)))
      const whole = namesOn(disk).filter((name) => /postgres-\d+(\.new-restore)?$|PG_VERSION$|mail\.eml$/.test(name))
      disk.remove()
      if (refused === undefined) {
        expect(whole.filter((name) => /mail\.eml$|PG_VERSION$/.test(name)).length).toBeGreaterThan(1)
        break
      }
      expect(refused).toMatch(new RegExp(`^BackupRefused: The disk of ${disk.folder}/\\S+ became full: `))
      expect(whole).toEqual([])
      refusals.push(refused)
    }
    expect(refusals.length).toBeGreaterThan(5)
  },
  300_000,
)

test.runIf(mayMount)(
  'so it does where nothing is free from the start, or only the files beside the database find no room',
  async () => {
    const full = makeDisk(1) as SmallDisk
    full.fill()
    expect(await refusal(restoreCopy(wishOf(full.folder)))).toContain(`The disk of ${full.folder}/`)

    const disk = makeDisk(1) as SmallDisk
    const cluster = join(database.folder, 'theirs')
    mkdirSync(cluster)
    // Only root mounts a disk, and root runs no PostgreSQL.
    const { uid, gid } = statSync(join(database.dataFolder, 'postgres-18'))
    chownSync(cluster, uid, gid)
    const { systemFolder: _, settings: _s, ...wish } = wishOf(disk.folder)
    expect(await refusal(restoreCluster({ ...wish, cluster }))).toContain(`The disk of ${disk.folder}/data became full`)
    expect(readdirSync(cluster)).toEqual([])
    expect(existsSync(`${cluster}.new-restore`)).toBe(false)
    expect(namesOn(disk)).toEqual(['data'])
  },
)
