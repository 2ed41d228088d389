import { existsSync, globSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { hasConsole, tryBuildConsole } from '../console.mjs'
import { ROOT } from '../node24.mjs'
import { provideChromium } from './chromium.ts'
import { brokenInPlaywright, brokenInVitest, countPlaywright, countVitest, NOTHING, oneTest } from './counts.ts'
import type { Outcome } from './outcome.ts'
import { inModules, runPlaywright, runTool, runVitest } from './runners.ts'
import { type StageRun, withSecondLook } from './secondLook.ts'
import { playwrightTimes, vitestTimes } from './slowest.ts'

export type Stage = Readonly<{ name: string; title: string; act: () => Promise<Outcome> }>

const RESULTS = join(ROOT, 'test-results')

async function check(script: string, scriptArguments: string[]): Promise<Outcome> {
  const { code, output } = await runTool(script, scriptArguments)
  return { counts: oneTest(code), complaint: output }
}

const readReport = (file: string): unknown => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined)

const vitest = (name: string) => withSecondLook((files) => vitestOnce(name, files))

async function vitestOnce(name: string, files: readonly string[]): ReturnType<StageRun> {
  const report = join(RESULTS, `${name}.json`)
  rmSync(report, { force: true })
  mkdirSync(RESULTS, { recursive: true })
  const { code, output } = await runVitest([
    'run',
    '--passWithNoTests',
    '--project',
    `${name}*`,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...files,
  ])
  const found = readReport(report)
  return {
    counts: found === undefined ? oneTest(code || 1) : countVitest(found, code),
    complaint: fromFirst(output, /(Failed (Suites|Tests)|Unhandled (Errors|Rejection))/),
    times: found === undefined ? [] : vitestTimes(found),
    brokenFiles: found === undefined || /Unhandled (Errors|Rejection)/.test(output) ? undefined : brokenInVitest(found),
  }
}

const browser = () => withSecondLook(browserOnce)

async function browserOnce(files: readonly string[]): ReturnType<StageRun> {
  if (globSync(join(ROOT, 'e2e', '**', '*.test.ts')).length === 0) {
    return { counts: NOTHING, complaint: '', brokenFiles: undefined }
  }
  const report = join(RESULTS, 'browser.json')
  rmSync(report, { force: true })
  const ended = await runPlaywright(['--reporter=list,json', ...files], {
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: report },
  })
  if ('problem' in ended) return { counts: oneTest(1), complaint: ended.problem, brokenFiles: undefined }
  const { code, output } = ended
  const found = readReport(report)
  return {
    counts: found === undefined ? oneTest(code || 1) : countPlaywright(found, code),
    complaint: fromFirst(output, /^ +1\) /m),
    times: found === undefined ? [] : playwrightTimes(found),
    brokenFiles: found === undefined ? undefined : brokenInPlaywright(found),
  }
}

async function build(): Promise<Outcome> {
  if (!hasConsole()) return { counts: NOTHING, complaint: '' }
  const problem = await tryBuildConsole()
  return { counts: oneTest(problem === undefined ? 0 : 1), complaint: problem ?? '' }
}

/** Runs each campaign briefly with a fresh seed, which stands beside the counts. */
async function campaigns(): Promise<Outcome> {
  // One of them needs screens.
  const chromium = await provideChromium()
  if ('problem' in chromium) return { counts: oneTest(1), complaint: chromium.problem }
  const { code, output } = await runTool(join(ROOT, 'trials', 'campaign', 'main.ts'), ['every', '--brief'], {
    env: { CHROMIUM_PATH: chromium.path },
  })
  const [, passed, failed] = /^(\d+) passed, (\d+) failed$/m.exec(output) ?? []
  const counts =
    passed === undefined ? oneTest(code || 1) : { passed: Number(passed), failed: Number(failed), skipped: 0 }
  return { counts, complaint: output, note: `seed ${/--seed (\d+)/.exec(output)?.[1]}` }
}

/** The lines before the first failure only say what passed. */
function fromFirst(output: string, failure: RegExp): string {
  const at = output.search(failure)
  return at === -1 ? output.split('\n').slice(-80).join('\n') : output.slice(output.lastIndexOf('\n', at) + 1)
}

export const STAGES: readonly Stage[] = [
  {
    name: 'types',
    title: 'Types',
    // Each further checker of a project reads the types of libraries again, which doubles the work on two cores.
    act: () => check(inModules('typescript/bin/tsc'), ['--build', '--builders', '2', '--checkers', '1']),
  },
  {
    name: 'lint',
    title: 'Lint and format',
    act: () =>
      check(inModules('@biomejs/biome/bin/biome'), [
        'ci',
        '--max-diagnostics=50',
        '--diagnostic-level=error',
        '--colors=off',
      ]),
  },
  { name: 'architecture', title: 'Architecture', act: () => check(join(ROOT, 'tools', 'architecture', 'main.ts'), []) },
  { name: 'unit', title: 'Unit tests', act: () => vitest('unit') },
  { name: 'console', title: 'Console tests', act: () => vitest('console') },
  { name: 'server', title: 'Server tests', act: () => vitest('server') },
  { name: 'build', title: 'Console build', act: build },
  { name: 'campaigns', title: 'Campaigns', act: campaigns },
  { name: 'browser', title: 'Browser tests', act: browser },
]
