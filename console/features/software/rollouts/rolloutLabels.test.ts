import { expect, test } from 'vitest'
import { clientUpdateOf, countsOf, updatedDeviceOf } from '#console/testing/clientUpdateOf.ts'
import { DEVICE_UPDATE_STATES } from '#domain/rollouts/states.ts'
import { countsText, PROGRESS_PARTS, rolloutWord, standingText } from './rolloutLabels.ts'

type Changes = Readonly<Record<string, unknown>>
const standing = (device: Changes, update: Changes = {}) =>
  standingText(updatedDeviceOf(device), clientUpdateOf(update))

test('every state of a device belongs to exactly one part of the bar', () => {
  const states = PROGRESS_PARTS.flatMap(({ states: ofPart }) => [...ofPart])
  expect(states.toSorted()).toEqual([...DEVICE_UPDATE_STATES].toSorted())
})

test('counts are written without what there is none of, and what is under way is counted together', () => {
  expect(countsText(countsOf({ done: 1200, verifying: 1, restarting: 2, waiting: 3 }))).toBe(
    '1,200 done, 3 updating, 3 waiting',
  )
  expect(countsText(countsOf())).toBe('No devices')
})

test('a device that is done and observed is counted as observed', () => {
  expect(countsText(countsOf({ done: 5, observed: 2 }))).toBe('3 done, 2 observed')
})

test.each([
  ['running', { failed: 4 }, 'Running'],
  ['finished', { done: 40 }, 'Finished'],
  ['finished', { done: 36, failed: 4 }, 'Finished, 4 failed'],
  ['finished', { failed: 4, withdrawn: 1 }, 'Failed'],
  ['finished', { withdrawn: 4 }, 'Nothing updated'],
] as const)('an update that is %s with %o is called "%s"', (state, counts, word) => {
  expect(rolloutWord(clientUpdateOf({ state, counts: countsOf(counts) }))).toBe(word)
})

test('every device that is not done says why', () => {
  for (const state of DEVICE_UPDATE_STATES.filter((one) => one !== 'done')) {
    for (const isOnline of [true, false]) {
      expect(standing({ state, isOnline, receivedBytes: null })).not.toBe('')
    }
  }
})

test.each([
  [{ state: 'waiting', wave: 2 }, {}, 'Wave 2 has not started.'],
  [{ state: 'waiting', wave: 1 }, {}, 'It is assigned in a moment.'],
  [{ state: 'waiting', wave: 1 }, { state: 'paused' }, 'The update is paused.'],
  [{ state: 'waiting', wave: 2 }, { state: 'halted' }, 'The update is halted.'],
  [{ state: 'offered', isOnline: false }, {}, 'It is offline. It is updated when it comes back.'],
  [{ state: 'downloading' }, {}, '500 kB of 1 MB'],
  [{ state: 'downloading', receivedBytes: null }, {}, 'It downloads 1 MB.'],
  [{ state: 'downloading', isOnline: false }, {}, '500 kB of 1 MB It is offline and continues when it comes back.'],
  [{ state: 'restarting', isOnline: false }, {}, 'It starts 1.2.3. If that cannot connect, it goes back to 1.2.2.'],
  [{ state: 'failed', reason: 'The disk is full.' }, {}, 'The disk is full.'],
  [{ state: 'withdrawn' }, {}, 'The update was stopped before it began.'],
  [{ state: 'done' }, {}, ''],
  [
    { state: 'done', isOnline: false, observedUntil: '2026-11-20T12:00:00.000Z' },
    {},
    'It is offline. It has to come back and keep running.',
  ],
])('%o in %o: %s', (device, update, text) => {
  expect(standing(device, update)).toBe(text)
})
