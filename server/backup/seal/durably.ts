import { open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Syncs a file, or a folder: the names in it are on disk only then. */
export async function syncPath(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

export async function renameDurably(from: string, to: string): Promise<void> {
  await rename(from, to)
  await syncPath(dirname(to))
}
