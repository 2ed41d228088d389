import { existsSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { BaseSequencer, startVitest, type TestSpecification } from 'vitest/node'
import { readProject } from '../architecture/project.ts'
import { ROOT } from '../node24.mjs'
import {
  type Budgeted,
  type Importers,
  importersOf,
  isTest,
  leftOutLine,
  nearestTests,
  withinBudget,
} from './nearest.ts'
import { vitestTimes } from './slowest.ts'

/** The request to this program, as JSON in its one argument. */
export type NearestRun = Readonly<{
  /** Test files and folders of them, which run in any case. */
  tests: readonly string[]
  /** The nearest tests of these files run, or all with `takesAll`. */
  edited: readonly string[]
  takesAll: boolean
  title?: string | undefined
  /** Goes on after each edit: with tests of the above alone, or with any. */
  watches?: 'these' | 'any'
  commandForAll: string
}>

const asked = JSON.parse(process.argv[2] ?? '') as NearestRun

const absolute = (path: string) => join(ROOT, path)
const fromRoot = (path: string) => relative(ROOT, path).split(sep).join('/')

let testFiles: readonly string[]
let importers: Importers
function readTests() {
  const { files, modules } = readProject(ROOT)
  testFiles = files.filter(isTest)
  importers = importersOf(modules)
}
readTests()

const lastSeconds = new Map(
  ['unit', 'console', 'server']
    .map((stage) => absolute(`test-results/${stage}.json`))
    .filter((report) => existsSync(report))
    .flatMap((report) => vitestTimes(JSON.parse(readFileSync(report, 'utf8'))))
    .map(({ file, seconds }) => [file, seconds]),
)

const related = (edited: readonly string[]) => nearestTests(importers, edited, lastSeconds)
const isNamed = (test: string) => asked.tests.some((path) => test === path || test.startsWith(`${path}/`))
const isWatched = (test: string) => asked.watches === 'any' || isNamed(test) || related(asked.edited).includes(test)

function choose(tests: readonly string[]): Budgeted {
  return asked.takesAll ? { near: tests, far: [] } : withinBudget(tests, lastSeconds)
}

function chooseFirst(): Budgeted {
  const { near, far } = choose(related(asked.edited).filter((test) => !isNamed(test)))
  return { near: [...testFiles.filter(isNamed), ...near], far }
}

let present = chooseFirst()

class NearestFirst extends BaseSequencer {
  /** Files of one kind share what they have read only when they follow each other. */
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const places = new Map(present.near.map((test, place) => [test, place]))
    const place = ({ moduleId }: TestSpecification) => places.get(fromRoot(moduleId)) ?? places.size
    const sorted = (await super.sort(files)).toSorted((a, b) => place(a) - place(b))
    return [...Map.groupBy(sorted, ({ project }) => project.name).values()].flat()
  }
}

const titled = asked.title === undefined ? {} : { testNamePattern: asked.title }
/** It is no option, because that would replace each project's own `sequence`. */
const settings = { test: { sequence: { sequencer: NearestFirst } } }

const tellLeftOut = () => {
  if (present.far.length > 0) console.log(leftOutLine(present.far, lastSeconds, asked.commandForAll))
}

async function runOnce() {
  const reporters = ['default', { onTestRunEnd: tellLeftOut }]
  const vitest = await startVitest('test', present.near.map(absolute), { ...titled, watch: false, reporters }, settings)
  await vitest.exit()
}

/** The runner itself knows only the imports of what has run, and takes every test that they reach. */
async function watch() {
  const pending = new Set<string>()
  let next: Budgeted | undefined

  const watchTriggerPatterns = [{ pattern: /\.(tsx?|mjs|css|json)$/, testsToRun: noteEdit }]
  const reporters = ['default', { onWatcherRerun: takeNext, onTestRunEnd: tellLeftOut }]
  const options = { ...titled, watch: true, standalone: true, reporters, watchTriggerPatterns }
  const vitest = await startVitest('test', [], options, settings)
  vitest.onFilterWatchedSpecification(({ moduleId }) => chooseNext().near.includes(fromRoot(moduleId)))
  if (present.near.length > 0) {
    next = present
    await vitest.rerunTestSpecifications(await vitest.globTestSpecifications(present.near.map(absolute)))
  }

  /** The earlier imports decide: a new one stands in a file that was edited, too. */
  function noteEdit(path: string) {
    const edited = fromRoot(path)
    pending.add(edited)
    if (!isTest(edited)) return related([edited]).filter(isWatched).map(absolute)
    // The runner must see a new file, which may still be empty: its imports decide whether it belongs here.
    const isNew = !testFiles.includes(edited)
    if (asked.watches === 'these') readTests()
    return isNew || isWatched(edited) ? undefined : []
  }
  /** One run answers edits that are close together, or that come during a run. */
  function chooseNext(): Budgeted {
    if (next !== undefined) return next
    readTests()
    next = choose(related([...pending]).filter(isWatched))
    pending.clear()
    return next
  }
  /** A run by a key press leaves nothing out. */
  function takeNext() {
    present = next ?? { near: [], far: [] }
    next = undefined
  }
}

if (asked.watches !== undefined) await watch()
else if (present.near.length > 0) await runOnce()
else console.log(`No test imports ${asked.edited.join(', ')}.`)
