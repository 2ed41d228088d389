import { expect, test } from 'vitest'
import { brokenInPlaywright, brokenInVitest } from './counts.ts'
import { type StageRun, unsteadyLines, withSecondLook } from './secondLook.ts'

const outcome = (
  passed: number,
  failed: number,
  brokenFiles: readonly string[] = [],
): Awaited<ReturnType<StageRun>> => ({
  counts: { passed, failed, skipped: 1 },
  complaint: `${failed} failed`,
  brokenFiles,
})

/** Returns one outcome after the other, and records which files were requested. */
function played(...outcomes: readonly Awaited<ReturnType<StageRun>>[]) {
  const asked: (readonly string[])[] = []
  const run: StageRun = async (files) => {
    asked.push(files)
    const next = outcomes[asked.length - 1]
    if (next === undefined) throw new Error('Run once more than expected.')
    return next
  }
  return { run, asked }
}

test('what failed beside others and passes twice alone is named, and fails nothing', async () => {
  const { run, asked } = played(outcome(7, 2, ['a', 'b']), outcome(4, 0), outcome(4, 0))
  expect(await withSecondLook(run)).toEqual({
    counts: { passed: 9, failed: 0, skipped: 1 },
    complaint: '2 failed',
    unsteadyFiles: ['a', 'b'],
  })
  expect(asked).toEqual([[], ['a', 'b'], ['a', 'b']])
})

test('what fails once more has failed', async () => {
  for (const looks of [[outcome(4, 0), outcome(3, 1, ['a'])], [outcome(3, 1, ['a'])], [outcome(0, 0)]]) {
    const { run } = played(outcome(7, 2, ['a']), ...looks)
    expect(await withSecondLook(run)).toEqual({
      counts: { passed: 7, failed: 2, skipped: 1 },
      complaint: '2 failed',
    })
  }
})

test('a green run, a run that failed as a whole, and more than three files are not looked at again', async () => {
  for (const first of [
    outcome(9, 0),
    { ...outcome(7, 2), brokenFiles: undefined },
    outcome(7, 2, []),
    outcome(5, 4, ['a', 'b', 'c', 'd']),
  ]) {
    const { run, asked } = played(first)
    expect((await withSecondLook(run)).counts).toEqual(first.counts)
    expect(asked).toHaveLength(1)
  }
})

test('the files that failed are read from what the runners report', () => {
  const results = [
    { name: '/p/a.test.ts', status: 'failed', assertionResults: [] },
    { name: '/p/b.test.ts', status: 'passed', assertionResults: [] },
  ]
  expect(brokenInVitest({ testResults: results })).toEqual(['/p/a.test.ts'])
  const suites = [
    { file: 'a.test.ts', specs: [], suites: [{ file: 'a.test.ts', specs: [{ ok: false }] }] },
    { file: 'b.test.ts', specs: [{ ok: true }] },
  ]
  expect(brokenInPlaywright({ suites, errors: [] })).toEqual(['a.test.ts'])
  expect(brokenInPlaywright({ suites, errors: [{}] })).toBeUndefined()
})

test('a run names what is unsteady', () => {
  expect(unsteadyLines([])).toEqual([])
  expect(unsteadyLines(['people/signIn.test.ts'])[1]).toBe('  e2e/people/signIn.test.ts')
})
