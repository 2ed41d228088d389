import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { test as base } from './journey.ts'
import { startSystem } from './system.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const DEMO_DEVICES = 6
/** Newer than what the demo runs, each by one. */
const VERSIONS = ['7.0.1', '7.0.2', '7.0.3'] as const

interface Releases {
  /** Files as `npm run release` makes them, oldest first. */
  readonly files: readonly string[]
  /** One whose program lost its end. */
  readonly damagedFile: string
  readonly publicKey: string
}

/** The product, with releases that its devices would run. */
export const test = base.extend<object, { releases: Releases }>({
  releases: [
    // biome-ignore lint/correctness/noEmptyPattern: the form that Playwright reads
    async ({}, use) => {
      const folder = await mkdtemp(join(tmpdir(), 'wayside-e2e-releases-'))
      await use(await makeReleases(folder))
      await rm(folder, { recursive: true, force: true })
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  system: [
    async ({ releases }, use) => {
      const system = await startSystem(DEMO_DEVICES, { WAYSIDE_RELEASE_KEYS: releases.publicKey })
      await use(system)
      await system.stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
})

async function makeReleases(folder: string): Promise<Releases> {
  const keyFile = join(folder, 'key.pem')
  for (const version of VERSIONS) {
    const options = ['--version', version, '--key', keyFile, '--out', folder]
    await promisify(execFile)(process.execPath, ['tools/release.ts', ...options], { cwd: ROOT })
  }
  const files = VERSIONS.map((version) => join(folder, `wayside-client-${version}.mjs`))
  const damagedFile = join(folder, 'damaged.mjs')
  await writeFile(damagedFile, (await readFile(files[0] as string)).subarray(0, -1))
  const publicKey = (await readFile(join(folder, 'key.pub'), 'utf8')).trim()
  return { files, damagedFile, publicKey }
}
