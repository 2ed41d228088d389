export type Counts = Readonly<{ passed: number; failed: number; skipped: number }>

export const NOTHING: Counts = { passed: 0, failed: 0, skipped: 0 }

/** A stage without tests of its own, such as the type check, is one test. */
export const oneTest = (exitCode: number): Counts =>
  exitCode === 0 ? { ...NOTHING, passed: 1 } : { ...NOTHING, failed: 1 }

export const sum = (all: readonly Counts[]): Counts =>
  all.reduce(
    (total, { passed, failed, skipped }) => ({
      passed: total.passed + passed,
      failed: total.failed + failed,
      skipped: total.skipped + skipped,
    }),
    NOTHING,
  )

/** A runner that fails for a reason outside its tests (an unhandled error, a set-up) must not look green. */
function neverGreen(counts: Counts, exitCode: number): Counts {
  return exitCode !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts
}

type VitestReport = Readonly<{
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numTodoTests: number
  testResults: readonly { name: string; status: string; assertionResults: readonly { status: string }[] }[]
}>

/** A test file that could not be loaded has no tests to fail, so it counts as one that did. */
export function countVitest(report: unknown, exitCode: number): Counts {
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = report as VitestReport
  const brokenFiles = testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((assertion) => assertion.status === 'failed'),
  )
  const counts = {
    passed: numPassedTests,
    failed: numFailedTests + brokenFiles.length,
    skipped: numPendingTests + numTodoTests,
  }
  return neverGreen(counts, exitCode)
}

/** Returns the paths of the files in which something failed. */
export const brokenInVitest = (report: unknown): readonly string[] =>
  (report as VitestReport).testResults.filter(({ status }) => status === 'failed').map(({ name }) => name)

interface PlaywrightSuite {
  readonly file: string
  readonly suites?: readonly PlaywrightSuite[]
  readonly specs: readonly { readonly ok: boolean }[]
}

type PlaywrightReport = Readonly<{
  stats: Readonly<{ expected: number; unexpected: number; flaky: number; skipped: number }>
  suites: readonly PlaywrightSuite[]
  /** Failures outside of tests, such as a file that could not be loaded. */
  errors: readonly unknown[]
}>

const hasBroken = ({ specs, suites = [] }: PlaywrightSuite): boolean =>
  specs.some(({ ok }) => !ok) || suites.some(hasBroken)

/** Returns the files in which a journey failed; undefined when more than a journey failed. */
export function brokenInPlaywright(report: unknown): readonly string[] | undefined {
  const { suites, errors } = report as PlaywrightReport
  return errors.length > 0 ? undefined : suites.filter(hasBroken).map(({ file }) => file)
}

/** A test that passed only when repeated did not pass. */
export function countPlaywright(report: unknown, exitCode: number): Counts {
  const { expected, unexpected, flaky, skipped } = (report as PlaywrightReport).stats
  return neverGreen({ passed: expected, failed: unexpected + flaky, skipped }, exitCode)
}

export const lastLine = ({ passed, failed }: Counts) => `${passed} passed, ${failed} failed`
