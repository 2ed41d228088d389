import { expect, test } from 'vitest'
import { judgeProcessorSeconds, processorLines } from './processorSeconds.ts'

const uses = (types: number | undefined, server: number) => [
  { title: 'Types', seconds: types },
  { title: 'Server tests', seconds: server },
]

test('a run ends with the processor seconds of each stage and of all', () => {
  expect(processorLines(uses(30.4, 1_069.2))).toEqual([
    'Processor seconds, of which a whole run may use 1100:',
    '     30  Types',
    '   1069  Server tests',
    '   1100  in all',
  ])
})

test('a whole run that uses more than 1,100 processor seconds fails and says what to do', () => {
  expect(judgeProcessorSeconds(uses(100, 1_000))).toEqual({
    counts: { passed: 1, failed: 0, skipped: 0 },
    complaint: '',
  })
  const { counts, complaint } = judgeProcessorSeconds(uses(101, 1_000))
  expect(counts).toEqual({ passed: 0, failed: 1, skipped: 0 })
  expect(complaint).toMatch(/used 1101 processor seconds, and 1100 are the law/)
})

test('where processor seconds cannot be had they are not measured, and fail nobody', () => {
  expect(processorLines(uses(undefined, 9_999))).toEqual([
    'Processor seconds: not measured, as this system has no /proc.',
  ])
  expect(judgeProcessorSeconds(uses(undefined, 9_999)).counts.failed).toBe(0)
})
