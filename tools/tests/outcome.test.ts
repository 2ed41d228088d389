import { expect, test } from 'vitest'
import { failureLines } from './outcome.ts'

const outcome = (failed: number, complaint: string) => ({ counts: { passed: 3, failed, skipped: 0 }, complaint })

test('a run says once more at its end what failed, and only that', () => {
  const long = Array.from({ length: 99 }, (_, at) => `line ${at}`).join('\n')
  const lines = failureLines([
    { title: 'Types', outcome: outcome(0, 'a warning') },
    { title: 'Lint', outcome: outcome(1, '\nnot formatted\n') },
    { title: 'Server tests', outcome: outcome(2, long) },
  ])
  expect(lines.slice(0, 4)).toEqual(['Lint failed:', 'not formatted', 'Server tests failed:', 'line 0'])
  expect(lines).toHaveLength(43)
})
