import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isStopping, run } from './children.mjs'
import { findNode24, giveUp, ROOT } from './node24.mjs'
import { withProgress } from './progress.mjs'

const BUILT = join(ROOT, 'dist', 'console')
const UNFINISHED = join(ROOT, 'dist', 'console.new')
const STAMP = join(BUILT, '.sources')
const SOURCES = [
  'console',
  'contract',
  'domain',
  'tools/compressed.ts',
  'tools/baseMap',
  'tools/licences',
  'tools/plainContract',
  'tools/startLinks.ts',
  'vite.config.ts',
  'package-lock.json',
  'tsconfig.base.json',
]

export const isConsoleBuilt = () => existsSync(join(BUILT, 'index.html'))

/** Builds the console when its sources have changed; a failure ends the program. */
export async function buildConsole({ evenIfFresh = false } = {}) {
  if (!hasConsole() || (!evenIfFresh && isConsoleFresh())) return
  const problem = await withProgress('Building the console', tryBuildConsole, (found) => (found ? 'failed' : 'done'))
  if (isStopping()) process.exit(130)
  if (problem !== undefined) giveUp(`The console could not be built:\n${problem}`)
}

export const hasConsole = () => existsSync(join(ROOT, 'console', 'index.html'))

const isConsoleFresh = () => existsSync(STAMP) && readFileSync(STAMP, 'utf8') === hashOfSources()

/** @returns {Promise<string | undefined>} why it could not be built */
export async function tryBuildConsole() {
  const sources = hashOfSources()
  const { code, output } = await viteBuild()
  if (code !== 0) return output.trim()
  writeFileSync(join(UNFINISHED, '.sources'), sources)
  // A killed build never replaces one that works.
  rmSync(BUILT, { recursive: true, force: true })
  renameSync(UNFINISHED, BUILT)
  return undefined
}

function viteBuild() {
  const vite = join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js')
  const viteArguments = ['build', '--outDir', UNFINISHED, '--emptyOutDir', '--logLevel', 'warn']
  return run(findNode24(), [vite, ...viteArguments], { quiet: true })
}

function hashOfSources() {
  const hash = createHash('sha256')
  for (const path of SOURCES.flatMap(filesOf))
    hash
      .update(path)
      .update('\0')
      .update(readFileSync(join(ROOT, path)))
  return hash.digest('hex')
}

function filesOf(path) {
  if (!existsSync(join(ROOT, path))) return []
  const isTest = (name) => /\.test\.tsx?$/.test(name)
  if (/\.\w+$/.test(path)) return [path]
  return readdirSync(join(ROOT, path), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && !isTest(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length))
    .sort()
}
