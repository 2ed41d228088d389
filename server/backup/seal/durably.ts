import { open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'

/** A file, or a folder with the names in it: those are on disk only when it is. */
export async function syncPath(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/** What is there under its name from now on survives a power cut. */
export async function renameDurably(from: string, to: string): Promise<void> {
  await rename(from, to)
  await syncPath(dirname(to))
}
