import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { findPackage, provideBinaries } from '../db/embedded/binaries.ts'
import { type Cluster, writeSettings } from '../db/embedded/cluster.ts'
import { choosePlacement, clusterFolder } from '../db/embedded/placement.ts'
import { endOrphan, startPostmaster } from '../db/embedded/postmaster.ts'
import { isAlive } from '../db/embedded/processes.ts'
import { chooseSocketFolder } from '../db/embedded/socketFolder.ts'
import { takeStarterLock } from '../db/embedded/starterLock.ts'
import { BackupRefused } from './backupRefused.ts'
import type { Choice } from './chooseCopy.ts'
import { renameDurably } from './durably.ts'
import {
  type LayingWish,
  layDatabase,
  layDataFiles,
  orderRecovery,
  provenChoice,
  recoverySettings,
  refuseFull,
} from './layCopy.ts'

export interface RestoreWish extends LayingWish {
  /** Where a database goes that its user could not reach in the data folder. */
  readonly systemFolder?: string
  /** Settings of PostgreSQL for its recovery that differ from the product's. */
  readonly settings?: Readonly<Record<string, string>>
}

/**
 * Makes of a copy the database and the files of an empty data folder. Everything that is needed is proven before
 * anything is written, and the database gets its name when it has started and stopped once.
 *
 * @throws BackupRefused
 */
export async function restoreCopy(wish: RestoreWish): Promise<Choice> {
  const { dataFolder, key, say } = wish
  const choice = await provenChoice(wish)
  const { facts } = choice.copy
  const found = findPackage()
  if (!facts.isEmbedded) {
    throw new BackupRefused(
      `${choice.copy.name} is of a PostgreSQL of its own: name its new data directory by --cluster.`,
    )
  }
  if (facts.major !== found.major) {
    throw new BackupRefused(
      `${choice.copy.name} is of PostgreSQL ${facts.major}, but this Wayside runs ${found.major}.`,
    )
  }
  await refuseFull(dataFolder)
  const { folder, account } = choosePlacement(dataFolder, wish.systemFolder)
  if (folder !== dataFolder) await refuseFull(folder)
  const unlock = takeStarterLock(folder)
  try {
    const target = clusterFolder(folder, found.major)
    const unfinished = `${target}.new-restore`
    await endOrphan(unfinished)
    await rm(unfinished, { recursive: true, force: true })
    await layDatabase({ choice, key, account, folder: unfinished, say })
    const binaries = provideBinaries(found, account, folder)
    say('Playing the log …')
    await recover({ folder: unfinished, binaries, account }, wish)
    await layDataFiles(choice, key, dataFolder)
    await renameDurably(unfinished, target)
    return choice
  } finally {
    unlock()
  }
}

const LOOK_EVERY_MS = 20
const NOT_REACHED = 'recovery ended before configured recovery target was reached'

/** Plays the log up to the moment that is wanted, and stops the database again. */
async function recover(cluster: Cluster, { until, settings }: RestoreWish): Promise<void> {
  const socketFolder = await chooseSocketFolder(cluster.folder, cluster.account)
  await orderRecovery(cluster.folder, cluster.account)
  const play = async (target: Date | undefined) => {
    await writeSettings(cluster, {
      unix_socket_directories: socketFolder,
      hot_standby: 'off',
      archive_mode: 'off',
      ...recoverySettings(target),
      ...settings,
    })
    const { pid } = await startPostmaster(cluster)
    process.kill(pid, 'SIGINT')
    // Its last checkpoint may take its time, and its end alone would keep no process.
    while (isAlive(pid)) await sleep(LOOK_EVERY_MS)
  }
  try {
    await play(until)
  } catch (error) {
    // Nothing was committed after that moment: then all of the log is what is wanted.
    if (!until || !String(error).includes(NOT_REACHED)) throw error
    await play(undefined)
  }
}
