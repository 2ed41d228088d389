import { execFileSync } from 'node:child_process'
import { chmodSync, closeSync, mkdirSync, openSync, rmSync, statfsSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'

const MEGABYTE = 1024 * 1024
const LEAST_CHUNK_BYTES = 4096

/** A file system in memory of so many megabytes, which can be filled and freed again. */
export class SmallDisk {
  readonly folder: string
  readonly #filler: string

  /**
   * @param inodes how many files it takes
   * @returns undefined where nobody may mount one
   */
  static make(folder: string, megabytes: number, inodes = 100_000): SmallDisk | undefined {
    mkdirSync(folder)
    try {
      const size = `size=${megabytes}m,nr_inodes=${inodes}`
      execFileSync('mount', ['-t', 'tmpfs', '-o', size, 'tmpfs', folder], { stdio: 'ignore' })
    } catch {
      return undefined
    }
    chmodSync(folder, 0o755)
    return new SmallDisk(folder)
  }

  private constructor(folder: string) {
    this.folder = folder
    this.#filler = join(folder, 'filler')
    process.once('exit', this.remove)
  }

  get freeBytes(): number {
    const { bavail, bsize } = statfsSync(this.folder)
    return bavail * bsize
  }

  /** Fills all free space, also what was freed since the last call. */
  fill(): void {
    const file = openSync(this.#filler, 'a')
    for (let bytes = MEGABYTE; bytes >= LEAST_CHUNK_BYTES; ) {
      try {
        if (writeSync(file, Buffer.alloc(bytes)) < bytes) bytes /= 2
      } catch {
        bytes /= 2
      }
    }
    closeSync(file)
  }

  /** Uses all inodes but so many, and hardly a byte. */
  takeInodes(left: number): void {
    mkdirSync(this.#filler)
    for (let index = statfsSync(this.folder).ffree; index > left; index--)
      writeFileSync(join(this.#filler, `${index}`), '')
  }

  free(): void {
    rmSync(this.#filler, { recursive: true, force: true })
  }

  readonly remove = (): void => {
    process.removeListener('exit', this.remove)
    try {
      execFileSync('umount', ['--lazy', this.folder], { stdio: 'ignore' })
    } catch {
      // The file is gone already.
    }
  }
}
