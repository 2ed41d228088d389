import { basename, dirname, join } from 'node:path/posix'
import type { Module } from '../architecture/project.ts'

/** Maps each file, by its path from the root, to the modules that import it. */
export type Importers = ReadonlyMap<string, ReadonlySet<string>>

export type Budgeted = Readonly<{ near: readonly string[]; far: readonly string[] }>

/** Holds the seconds of each test file in the last reports. */
export type Seconds = ReadonlyMap<string, number>

/** The runner reads these for tests that do not import them. */
const READ_BY_RUNNER: readonly (readonly [tests: string, file: string])[] = [
  ['', 'package.json'],
  ['', 'vitest.config.ts'],
  ['server/', 'server/testing/database/globalSetup.ts'],
  ['console/', 'console/testing/setup.ts'],
]

/** A run of a minute also needs time to start the runner and PostgreSQL, and for a slow file. */
const BUDGET_SECONDS = 24
const UNKNOWN_SECONDS = 4
/** Reports do not count reading the imports of a file, and starting what it tests. */
const SET_UP_SECONDS = 2
/** Returns how many files run beside each other (`vitest.config.ts`). */
const filesAtOnce = (file: string) => (file.startsWith('console/') ? 2 : 4)

/** Journeys in the browser have a runner of their own. */
export const isTest = (path: string) => /\.test\.tsx?$/.test(path) && !path.startsWith('e2e/')

export function importersOf(modules: readonly Pick<Module, 'path' | 'imports'>[]): Importers {
  const importers = new Map<string, Set<string>>()
  const add = (imported: string, path: string) =>
    importers.set(imported, (importers.get(imported) ?? new Set()).add(path))
  for (const { path, imports } of modules) {
    for (const { target, isTypeOnly } of imports) if (!isTypeOnly) add(target.name, path)
    if (!isTest(path)) continue
    for (const [tests, file] of READ_BY_RUNNER) if (path.startsWith(tests)) add(file, path)
  }
  return importers
}

/** Counts the imports between the edits and each module that reaches them. */
function distances(importers: Importers, edited: readonly string[]): ReadonlyMap<string, number> {
  const found = new Map(edited.map((path) => [path, 0]))
  // The map grows while it is walked: the nearest come first.
  for (const [path, distance] of found) {
    for (const importer of importers.get(path) ?? []) if (!found.has(importer)) found.set(importer, distance + 1)
  }
  return found
}

/** Returns `x` with its folder for `x.store.ts`, `x.routes.ts` or `x.test.ts`. */
const subject = (path: string) => join(dirname(path), basename(path).replace(/\..*$/, ''))

/**
 * Returns every test that imports the edits, most telling first: edited tests, those of the same name, those in one
 * folder with an edit or with a module that imports it, and then by the number of imports between. Tests of calls
 * import the whole product, so imports alone would make all of them equally far.
 */
export function nearestTests(importers: Importers, edited: readonly string[], seconds: Seconds): readonly string[] {
  const found = distances(importers, edited)
  const folders = new Map<string, number>()
  for (const [path, distance] of found) {
    if (isTest(path)) continue
    folders.set(dirname(path), Math.min(distance, folders.get(dirname(path)) ?? distance))
  }
  const namesakes = new Set(edited.map(subject))
  const rank = (test: string): readonly number[] => {
    const distance = found.get(test) ?? 0
    const folder = folders.get(dirname(test)) ?? distance
    const name = distance === 0 ? 0 : namesakes.has(subject(test)) ? 1 : 2
    return [name, folder <= 1 ? folder : distance, distance, costSeconds(test, seconds)]
  }
  return [...found.keys()]
    .filter(isTest)
    .map((test) => ({ test, rank: rank(test) }))
    .sort((a, b) => compareRanks(a.rank, b.rank) || (basename(a.test) < basename(b.test) ? -1 : 1))
    .map(({ test }) => test)
}

const compareRanks = (a: readonly number[], b: readonly number[]) =>
  a.map((each, index) => each - (b[index] ?? 0)).find((difference) => difference !== 0) ?? 0

/** Chooses the tests to run, in order; the first always runs. */
export function withinBudget(tests: readonly string[], seconds: Seconds): Budgeted {
  const near: string[] = []
  let spent = 0
  for (const test of tests) {
    const cost = costSeconds(test, seconds)
    if (near.length > 0 && spent + cost > BUDGET_SECONDS) continue
    near.push(test)
    spent += cost
  }
  return { near, far: tests.filter((test) => !near.includes(test)) }
}

const costSeconds = (test: string, seconds: Seconds) =>
  ((seconds.get(test) ?? UNKNOWN_SECONDS) + SET_UP_SECONDS) / filesAtOnce(test)

export function leftOutLine(far: readonly string[], seconds: Seconds, commandForAll: string): string {
  const [count, more] = far.length === 1 ? ['1 test file', 'it'] : [`${far.length} test files`, 'them']
  const cost = Math.ceil(far.reduce((sum, test) => sum + costSeconds(test, seconds), 0))
  return `NOT RUN: ${count} farther from the edit (about ${cost} s). ${commandForAll} runs ${more}, too.`
}
