import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Account } from '#server/db/embedded/databaseAccount.ts'
import { newestMigration } from '#server/db/upgrade/migrationFiles.ts'
import { checkSeals, ManifestCheck, readManifest, refuseUnknown } from '../copies/checkCopy.ts'
import { readTar } from '../copies/tar.ts'
import { type Copy, copiesIn, DATABASE_FILE, FILES_FILE, SUMMARY_FILE } from '../log/copyNames.ts'
import { eightDigits } from '../log/logPosition.ts'
import { BackupRefused } from '../seal/backupRefused.ts'
import { syncPath } from '../seal/durably.ts'
import { isEncrypted } from '../seal/sealedRecord.ts'
import { unsealed } from '../seal/sealInto.ts'
import { type Choice, type Choosing, chooseCopy, chooseLog } from './chooseCopy.ts'
import { FileLayer, makeFolder } from './layFiles.ts'
import { layLog } from './layLog.ts'

export interface LayingRequest extends Choosing {
  /** The folder must be missing or empty. */
  readonly dataFolder: string
}

const UNFINISHED_FILES = '.restoring'

/** Chooses and proves. Nothing has been written when this throws. */
export async function provenChoice(wish: LayingRequest): Promise<Choice> {
  const { key, say } = wish
  const copy = await chooseCopy(wish)
  await refusePlainUnlessNamed(copy, wish)
  refuseUnknown(copy, await newestMigration())
  say(`Checking ${copy.name} and the log behind it …`)
  await checkSeals(copy.folder, key).catch((error: unknown) => refuseDamaged(copy, wish, error))
  const choice = await chooseLog(copy, wish)
  for (const doubt of doubtsOf(choice, key, await isPlain(copy))) say(doubt)
  return choice
}

const isPlain = async ({ folder }: Copy) => !(await isEncrypted(join(folder, SUMMARY_FILE), 'summary'))

/** Lists the copies that somebody without the key cannot have made; all of them where none is encrypted. */
async function trustedCopies({ folder, key }: LayingRequest, systemId: string): Promise<readonly Copy[]> {
  const { copies } = await copiesIn(folder, systemId)
  const encrypted: Copy[] = []
  for (const copy of copies) if (!(await isPlain(copy))) encrypted.push(copy)
  return key || encrypted.length > 0 ? encrypted : copies
}

/** Whoever can write to the folder can put a plain copy there, so beside a key one is used only when it is named. */
async function refusePlainUnlessNamed(copy: Copy, wish: LayingRequest): Promise<void> {
  const { name, facts } = copy
  if (wish.name !== undefined || !(await isPlain(copy))) return
  const trusted = await trustedCopies(wish, facts.systemId)
  if (trusted.some((one) => one.name === name)) return
  const newest = wish.until ? undefined : trusted.at(-1)
  throw new BackupRefused(
    `${name} is not encrypted, although ${wish.key ? 'a key is set' : 'other copies are'}: it was taken without a key, or ` +
      `somebody else wrote it. Restore it with --copy ${name} if you are sure that it is yours` +
      `${newest ? `, or the newest encrypted one with --copy ${newest.name}` : ''}.`,
  )
}

/** An older copy with all of the log behind it may give the same, so the refusal names it. */
async function refuseDamaged({ name, facts }: Copy, wish: LayingRequest, error: unknown): Promise<never> {
  if (!(error instanceof BackupRefused)) throw error
  const before = (await trustedCopies(wish, facts.systemId)).findLast((copy) => copy.name < name)
  const instead = before
    ? ` Restore the copy before it, and all of the log behind that, with --copy ${before.name}.`
    : ''
  throw new BackupRefused(`${name} cannot be restored: ${error.message}${instead}`)
}

/** Yields a sentence for each thing that cannot be proven. */
function* doubtsOf({ copy, pieces, unbound }: Choice, key: Buffer | undefined, isForgeable: boolean) {
  if (key && isForgeable) {
    yield `${copy.name} is not encrypted: that nobody has written it anew cannot be proven.`
  }
  if (unbound > 0) {
    yield `${unbound} of ${pieces.length} pieces of the log are of a version of Wayside that did not seal their places: ` +
      'that each is the one that belongs there, and that none is missing at the end, shows only when the log is played.'
  }
}

/** A killed restore leaves these behind. */
const LEFTOVERS = /^(lost\+found|\.restoring|postgres\.starter|postgres-\d+\.new-restore|postgres-binaries-.*)$/

export async function refuseFull(folder: string): Promise<void> {
  if (!existsSync(folder)) return
  const [first] = (await readdir(folder)).filter((name) => !LEFTOVERS.test(name))
  if (first === undefined) return
  throw new BackupRefused(`${folder} is not empty: it holds ${first}. Nothing was restored; name an empty folder.`)
}

const FULL = new Set(['ENOSPC', 'EDQUOT'])

/**
 * Does work that writes to the disk of a folder.
 *
 * @throws BackupRefused when that disk became full; PostgreSQL says so in words
 */
export async function namingFullDisk<Result>(folder: string, write: () => Promise<Result>): Promise<Result> {
  try {
    return await write()
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    if (!FULL.has(code) && !message.includes('No space left on device')) throw error
    throw new BackupRefused(
      `The disk of ${folder} became full: a restore needs room there for the database and the log since its copy. Nothing ` +
        'was restored; make room and give the same command again.',
    )
  }
}

export interface Laying {
  readonly choice: Choice
  readonly key: Buffer | undefined
  readonly account: Account
  readonly folder: string
  readonly say: (sentence: string) => void
}

/** Sockets, and logs of another machine that would be taken for this one's, are left out. */
const OF_A_RUNNING_ONE = /^(\.s\.PGSQL\..*|log\/.*|current_logfiles|start\.log)$/

/** Writes files and log to the disk under their names; nothing is started. */
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
  const wal = join(folder, 'pg_wal')
  await layLog({ pieces, facts: copy.facts, key, folder: wal, ids: account.ids })
  for (let timeline = copy.facts.timeline + 1; timeline <= choice.newestTimeline; timeline += 1) {
    await leaveOutTimeline(timeline, copy, wal, account)
  }
}

/**
 * PostgreSQL goes on by the first timeline without a history. An earlier restore of the same copy may have its log in
 * the folder of backups, where nobody could keep the two apart.
 */
async function leaveOutTimeline(timeline: number, { facts }: Copy, wal: string, { ids }: Account): Promise<void> {
  const path = join(wal, `${eightDigits(timeline)}.history`)
  await writeFile(path, `${facts.timeline}\t${facts.endPosition}\trestored before from the same backup\n`, {
    mode: 0o600,
  })
  if (ids) await chown(path, ids.uid, ids.gid)
}

/** Makes PostgreSQL replay the log up to a moment, or all of it, and then accept changes. */
export const recoverySettings = (until: Date | undefined) => ({
  // All of the log is where PostgreSQL looks anyway, but it requires a command.
  restore_command: 'false',
  recovery_target_action: 'promote',
  recovery_target_timeline: 'current',
  ...(until ? { recovery_target_time: until.toISOString().replace('T', ' ').replace('Z', '+00') } : {}),
})

/** Makes PostgreSQL recover at its first start. */
export async function orderRecovery(folder: string, { ids }: Account): Promise<void> {
  const path = join(folder, 'recovery.signal')
  await writeFile(path, '', { mode: 0o600 })
  if (ids) await chown(path, ids.uid, ids.gid)
}

/** Writes what a copy holds beside the database. */
export async function layDataFiles({ copy }: Choice, key: Buffer | undefined, dataFolder: string): Promise<void> {
  const unfinished = join(dataFolder, UNFINISHED_FILES)
  await rm(unfinished, { recursive: true, force: true })
  try {
    await mkdir(unfinished, { recursive: true, mode: 0o700 })
    const layer = new FileLayer(unfinished, undefined)
    await readTar(unsealed(join(copy.folder, FILES_FILE), key), layer)
    await layer.finish()
    for (const name of await readdir(unfinished)) await rename(join(unfinished, name), join(dataFolder, name))
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
  await syncPath(dataFolder)
}
