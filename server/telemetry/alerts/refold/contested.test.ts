import { afterAll, beforeAll, expect, test } from 'vitest'
import { CONFLICT_LASTS_MS } from '#domain/devices/identityConflict.ts'
import { HOUR_MS, MINUTE_MS } from '#domain/units/time.ts'
import { alertProcesses } from '#server/testing/devices/alertProcesses.ts'
import { storeReports, UPS } from '#server/testing/devices/telemetryFixture.ts'

let processes: Awaited<ReturnType<typeof alertProcesses>>
beforeAll(async () => {
  processes = await alertProcesses(1)
}, 120_000)
afterAll(() => processes.close())

test('late readings of a time with two machines are folded as what came then was judged', async () => {
  const { fixture, paths, newDevice, newCondition, allFolded } = processes
  const [path] = paths
  if (path === undefined) throw new Error('No process was started.')
  const deviceId = await newDevice()
  await newCondition({ deviceId, value: 50 })
  const startMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 2 * HOUR_MS
  const report = (minute: number, load: number) => ({ atMs: startMs + minute * MINUTE_MS, values: { load } })
  await fixture.owner.query('insert into identity_conflict (device_id, began_at, seen_at) values ($1, $2, $3)', [
    deviceId,
    new Date(startMs + 9 * MINUTE_MS),
    new Date(startMs + 20 * MINUTE_MS - CONFLICT_LASTS_MS),
  ])
  const turns = [10, 11, 12, 13, 14, 15, 16].map((minute) => report(minute, minute % 2 === 0 ? 80 : 10))
  await storeReports(path, UPS, deviceId, [...turns, report(30, 10)])
  // The late readings lie before the others and between them.
  await storeReports(path, UPS, deviceId, [report(5, 20), { ...report(12, 20), atMs: report(12, 20).atMs + 1 }])
  await allFolded()
  const { rows } = await fixture.owner.query(
    `select active_count, (extract(epoch from state_since) * 1000)::float8 as since from alert where device_id = $1`,
    [deviceId],
  )
  expect(rows).toEqual([{ active_count: 1, since: startMs + 30 * MINUTE_MS }])
}, 120_000)
