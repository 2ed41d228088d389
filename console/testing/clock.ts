import { act, waitFor } from '@testing-library/react'
import { vi } from 'vitest'

const STEP_MS = 500
const LONGEST_WAIT_MS = 600_000

/** The clock of the test goes on from here as usual, and `passTimeUntil` lets it jump ahead. */
export const takeClock = () => vi.useFakeTimers({ shouldAdvanceTime: true })

/** Everything that the console would do in this time happens now. */
const passTime = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

/** It is for conditions that depend on the server as well as on the clock. */
export const passTimeUntil = (check: () => void) =>
  waitFor(
    async () => {
      await passTime(STEP_MS)
      check()
    },
    { timeout: LONGEST_WAIT_MS },
  )
