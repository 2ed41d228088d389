import { expect, test } from 'vitest'
import { GUID, openTestStore, temporaryFolder } from '#device/testing/testAgent.ts'
import { HOUR_MS } from '#domain/units/time.ts'
import { createStartCount } from './startCount.ts'

/** Starts a client at this moment on a device whose folder stays. */
function startAt(folder: string, atMs: number) {
  let nowMs = atMs
  const store = openTestStore(folder)
  const count = createStartCount({ store: store.device(GUID), now: () => nowMs })
  store.close()
  return (laterMs = 0) => {
    nowMs = atMs + laterMs
    return count.withStarts({}).client_starts
  }
}

test('starts of the last hour are counted over restarts, and an hour later they are no more', () => {
  const folder = temporaryFolder()
  const begin = Date.parse('2026-07-13T01:00Z')
  expect(startAt(folder, begin)()).toBe(1)
  for (let start = 1; start <= 5; start++) startAt(folder, begin + start * 60_000)
  const last = startAt(folder, begin + 10 * 60_000)
  expect(last()).toBe(7)
  expect(last(51 * 60_000)).toBe(5)
  expect(last(HOUR_MS)).toBe(0)
})

test('a clock that was set back counts no starts of the future', () => {
  const folder = temporaryFolder()
  startAt(folder, Date.parse('2030-01-01T00:00Z'))
  expect(startAt(folder, Date.parse('2026-01-01T00:00Z'))()).toBe(1)
})
