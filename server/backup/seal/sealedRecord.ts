import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { BackupRefused } from './backupRefused.ts'
import { renameDurably } from './durably.ts'
import { type Kind, readHeader, readSealed } from './sealedFile.ts'
import { sealInto } from './sealInto.ts'

/** Reads a sealed file to its last byte, which proves it. @throws BackupRefused */
export async function proveSeal(path: string, kind: Kind, key: Buffer | undefined): Promise<void> {
  for await (const _ of readSealed(path, kind, key));
}

export const isEncrypted = async (path: string, kind: Kind): Promise<boolean> =>
  (await readHeader(path, kind)).keyCheck !== undefined

/**
 * Anybody can write a file that is not encrypted, so it proves nothing beside encrypted ones.
 *
 * @throws BackupRefused
 */
export async function refusePlain(path: string, kind: Kind): Promise<void> {
  if (await isEncrypted(path, kind)) return
  throw new BackupRefused(
    `${basename(path)} is not encrypted, although the backup is: the key was not set when it was written, or somebody else wrote it.`,
  )
}

/** Replaces a sealed file that consists of facts alone, in one step. */
export async function replaceRecord(path: string, kind: Kind, facts: unknown, key: Buffer | undefined): Promise<void> {
  const unfinished = join(dirname(path), `.${basename(path)}.new`)
  await rm(unfinished, { force: true })
  await sealInto(unfinished, [], { kind, facts, key })
  await renameDurably(unfinished, path)
}

/** Reads and proves the facts of such a file. @returns undefined where there is none */
export async function readRecord<Facts>(path: string, kind: Kind, key: Buffer | undefined): Promise<Facts | undefined> {
  if (!existsSync(path)) return undefined
  await proveSeal(path, kind, key)
  return (await readHeader<Facts>(path, kind)).facts
}

export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const bytes of createReadStream(path)) hash.update(bytes)
  return hash.digest('hex')
}
