import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { findPackage, provideBinaries } from '#server/db/embedded/binaries.ts'
import { type Cluster, writeSettings } from '#server/db/embedded/cluster.ts'
import { choosePlacement, clusterFolder } from '#server/db/embedded/placement.ts'
import { endOrphan, startLog, startPostmaster } from '#server/db/embedded/postmaster.ts'
import { isAlive } from '#server/db/embedded/processes.ts'
import { chooseSocketFolder } from '#server/db/embedded/socketFolder.ts'
import { takeStarterLock } from '#server/db/embedded/starterLock.ts'
import { type LogPosition, writtenPosition } from '../log/logPosition.ts'
import { goesOnBehind, readReplayed } from '../log/replayed.ts'
import { BackupRefused } from '../seal/backupRefused.ts'
import { renameDurably } from '../seal/durably.ts'
import type { Choice } from './chooseCopy.ts'
import {
  type LayingRequest,
  layDatabase,
  layDataFiles,
  namingFullDisk,
  orderRecovery,
  provenChoice,
  recoverySettings,
  refuseFull,
} from './layCopy.ts'

export interface RestoreRequest extends LayingRequest {
  /** The database goes here when its user could not reach it in the data folder. */
  readonly systemFolder?: string
  /** Settings of PostgreSQL for its recovery that differ from the product's. */
  readonly settings?: Readonly<Record<string, string>>
}

export interface Restored extends Choice {
  /** The last transaction of the log was committed then; undefined where the log held none. */
  readonly lastCommitAt: Date | undefined
}

/**
 * Restores a copy into an empty data folder. Everything is proven before anything is written, and the database gets its
 * name after it has started and stopped once.
 *
 * @throws BackupRefused
 */
export async function restoreCopy(wish: RestoreRequest): Promise<Restored> {
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
  const placing = async () => choosePlacement(dataFolder, wish.systemFolder)
  const { folder, account } = await namingFullDisk(dataFolder, placing)
  const unlock = await namingFullDisk(folder, async () => takeStarterLock(folder))
  try {
    // Another restore may have finished just now.
    await refuseFull(dataFolder)
    await refuseFull(folder)
    const target = clusterFolder(folder, found.major)
    const unfinished = `${target}.new-restore`
    await endOrphan(unfinished)
    await rm(unfinished, { recursive: true, force: true })
    try {
      const lastCommitAt = await namingFullDisk(folder, async () => {
        await layDatabase({ choice, key, account, folder: unfinished, say })
        const binaries = provideBinaries(found, account, folder)
        say('Playing the log …')
        return recover({ folder: unfinished, binaries, account }, wish, choice)
      })
      await namingFullDisk(dataFolder, () => layDataFiles(choice, key, dataFolder))
      await renameDurably(unfinished, target)
      return { ...choice, lastCommitAt }
    } catch (error) {
      await rm(unfinished, { recursive: true, force: true })
      throw error
    }
  } finally {
    unlock()
  }
}

const LOOK_EVERY_MS = 20
const NOT_REACHED = 'recovery ended before configured recovery target was reached'

/**
 * Replays the log up to the requested moment, and stops the database again.
 *
 * @returns when the last replayed transaction was committed
 * @throws BackupRefused when PostgreSQL stopped before the real end of the log
 */
async function recover(cluster: Cluster, { until, settings, key }: RestoreRequest, choice: Choice) {
  const socketFolder = await chooseSocketFolder(cluster.folder, cluster.account)
  await orderRecovery(cluster.folder, cluster.account)
  const play = async (target: Date | undefined) => {
    await writeSettings(cluster, {
      unix_socket_directories: socketFolder,
      hot_standby: 'off',
      archive_mode: 'off',
      // Its output is read here, so it must be English and in the start log.
      logging_collector: 'off',
      lc_messages: 'C',
      ...recoverySettings(target),
      ...settings,
    })
    const { pid } = await startPostmaster(cluster)
    process.kill(pid, 'SIGINT')
    // Its last checkpoint may take long, and waiting for its end alone would not keep this process.
    while (isAlive(pid)) await sleep(LOOK_EVERY_MS)
    return readReplayed(cluster.folder, readFileSync(startLog(cluster.folder), 'utf8'))
  }
  const { isAll, end, lastCommitAt } = await play(until).then(
    (replayed) => ({ isAll: !until, ...replayed }),
    async (error: unknown) => {
      // Nothing was committed after that moment, so all of the log is wanted.
      if (!until || !String(error).includes(NOT_REACHED)) throw error
      return { isAll: true, ...(await play(undefined)) }
    },
  )
  // The moment is given in milliseconds, and PostgreSQL counts finer.
  const isWanted = until && lastCommitAt && until.getTime() - lastCommitAt.getTime() <= 1
  if (isAll && !isWanted && (await goesOnBehind(end, choice.pieces, key, choice.copy.facts.segmentBytes))) {
    throw new BackupRefused(stoppedEarly(choice, end, lastCommitAt))
  }
  return lastCommitAt
}

function stoppedEarly({ copy, pieces }: Choice, end: LogPosition, lastCommitAt: Date | undefined): string {
  const reached = lastCommitAt ? new Date(lastCommitAt.getTime() + 1).toISOString() : copy.facts.endedAt
  const last = pieces.at(-1)?.reachesTo.toISOString()
  return (
    `PostgreSQL could play the log only up to ${writtenPosition(end)}, with the last commit at ${reached}; what was kept ` +
    `behind that, up to ${last}, is not the log that belongs there. Nothing was restored. ` +
    `Restore what is before it with --until ${reached}.`
  )
}
