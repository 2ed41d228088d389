import { expect, test } from 'vitest'
import { MINUTE_MS } from '#domain/units/time.ts'
import { type JudgedCondition, judge, NO_MEMORY, remember } from './conditionJudge.ts'

/** Takes the values of both fields for each minute, `-` for none; returns T, F or ? for each. */
function run(condition: JudgedCondition, first: string, second = ''): string {
  const seconds = second.split(' ')
  let memory = NO_MEMORY
  let wasTrue = false
  return first
    .split(' ')
    .map((text, minute) => {
      const numberOf = (one: string | undefined) =>
        one === undefined || one === '-' || one === '' ? undefined : Number(one)
      const sample = { atMs: minute * MINUTE_MS, values: [numberOf(text), numberOf(seconds[minute])] as const }
      const judged = judge(condition, memory, wasTrue, sample)
      memory = remember(condition, memory, sample)
      wasTrue = judged.isTrue ?? wasTrue
      return judged.isTrue === undefined ? '?' : judged.isTrue ? 'T' : 'F'
    })
    .join('')
}

const level = (operator: 'GT' | 'LT', threshold: number, clearLevel?: number): JudgedCondition => ({
  kind: 'level',
  operator,
  threshold,
  clearLevel,
})
const pair = (joinedBy: 'and' | 'or'): JudgedCondition => ({
  kind: 'pair',
  joinedBy,
  sides: [
    { operator: 'GT', threshold: 60 },
    { operator: 'LT', threshold: 30 },
  ],
})

test.each([
  ['without a level of its own it is over when it is no longer met', level('GT', 60), '59 61 60 59', 'FTFF'],
  ['with one it is over only beyond that', level('GT', 60, 55), '57 61 57 55 54.9 57', 'FTTTFF'],
  ['the other way round for what is too low', level('LT', 20, 25), '22 19 24 25 26 24', 'FTTTFF'],
])('of a level: %s', (_, condition, values, expected) => {
  expect(run(condition, values)).toBe(expected)
})

test.each([
  ['both have to be so', pair('and'), '61 61 50 61', '20 40 20 20', 'TFFT'],
  ['either is enough', pair('or'), '61 50 50 61', '40 20 40 20', 'TTFT'],
  ['a side holds for two minutes, then nobody knows', pair('and'), '61 - - - 61', '- 20 20 20 20', '?TT?T'],
  ['what decides alone needs no other', pair('and'), '50 - 61', '- - -', 'FF?'],
  ['of either, one that is so', pair('or'), '61 - - 50', '- - - -', 'TTT?'],
])('of two fields: %s', (_, condition, first, second, expected) => {
  expect(run(condition, first, second)).toBe(expected)
})

test('a change is what lies within the minutes, whichever way it goes', () => {
  const change: JudgedCondition = { kind: 'change', by: 5, withinMs: 3 * MINUTE_MS }
  expect(run(change, '20 22 24 26 28 28 28 28 22')).toBe('FFFFFFFFT')
  expect(run(change, '20 23 26 26 26 20')).toBe('FFTFFT')
})
