import { basename, join } from 'node:path'
import { beginningOf, type Copy, copiesIn, piecesIn, SUMMARY_FILE, systemFolder } from '../log/copyNames.ts'
import { readLogEnd, timelinesWithEnd } from '../log/logEnd.ts'
import type { LogPosition } from '../log/logPosition.ts'
import { BackupRefused } from '../seal/backupRefused.ts'
import { readHeader } from '../seal/sealedFile.ts'
import { isEncrypted, readRecord, refusePlain, replaceRecord } from '../seal/sealedRecord.ts'

// The log names its pieces, a copy names its files, and this list names the copies and the timelines with a log, so
// that a missing one is noticed.

interface CopyList {
  readonly systemId: string
  /** Each copy is named with the salt of its summary, which is unique. */
  readonly copies: readonly { readonly name: string; readonly salt: string }[]
  /** Timelines whose log was kept; earlier versions did not list them. */
  readonly logs?: readonly number[]
}

const listPath = (folder: string, systemId: string) => join(systemFolder(folder, systemId), 'copies')

const saltOf = async ({ folder }: Copy) => (await readHeader(join(folder, SUMMARY_FILE), 'summary')).salt

/** What was listed before stays, whether it still exists or not. */
export async function enlistCopies(folder: string, systemId: string, key: Buffer | undefined): Promise<void> {
  const path = listPath(folder, systemId)
  // A list that cannot be read must not stop backups; `--check` says what is wrong with it.
  const before = await readHeader<CopyList>(path, 'copies').then(
    ({ facts }) => facts.copies,
    () => [],
  )
  const { copies } = await copiesIn(folder, systemId)
  const present = await Promise.all(copies.map(async (copy) => ({ name: copy.name, salt: await saltOf(copy) })))
  const names = new Set(present.map(({ name }) => name))
  const facts: CopyList = {
    systemId,
    copies: [...before.filter(({ name }) => !names.has(name)), ...present],
    logs: await timelinesWithEnd(folder, systemId),
  }
  await replaceRecord(path, 'copies', facts, key)
}

interface Delisting {
  readonly folder: string
  readonly systemId: string
  readonly key: Buffer | undefined
  readonly oldestKept: Copy
  readonly obsoleteLogs: readonly number[]
}

/** Removes what is about to be deleted from the list, and whatever is older. */
export async function delistObsolete({ folder, systemId, key, oldestKept, obsoleteLogs }: Delisting) {
  const path = listPath(folder, systemId)
  const facts = await readHeader<CopyList>(path, 'copies').then(
    (header) => header.facts,
    () => undefined,
  )
  if (!facts) return
  const copies = facts.copies.filter(({ name }) => name >= oldestKept.name)
  const logs = facts.logs?.filter((timeline) => !obsoleteLogs.includes(timeline))
  if (copies.length === facts.copies.length && logs?.length === facts.logs?.length) return
  await replaceRecord(path, 'copies', { ...facts, copies, ...(logs && { logs }) }, key)
}

/** @returns undefined where no copy says that a list exists */
async function readList(folder: string, systemId: string, key: Buffer | undefined, newest: Copy | undefined) {
  const path = listPath(folder, systemId)
  const list = await readRecord<CopyList>(path, 'copies', key)
  if (!list) {
    if (newest?.facts.isListed) {
      throw new BackupRefused('The list of the copies is missing, so newer ones may be missing too.')
    }
    return undefined
  }
  if (newest && (await isEncrypted(join(newest.folder, SUMMARY_FILE), 'summary'))) await refusePlain(path, 'copies')
  if (list.systemId !== systemId) throw new BackupRefused(`${basename(path)} is the list of another database.`)
  return list
}

interface Lookup {
  readonly folder: string
  readonly key: Buffer | undefined
}

/**
 * Says in a sentence what was kept and is lost for a restore from the newest copy that still exists; undefined when
 * nothing is lost.
 *
 * @param reached the end of the existing log behind the copy
 * @throws BackupRefused when the list is missing or damaged
 */
export async function lostBehind(copy: Copy, reached: LogPosition, { folder, key }: Lookup) {
  const { systemId, timeline } = copy.facts
  const list = await readList(folder, systemId, key, copy)
  const lost = list?.copies.find(({ name }) => {
    const begins = beginningOf(name)
    return name > copy.name && (begins.timeline !== timeline || begins.position > reached)
  })
  if (lost) return `${lost.name} was taken after ${copy.name} and is missing, or cannot be read; no log reaches to it.`
  const changedTo = await lostTimelinesReach(copy, { folder, key })
  if (changedTo) {
    return (
      `After it went on from a backup, the database was changed up to ${changedTo.toISOString()} and lost before a whole ` +
      'copy of that was there, so these changes cannot be replayed.'
    )
  }
  const [missing] = (await missingLogs(folder, systemId, list)).filter((one) => one >= timeline)
  return missing === undefined ? undefined : missingLogText(missing)
}

/**
 * A restored database goes on by a timeline of its own, and its changes can be replayed only on a copy of that
 * timeline. The end of its log is recorded beside the log, so it also reveals changes whose pieces are gone.
 *
 * @returns up to when there were changes that no copy can take
 */
async function lostTimelinesReach({ folder: copyFolder, facts }: Copy, { folder, key }: Lookup) {
  const { systemId } = facts
  const withCopy = new Set((await copiesIn(folder, systemId)).copies.map((copy) => copy.facts.timeline))
  const isLost = (timeline: number) => timeline > facts.timeline && !withCopy.has(timeline)
  const piece = (await piecesIn(folder, systemId)).findLast(({ timeline }) => isLost(timeline))
  const moments = piece ? [piece.reachesTo.getTime()] : []
  const mustBeEncrypted = await isEncrypted(join(copyFolder, SUMMARY_FILE), 'summary')
  for (const timeline of (await timelinesWithEnd(folder, systemId)).filter(isLost)) {
    const end = await readLogEnd({ folder, systemId, timeline }, key, mustBeEncrypted)
    if (end?.piece) moments.push(end.piece.reachesTo.getTime())
  }
  return moments.length > 0 ? new Date(Math.max(...moments)) : undefined
}

async function missingLogs(folder: string, systemId: string, list: CopyList | undefined): Promise<readonly number[]> {
  const present = await timelinesWithEnd(folder, systemId)
  return (list?.logs ?? []).filter((timeline) => !present.includes(timeline))
}

const missingLogText = (timeline: number) => `The log of timeline ${timeline} was kept and is missing.`

/** Returns a sentence for each difference between list and folder. @throws BackupRefused */
export async function listFaults(
  folder: string,
  systemId: string,
  key: Buffer | undefined,
): Promise<readonly string[]> {
  const { copies } = await copiesIn(folder, systemId)
  const list = await readList(folder, systemId, key, copies.at(-1))
  const present = new Map<string, string>()
  for (const copy of copies) present.set(copy.name, await saltOf(copy))
  const faults = (list?.copies ?? []).flatMap(({ name, salt }) => {
    if (!present.has(name)) return [`${name}: it was taken and is missing, or cannot be read.`]
    return present.get(name) === salt ? [] : [`${name}: it is not the copy that was taken by this name.`]
  })
  return [...faults, ...(await missingLogs(folder, systemId, list)).map(missingLogText)]
}
