import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Architecture } from '#domain/releases/installFiles.ts'
import { PackError, run } from '../pack/run.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** What was fetched once is kept here, so that the next run needs no network. */
const CACHE = join(ROOT, '.cache', 'installer')

/** npm's word for it. */
const NPM_CPU = { amd64: 'x64', arm64: 'arm64' } as const satisfies Record<Architecture, string>

interface LockedPackage {
  readonly version: string
  readonly integrity: string
}

/**
 * Finds the folder of Node.js for this processor: the installed package, else that of the registry, checked by the
 * lockfile.
 */
export function nodeFolder(architecture: Architecture): string {
  const name = `node-linux-${NPM_CPU[architecture]}`
  const installed = join(ROOT, 'node_modules', name)
  if (existsSync(installed)) return installed
  const { version, integrity } = lockedPackage(name)
  const folder = join(CACHE, `${name}-${version}`)
  const archive = `${folder}.tgz`
  if (!existsSync(archive)) {
    mkdirSync(CACHE, { recursive: true })
    run('npm', ['pack', '--silent', '--pack-destination', CACHE, `${name}@${version}`], ROOT)
  }
  const found = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`
  if (found !== integrity) throw new PackError(`${archive} is not the package that package-lock.json names. Delete it.`)
  mkdirSync(folder, { recursive: true })
  run('tar', ['-x', '-f', archive, '-C', folder, '--strip-components=1', 'package/bin/node', 'package/LICENSE'], CACHE)
  return folder
}

function lockedPackage(name: string): LockedPackage {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, LockedPackage | undefined>>
  }
  const locked = packages[`node_modules/${name}`]
  if (!locked) throw new PackError(`package-lock.json names no ${name}.`)
  return locked
}
