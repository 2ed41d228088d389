import fc from 'fast-check'
import { expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '../units/time.ts'
import { channelRestMs, GATHERED_MS, nextDelivery, type Waiting } from './channelBudget.ts'

const START = 1_800_000_000_000

test('a thousand within a minute are told singly while there is room, and the rest in one digest', () => {
  const waiting = new Map<number, Waiting>()
  const sentAtMs: number[] = []
  const told = new Set<number>()
  const digests: number[] = []
  let next = 0
  for (let nowMs = START; nowMs < START + HOUR_MS; nowMs += 1000) {
    while (next < 1000 && nowMs >= START + (next * MINUTE_MS) / 1000)
      waiting.set(next++, { sinceMs: nowMs, hasOwn: false })
    const keys = [...waiting.keys()]
    const turn = nextDelivery({ mostPerHour: 20, sentAtMs, nowMs, waiting: [...waiting.values()] })
    if (turn.kind === 'wait') continue
    sentAtMs.push(nowMs)
    const indexes = turn.kind === 'one' ? [turn.index] : turn.indexes
    if (turn.kind === 'digest') digests.push(indexes.length)
    for (const index of indexes) {
      told.add(keys[index] ?? -1)
      waiting.delete(keys[index] ?? -1)
    }
  }
  expect([told.size, sentAtMs.length, digests]).toEqual([1000, 20, [981]])
})

test('whatever comes when, no hour sees more than its measure, and all of it is told', () => {
  const arrival = fc.record({ atMs: fc.integer({ min: 0, max: 3 * HOUR_MS }), hasOwn: fc.boolean() })
  fc.assert(
    fc.property(fc.array(arrival, { maxLength: 60 }), fc.integer({ min: 1, max: 12 }), (arrivals, mostPerHour) => {
      let waiting: Waiting[] = []
      const sentAtMs: number[] = []
      let told = 0
      const due = arrivals.toSorted((one, other) => one.atMs - other.atMs)
      for (let nowMs = 0; nowMs < 70 * HOUR_MS && (due.length > 0 || waiting.length > 0); ) {
        while (due[0] && due[0].atMs <= nowMs) waiting.push({ sinceMs: nowMs, hasOwn: due.shift()?.hasOwn ?? false })
        const turn = nextDelivery({ mostPerHour, sentAtMs, nowMs, waiting })
        if (turn.kind === 'wait') {
          nowMs += Math.min(Math.max(1, turn.waitMs), due[0] ? Math.max(1, due[0].atMs - nowMs) : HOUR_MS)
          continue
        }
        sentAtMs.push(nowMs)
        const gone = new Set(turn.kind === 'one' ? [turn.index] : turn.indexes)
        told += gone.size
        waiting = waiting.filter((_, index) => !gone.has(index))
        const hour = sentAtMs.filter((at) => at > nowMs - HOUR_MS)
        expect(hour.length).toBeLessThanOrEqual(mostPerHour)
      }
      expect(told).toBe(arrivals.length)
    }),
    { numRuns: 60 },
  )
})

test('what has a message of its own goes by itself also when little room is left', () => {
  const waiting = [{ sinceMs: 0, hasOwn: true }]
  expect(nextDelivery({ mostPerHour: 1, sentAtMs: [], nowMs: GATHERED_MS, waiting })).toEqual({ kind: 'one', index: 0 })
  const mixed = [...waiting, { sinceMs: 0, hasOwn: false }, { sinceMs: 0, hasOwn: false }]
  expect(nextDelivery({ mostPerHour: 1, sentAtMs: [], nowMs: GATHERED_MS, waiting: mixed })).toEqual({
    kind: 'digest',
    indexes: [1, 2],
  })
})

test('a channel that fails rests longer each time, and at least as long as it asks', () => {
  expect([1, 2, 3, 20].map((failures) => channelRestMs(failures, undefined, 0.5))).toEqual([
    30_000, 60_000, 120_000, 1_800_000,
  ])
  expect(channelRestMs(1, 90_000, 0)).toBe(90_000)
  expect(channelRestMs(1, 100 * HOUR_MS, 0)).toBe(6 * HOUR_MS)
  expect([channelRestMs(1, undefined, 0), channelRestMs(1, undefined, 1)]).toEqual([22_500, 37_500])
})
