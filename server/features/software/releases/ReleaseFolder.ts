import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { LARGEST_RELEASE_BYTES } from '#contract/http/software/releases.ts'
import { readHeader } from '#domain/releases/header.ts'
import { compareVersions } from '#domain/releases/version.ts'
import type { ReleaseKeys } from './releaseKeys.ts'
import type { ReleaseService } from './releases.service.ts'
import type { ReleaseStore } from './releases.store.ts'

const RELEASE_FILE = /^[^.].*\.mjs$/

export interface ReleaseFolderDeps {
  readonly folder: string
  readonly releases: Pick<ReleaseService, 'takeIn'>
  readonly store: Pick<ReleaseStore, 'noteFile' | 'keepFiles'>
  readonly keys: ReleaseKeys
}

/** Another leader may have added refused files of its own folder, so the list is cleaned again after this time. */
const KEPT_AGAIN_AFTER_MS = 60_000

interface FoundFile {
  readonly fileName: string
  readonly content: Buffer
  readonly version: string
}

/** Adds the files of the folder, the oldest version first, and remembers why others were refused. */
export function createReleaseFolder({ folder, releases, store, keys }: ReleaseFolderDeps) {
  /** The files as they were judged last: nobody reads them again unless they or the keys change. */
  const judged = new Map<string, string>()
  let kept = { names: '', atMs: Number.NEGATIVE_INFINITY }

  async function changedFiles(fileNames: readonly string[], keysText: string): Promise<readonly FoundFile[]> {
    const found: FoundFile[] = []
    for (const fileName of fileNames) {
      const path = join(folder, fileName)
      const { size, mtimeMs } = await stat(path)
      const fingerprint = `${size} ${mtimeMs} ${keysText}`
      if (judged.get(fileName) === fingerprint) continue
      judged.set(fileName, fingerprint)
      if (size > LARGEST_RELEASE_BYTES) await store.noteFile(fileName, 'This file is larger than a release can be.')
      else found.push(await readRelease(path, fileName))
    }
    return found.toSorted((a, b) => compareVersions(a.version, b.version))
  }

  return async (): Promise<void> => {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
    const fileNames = entries.filter((entry) => entry.isFile() && RELEASE_FILE.test(entry.name)).map(({ name }) => name)
    for (const known of judged.keys()) if (!fileNames.includes(known)) judged.delete(known)
    for (const { fileName, content } of await changedFiles(fileNames, (await keys()).join())) {
      try {
        await store.noteFile(fileName, await releases.takeIn(content))
      } catch (error) {
        // The file was not judged after all.
        judged.delete(fileName)
        throw error
      }
    }
    const names = fileNames.join('/')
    if (names === kept.names && performance.now() - kept.atMs < KEPT_AGAIN_AFTER_MS) return
    await store.keepFiles(fileNames)
    kept = { names, atMs: performance.now() }
  }
}

async function readRelease(path: string, fileName: string): Promise<FoundFile> {
  const content = await readFile(path)
  return { fileName, content, version: readHeader(content)?.header.version ?? '0.0.0' }
}
