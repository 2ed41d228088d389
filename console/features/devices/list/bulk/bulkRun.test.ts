import { expect, test } from 'vitest'
import { MOST_AT_ONCE, runBulk } from './bulkRun.ts'

const ITEMS = Array.from({ length: 50 }, (_, index) => index)
const pause = () => new Promise<void>((resolve) => setTimeout(resolve, 1))

test('each item is worked on once, and never more than six at a time', async () => {
  const seen: number[] = []
  let running = 0
  let most = 0
  const work = async (item: number) => {
    seen.push(item)
    most = Math.max(most, ++running)
    await pause()
    running--
  }
  await runBulk({ items: ITEMS, work, stopped: new AbortController().signal })
  expect(seen).toEqual(ITEMS)
  expect(most).toBe(MOST_AT_ONCE)
  expect(running).toBe(0)
})

test('a stop lets what runs finish and begins nothing more', async () => {
  const stopper = new AbortController()
  const begun: number[] = []
  const finished: number[] = []
  const work = async (item: number) => {
    begun.push(item)
    if (item === 9) stopper.abort()
    await pause()
    finished.push(item)
  }
  await runBulk({ items: ITEMS, work, stopped: stopper.signal })
  expect(begun.length).toBeLessThanOrEqual(9 + MOST_AT_ONCE)
  expect(finished.toSorted((a, b) => a - b)).toEqual(begun)
})

test('nothing to do is done at once', async () => {
  await runBulk({ items: [], work: () => Promise.reject(new Error('never')), stopped: new AbortController().signal })
})
