import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { LARGEST_RELEASE_BYTES } from '#contract/http/software/releases.ts'
import { readHeader } from '#domain/releases/header.ts'
import { compareVersions } from '#domain/releases/version.ts'
import type { Db } from '#server/db/database.ts'
import type { ReleaseKeys } from './releaseKeys.ts'
import { keepFiles, noteFile } from './releases.store.ts'
import { takeInFile } from './takeInRelease.ts'

const RELEASE_FILE = /^[^.].*\.mjs$/
const TOO_LARGE = 'This file is larger than a release can be.'

/** Another leader may have added refused files of its own folder, so the list is cleaned again after this time. */
const KEPT_AGAIN_AFTER_MS = 60_000

interface FoundFile {
  readonly fileName: string
  readonly content: Buffer
  readonly version: string
}

/** Adds the files of the folder, the oldest version first, and remembers why others were refused. */
export class ReleaseFolder {
  readonly #folder: string
  readonly #db: Db
  readonly #keys: ReleaseKeys
  /** The files as they were judged last: nobody reads them again unless they or the keys change. */
  readonly #judged = new Map<string, string>()
  #kept = { names: '', atMs: Number.NEGATIVE_INFINITY }

  constructor(folder: string, db: Db, keys: ReleaseKeys) {
    this.#folder = folder
    this.#db = db
    this.#keys = keys
  }

  async takeIn(): Promise<void> {
    const entries = await readdir(this.#folder, { withFileTypes: true }).catch(() => [])
    const fileNames = entries.filter((entry) => entry.isFile() && RELEASE_FILE.test(entry.name)).map(({ name }) => name)
    for (const known of this.#judged.keys()) if (!fileNames.includes(known)) this.#judged.delete(known)
    for (const { fileName, content } of await this.#changedFiles(fileNames, (await this.#keys()).join())) {
      try {
        await noteFile(this.#db, fileName, await takeInFile(this.#db, this.#keys, content))
      } catch (error) {
        // The file was not judged after all.
        this.#judged.delete(fileName)
        throw error
      }
    }
    const names = fileNames.join('/')
    if (names === this.#kept.names && performance.now() - this.#kept.atMs < KEPT_AGAIN_AFTER_MS) return
    await keepFiles(this.#db, fileNames)
    this.#kept = { names, atMs: performance.now() }
  }

  async #changedFiles(fileNames: readonly string[], keysText: string): Promise<readonly FoundFile[]> {
    const found: FoundFile[] = []
    for (const fileName of fileNames) {
      const path = join(this.#folder, fileName)
      const { size, mtimeMs } = await stat(path)
      const fingerprint = `${size} ${mtimeMs} ${keysText}`
      if (this.#judged.get(fileName) === fingerprint) continue
      this.#judged.set(fileName, fingerprint)
      if (size > LARGEST_RELEASE_BYTES) await noteFile(this.#db, fileName, TOO_LARGE)
      else found.push(await readRelease(path, fileName))
    }
    return found.toSorted((a, b) => compareVersions(a.version, b.version))
  }
}

async function readRelease(path: string, fileName: string): Promise<FoundFile> {
  const content = await readFile(path)
  return { fileName, content, version: readHeader(content)?.header.version ?? '0.0.0' }
}
