import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '#domain/units/time.ts'
import type { Copy, Piece } from '../log/copyNames.ts'
import { writtenPosition } from '../log/logPosition.ts'
import { obsoleteOf } from './retention.ts'

const NOW = new Date('2026-11-23T12:00:00Z')
const daysAgo = (days: number) => new Date(NOW.getTime() - days * DAY_MS)

/** The log of these tests grows by 256 bytes a day. */
const positionAt = (days: number) => BigInt(Math.round((1_000 - days) * 256))
const copyOf = (days: number, timeline = 1) => {
  const [startedAt, endedAt] = [daysAgo(days).toISOString(), new Date(daysAgo(days).getTime() + HOUR_MS).toISOString()]
  const startPosition = writtenPosition(positionAt(days))
  return { name: `copy ${days}`, facts: { timeline, startPosition, startedAt, endedAt } } as unknown as Copy
}
const pieceOf = (days: number, changes: Partial<Piece> = {}): Piece => ({
  path: `piece ${days}`,
  timeline: 1,
  from: positionAt(days + 1),
  to: positionAt(days),
  reachesTo: daysAgo(days),
  ...changes,
})

const left = (copies: readonly Copy[], keepDays: number) => {
  const obsolete = obsoleteOf(copies, [], NOW, keepDays).copies
  return copies.filter((copy) => !obsolete.includes(copy)).map(({ name }) => name)
}

test('what is needed for any moment of the kept days stays, the copy before them included', () => {
  const copies = [20, 16, 15, 13, 1].map((days) => copyOf(days))
  expect(left(copies, 14)).toEqual(['copy 15', 'copy 13', 'copy 1'])
  const { pieces } = obsoleteOf(
    copies,
    [21, 15.5, 14.5, 1].map((days) => pieceOf(days)),
    NOW,
    14,
  )
  expect(pieces.map(({ path }) => path)).toEqual(['piece 21', 'piece 15.5'])
})

test('a piece goes by what it holds, not by its moment: the log may have lagged behind, or begun anew', () => {
  const lagging = pieceOf(14.5, { path: 'lagging', reachesTo: daysAgo(20) })
  const begunAnew = pieceOf(3, { path: 'begun anew', timeline: 2, reachesTo: new Date(0) })
  const earlier = pieceOf(16, { path: 'earlier' })
  expect(obsoleteOf([copyOf(15)], [earlier, lagging, begunAnew], NOW, 14).pieces).toEqual([earlier])
  // What was kept of the earlier timeline before the next one's copy goes.
  expect(obsoleteOf([copyOf(2, 2)], [earlier, lagging, begunAnew], NOW, 1).pieces).toEqual([
    earlier,
    lagging,
    begunAnew,
  ])
})

test('the last copy stays however old it is, and the first ones until there are enough', () => {
  expect(left([copyOf(400)], 14)).toEqual(['copy 400'])
  expect(left([copyOf(500), copyOf(400)], 14)).toEqual(['copy 400'])
  expect(left([copyOf(3), copyOf(2), copyOf(1)], 14)).toEqual(['copy 3', 'copy 2', 'copy 1'])
  expect(left([], 14)).toEqual([])
})
