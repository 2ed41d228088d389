import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const CACHE = fileURLToPath(new URL('../../node_modules/.cache/wayside-debian', import.meta.url))
const DOWNLOADED_WITHIN_MS = 20_000

export interface DebianPrograms {
  /** Returns the path of a file as its package places it: `/usr/bin/promtool`. */
  readonly pathOf: (file: string) => string
  /** The programs find their own libraries with this environment. */
  readonly environment: NodeJS.ProcessEnv
}

/**
 * Finds programs of Debian packages: on this machine, or unpacked beside the dependencies without being installed, so
 * that nothing of them is started.
 *
 * @param packages the first one names the folder
 * @returns the programs, or why there are none
 */
export function findDebianPrograms(packages: readonly string[], files: readonly string[]): DebianPrograms | string {
  const folder = join(CACHE, packages[0] ?? '')
  const found = programsIn('/', files) ?? programsIn(folder, files)
  if (found) return found
  const trouble = existsSync('/usr/bin/apt-get') ? unpack(packages, folder) : 'this is no Debian'
  return programsIn(folder, files) ?? `${packages.join(', ')}: not here, and could not be fetched: ${trouble}`
}

function programsIn(root: string, files: readonly string[]): DebianPrograms | undefined {
  const pathOf = (file: string) => join(root, file)
  if (!files.every((file) => existsSync(pathOf(file)))) return undefined
  const libraries = join(root, 'usr/lib', execArchitecture())
  return { pathOf, environment: { ...process.env, ...(root !== '/' && { LD_LIBRARY_PATH: libraries }) } }
}

const execArchitecture = () => (process.arch === 'arm64' ? 'aarch64-linux-gnu' : 'x86_64-linux-gnu')

/** Uses the lists of packages as they are, because only the machine's keeper renews them. @returns what went wrong */
function unpack(packages: readonly string[], target: string): string | undefined {
  const folder = `${target}.${process.pid}`
  const bounded = { cwd: folder, encoding: 'utf8', stdio: 'pipe', timeout: DOWNLOADED_WITHIN_MS } as const
  const patience = ['-o', 'Acquire::Retries=0', '-o', 'Acquire::http::Timeout=5', '-o', 'APT::Sandbox::User=root']
  try {
    mkdirSync(folder, { recursive: true })
    execFileSync('apt-get', [...patience, 'download', ...packages], bounded)
    for (const file of readdirSync(folder)) execFileSync('dpkg', ['-x', file, 'unpacked'], bounded)
    mkdirSync(dirname(target), { recursive: true })
    renameSync(join(folder, 'unpacked'), target)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message.trim() : String(error)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
