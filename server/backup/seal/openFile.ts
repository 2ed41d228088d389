import { type FileHandle, open, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { BackupRefused } from './backupRefused.ts'

/**
 * Opens a file of a backup for reading.
 *
 * @throws BackupRefused when the disk does not give it: then that file is lost, and the rest may be whole
 */
export async function openFile(path: string): Promise<FileHandle> {
  const found = await stat(path).catch(refuseUnreadable(path))
  // Opening a pipe would wait for ever.
  if (!found.isFile()) throw new BackupRefused(`${basename(path)} is not a file.`)
  return open(path, 'r').catch(refuseUnreadable(path))
}

export const refuseUnreadable =
  (path: string) =>
  (error: NodeJS.ErrnoException): never => {
    const isMissing = error.code === 'ENOENT'
    throw new BackupRefused(`${basename(path)} ${isMissing ? 'is missing' : `cannot be read (${error.code})`}.`)
  }
