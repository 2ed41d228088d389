import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DeviceId } from '#domain/ids.ts'
import { MINUTE_MS } from '#domain/units/time.ts'
import { type AlertProcesses, alertProcesses, LOAD_FIELD } from '#server/testing/devices/alertProcesses.ts'
import { storeReports, UPS } from '#server/testing/devices/telemetryFixture.ts'
import { changesThatEndJob } from './changesThatEnd.ts'

let processes: AlertProcesses
beforeAll(async () => {
  processes = await alertProcesses(1)
}, 120_000)
afterAll(() => processes.close())

const start = Date.now() - 30 * MINUTE_MS
const at = (minute: number) => start + minute * MINUTE_MS

/** Makes a device with a condition on a change of its load by more than 12 within 5 minutes. */
async function watchedDevice({ isOnline }: { readonly isOnline: boolean }): Promise<DeviceId> {
  const { owner, pool } = processes.fixture
  const deviceId = await processes.newDevice()
  await pool.query(
    `insert into alert_condition (device_id, field_id, operator_code, value_dec, kind, minutes, effective_at)
     values ($1, $2, 'GT', 12, 'change', 5, $3)`,
    [deviceId, LOAD_FIELD, new Date(at(-60))],
  )
  const { rows } = await owner.query<{ id: string }>(
    `insert into server_process (id, lease_until) values ($1, now() + interval '1 hour') returning id`,
    [randomUUID()],
  )
  if (isOnline)
    await owner.query('insert into device_connection (device_id, connection_id, process_id) values ($1, $2, $3)', [
      ...[deviceId, randomUUID(), rows[0]?.id],
    ])
  return deviceId
}

async function report(deviceId: DeviceId, minute: number, load: number): Promise<void> {
  const [path] = processes.paths
  if (path) await storeReports(path, UPS, deviceId, [{ atMs: at(minute), values: { load } }])
}

async function lookAt(minute: number): Promise<void> {
  await changesThatEndJob.run(processes.fixture.owner, new Date(at(minute)), new AbortController().signal)
  await processes.allFolded()
}

/** Reads `opened 3` in minutes of device time. */
async function lifeOf(deviceId: DeviceId): Promise<string[]> {
  const { rows } = await processes.fixture.pool.query<{ kind: string; at: Date }>(
    'select kind, at from alert_event where device_id = $1 order by at, id',
    [deviceId],
  )
  return rows.map((event) => `${event.kind} ${(event.at.getTime() - start) / MINUTE_MS}`)
}

test('the alert of a change is over when its stretch is, although the device reports nothing more', async () => {
  const deviceId = await watchedDevice({ isOnline: true })
  await report(deviceId, 0, 10)
  await report(deviceId, 2, 40)
  expect(await lifeOf(deviceId)).toEqual(['opened 2'])
  // The change happened less than its period ago.
  await lookAt(4)
  expect(await lifeOf(deviceId)).toEqual(['opened 2'])
  await lookAt(8)
  expect(await lifeOf(deviceId)).toEqual(['opened 2', 'notActive 5'])
  // The alert goes on from there, and what the clock ended is ended once.
  await lookAt(9)
  await report(deviceId, 20, 41)
  await report(deviceId, 21, 70)
  expect(await lifeOf(deviceId)).toEqual(['opened 2', 'notActive 5', 'active 21'])
}, 120_000)

test('of a device that is away nobody knows whether a change is over, until it reports again', async () => {
  const deviceId = await watchedDevice({ isOnline: false })
  await report(deviceId, 0, 10)
  await report(deviceId, 2, 40)
  await lookAt(8)
  expect(await lifeOf(deviceId)).toEqual(['opened 2'])
  await report(deviceId, 15, 41)
  expect(await lifeOf(deviceId)).toEqual(['opened 2', 'notActive 5'])
}, 120_000)
