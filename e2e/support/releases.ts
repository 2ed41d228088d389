import { execFile } from 'node:child_process'
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { RELEASE_KEY_FILE } from '#server/features/software/releases/releaseKeys.ts'
import type { RunningSystem } from './system.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
/** Both are newer than what the demo runs. */
const VERSIONS: readonly string[] = ['7.0.1', '7.0.2']

export interface Releases {
  /** Files as `npm run release` makes them, oldest first. */
  readonly files: readonly string[]
  readonly damagedFile: string
}

/** Makes releases as an operator of a server does: the first one makes the signing key, which the server knows. */
export async function makeReleases(
  { dataFolder }: Pick<RunningSystem, 'dataFolder'>,
  versions = VERSIONS,
): Promise<Releases> {
  const folder = join(dataFolder, 'made-releases')
  await mkdir(folder)
  const keyFile = join(folder, 'key.pem')
  for (const version of versions) {
    const options = ['--version', version, '--key', keyFile, '--out', folder]
    await promisify(execFile)(process.execPath, ['tools/release.ts', ...options], { cwd: ROOT })
  }
  await copyFile(join(folder, 'key.pub'), join(dataFolder, RELEASE_KEY_FILE))
  const files = versions.map((version) => join(folder, `wayside-client-${version}.mjs`))
  const damagedFile = join(folder, 'damaged.mjs')
  await writeFile(damagedFile, (await readFile(files[0] as string)).subarray(0, -1))
  return { files, damagedFile }
}
