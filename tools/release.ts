import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { releaseFileName } from '#domain/releases/header.ts'
import { verifyRelease } from '#domain/releases/verifyRelease.ts'
import { isVersion } from '#domain/releases/version.ts'
import { readConfig } from '#server/config.ts'
import { bundleAgent, bundleLauncher } from './releaseBundle.ts'
import { makeRelease, newReleaseKey, publicReleaseKey, readReleaseKey } from './releaseFile.ts'

const USAGE = `Usage: npm run release -- [--version X.Y.Z] [--key FILE] [--out DIR]
  --version  of the client; default: that of package.json
  --key      private key that signs; made where there is none; default: release-key.pem in the data folder
  --out      where release and launcher are written; default: releases in the data folder, the launcher beside it`

/** Said to whoever runs it, as it stands. */
class ReleaseError extends Error {}

function readOptions() {
  const text = { type: 'string' } as const
  try {
    const { values } = parseArgs({
      options: { version: text, key: text, out: text, help: { type: 'boolean', default: false } },
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

/** The key of the file, or a new one in it; the public half stands beside it, where the server reads it. */
function openKey(file: string) {
  if (!existsSync(file)) {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    // `wx`: a key that somebody has made in this moment is not overwritten.
    writeFileSync(file, newReleaseKey().pem, { mode: 0o600, flag: 'wx' })
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

async function main(): Promise<void> {
  const options = readOptions()
  const version = options.version ?? packageVersion()
  if (!isVersion(version)) {
    throw new ReleaseError(`--version is "${version}", but must be three numbers with dots, as in 1.2.3.`)
  }
  const dataFolder = resolve(readConfig().dataFolder)
  const { key, publicKey } = openKey(resolve(options.key ?? join(dataFolder, 'release-key.pem')))
  const release = await makeRelease(await bundleAgent(version), version, key)
  const verdict = await verifyRelease(release, [publicKey])
  if ('refusal' in verdict) throw new ReleaseError(`The release came out wrong: ${verdict.refusal.sentence}`)

  const out = options.out === undefined ? join(dataFolder, 'releases') : resolve(options.out)
  const launcherFolder = options.out === undefined ? dataFolder : out
  mkdirSync(out, { recursive: true, mode: 0o700 })
  const file = join(out, releaseFileName(version))
  const launcher = join(launcherFolder, 'wayside-launcher.mjs')
  // The server looks into this folder at any moment, and would find half a file damaged.
  writeFileSync(`${file}.new`, release)
  renameSync(`${file}.new`, file)
  writeFileSync(launcher, await bundleLauncher())
  console.log(`${file}: version ${version}, ${Math.ceil(release.length / 1024)} KB, SHA-256 ${verdict.release.sha256}`)
  console.log(`${launcher}: for devices that have none yet`)
  console.log(`Public key: ${publicKey}`)
}

try {
  await main()
} catch (error) {
  if (!(error instanceof ReleaseError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
