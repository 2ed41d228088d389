import { createHash, type Hash } from 'node:crypto'
import { join } from 'node:path'
import {
  type Copy,
  type CopyFacts,
  DATABASE_FILE,
  FILES_FILE,
  MANIFEST_FILE,
  SUMMARY_FILE,
  sizeOf,
} from '../log/copyNames.ts'
import { BackupRefused } from '../seal/backupRefused.ts'
import { readHeader } from '../seal/sealedFile.ts'
import { isEncrypted, proveSeal, refusePlain } from '../seal/sealedRecord.ts'
import { unsealed } from '../seal/sealInto.ts'
import { readTar, type TarEntry, type TarTaker } from './tar.ts'

/** Maps each file of the database to its SHA-256 in hexadecimal digits, as PostgreSQL lists them. */
export type Manifest = ReadonlyMap<string, string>

interface WrittenManifest {
  readonly Files: readonly { readonly Path?: string; readonly Checksum: string }[]
  readonly 'Manifest-Checksum': string
}

/** Needs memory for the number of files, not for their size. */
export async function readManifest(folder: string, key: Buffer | undefined): Promise<Manifest> {
  const parts: Buffer[] = []
  for await (const part of unsealed(join(folder, MANIFEST_FILE), key)) parts.push(part)
  const text = Buffer.concat(parts)
  const { Files, 'Manifest-Checksum': checksum } = JSON.parse(text.toString()) as WrittenManifest
  // PostgreSQL proves its list by the hash of all lines but the last.
  const proven = text.subarray(0, text.lastIndexOf('\n', -2) + 1)
  if (createHash('sha256').update(proven).digest('hex') !== checksum) {
    throw new BackupRefused('The list of files in the copy is not what PostgreSQL sent.')
  }
  return new Map(Files.flatMap((file) => (file.Path === undefined ? [] : [[file.Path, file.Checksum] as const])))
}

/** Hands entries on, and compares each file with the manifest while its bytes pass. */
export class ManifestCheck implements TarTaker {
  readonly #missing: Map<string, string>
  readonly #next: TarTaker | undefined
  #entry: TarEntry | undefined
  #hash: Hash | undefined

  constructor(manifest: Manifest, next?: TarTaker) {
    this.#missing = new Map(manifest)
    this.#next = next
  }

  async begin(entry: TarEntry): Promise<void> {
    this.#entry = entry
    this.#hash = this.#missing.has(entry.path) ? createHash('sha256') : undefined
    await this.#next?.begin(entry)
  }

  async take(bytes: Buffer): Promise<void> {
    this.#hash?.update(bytes)
    await this.#next?.take(bytes)
  }

  async end(): Promise<void> {
    const path = this.#entry?.path ?? ''
    if (this.#hash && this.#hash.digest('hex') !== this.#missing.get(path)) {
      throw new BackupRefused(`The file ${path} in the copy is not what PostgreSQL sent.`)
    }
    this.#missing.delete(path)
    await this.#next?.end()
  }

  /** @throws when a file of the manifest did not come */
  finish(): void {
    const [path] = this.#missing.keys()
    if (path !== undefined) throw new BackupRefused(`The file ${path} is missing in the copy.`)
  }
}

const NOTHING: TarTaker = { begin: async () => {}, take: async () => {}, end: async () => {} }

/** Reads a copy to its last byte, and compares each file of the database with PostgreSQL's list. */
export async function checkContents(folder: string, key: Buffer | undefined): Promise<void> {
  await checkSeals(folder, key)
  const check = new ManifestCheck(await readManifest(folder, key))
  await readTar(unsealed(join(folder, DATABASE_FILE), key), check)
  check.finish()
  await readTar(unsealed(join(folder, FILES_FILE), key), NOTHING)
}

/**
 * Proves without unpacking that nothing of a copy is damaged, cut off, exchanged or missing.
 *
 * @throws BackupRefused
 */
export async function checkSeals(folder: string, key: Buffer | undefined): Promise<void> {
  const summary = join(folder, SUMMARY_FILE)
  const { facts } = await readHeader<CopyFacts>(summary, 'summary')
  await proveSeal(summary, 'summary', key)
  const isSealedByKey = await isEncrypted(summary, 'summary')
  for (const { name, salt, bytes } of facts.files) {
    const path = join(folder, name)
    const found = await sizeOf(path).catch(() => undefined)
    if (found === undefined) throw new BackupRefused(`The file ${name} of the copy is missing.`)
    const header = await readHeader(path, 'content')
    if (header.salt !== salt) throw new BackupRefused(`The file ${name} belongs to another copy.`)
    if (isSealedByKey) await refusePlain(path, 'content')
    // Somebody without the key could write a summary that claims that the copy needs no log.
    else if (await isEncrypted(path, 'content')) await refusePlain(summary, 'summary')
    await proveSeal(path, 'content', key)
    if (found !== bytes) throw new BackupRefused(`The file ${name} has ${found} bytes instead of ${bytes}.`)
  }
}

/** Refuses a copy that this program cannot restore. */
export function refuseUnknown({ name, facts }: Copy, newestMigration: number): void {
  if (facts.migration > newestMigration) {
    throw new BackupRefused(
      `${name} was taken by a newer Wayside (migration ${facts.migration}, this one knows ${newestMigration}): restore it with that one.`,
    )
  }
}
