import { randomInt } from 'node:crypto'
import { onTestFailed } from 'vitest'

const SEEDS = 2 ** 31

/** Returns seeded random numbers for one test. A failure prints its seed, and `TEST_SEED=…` repeats them. */
export function seededRandom(): () => number {
  const seed = Number(process.env.TEST_SEED ?? randomInt(SEEDS))
  onTestFailed(() => console.error(`The random numbers of this test: TEST_SEED=${seed}`))
  let state = seed
  return () => {
    // Mulberry32 is small, and even enough to choose moments by.
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
