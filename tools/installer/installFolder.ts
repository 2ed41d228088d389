import { createHash, type KeyObject, sign } from 'node:crypto'
import { globSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SUMS_FILE, SUMS_SIGNATURE_FILE, sumsText } from '#domain/releases/installFiles.ts'

interface PackageFile {
  readonly fileName: string
  readonly content: Uint8Array
}

/** Writes the packages with the signed list of them, and removes those of an earlier release. */
export function writeInstallFolder(folder: string, files: readonly PackageFile[], key: KeyObject): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const write = (name: string, content: string | Uint8Array) => {
    writeFileSync(join(folder, `${name}.new`), content)
    renameSync(join(folder, `${name}.new`), join(folder, name))
  }
  for (const { fileName, content } of files) write(fileName, content)
  const sums = sumsText(files.map(({ fileName, content }) => ({ fileName, sha256: sha256Of(content) })))
  // The list comes last, because the server offers what it names.
  write(SUMS_FILE, sums)
  write(SUMS_SIGNATURE_FILE, `${sign(null, Buffer.from(sums), key).toString('base64')}\n`)
  const kept = new Set(files.map(({ fileName }) => fileName))
  for (const old of globSync('wayside-client_*', { cwd: folder })) if (!kept.has(old)) rmSync(join(folder, old))
}

const sha256Of = (content: Uint8Array) => createHash('sha256').update(content).digest('hex')
