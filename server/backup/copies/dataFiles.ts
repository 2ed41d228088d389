import { open, readdir, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { TAR_END, tarHeader, tarPadding } from './tar.ts'

const READ_BYTES = 256 * 1024
/** The copy contains the database itself; its passwords are made anew; a key never enters a copy. */
const LEFT_OUT = /^(postgres[-.].*|release-key\.pem|secrets\.key.*|\.restoring)$/

/** Archives everything else in the data folder, and leaves out what vanishes meanwhile. */
export async function* dataFilesTar(dataFolder: string, backupFolder: string): AsyncGenerator<Buffer, void> {
  for await (const path of pathsBelow(dataFolder, backupFolder)) yield* entryOf(dataFolder, path)
  yield TAR_END
}

async function* pathsBelow(dataFolder: string, backupFolder: string): AsyncGenerator<string, void> {
  const folders = ['']
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = await readdir(join(dataFolder, folder), { withFileTypes: true }).catch(unlessGone)
    for (const entry of entries ?? []) {
      const path = join(folder, entry.name)
      if (folder === '' && LEFT_OUT.test(entry.name)) continue
      if (relative(backupFolder, join(dataFolder, path)) === '') continue
      if (entry.isDirectory()) folders.push(path)
      if (entry.isDirectory() || entry.isFile()) yield path
    }
  }
}

async function* entryOf(dataFolder: string, path: string): AsyncGenerator<Buffer, void> {
  const found = await stat(join(dataFolder, path)).catch(unlessGone)
  if (!found) return
  const mode = found.mode & 0o777
  if (found.isDirectory()) {
    yield tarHeader({ path, kind: 'folder', mode, bytes: 0 })
    return
  }
  const file = await open(join(dataFolder, path), 'r').catch(unlessGone)
  if (!file) return
  try {
    yield tarHeader({ path, kind: 'file', mode, bytes: found.size })
    // The entry must have the size that its header says, however the file grows or shrinks meanwhile.
    for (let left = found.size; left > 0; ) {
      const buffer = Buffer.alloc(Math.min(READ_BYTES, left))
      await file.read(buffer, 0, buffer.length)
      yield buffer
      left -= buffer.length
    }
    yield tarPadding(found.size)
  } finally {
    await file.close()
  }
}

function unlessGone(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
