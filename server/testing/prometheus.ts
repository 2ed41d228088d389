import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface PrometheusPrograms {
  readonly prometheus: string
  readonly promtool: string
}

const CACHE = fileURLToPath(new URL('../../node_modules/.cache/wayside-prometheus', import.meta.url))
const DOWNLOADED_WITHIN_MS = 20_000

/**
 * Prometheus as Debian packs it: of this machine, or unpacked beside the dependencies without being installed, so that
 * nothing of it is started.
 *
 * @returns or why there is none
 */
export function findPrometheus(): PrometheusPrograms | string {
  const found = programsIn('/usr/bin') ?? programsIn(join(CACHE, 'usr/bin'))
  if (found) return found
  const trouble = existsSync('/usr/bin/apt-get') ? unpack() : 'this is no Debian'
  return programsIn(join(CACHE, 'usr/bin')) ?? `Prometheus is not here, and could not be fetched: ${trouble}`
}

function programsIn(folder: string): PrometheusPrograms | undefined {
  const programs = { prometheus: join(folder, 'prometheus'), promtool: join(folder, 'promtool') }
  return Object.values(programs).every((program) => existsSync(program)) ? programs : undefined
}

/** Of the lists of packages as they are: to renew them is for whoever keeps the machine. @returns what went wrong */
function unpack(): string | undefined {
  const folder = `${CACHE}.${process.pid}`
  const bounded = { cwd: folder, encoding: 'utf8', stdio: 'pipe', timeout: DOWNLOADED_WITHIN_MS } as const
  const patience = ['-o', 'Acquire::Retries=0', '-o', 'Acquire::http::Timeout=5', '-o', 'APT::Sandbox::User=root']
  try {
    mkdirSync(folder, { recursive: true })
    execFileSync('apt-get', [...patience, 'download', 'prometheus'], bounded)
    const [file = ''] = readdirSync(folder)
    execFileSync('dpkg', ['-x', file, 'unpacked'], bounded)
    mkdirSync(dirname(CACHE), { recursive: true })
    renameSync(join(folder, 'unpacked'), CACHE)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message.trim() : String(error)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
