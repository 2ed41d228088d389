import { expect, test } from 'vitest'
import { countPlaywright, countVitest, lastLine, oneTest, sum } from './counts.ts'

const vitestReport = (changed: object = {}) => ({
  numPassedTests: 5,
  numFailedTests: 0,
  numPendingTests: 1,
  numTodoTests: 0,
  testResults: [{ status: 'passed', assertionResults: [{ status: 'passed' }] }],
  ...changed,
})

test('a run of unit tests is counted', () => {
  expect(countVitest(vitestReport(), 0)).toEqual({ passed: 5, failed: 0, skipped: 1 })
})

test('a test file that cannot be loaded counts as a failed test', () => {
  const testResults = [{ status: 'failed', assertionResults: [] }]
  expect(countVitest(vitestReport({ testResults }), 1)).toEqual({ passed: 5, failed: 1, skipped: 1 })
})

test('a failed test is not counted twice for its file', () => {
  const testResults = [{ status: 'failed', assertionResults: [{ status: 'failed' }] }]
  expect(countVitest(vitestReport({ numFailedTests: 1, testResults }), 1).failed).toBe(1)
})

test('a runner that fails without a failed test is a failure', () => {
  expect(countVitest(vitestReport(), 1).failed).toBe(1)
  expect(countPlaywright({ stats: { expected: 2, unexpected: 0, flaky: 0, skipped: 0 } }, 1).failed).toBe(1)
})

test('a browser test that passes only when repeated has failed', () => {
  expect(countPlaywright({ stats: { expected: 2, unexpected: 1, flaky: 1, skipped: 3 } }, 1)).toEqual({
    passed: 2,
    failed: 2,
    skipped: 3,
  })
})

test('a run ends with the sum of its stages', () => {
  expect(lastLine(sum([oneTest(0), oneTest(2), { passed: 5, failed: 1, skipped: 4 }]))).toBe('6 passed, 2 failed')
})
