import { expect, test } from 'vitest'
import { BatchPause } from './BatchPause.ts'

const tookMs = async (wait: Promise<void>) => {
  const beganAt = performance.now()
  await wait
  return performance.now() - beganAt
}

test('what shares a batch is enough when it is many, or all that was ever in flight together', () => {
  const pause = new BatchPause()
  pause.noteBatch(1)
  expect([pause.isEnough(0), pause.isEnough(1)]).toEqual([false, true])
  pause.noteBatch(20)
  expect([pause.isEnough(1), pause.isEnough(17), pause.isEnough(18)]).toEqual([false, false, true])
  pause.noteBatch(500)
  expect([pause.isEnough(31), pause.isEnough(32)]).toEqual([false, true])
})

test('the memory of a great batch fades', () => {
  const pause = new BatchPause()
  pause.noteBatch(30)
  for (let batch = 0; batch < 300; batch++) pause.noteBatch(2)
  expect(pause.isEnough(2)).toBe(true)
})

test('a pause lasts from the begin of the last batch, and ends early when it is ended', async () => {
  const pause = new BatchPause()
  expect(await tookMs(pause.sinceBatch(performance.now() - 1000))).toBeLessThan(40)
  expect(await tookMs(pause.sinceBatch(performance.now()))).toBeGreaterThan(40)
  const ended = pause.sinceBatch(performance.now() + 60_000)
  pause.end()
  await ended
})
