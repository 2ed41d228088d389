import type { KeyObject } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { backTargetFileName, readHeader, releaseFileName } from '#domain/releases/header.ts'
import { verifyRelease } from '#domain/releases/verifyRelease.ts'
import { isVersion } from '#domain/releases/version.ts'
import { OLD_KEY_FILE, RELEASE_KEY_FILE } from '#server/features/software/releases/releaseKeys.ts'
import { readConfig } from '#server/settings/config.ts'
import { billOfMaterials } from './materials.ts'
import { bundleAgent, bundleLauncher } from './releaseBundle.ts'
import { makeBackTarget, makeRelease, newReleaseKey, publicReleaseKey, readReleaseKey } from './releaseFile.ts'

/** The key belongs to the maker of releases, and lies outside of any server's data. */
const DEFAULT_KEY = join(homedir(), '.config', 'wayside', 'release-key.pem')

const USAGE = `Usage: npm run release -- [--version X.Y.Z | --back FILE] [--key FILE] [--out DIR]
  --version  of the client; default: that of package.json
  --back     an earlier release: signs that devices which have never run it may go back to it
  --key      private key that signs; made where there is none; default: ${DEFAULT_KEY}
  --out      where release and launcher are written; default: releases in the data folder, the launcher beside it`

/** The message is shown as it is. */
class ReleaseError extends Error {}

function readOptions() {
  const text = { type: 'string' } as const
  try {
    const { values } = parseArgs({
      options: { version: text, back: text, key: text, out: text, help: { type: 'boolean', default: false } },
    })
    if (values.help) throw new Error('')
    return values
  } catch (error) {
    throw new ReleaseError(`${(error as Error).message}\n${USAGE}`.trim())
  }
}

function packageVersion(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}

/**
 * Earlier versions made the private key in the data folder, where the server's process can read it: whoever takes that
 * process over could sign what the fleet runs. So it moves to the folder of the maker of releases.
 */
function moveKeyOut(old: string, to: string): void {
  if (!existsSync(old)) return
  const pem = readFileSync(old, 'utf8')
  if (!existsSync(to)) {
    writeKey(to, pem)
    console.log(`Moved the private key from ${old}, where the server could read it, to ${to}.`)
  } else if (readFileSync(to, 'utf8') !== pem) {
    throw new ReleaseError(
      `${old} lies where the server can read it, but ${to} is another key. Move it elsewhere and name it with --key.`,
    )
  }
  rmSync(old)
}

function writeKey(file: string, pem: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  // `wx` keeps a key that somebody has made at this moment.
  writeFileSync(file, pem, { mode: 0o600, flag: 'wx', flush: true })
}

/** Opens the key of the file, or makes one; the public key stands beside it. */
function openKey(file: string) {
  if (!existsSync(file)) {
    writeKey(file, newReleaseKey().pem)
    console.log(`Made the key ${file}. Whoever has it decides what the devices run: keep it safe, and keep a copy.`)
  }
  let key: ReturnType<typeof readReleaseKey>
  try {
    key = readReleaseKey(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new ReleaseError(`${file} cannot be used as a release key: ${(error as Error).message}.`)
  }
  if (process.platform !== 'win32') chmodSync(file, 0o600)
  const publicKey = publicReleaseKey(key)
  writeFileSync(`${file.replace(/\.pem$/, '')}.pub`, `${publicKey}\n`)
  return { key, publicKey }
}

/** @throws ReleaseError unless the key has signed this release */
async function backTarget(path: string, key: KeyObject, publicKey: string) {
  const file = readFileSync(path)
  const verdict = await verifyRelease(file, [publicKey])
  const read = readHeader(file)
  if ('refusal' in verdict) throw new ReleaseError(`${path} cannot be signed: ${verdict.refusal.sentence}`)
  if (!read) throw new ReleaseError(`${path} is no release.`)
  return {
    content: makeBackTarget(read, key),
    fileName: backTargetFileName(read.header.version),
    materials: undefined,
  }
}

async function newRelease(version: string, key: KeyObject) {
  const { program, packages } = await bundleAgent(version)
  const root = fileURLToPath(new URL('..', import.meta.url))
  return {
    content: await makeRelease(program, version, key),
    fileName: releaseFileName(version),
    materials: billOfMaterials(root, 'wayside-client', version, packages),
  }
}

async function main(): Promise<void> {
  const options = readOptions()
  const version = options.version ?? packageVersion()
  if (!isVersion(version)) {
    throw new ReleaseError(`--version is "${version}", but must be three numbers with dots, as in 1.2.3.`)
  }
  const dataFolder = resolve(readConfig().dataFolder)
  const keyFile = resolve(options.key ?? DEFAULT_KEY)
  if (options.key === undefined) moveKeyOut(join(dataFolder, OLD_KEY_FILE), keyFile)
  const { key, publicKey } = openKey(keyFile)
  if (options.key === undefined) {
    mkdirSync(dataFolder, { recursive: true, mode: 0o700 })
    // The server reads the public key.
    writeFileSync(join(dataFolder, RELEASE_KEY_FILE), `${publicKey}\n`)
  }
  const {
    content: release,
    fileName,
    materials,
  } = options.back === undefined ? await newRelease(version, key) : await backTarget(options.back, key, publicKey)
  const verdict = await verifyRelease(release, [publicKey])
  if ('refusal' in verdict) throw new ReleaseError(`The release came out wrong: ${verdict.refusal.sentence}`)

  const out = options.out === undefined ? join(dataFolder, 'releases') : resolve(options.out)
  const launcherFolder = options.out === undefined ? dataFolder : out
  mkdirSync(out, { recursive: true, mode: 0o700 })
  const file = join(out, fileName)
  const launcher = join(launcherFolder, 'wayside-launcher.mjs')
  // The server reads this folder at any moment, and would find half a file damaged.
  writeFileSync(`${file}.new`, release)
  renameSync(`${file}.new`, file)
  writeFileSync(launcher, await bundleLauncher())
  // It does not lie beside the release, where the server would take it for one.
  const bill = join(launcherFolder, fileName.replace(/\.mjs$/, '.cdx.json'))
  if (materials !== undefined) writeFileSync(bill, materials)
  console.log(
    `${file}: version ${verdict.release.version}, ${Math.ceil(release.length / 1024)} KB, SHA-256 ${verdict.release.sha256}`,
  )
  console.log(`${launcher}: for devices that have none yet`)
  if (materials !== undefined) console.log(`${bill}: what the client is made of, as CycloneDX`)
  console.log(`Public key: ${publicKey}`)
}

try {
  await main()
} catch (error) {
  if (!(error instanceof ReleaseError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
