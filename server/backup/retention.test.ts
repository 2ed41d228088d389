import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '#domain/units/time.ts'
import type { Copy, Piece } from './copyNames.ts'
import { obsoleteOf } from './retention.ts'

const NOW = new Date('2026-11-23T12:00:00Z')
const daysAgo = (days: number) => new Date(NOW.getTime() - days * DAY_MS)

const copyOf = (days: number) => {
  const [startedAt, endedAt] = [daysAgo(days).toISOString(), new Date(daysAgo(days).getTime() + HOUR_MS).toISOString()]
  return { name: `copy ${days}`, facts: { startedAt, endedAt } } as unknown as Copy
}
const pieceOf = (days: number) => ({ path: `piece ${days}`, reachesTo: daysAgo(days) }) as unknown as Piece

const left = (copies: readonly Copy[], keepDays: number) => {
  const obsolete = obsoleteOf(copies, [], NOW, keepDays).copies
  return copies.filter((copy) => !obsolete.includes(copy)).map(({ name }) => name)
}

test('what is needed for any moment of the kept days stays, the copy before them included', () => {
  const copies = [20, 16, 15, 13, 1].map(copyOf)
  expect(left(copies, 14)).toEqual(['copy 15', 'copy 13', 'copy 1'])
  const { pieces } = obsoleteOf(copies, [21, 15.5, 14.5, 1].map(pieceOf), NOW, 14)
  expect(pieces.map(({ path }) => path)).toEqual(['piece 21', 'piece 15.5'])
})

test('the last copy stays however old it is, and the first ones until there are enough', () => {
  expect(left([400].map(copyOf), 14)).toEqual(['copy 400'])
  expect(left([500, 400].map(copyOf), 14)).toEqual(['copy 400'])
  expect(left([3, 2, 1].map(copyOf), 14)).toEqual(['copy 3', 'copy 2', 'copy 1'])
  expect(left([], 14)).toEqual([])
})
