import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

/** The file has the old or the whole new content, whenever the power goes. Throws as `node:fs` does. */
export function writeDurably(file: string, content: string | Uint8Array): void {
  const temporary = `${file}.new`
  const opened = openSync(temporary, 'w', 0o600)
  try {
    const bytes = Buffer.from(content)
    for (let written = 0; written < bytes.length; ) written += writeSync(opened, bytes, written)
    fsyncSync(opened)
  } finally {
    closeSync(opened)
  }
  renameSync(temporary, file)
  syncFolder(dirname(file))
}

/** Once it returns, the content has its new name even if the power goes. Throws as `node:fs` does. */
export function renameDurably(from: string, to: string): void {
  const opened = openSync(from, 'r+')
  try {
    fsyncSync(opened)
  } finally {
    closeSync(opened)
  }
  renameSync(from, to)
  syncFolder(dirname(to))
  if (dirname(from) !== dirname(to)) syncFolder(dirname(from))
}

export function removeDurably(file: string): void {
  rmSync(file, { force: true })
  syncFolder(dirname(file))
}

/** A name is on the disk only when its folder is. */
function syncFolder(folder: string): void {
  // Windows cannot open folders, and writes names at once.
  if (process.platform === 'win32') return
  const opened = openSync(folder, 'r')
  try {
    fsyncSync(opened)
  } finally {
    closeSync(opened)
  }
}
