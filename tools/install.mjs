import { accessSync, constants, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { isStopping, run } from './children.mjs'
import { giveUp, ROOT } from './node24.mjs'
import { withProgress } from './progress.mjs'

/** Installs exactly the lockfile, unless it is installed already. */
export async function installPackages() {
  if (isInstalled()) return
  const { code, output } = await withProgress('Installing packages', npmCi, ({ code }) => (code ? 'failed' : 'done'))
  if (isStopping()) process.exit(130)
  if (code !== 0) giveUp(`The packages could not be installed, npm said:\n${output.trim()}`)
  if (!isInstalled()) giveUp('npm ended well, but packages of package-lock.json are missing: run npm ci and look.')
}

function npmCi() {
  const [program, npmArguments] = npmCommand(['ci', '--include=dev', '--include=optional', '--loglevel=error'])
  return run(program, npmArguments, { quiet: true, env: { ...process.env, npm_config_cache: writableCache() } })
}

/** Compares npm's own record of what it unpacked, which it writes last, with the lockfile. */
function isInstalled() {
  const record = join(ROOT, 'node_modules', '.package-lock.json')
  if (!existsSync(record)) return false
  const installed = JSON.parse(readFileSync(record, 'utf8')).packages
  const locked = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).packages
  return Object.entries(locked).every(
    ([path, wanted]) => path === '' || !isNeededHere(wanted) || installed[path]?.version === wanted.version,
  )
}

function isNeededHere({ optional, os, cpu, libc }) {
  if (!optional) return true
  // A package that only an optional one or another C library needs may be missing.
  return os?.includes(process.platform) === true && cpu?.includes(process.arch) === true && libc === undefined
}

function npmCommand(npmArguments) {
  const ownNpm = process.env.npm_execpath
  if (ownNpm?.endsWith('.js') && existsSync(ownNpm)) return [process.execPath, [ownNpm, ...npmArguments]]
  return ['npm', npmArguments]
}

/** npm keeps downloads below HOME, which a service user may not have. */
function writableCache() {
  const usual = process.env.npm_config_cache ?? join(homedir(), '.npm')
  try {
    mkdirSync(usual, { recursive: true })
    accessSync(usual, constants.R_OK | constants.W_OK | constants.X_OK)
    return usual
  } catch {
    return join(ROOT, '.cache', 'npm')
  }
}
