import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { provideChromium } from '../tests/chromium.ts'
import type { Fault, Finder } from './lists/fault.ts'

/** No finder takes longer: one that hangs has noticed the fault too. */
const LONGEST_MS = 900_000
const REPORT = join('test-results', 'faults.json')

/**
 * Runs the tests of a fault in a copy of the project, one finder after the other and each up to its first failure.
 *
 * @returns the first test that fails; undefined when none does
 */
export async function find(root: string, { foundBy }: Fault): Promise<string | undefined> {
  for (const finder of foundBy) {
    rmSync(join(root, REPORT), { force: true })
    const found = await findBy(root, finder)
    if (found !== undefined) return found
  }
  return undefined
}

function findBy(root: string, finder: Finder): Promise<string | undefined> {
  if (typeof finder === 'string') return findIn(root, finder, undefined)
  return 'campaign' in finder ? findByDice(root, finder) : findIn(root, finder.file, finder.title)
}

const findIn = (root: string, file: string, title: string | undefined) =>
  file.startsWith('e2e/') ? findInBrowser(root, file, title) : findByVitest(root, file, title)

const inModules = (root: string, path: string) => join(root, 'node_modules', path)

/** Titles are words, and the runners take patterns. */
const titled = (flag: string, title: string | undefined) =>
  title === undefined ? [] : [flag, title.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')]

function reportIn<Report>(root: string): Report | undefined {
  const file = join(root, REPORT)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Report) : undefined
}

type VitestReport = Readonly<{
  testResults: readonly {
    name: string
    status: string
    assertionResults: readonly { status: string; fullName: string }[]
  }[]
}>

async function findByVitest(root: string, file: string, title: string | undefined): Promise<string | undefined> {
  const more = ['--bail', '1', '--reporter=json', `--outputFile=${REPORT}`]
  const code = await run(root, [inModules(root, 'vitest/vitest.mjs'), 'run', file, ...titled('-t', title), ...more])
  if (code === 0) return undefined
  const files = reportIn<VitestReport>(root)?.testResults ?? []
  const failed = files.flatMap(({ assertionResults }) => assertionResults).find(({ status }) => status === 'failed')
  return failed?.fullName ?? `${file} ended with ${code}`
}

type Suite = Readonly<{
  suites?: readonly Suite[]
  specs: readonly { title: string; tests: readonly { status: string }[] }[]
}>

async function findInBrowser(root: string, file: string, title: string | undefined): Promise<string | undefined> {
  if ((await buildConsole(root)) !== 0) return 'the build of the console'
  const given = ['test', file, ...titled('-g', title), '-x', '--reporter=json']
  const env = { ...(await withChromium()), PLAYWRIGHT_JSON_OUTPUT_FILE: join(root, REPORT) }
  const code = await run(root, [inModules(root, '@playwright/test/cli.js'), ...given], env)
  if (code === 0) return undefined
  const specs = (reportIn<{ suites: readonly Suite[] }>(root)?.suites ?? []).flatMap(specsOf)
  const failed = specs.find(({ tests }) => tests.some(({ status }) => status === 'unexpected'))
  return failed?.title ?? `${file} ended with ${code}`
}

async function withChromium() {
  const chromium = await provideChromium()
  if ('problem' in chromium) throw new Error(chromium.problem)
  return { CHROMIUM_PATH: chromium.path }
}

const buildConsole = (root: string) =>
  run(root, ['--eval', "import('./tools/console.mjs').then(({ buildConsole }) => buildConsole())"])

const specsOf = ({ suites = [], specs }: Suite): Suite['specs'] => [...specs, ...suites.flatMap(specsOf)]

async function findByDice(root: string, { campaign, options = ['--brief'] }: Extract<Finder, { campaign: string }>) {
  // One of the campaigns needs screens.
  if ((await buildConsole(root)) !== 0) return 'the build of the console'
  const code = await run(
    root,
    [join(root, 'trials', 'campaign', 'main.ts'), campaign, ...options],
    await withChromium(),
  )
  return code === 0 ? undefined : `campaign ${campaign}`
}

let present: ChildProcess | undefined
// The whole group ends, because a runner that is killed alone leaves its workers.
process.on('exit', () => endGroup(present))

function endGroup(child: ChildProcess | undefined): void {
  if (child?.pid === undefined) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // The process is gone.
  }
}

function run(root: string, given: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<number> {
  const kept = Object.entries(process.env).filter(([name]) => !/^(WAYSIDE_|DATABASE_|VITEST|NODE_OPTIONS$)/.test(name))
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...given], {
      cwd: root,
      env: { ...Object.fromEntries(kept), NO_COLOR: '1', FORCE_COLOR: '0', INIT_CWD: root, ...env },
      stdio: 'ignore',
      detached: true,
    })
    present = child
    const timer = setTimeout(() => endGroup(child), LONGEST_MS)
    child.on('error', reject)
    child.on('close', (code) => {
      clearTimeout(timer)
      present = undefined
      resolve(code ?? 1)
    })
  })
}
