import { execFile } from 'node:child_process'
import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, copyFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { releaseFileName } from '#domain/releases/header.ts'

const PROGRAM = fileURLToPath(new URL('../../tools/release.ts', import.meta.url))
const PACKAGE = new URL('../../package.json', import.meta.url)
/** The usual form of an Ed25519 public key has this many bytes before the key itself. */
const SPKI_PREFIX_BYTES = 12

const keyFileIn = (demoFolder: string) => join(demoFolder, 'release-key.pem')

/**
 * Returns the public part of the key that signs releases of this demo, made at its first start. It is not the key that
 * `npm run release` makes, which belongs to whoever runs that.
 */
export async function demoReleaseKey(demoFolder: string): Promise<string> {
  const file = keyFileIn(demoFolder)
  if (!existsSync(file)) {
    const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    await mkdir(dirname(file), { recursive: true })
    await writeFile(`${file}.new`, pem, { mode: 0o600 })
    await chmod(`${file}.new`, 0o600)
    await rename(`${file}.new`, file)
  }
  const key = createPublicKey(createPrivateKey(await readFile(file, 'utf8')))
  return key.export({ type: 'spki', format: 'der' }).subarray(SPKI_PREFIX_BYTES).toString('base64')
}

export interface DemoVersions {
  readonly present: string
  readonly next: string
}

export async function demoVersions(): Promise<DemoVersions> {
  const { version: present } = JSON.parse(await readFile(PACKAGE, 'utf8')) as { version: string }
  const [major, minor, patch] = present.split('.').map(Number)
  return { present, next: `${major}.${minor}.${(patch ?? 0) + 1}` }
}

/** Makes and signs both as anybody makes releases, and puts them where the server finds them, the older one first. */
export async function makeDemoReleases(
  { present, next }: DemoVersions,
  folders: { readonly demo: string; readonly releases: string },
  signal: AbortSignal,
): Promise<void> {
  const made = join(folders.demo, 'releases')
  for (const version of [present, next]) {
    const options = ['--version', version, '--key', keyFileIn(folders.demo), '--out', made]
    await promisify(execFile)(process.execPath, [PROGRAM, ...options], { signal, killSignal: 'SIGKILL' })
  }
  await mkdir(folders.releases, { recursive: true, mode: 0o700 })
  for (const name of [present, next].map(releaseFileName)) {
    const there = join(folders.releases, name)
    await copyFile(join(made, name), `${there}.new`)
    await rename(`${there}.new`, there)
  }
}
