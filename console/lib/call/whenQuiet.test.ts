import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { queryClient } from './useCall.ts'
import { whenQuiet } from './whenQuiet.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  queryClient.clear()
})

test('it runs once, when nothing is asked any more', () => {
  const run = vi.fn()
  whenQuiet(run)
  vi.advanceTimersByTime(60_000)
  expect(run).toHaveBeenCalledOnce()
})

test('an answer that never comes keeps nothing from running', () => {
  const late = queryClient.fetchQuery({ queryKey: ['late'], queryFn: () => new Promise(() => undefined) })
  // The question is given up when the test ends.
  late.catch(() => undefined)
  const run = vi.fn()
  whenQuiet(run)
  vi.advanceTimersByTime(9_000)
  expect(run).not.toHaveBeenCalled()
  vi.advanceTimersByTime(2_000)
  expect(run).toHaveBeenCalledOnce()
})
