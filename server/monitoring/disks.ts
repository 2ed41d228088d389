import { statfs } from 'node:fs/promises'

export interface Disk {
  readonly name: string
  readonly freeBytes: number
  readonly sizeBytes: number
}

export async function readDisks(folders: Readonly<Record<string, string | undefined>>): Promise<readonly Disk[]> {
  const looked = Object.entries(folders).map(async ([name, folder]): Promise<Disk | undefined> => {
    const found = folder === undefined ? undefined : await statfs(folder).catch(() => undefined)
    return found && { name, freeBytes: found.bavail * found.bsize, sizeBytes: found.blocks * found.bsize }
  })
  return (await Promise.all(looked)).filter((disk) => disk !== undefined)
}
