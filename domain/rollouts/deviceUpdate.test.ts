import { expect, test } from 'vitest'
import { MINUTE_MS } from '../units/time.ts'
import { stateAfter, whyGivenUp } from './deviceUpdate.ts'
import type { DeviceUpdateState } from './states.ts'

test.each([
  ['offered', 'downloading', 'downloading'],
  ['downloading', 'downloading', 'downloading'],
  ['verifying', 'downloading', 'downloading'],
  ['offered', 'done', 'done'],
  ['restarting', 'failed', 'failed'],
  // A pause withdrew the assignment: the device learns of it before it restarts, or did not.
  ['waiting', 'downloading', undefined],
  ['waiting', 'restarting', 'restarting'],
  ['waiting', 'done', 'done'],
  // The server gave it up, or it was stopped.
  ['failed', 'verifying', undefined],
  ['failed', 'done', 'done'],
  ['withdrawn', 'restarting', undefined],
  ['withdrawn', 'failed', 'failed'],
] as const)('from %s, the word "%s" makes it %s', (state, step, after) => {
  expect(stateAfter(state, step, false)).toBe(after)
})

test('what has failed by the word of the device stays as it is; what is done may be said again, or be taken back', () => {
  const steps = ['downloading', 'restarting', 'done', 'failed'] as const
  expect(steps.map((step) => stateAfter('failed', step, true))).toEqual([undefined, undefined, undefined, undefined])
  expect(steps.map((step) => stateAfter('done', step, true))).toEqual([undefined, undefined, 'done', 'failed'])
})

const NOW_MS = 1_000 * MINUTE_MS
const open = (state: DeviceUpdateState, silentMinutes: number, connectedMinutes: number | undefined) =>
  whyGivenUp(
    {
      state,
      changedAtMs: NOW_MS - silentMinutes * MINUTE_MS,
      connectedSinceMs: connectedMinutes === undefined ? undefined : NOW_MS - connectedMinutes * MINUTE_MS,
    },
    NOW_MS,
  )

test.each([
  ['offered', 10, 600, undefined],
  ['offered', 10.1, 600, 'has not answered'],
  ['offered', 600, 9, undefined],
  ['offered', 600, undefined, undefined],
  ['downloading', 10.1, 10.1, 'any further'],
  ['verifying', 10.1, 600, 'any further'],
  ['downloading', 600, undefined, undefined],
  ['restarting', 600, 4.9, undefined],
  ['restarting', 600, 5.1, 'is back after the restart'],
  ['restarting', 14.9, undefined, undefined],
  ['restarting', 15.1, undefined, 'has not come back'],
  ['waiting', 600, 600, undefined],
] as const)('%s for %d minutes, connected for %s: %s', (state, silent, connected, words) => {
  if (words === undefined) expect(open(state, silent, connected)).toBeUndefined()
  else expect(open(state, silent, connected)).toContain(words)
})
