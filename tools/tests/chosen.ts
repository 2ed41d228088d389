import { spawnSync } from 'node:child_process'
import { existsSync, globSync, statSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { buildConsole } from '../console.mjs'
import { ROOT } from '../node24.mjs'
import type { NearestRun } from './nearestRun.ts'
import { runPlaywright, runTool } from './runners.ts'

export type Chosen = Readonly<{
  /** Test files, folders of them, or sources, whose nearest tests run. */
  paths: readonly string[]
  title: string | undefined
  /** Every test that imports the sources runs. */
  takesAll: boolean
}>

type Sorted = Readonly<{ browser: readonly string[]; tests: readonly string[]; sources: readonly string[] }>

/**
 * Sorts paths by runner; they come out relative to the project.
 *
 * @throws one sentence that names a path without a file
 */
export function sortPaths(paths: readonly string[], from = process.env.INIT_CWD ?? process.cwd()): Sorted {
  const inProject = paths.map((path) => {
    const found = [resolve(from, path), join(ROOT, path)].find((candidate) => existsSync(candidate))
    if (found === undefined) throw new Error(`There is no file or folder "${path}".`)
    return relative(ROOT, found).split(sep).join('/')
  })
  const isBrowser = (path: string) => path === 'e2e' || path.startsWith('e2e/')
  const isTests = (path: string) => /\.test\.tsx?$/.test(path) || statSync(join(ROOT, path)).isDirectory()
  const others = inProject.filter((path) => !isBrowser(path))
  return {
    browser: inProject.filter(isBrowser).flatMap(browserTests),
    tests: others.filter(isTests),
    sources: others.filter((path) => !isTests(path)),
  }
}

/** A folder has its journeys; what journeys share is tested by all of them. */
function browserTests(path: string): readonly string[] {
  if (path.endsWith('.test.ts')) return [path]
  const inFolder = globSync(`${path}/**/*.test.ts`, { cwd: ROOT })
  return inFolder.length > 0 ? inFolder : globSync('e2e/**/*.test.ts', { cwd: ROOT })
}

/** Runs the tests one is working on, and shows their output at once. */
export async function runChosen({ paths, title, takesAll }: Chosen): Promise<number> {
  const { browser, tests, sources: edited } = sortPaths(paths)
  const commandForAll = `npm test -- ${edited.join(' ')} --all`
  const code =
    tests.length + edited.length === 0 ? 0 : await runNearest({ tests, edited, title, takesAll, commandForAll })
  if (browser.length === 0) return code
  return (await runBrowser([...new Set(browser)], title === undefined ? [] : ['-g', title])) || code
}

/**
 * Runs after each edit the nearest tests that import it: of those that were chosen, or else of any, beginning with
 * those of what is not committed yet.
 *
 * @throws one sentence for journeys in the browser, which take more than seconds
 */
export async function watchEdits({ paths, title, takesAll }: Chosen): Promise<number> {
  const { browser, tests, sources } = sortPaths(paths)
  if (browser.length > 0) throw new Error('Journeys in the browser cannot be watched: npm test -- PATH runs them.')
  const commandForAll = 'npm test -- --changed --all'
  if (paths.length > 0) return runNearest({ tests, edited: sources, title, takesAll, watches: 'these', commandForAll })
  return runNearest({ tests, edited: changedFiles('HEAD'), title, takesAll, watches: 'any', commandForAll })
}

const NEAREST = join(ROOT, 'tools', 'tests', 'nearestRun.ts')

const runNearest = async (asked: NearestRun) => (await runTool(NEAREST, [JSON.stringify(asked)], { isLive: true })).code

async function runBrowser(files: readonly string[], more: readonly string[]): Promise<number> {
  await buildConsole()
  const ended = await runPlaywright([...files, ...more], { isLive: true })
  if (!('problem' in ended)) return ended.code
  console.error(ended.problem)
  return 1
}

/**
 * Runs the nearest tests that import what was changed since a commit, and the changed journeys; the caller runs types,
 * lint and the architecture rules. Only the whole suite tests a migration, or the console under a journey.
 */
export async function runChanged(commit: string, takesAll: boolean): Promise<number> {
  const edited = changedFiles(commit)
  const commandForAll = `npm test -- --changed${commit === 'HEAD' ? '' : `=${commit}`} --all`
  const code = await runNearest({ tests: [], edited, takesAll, commandForAll })
  const journeys = edited.filter((name) => /^e2e\/.*\.test\.ts$/.test(name))
  return journeys.length === 0 ? code : code || (await runBrowser(journeys, []))
}

/** Returns what git says was changed since a commit, new files included; throws git's words for an unknown commit. */
function changedFiles(commit: string): readonly string[] {
  const git = (...gitArguments: string[]) => {
    const { status, stdout, stderr } = spawnSync('git', gitArguments, { cwd: ROOT, encoding: 'utf8' })
    if (status !== 0) throw new Error(stderr.trim())
    return stdout.split('\n').filter((name) => name !== '')
  }
  return [
    ...git('diff', '--name-only', '--diff-filter=d', commit),
    ...git('ls-files', '--others', '--exclude-standard'),
  ]
}
