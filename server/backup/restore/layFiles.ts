import { type FileHandle, mkdir, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Account } from '#server/db/embedded/databaseAccount.ts'
import type { TarEntry, TarTaker } from '../copies/tar.ts'
import { syncPath } from '../seal/durably.ts'

const SYNCED_TOGETHER = 32

/** Writes the entries of an archive below a folder, and syncs them to the disk. */
export class FileLayer implements TarTaker {
  readonly #root: string
  readonly #ids: Account['ids']
  readonly #folders = new Set<string>()
  readonly #isWanted: (path: string) => boolean
  readonly #files: string[] = []
  #file: FileHandle | undefined

  /** @param ids the owner of the files, where it is not this user */
  constructor(root: string, ids: Account['ids'], isWanted: (path: string) => boolean = () => true) {
    this.#root = root
    this.#ids = ids
    this.#isWanted = isWanted
  }

  async begin({ path, kind, mode }: TarEntry): Promise<void> {
    if (!this.#isWanted(path)) return
    const target = join(this.#root, path)
    const folder = kind === 'folder' ? target : dirname(target)
    await makeFolder(folder, this.#ids)
    this.#folders.add(folder)
    if (kind === 'folder') return
    this.#file = await open(target, 'wx', mode)
    this.#files.push(target)
    if (this.#ids) await this.#file.chown(this.#ids.uid, this.#ids.gid)
  }

  async take(bytes: Buffer): Promise<void> {
    await this.#file?.writeFile(bytes)
  }

  async end(): Promise<void> {
    await this.#file?.close()
    this.#file = undefined
  }

  /** Afterwards all files and their names are on disk. */
  async finish(): Promise<void> {
    // Files that are synced one after the other would each wait for the disk.
    for (const paths = [...this.#files, ...this.#folders]; paths.length > 0; ) {
      await Promise.all(paths.splice(-SYNCED_TOGETHER).map(syncPath))
    }
    await syncPath(this.#root)
  }
}

/** The folder is closed to everybody else. */
export async function makeFolder(path: string, ids: Account['ids']): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 })
  if (!first || !ids) return
  for (let made = path; made.length >= first.length; made = dirname(made)) {
    const folder = await open(made, 'r')
    await folder.chown(ids.uid, ids.gid)
    await folder.close()
  }
}
