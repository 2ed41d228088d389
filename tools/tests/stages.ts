import { existsSync, globSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../children.mjs'
import { hasConsole, tryBuildConsole } from '../console.mjs'
import { ROOT } from '../node24.mjs'
import { provideChromium } from './chromium.ts'
import { type Counts, countPlaywright, countVitest, NOTHING, oneTest } from './counts.ts'

/** `complaint`: what a person needs to read when something failed. */
export type Outcome = Readonly<{ counts: Counts; complaint: string }>

export type Stage = Readonly<{ name: string; title: string; act: () => Promise<Outcome> }>

const RESULTS = join(ROOT, 'test-results')

const inModules = (path: string) => join(ROOT, 'node_modules', path)

/** Settings of the person who runs the tests must not change what they test. */
function cleanEnvironment(more: Record<string, string> = {}) {
  const kept = Object.entries(process.env).filter(([name]) => !/^(WAYSIDE_|DATABASE_|VITEST|NODE_OPTIONS$)/.test(name))
  return { ...Object.fromEntries(kept), NO_COLOR: '1', FORCE_COLOR: '0', ...more }
}

async function runTool(program: string, programArguments: string[], more: Record<string, string> = {}) {
  // The runners tidy up on SIGINT, and not on SIGTERM.
  return run(program, programArguments, { quiet: true, env: cleanEnvironment(more), stopSignal: 'SIGINT' })
}

async function check(program: string, programArguments: string[]): Promise<Outcome> {
  const { code, output } = await runTool(program, programArguments)
  return { counts: oneTest(code), complaint: output }
}

const readReport = (file: string): unknown => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined)

async function vitest(name: string, projects: string[]): Promise<Outcome> {
  const report = join(RESULTS, `${name}.json`)
  rmSync(report, { force: true })
  mkdirSync(RESULTS, { recursive: true })
  const { code, output } = await runTool(process.execPath, [
    inModules('vitest/vitest.mjs'),
    'run',
    '--passWithNoTests',
    ...projects.flatMap((project) => ['--project', project]),
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ])
  const found = readReport(report)
  return {
    counts: found === undefined ? oneTest(code || 1) : countVitest(found, code),
    complaint: fromFirst(output, /(Failed (Suites|Tests)|Unhandled (Errors|Rejection))/),
  }
}

async function browser(): Promise<Outcome> {
  if (globSync(join(ROOT, 'e2e', '**', '*.test.ts')).length === 0) return { counts: NOTHING, complaint: '' }
  const chromium = await provideChromium()
  if ('problem' in chromium) return { counts: oneTest(1), complaint: chromium.problem }
  const report = join(RESULTS, 'browser.json')
  rmSync(report, { force: true })
  const { code, output } = await runTool(
    process.execPath,
    [inModules('@playwright/test/cli.js'), 'test', '--reporter=list,json'],
    { CHROMIUM_PATH: chromium.path, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
  )
  const found = readReport(report)
  return {
    counts: found === undefined ? oneTest(code || 1) : countPlaywright(found, code),
    complaint: fromFirst(output, /^ +1\) /m),
  }
}

async function build(): Promise<Outcome> {
  if (!hasConsole()) return { counts: NOTHING, complaint: '' }
  const problem = await tryBuildConsole()
  return { counts: oneTest(problem === undefined ? 0 : 1), complaint: problem ?? '' }
}

/** What comes before the first failure only says what passed. */
function fromFirst(output: string, failure: RegExp): string {
  const at = output.search(failure)
  return at === -1 ? output.split('\n').slice(-80).join('\n') : output.slice(output.lastIndexOf('\n', at) + 1)
}

export const STAGES: readonly Stage[] = [
  { name: 'types', title: 'Types', act: () => check(process.execPath, [inModules('typescript/bin/tsc'), '--noEmit']) },
  {
    name: 'lint',
    title: 'Lint and format',
    act: () => check(process.execPath, [inModules('@biomejs/biome/bin/biome'), 'ci', '--max-diagnostics=50']),
  },
  { name: 'laws', title: 'Laws', act: () => check(process.execPath, [join(ROOT, 'tools', 'laws', 'main.ts')]) },
  { name: 'unit', title: 'Unit tests', act: () => vitest('unit', ['unit', 'console']) },
  { name: 'server', title: 'Server tests', act: () => vitest('server', ['server']) },
  { name: 'build', title: 'Console build', act: build },
  { name: 'browser', title: 'Browser tests', act: browser },
]
