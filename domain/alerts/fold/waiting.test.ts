import fc from 'fast-check'
import { expect, test } from 'vitest'
import { OFFLINE_AFTER_MS } from '#domain/devices/presence.ts'
import { MINUTE_MS } from '#domain/units/time.ts'
import { dueAtMs, quietUntilMs } from './waiting.ts'

const minutes = (count: number) => count * MINUTE_MS
const outage = (from: number, to: number) => ({ fromMs: minutes(from), toMs: minutes(to) })
const due = (outages: readonly { fromMs: number; toMs: number }[], sinceMs = 0) =>
  dueAtMs({ sinceMs, countsFromMs: 0, waitMs: minutes(30), outages }) / MINUTE_MS

test('a server that was late delays what waits by as long as it was late', () => {
  expect(due([])).toBe(30)
  expect(due([outage(29, 30)])).toBe(31)
  expect(due([outage(5, 6), outage(12, 13), outage(29, 30)])).toBe(33)
  // What was due earlier, without a check, is due then.
  expect(due([outage(40, 50)])).toBe(30)
})

test('after an absence in which devices count as offline they have time to connect', () => {
  const connect = OFFLINE_AFTER_MS / MINUTE_MS
  expect(quietUntilMs([outage(10, 100), outage(200, 201)])).toBe(minutes(201))
  expect(quietUntilMs([outage(10, 100)])).toBe(minutes(100 + connect))
  expect(due([outage(10, 100)])).toBe(120)
  expect(due([outage(29, 600)])).toBe(601)
  // Silence that began during the outage counts from the end of the reconnect time.
  expect(due([outage(10, 100)], minutes(10))).toBe(100 + connect + 30)
})

test('however often a server is late for moments, nobody waits longer than its lateness', () => {
  const pause = fc.record({ after: fc.integer({ min: 1, max: 600 }), seconds: fc.integer({ min: 1, max: 119 }) })
  fc.assert(
    fc.property(fc.array(pause, { maxLength: 40 }), fc.integer({ min: 1, max: 60 }), (pauses, waited) => {
      let atMs = 0
      const outages = pauses.map(({ after, seconds }) => {
        const fromMs = atMs + after * 1000
        atMs = fromMs + seconds * 1000
        return { fromMs, toMs: atMs }
      })
      const dueMs = dueAtMs({ sinceMs: 0, countsFromMs: 0, waitMs: minutes(waited), outages })
      const lateMs = outages.reduce((sum, { fromMs, toMs }) => sum + (fromMs < dueMs ? toMs - fromMs : 0), 0)
      expect(dueMs).toBe(minutes(waited) + lateMs)
    }),
  )
})
