import { basename, join } from 'node:path'
import { type Copy, copiesIn, SUMMARY_FILE, systemFolder } from './copyNames.ts'
import { readHeader } from './seal/sealedFile.ts'
import { isEncrypted, readRecord, refusePlain, replaceRecord } from './seal/sealedRecord.ts'

// The log names its pieces, a copy names its files, and this list names the copies: so that one that is missing is.

interface CopyList {
  readonly systemId: string
  /** Each by its name and the salt of its summary, of which there is one in the world. */
  readonly copies: readonly { readonly name: string; readonly salt: string }[]
}

const listPath = (folder: string, systemId: string) => join(systemFolder(folder, systemId), 'copies')

const saltOf = async ({ folder }: Copy) => (await readHeader(join(folder, SUMMARY_FILE), 'summary')).salt

/** What was listed before stays, whether it is there or not. */
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
  const facts: CopyList = { systemId, copies: [...before.filter(({ name }) => !names.has(name)), ...present] }
  await replaceRecord(path, 'copies', facts, key)
}

/** Takes those off that are about to be deleted, and whatever is older than they. */
export async function delistCopies(folder: string, systemId: string, key: Buffer | undefined, oldestKept: Copy) {
  const path = listPath(folder, systemId)
  const facts = await readHeader<CopyList>(path, 'copies').then(
    (header) => header.facts,
    () => undefined,
  )
  if (!facts) return
  const copies = facts.copies.filter(({ name }) => name >= oldestKept.name)
  if (copies.length < facts.copies.length) await replaceRecord(path, 'copies', { ...facts, copies }, key)
}

/** What the list says otherwise than the folder, a sentence each. @throws BackupRefused when the list is damaged */
export async function listFaults(
  folder: string,
  systemId: string,
  key: Buffer | undefined,
): Promise<readonly string[]> {
  const path = listPath(folder, systemId)
  const { copies } = await copiesIn(folder, systemId)
  const list = await readRecord<CopyList>(path, 'copies', key)
  if (!list) return copies.some(({ facts }) => facts.isListed) ? ['The list of the copies is missing.'] : []
  const newest = copies.at(-1)
  if (newest && (await isEncrypted(join(newest.folder, SUMMARY_FILE), 'summary'))) await refusePlain(path, 'copies')
  if (list.systemId !== systemId) return [`${basename(path)} is the list of another database.`]
  const present = new Map<string, string>()
  for (const copy of copies) present.set(copy.name, await saltOf(copy))
  return list.copies.flatMap(({ name, salt }) => {
    if (!present.has(name)) return [`${name}: it was taken and is missing, or cannot be read.`]
    return present.get(name) === salt ? [] : [`${name}: it is not the copy that was taken by this name.`]
  })
}
