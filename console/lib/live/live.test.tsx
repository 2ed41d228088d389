import { act, screen, waitFor } from '@testing-library/react'
import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { passTimeUntil, takeClock } from '#console/testing/clock.ts'
import { renderPiece } from '#console/testing/renderPiece.tsx'
import { screenTest } from '#console/testing/screenTest.tsx'
import { watch } from '#contract/http/live.ts'
import type { DeviceId } from '#domain/ids.ts'
import { useLiveDevices, useLiveState, useLiveStatus } from './live.ts'
import { live } from './liveHub.ts'
import { waitBeforeMs } from './liveStream.ts'
import { watchedUnion } from './watchedUnion.ts'

const { server } = screenTest()
// The stream of a page that was left stays open for a moment.
beforeEach(() => waitFor(() => expect(live.status()).toBe('idle')))
const ids = (...numbers: number[]) => numbers as DeviceId[]
const at = '2026-11-20T10:00:00.000Z'

const told: string[] = []
function Watcher({ deviceIds, stateDeviceId }: { deviceIds: readonly DeviceId[]; stateDeviceId?: DeviceId }) {
  useLiveDevices(deviceIds, ({ id, statusId }) => told.push(`device ${id} is ${statusId}`))
  useLiveState(stateDeviceId, ({ deviceId, values }) => told.push(`state of ${deviceId}: ${values.length}`))
  return <p>{useLiveStatus()}</p>
}
const lastWatched = () => server.requestsTo(watch).at(-1)?.values

test('one stream carries what all screens watch, and each hears only of its own', async () => {
  told.length = 0
  const { rerender, unmount } = renderPiece(<Watcher deviceIds={ids(1, 2)} stateDeviceId={ids(2)[0] as DeviceId} />)
  await screen.findByText('live')
  expect(server.requestsTo(watch)).toMatchObject([
    { method: 'POST', values: { deviceIds: [1, 2], stateDeviceIds: [2] } },
  ])

  await act(async () => {
    server.emit('device', {
      id: 1 as DeviceId,
      connStatusId: 1,
      statusId: 3,
      lastEvent: at,
      activeAlerts: 0,
      light: null,
      lightSince: null,
      lightIsAtLeast: false,
      lightCause: null,
      worstAlert: null,
      clockErrorMs: null,
      refusedSince: null,
      isOnBattery: null,
      identityConflictSince: null,
      wrong: null,
      tags: [],
    })
    server.emit('device', {
      id: 9 as DeviceId,
      connStatusId: 1,
      statusId: 3,
      lastEvent: at,
      activeAlerts: 0,
      light: null,
      lightSince: null,
      lightIsAtLeast: false,
      lightCause: null,
      worstAlert: null,
      clockErrorMs: null,
      refusedSince: null,
      isOnBattery: null,
      identityConflictSince: null,
      wrong: null,
      tags: [],
    })
    server.emit('state', { deviceId: 2 as DeviceId, values: [] })
  })
  await waitFor(() => expect(told).toEqual(['device 1 is 3', 'state of 2: 0']))

  rerender(<Watcher deviceIds={ids(7)} />)
  await waitFor(() => expect(lastWatched()).toEqual({ deviceIds: [7], stateDeviceIds: [] }))
  await waitFor(() => expect(server.watcherCount()).toBe(1))

  unmount()
  await waitFor(() => expect(server.watcherCount()).toBe(0))
})

test('a lost stream is said so and comes back by itself', async () => {
  renderPiece(<Watcher deviceIds={ids(5)} />)
  await screen.findByText('live')
  const before = server.requestsTo(watch).length
  server.dropStreams()
  await screen.findByText('down')
  await screen.findByText('live')
  expect(server.requestsTo(watch).length).toBe(before + 1)
})

test('a stream that gave its place to a newer one is opened again when somebody comes back to the page, not before', async () => {
  renderPiece(<Watcher deviceIds={ids(5)} />)
  await screen.findByText('live')
  const before = server.requestsTo(watch).length
  server.endStreams({ reason: 'user_limit' })
  await screen.findByText('full')
  takeClock()
  const endedAtMs = Date.now()
  // A lost stream would be back by then.
  await passTimeUntil(() => expect(Date.now() - endedAtMs).toBeGreaterThan(5_000))
  expect(server.requestsTo(watch).length).toBe(before)
  window.dispatchEvent(new Event('focus'))
  await screen.findByText('live')
  expect(server.requestsTo(watch).length).toBe(before + 1)
})

test('waiting grows to half a minute and is spread, so that browsers do not come back all at once', () => {
  expect(waitBeforeMs(0, 0)).toBe(500)
  expect(waitBeforeMs(50, 1)).toBe(30_500)
  fc.assert(
    fc.property(fc.nat(20), fc.double({ min: 0, max: 1, noNaN: true }), (attempt, chance) => {
      const waitMs = waitBeforeMs(attempt, chance)
      return waitMs >= 500 && waitMs <= 30_500
    }),
  )
})

test('what is watched together is asked for once each, within the limits of the call', () => {
  const many = Array.from({ length: 700 }, (_, index) => index + 1) as DeviceId[]
  const union = watchedUnion([
    { deviceIds: ids(3, 1), stateDeviceIds: ids(1) },
    { deviceIds: ids(1, 2), stateDeviceIds: [] },
  ])
  expect(union).toEqual({ deviceIds: [1, 2, 3], stateDeviceIds: [1] })
  const { deviceIds, stateDeviceIds } = watchedUnion([{ deviceIds: many, stateDeviceIds: many }])
  expect([deviceIds.length, stateDeviceIds.length]).toEqual([500, 20])
})
