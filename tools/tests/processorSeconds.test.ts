import { expect, test } from 'vitest'
import { ALLOWED_SECONDS, judgeProcessorSeconds, processorLines } from './processorSeconds.ts'

const uses = (types: number | undefined, server: number) => [
  { title: 'Types', seconds: types },
  { title: 'Server tests', seconds: server },
]

test('a run ends with the processor seconds of each stage and of all', () => {
  expect(processorLines(uses(30.4, ALLOWED_SECONDS - 30.8), 1)).toEqual([
    `Processor seconds, of which a whole run may use ${ALLOWED_SECONDS}:`,
    '     30  Types',
    `   ${ALLOWED_SECONDS - 31}  Server tests`,
    `   ${ALLOWED_SECONDS}  in all`,
  ])
})

test('a whole run that uses too many processor seconds fails and says what to do', () => {
  expect(judgeProcessorSeconds(uses(100, ALLOWED_SECONDS - 100), 1)).toEqual({
    counts: { passed: 1, failed: 0, skipped: 0 },
    complaint: '',
  })
  const { counts, complaint } = judgeProcessorSeconds(uses(101, ALLOWED_SECONDS - 100), 1)
  expect(counts).toEqual({ passed: 0, failed: 1, skipped: 0 })
  expect(complaint).toContain(`used ${ALLOWED_SECONDS + 1} processor seconds, and may use ${ALLOWED_SECONDS}`)
})

test('seconds of a machine that is a little slower count as those of the machine of the limit', () => {
  const used = ALLOWED_SECONDS * 1.1
  expect(judgeProcessorSeconds(uses(0, used), 1.2).counts.failed).toBe(0)
  expect(judgeProcessorSeconds(uses(0, used), 1.05).counts.failed).toBe(1)
  expect(judgeProcessorSeconds(uses(0, used), 0.5).counts.failed).toBe(1)
  expect(processorLines(uses(0, 1_200), 1.2).at(-1)).toBe(
    'They count as 1000: this machine was 1.2 times slower than the one of the limit.',
  )
})

test('where processor seconds cannot be had they are not measured, and fail nobody', () => {
  expect(processorLines(uses(undefined, 9_999), 1)).toEqual([
    'Processor seconds: not measured, as this system has no /proc.',
  ])
  expect(judgeProcessorSeconds(uses(undefined, 9_999), 1).counts.failed).toBe(0)
})

test('on a slower or a busy machine too many processor seconds fail nobody, and the last line says so', () => {
  expect(judgeProcessorSeconds(uses(1, 9_999), 2.14).counts.failed).toBe(0)
  expect(processorLines(uses(1, 9_999), 2.14).at(-1)).toBe(
    'They are not judged: this machine was 2.1 times slower than the one of the limit.',
  )
})
