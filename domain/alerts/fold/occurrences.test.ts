import { expect, test } from 'vitest'
import { occurrencesOf } from './occurrences.ts'

const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 10, minute)).toISOString()
const moves = (...kinds: readonly (readonly [string, number])[]) =>
  kinds.map(([kind, minute]) => ({ kind, at: at(minute) }))

test('each time that a condition was met has its beginning and end, the newest first', () => {
  const told = moves(['opened', 0], ['notActive', 5], ['acknowledged', 6], ['active', 10], ['notActive', 12])
  expect(occurrencesOf(told)).toEqual([
    { from: at(10), to: at(12) },
    { from: at(0), to: at(5) },
  ])
})

test('what is met still has no end, and a closed alert ends with its closing', () => {
  expect(occurrencesOf(moves(['opened', 0], ['moved', 1]))).toEqual([{ from: at(0), to: undefined }])
  expect(occurrencesOf(moves(['opened', 0], ['closed', 7]))).toEqual([{ from: at(0), to: at(7) }])
  expect(occurrencesOf(moves(['opened', 0], ['notActive', 3], ['closed', 7]))).toEqual([{ from: at(0), to: at(3) }])
})

test('of a history whose beginning is cut off nothing is guessed', () => {
  expect(occurrencesOf(moves(['notActive', 5], ['active', 10]))).toEqual([{ from: at(10), to: undefined }])
  expect(occurrencesOf([])).toEqual([])
})
