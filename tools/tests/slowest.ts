import { relative } from 'node:path'
import { ROOT } from '../node24.mjs'

export type FileTime = Readonly<{ file: string; seconds: number }>

const SHOWN = 10

/** Returns the time of each file, from its first test to the end of its last. */
export function vitestTimes(report: unknown): readonly FileTime[] {
  const { testResults } = report as { testResults: readonly { name: string; startTime: number; endTime: number }[] }
  return testResults.map(({ name, startTime, endTime }) => ({
    file: relative(ROOT, name),
    seconds: (endTime - startTime) / 1000,
  }))
}

interface Suite {
  readonly file: string
  readonly suites?: readonly Suite[]
  readonly specs: readonly {
    readonly tests: readonly { readonly results: readonly { readonly duration: number }[] }[]
  }[]
}

const durationMs = ({ suites = [], specs }: Suite): number =>
  specs
    .flatMap(({ tests }) => tests.flatMap(({ results }) => results))
    .reduce((sum, { duration }) => sum + duration, 0) + suites.reduce((sum, suite) => sum + durationMs(suite), 0)

/** Returns the sum of the tests of each file, because a worker may have run others in between. */
export function playwrightTimes(report: unknown): readonly FileTime[] {
  const { suites } = report as { suites: readonly Suite[] }
  return suites.map((suite) => ({ file: `e2e/${suite.file}`, seconds: durationMs(suite) / 1000 }))
}

/** Shows where minutes can be saved; nothing when there are few files. */
export function slowestFiles(times: readonly FileTime[]): readonly string[] {
  if (times.length <= SHOWN) return []
  const slowest = [...times].sort((a, b) => b.seconds - a.seconds).slice(0, SHOWN)
  return [
    `The slowest ${SHOWN} of ${times.length} files:`,
    ...slowest.map(({ file, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${file}`),
  ]
}
