import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Account } from '../db/embedded/databaseAccount.ts'
import { newestMigration } from '../db/upgrade/migrationFiles.ts'
import { checkSeals, ManifestCheck, readManifest, refuseUnknown } from './checkCopy.ts'
import { type Choice, type Choosing, chooseCopy, chooseLog } from './chooseCopy.ts'
import { type Copy, copiesIn, DATABASE_FILE, FILES_FILE, SUMMARY_FILE } from './copyNames.ts'
import { FileLayer, makeFolder } from './layFiles.ts'
import { layLog } from './layLog.ts'
import { BackupRefused } from './seal/backupRefused.ts'
import { syncPath } from './seal/durably.ts'
import { isEncrypted } from './seal/sealedRecord.ts'
import { unsealed } from './seal/sealInto.ts'
import { readTar } from './tar.ts'

export interface LayingWish extends Choosing {
  /** Must be missing or empty. */
  readonly dataFolder: string
}

const UNFINISHED_FILES = '.restoring'

/** Nothing has been written when this throws. */
export async function provenChoice(wish: LayingWish): Promise<Choice> {
  const { key, say } = wish
  const copy = await chooseCopy(wish)
  refuseUnknown(copy, await newestMigration())
  say(`Checking ${copy.name} and the log behind it …`)
  await checkSeals(copy.folder, key).catch((error: unknown) => refuseDamaged(copy, wish, error))
  const choice = await chooseLog(copy, wish)
  for (const doubt of doubtsOf(choice, key, await isEncrypted(join(copy.folder, SUMMARY_FILE), 'summary'))) say(doubt)
  return choice
}

/** An older copy and all of the log behind it may give the same. */
async function refuseDamaged({ name, facts }: Copy, { folder }: LayingWish, error: unknown): Promise<never> {
  if (!(error instanceof BackupRefused)) throw error
  const { copies } = await copiesIn(folder, facts.systemId)
  const before = copies.findLast((copy) => copy.name < name)
  const instead = before
    ? ` Restore the copy before it, and all of the log behind that, with --copy ${before.name}.`
    : ''
  throw new BackupRefused(`${name} cannot be restored: ${error.message}${instead}`)
}

/** What cannot be proven of it, a sentence each. */
function* doubtsOf({ copy, pieces, unbound }: Choice, key: Buffer | undefined, isSealedByKey: boolean) {
  if (key && !isSealedByKey) {
    yield `${copy.name} is not encrypted: that nobody has written it anew cannot be proven.`
  }
  if (unbound > 0) {
    yield `${unbound} of ${pieces.length} pieces of the log are of a version of Wayside that did not seal their places: ` +
      'that each is the one that belongs there, and that none is missing at the end, shows only when the log is played.'
  }
}

/** Of a restore that was killed. */
const LEFTOVERS = /^(lost\+found|\.restoring|postgres\.starter|postgres-\d+\.new-restore|postgres-binaries-.*)$/

export async function refuseFull(folder: string): Promise<void> {
  if (!existsSync(folder)) return
  const [first] = (await readdir(folder)).filter((name) => !LEFTOVERS.test(name))
  if (first === undefined) return
  throw new BackupRefused(`${folder} is not empty: it holds ${first}. Nothing was restored; name an empty folder.`)
}

export interface Laying {
  readonly choice: Choice
  readonly key: Buffer | undefined
  readonly account: Account
  readonly folder: string
  readonly say: (sentence: string) => void
}

/** Its sockets, and what its log said on another machine, which would be taken for what it says now. */
const OF_A_RUNNING_ONE = /^(\.s\.PGSQL\..*|log\/.*|current_logfiles|start\.log)$/

/** Files and log under their names, on disk; nothing is started. */
export async function layDatabase({ choice, key, account, folder, say }: Laying): Promise<void> {
  const { copy, pieces } = choice
  say('Writing the files of the database …')
  await makeFolder(folder, account.ids)
  await chmod(folder, 0o700)
  const layer = new FileLayer(folder, account.ids, (path) => !OF_A_RUNNING_ONE.test(path))
  const check = new ManifestCheck(await readManifest(copy.folder, key), layer)
  await readTar(unsealed(join(copy.folder, DATABASE_FILE), key), check)
  check.finish()
  await layer.finish()
  await layLog({ pieces, facts: copy.facts, key, folder: join(folder, 'pg_wal'), ids: account.ids })
}

/** By which PostgreSQL plays the log up to a moment, or all of it, and then takes changes. */
export const recoverySettings = (until: Date | undefined) => ({
  // All of the log lies where PostgreSQL looks by itself; it wants a command all the same.
  restore_command: 'false',
  recovery_target_action: 'promote',
  recovery_target_timeline: 'current',
  ...(until ? { recovery_target_time: until.toISOString().replace('T', ' ').replace('Z', '+00') } : {}),
})

/** Has PostgreSQL recover from what lies there, when it starts first. */
export async function orderRecovery(folder: string, { ids }: Account): Promise<void> {
  const path = join(folder, 'recovery.signal')
  await writeFile(path, '', { mode: 0o600 })
  if (ids) await chown(path, ids.uid, ids.gid)
}

/** What a copy holds beside the database. */
export async function layDataFiles({ copy }: Choice, key: Buffer | undefined, dataFolder: string): Promise<void> {
  const unfinished = join(dataFolder, UNFINISHED_FILES)
  await rm(unfinished, { recursive: true, force: true })
  await mkdir(unfinished, { recursive: true, mode: 0o700 })
  const layer = new FileLayer(unfinished, undefined)
  await readTar(unsealed(join(copy.folder, FILES_FILE), key), layer)
  await layer.finish()
  for (const name of await readdir(unfinished)) await rename(join(unfinished, name), join(dataFolder, name))
  await rm(unfinished, { recursive: true })
  await syncPath(dataFolder)
}
