import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DeviceId } from '#domain/ids.ts'
import { MINUTE_MS } from '#domain/units/time.ts'
import { alertMoves, replayedMoves } from '#server/testing/devices/alertHistory.ts'
import {
  type AlertProcesses,
  alertProcesses,
  LOAD_FIELD,
  startAlertProcess,
} from '#server/testing/devices/alertProcesses.ts'
import { storeReports, UPS } from '#server/testing/devices/telemetryFixture.ts'

let processes: AlertProcesses
beforeAll(async () => {
  processes = await alertProcesses(2)
}, 120_000)
afterAll(() => processes.close())

const start = Math.floor(Date.now() / 3_600_000) * 3_600_000 - 20 * 3_600_000
const report = (minute: number, load: number) => ({ atMs: start + minute * MINUTE_MS, values: { load } })

async function alertCount(deviceId: DeviceId) {
  const { rows } = await processes.fixture.pool.query<{ all: number; open: number }>(
    `select count(*)::int as all, count(*) filter (where status_id = 1)::int as open
     from alert where device_id = $1 and withdrawn_at is null`,
    [deviceId],
  )
  return rows[0]
}

test('a device that is fed through two processes in turn has one alert, moved by both', async () => {
  const deviceId = await processes.newDevice()
  await processes.newCondition({ deviceId, value: 60 })
  for (let minute = 0; minute < 24; minute++) {
    const path = processes.paths[minute % 2]
    // Two reports are true and one is false, so that every process sees states that the other one moved.
    if (path) await storeReports(path, UPS, deviceId, [report(minute, minute % 3 === 2 ? 50 : 70)])
  }
  expect(await alertCount(deviceId)).toEqual({ all: 1, open: 1 })
  expect((await alertMoves(processes.fixture.pool, deviceId)).map(({ kind }) => kind)).toEqual([
    'opened',
    ...Array.from({ length: 7 }, () => ['notActive', 'active']).flat(),
    'notActive',
  ])
})

test('of two processes that see the same reading at once, one opens the alert', async () => {
  for (let round = 0; round < 15; round++) {
    const deviceId = await processes.newDevice()
    await processes.newCondition({ deviceId, value: 60 })
    // Both processes know the device, and neither knows what the other one does next.
    for (const [index, path] of processes.paths.entries()) await storeReports(path, UPS, deviceId, [report(index, 50)])
    await Promise.all(processes.paths.map((path, index) => storeReports(path, UPS, deviceId, [report(2 + index, 70)])))
    await processes.allFolded()
    expect(await alertCount(deviceId)).toEqual({ all: 1, open: 1 })
    const { rows } = await processes.fixture.pool.query(
      `select (select count(*)::int from alert_notice where device_id = $1) as notices,
         (select count(*)::int from readings_of_ups where device_id = $1) as readings`,
      [deviceId],
    )
    expect(rows).toEqual([{ notices: 1, readings: 4 }])
  }
}, 120_000)

test.each([
  [1, 0],
  [2, 5],
])('what a condition of period %d would have done is what it did, event for event', async (periodId, periodMinutes) => {
  const deviceId = await processes.newDevice()
  await processes.newCondition({ deviceId, value: 60, periodId })
  const loads = Array.from({ length: 240 }, (_, minute) =>
    Math.floor(minute / 7) % 3 === 1 || minute % 50 === 0 ? 71 : 40,
  )
  const [path] = processes.paths
  for (let first = 0; first < loads.length && path; first += 16) {
    const some = loads.slice(first, first + 16).map((load, index) => report(first + index, load))
    await storeReports(path, UPS, deviceId, some)
  }
  const periodMs = periodMinutes * MINUTE_MS
  const from = new Date(start - 1)
  const rule = { deviceId, fieldId: LOAD_FIELD, threshold: 60, periodMs, from }
  const replayed = await replayedMoves(processes.fixture.pool, rule)
  const live = await alertMoves(processes.fixture.pool, deviceId)
  expect(live.length).toBeGreaterThan(10)
  expect(replayed).toEqual(live)
})

test('conditions are read anew when one was changed, and not when somebody only asks', async () => {
  const { watch, path } = await startAlertProcess(processes.fixture)
  const before = watch.rules.current()
  await watch.rules.refresh()
  expect(watch.rules.current()).toBe(before)
  await processes.newCondition({ deviceId: await processes.newDevice(), value: 60 })
  await watch.rules.refresh()
  expect(watch.rules.current()).not.toBe(before)
  await path.stop(1000)
  await watch.stop()
})
