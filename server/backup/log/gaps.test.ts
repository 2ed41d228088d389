import { expect, test } from 'vitest'
import { type Copy, gapsBetween, type Piece } from './copyNames.ts'

const minute = (at: number) => new Date(Date.UTC(2026, 10, 27, 8, at))
const copy = (end: number, at: number) =>
  ({ name: `copy-${at}`, facts: { endPosition: `0/${end.toString(16)}`, endedAt: minute(at).toISOString() } }) as Copy
const piece = (from: number, to: number, at: number) =>
  ({ path: '', timeline: 1, from: BigInt(from), to: BigInt(to), reachesTo: minute(at) }) satisfies Piece

test('a log that goes on has no gap, however many copies there are, and one that lags behind has none either', () => {
  const log = [piece(5, 10, 1), piece(10, 20, 2), piece(20, 30, 3)]
  expect(gapsBetween([copy(8, 1), copy(25, 3), copy(90, 9)], log)).toEqual([])
  expect(gapsBetween([], log)).toEqual([])
})

test('a log that was begun anew has a gap up to the end of the copy behind it, and one without end before that copy', () => {
  const log = [piece(5, 10, 1), piece(14, 20, 4), piece(20, 30, 5)]
  expect(gapsBetween([copy(8, 1), copy(16, 5)], log)).toEqual([{ from: minute(1), to: minute(5) }])
  expect(gapsBetween([copy(8, 1), copy(12, 3)], log)).toEqual([{ from: minute(1), to: undefined }])
})

test('a copy that no log follows has a gap behind it as well', () => {
  expect(gapsBetween([copy(8, 1), copy(40, 6)], [piece(30, 50, 7)])).toEqual([{ from: minute(1), to: minute(6) }])
})

test('a piece that does not know its moment takes back none that a copy before it has', () => {
  const unknown = { ...piece(5, 10, 1), reachesTo: new Date(0) }
  const behind = [unknown, piece(30, 50, 7)]
  expect(gapsBetween([copy(8, 1), copy(40, 8)], behind)).toEqual([{ from: minute(1), to: minute(8) }])
  expect(gapsBetween([copy(6, 1), copy(9, 3), copy(40, 8)], behind)).toEqual([{ from: minute(3), to: minute(8) }])
})
