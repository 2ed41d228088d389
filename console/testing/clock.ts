import { act, waitFor } from '@testing-library/react'
import { vi } from 'vitest'

const STEP_MS = 500
const LONGEST_WAIT_MS = 600_000

/** From here to the end of a test its clock goes on as ever, and `passTimeUntil` lets it jump ahead. */
export const takeClock = () => vi.useFakeTimers({ shouldAdvanceTime: true })

/** What the console would do in this time, it does now. */
const passTime = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

/** For what waits for the server as well as for the clock. */
export const passTimeUntil = (check: () => void) =>
  waitFor(
    async () => {
      await passTime(STEP_MS)
      check()
    },
    { timeout: LONGEST_WAIT_MS },
  )
