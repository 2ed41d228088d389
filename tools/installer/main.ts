import { existsSync, globSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { readHeader } from '#domain/releases/header.ts'
import { ARCHITECTURES, type Architecture } from '#domain/releases/installFiles.ts'
import { verifyRelease } from '#domain/releases/verifyRelease.ts'
import { compareVersions } from '#domain/releases/version.ts'
import { readConfig } from '#server/settings/config.ts'
import { PackError } from '../pack/run.ts'
import { bundleLauncher } from '../releaseBundle.ts'
import { publicReleaseKey, readReleaseKey } from '../releaseFile.ts'
import { buildPackages } from './buildPackages.ts'
import { writeInstallFolder } from './installFolder.ts'
import { nodeFolder } from './nodeOf.ts'

const DEFAULT_KEY = join(homedir(), '.config', 'wayside', 'release-key.pem')
const USAGE = `Usage: npm run installer -- [--release FILE] [--architecture amd64|arm64] [--key FILE] [--out DIR]
Packs a release for new devices, as a Debian package and as an archive, and signs the list of both.
  --release       a file of npm run release; default: the newest in the data folder
  --architecture  may be repeated; default: both
  --key           the private key that signed the release; default: ${DEFAULT_KEY}
  --out           default: install in the data folder, where the server offers it`

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        release: { type: 'string' },
        architecture: { type: 'string', multiple: true, default: [...ARCHITECTURES] },
        key: { type: 'string', default: DEFAULT_KEY },
        out: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    })
    if (!values.help) return values
  } catch (error) {
    throw new PackError(`${(error as Error).message}\n${USAGE}`)
  }
  throw new PackError(USAGE)
}

function readArchitecture(word: string): Architecture {
  const known = ARCHITECTURES.find((each) => each === word)
  if (known) return known
  throw new PackError(`--architecture is "${word}", but must be one of: ${ARCHITECTURES.join(', ')}.`)
}

function newestRelease(folder: string): string {
  const versionOf = (file: string) => readHeader(readFileSync(file))?.header.version ?? '0.0.0'
  const [newest] = globSync(join(folder, 'wayside-client-*.mjs')).toSorted((a, b) =>
    compareVersions(versionOf(b), versionOf(a)),
  )
  if (newest === undefined) throw new PackError(`There is no release in ${folder}. Make one with npm run release.`)
  return newest
}

async function pack(): Promise<void> {
  const options = readOptions()
  const dataFolder = resolve(readConfig().dataFolder)
  const out = resolve(options.out ?? join(dataFolder, 'install'))
  const releaseFile = resolve(options.release ?? newestRelease(join(dataFolder, 'releases')))
  if (!existsSync(options.key)) throw new PackError(`${options.key} does not exist. npm run release makes it.`)
  const key = readReleaseKey(readFileSync(options.key, 'utf8'))
  const publicKey = publicReleaseKey(key)
  const release = readFileSync(releaseFile)
  const verdict = await verifyRelease(release, [publicKey])
  if ('refusal' in verdict) throw new PackError(`${releaseFile} cannot be packed: ${verdict.refusal.sentence}`)
  const { version } = verdict.release
  const launcher = await bundleLauncher()
  const files = options.architecture.map(readArchitecture).flatMap((architecture) => {
    const parts = { version, release, launcher, nodeFolder: nodeFolder(architecture) }
    return buildPackages(parts, architecture, out)
  })
  writeInstallFolder(out, files, key)
  for (const { fileName, content } of files)
    console.log(`${join(out, fileName)}: ${Math.ceil(content.length / 2 ** 20)} MB`)
  console.log(`Release key: ${publicKey}`)
}

try {
  await pack()
} catch (error) {
  if (!(error instanceof PackError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
