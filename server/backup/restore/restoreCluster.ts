import { existsSync, statSync } from 'node:fs'
import { appendFile, mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Account, accountOf, ownAccount, runsAsRoot } from '#server/db/embedded/databaseAccount.ts'
import { takeLock, takeStarterLock } from '#server/db/embedded/starterLock.ts'
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

export interface ClusterRequest extends LayingRequest {
  /** The folder becomes the data directory of a PostgreSQL that Wayside does not run; it is missing or empty. */
  readonly cluster: string
}

/**
 * Makes a copy into the data directory of somebody else's PostgreSQL, which replays the log at its start.
 *
 * @throws BackupRefused before anything is written
 */
export async function restoreCluster(wish: ClusterRequest): Promise<Choice> {
  const { cluster, dataFolder } = wish
  const choice = await provenChoice(wish)
  const refuseEitherFull = async () => {
    await refuseFull(cluster)
    await refuseFull(dataFolder)
  }
  await refuseEitherFull()
  const account = accountFor(cluster)
  const folder = `${cluster}.new-restore`
  const unlocks: (() => void)[] = []
  try {
    await namingFullDisk(cluster, async () => {
      await mkdir(dirname(cluster), { recursive: true })
      unlocks.push(takeLock(`${folder}.lock`, (pid) => `Another restore writes to ${cluster} (process ${pid}).`))
    })
    await namingFullDisk(dataFolder, async () => {
      await mkdir(dataFolder, { recursive: true })
      unlocks.push(takeStarterLock(dataFolder))
    })
    // Another restore may have finished just now.
    await refuseEitherFull()
    await lay(wish, choice, { account, folder })
  } finally {
    for (const unlock of unlocks) unlock()
  }
  return choice
}

interface Place {
  readonly account: Account
  /** It lies beside the requested folder, and gets that name when it is whole. */
  readonly folder: string
}

async function lay(wish: ClusterRequest, choice: Choice, { account, folder }: Place): Promise<void> {
  const { cluster, dataFolder, key, say, until } = wish
  await rm(folder, { recursive: true, force: true })
  try {
    await namingFullDisk(cluster, async () => {
      await layDatabase({ choice, key, account, folder, say })
      const lines = Object.entries(recoverySettings(until)).map(([name, value]) => `${name} = '${value}'\n`)
      await appendFile(join(folder, 'postgresql.auto.conf'), lines.join(''))
      await orderRecovery(folder, account)
    })
    await namingFullDisk(dataFolder, () => layDataFiles(choice, key, dataFolder))
    await renameDurably(folder, cluster)
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

/** The owner of the folder runs PostgreSQL there; root never does. */
function accountFor(cluster: string): Account {
  if (!runsAsRoot()) return ownAccount
  if (!existsSync(cluster) || statSync(cluster).uid === 0) {
    throw new BackupRefused(`Make ${cluster} first, empty, and give it to the user who runs PostgreSQL (chown).`)
  }
  return accountOf(statSync(cluster))
}
