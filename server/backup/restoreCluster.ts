import { existsSync, statSync } from 'node:fs'
import { appendFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Account, accountOf, ownAccount, runsAsRoot } from '../db/embedded/databaseAccount.ts'
import type { Choice } from './chooseCopy.ts'
import {
  type LayingWish,
  layDatabase,
  layDataFiles,
  orderRecovery,
  provenChoice,
  recoverySettings,
  refuseFull,
} from './layCopy.ts'
import { BackupRefused } from './seal/backupRefused.ts'
import { renameDurably } from './seal/durably.ts'

export interface ClusterWish extends LayingWish {
  /** Becomes the data directory of a PostgreSQL that Wayside does not run; missing or empty. */
  readonly cluster: string
}

/**
 * Makes of a copy the data directory of somebody else's PostgreSQL, which plays the log when it is started.
 *
 * @throws BackupRefused before anything is written
 */
export async function restoreCluster(wish: ClusterWish): Promise<Choice> {
  const { cluster, dataFolder, key, say, until } = wish
  const choice = await provenChoice(wish)
  await refuseFull(cluster)
  await refuseFull(dataFolder)
  const account = accountFor(cluster)
  const folder = `${cluster}.new-restore`
  await rm(folder, { recursive: true, force: true })
  await layDatabase({ choice, key, account, folder, say })
  const lines = Object.entries(recoverySettings(until)).map(([name, value]) => `${name} = '${value}'\n`)
  await appendFile(join(folder, 'postgresql.auto.conf'), lines.join(''))
  await orderRecovery(folder, account)
  await layDataFiles(choice, key, dataFolder)
  await renameDurably(folder, cluster)
  return choice
}

/** Whoever owns the folder runs PostgreSQL there; root never does. */
function accountFor(cluster: string): Account {
  if (!runsAsRoot()) return ownAccount
  if (!existsSync(cluster) || statSync(cluster).uid === 0) {
    throw new BackupRefused(`Make ${cluster} first, empty, and give it to the user who runs PostgreSQL (chown).`)
  }
  return accountOf(statSync(cluster))
}
