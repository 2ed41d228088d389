import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { DeviceId } from '#domain/ids.ts'
import { MINUTE_MS } from '#domain/units/time.ts'
import { openDatabase } from '#server/db/database.ts'
import { type EventLayout, layoutByTypeId } from '#server/telemetry/ingress/eventLayout.ts'
import { type AlertProcess, startAlertProcess } from '#server/testing/devices/alertProcesses.ts'
import { storeReports, type TelemetryFixture, telemetryFixture } from '#server/testing/devices/telemetryFixture.ts'
import { AlertRules } from './alertRules.ts'
import { noteOtherConditions, strayAlertsJob } from './refold/strayAlerts.ts'
import { replayRequested } from './replay.ts'
import { readUnusedFields, ruleBesideUnused } from './unusedPorts.ts'

const ROUTER = layoutByTypeId(7) as EventLayout
const NETWORK_SWITCH = { model: 14, category: 13 }
const [PORT_1, PORT_3, PORT_4] = [7101, 7103, 7104]
const NO_LIMIT = new Date(0)

/** A process is notified of a marked port some time after the commit. */
const WAITS = { timeout: 30_000 }
/** Attempts must not add up: fifteen of them, a minute apart, would raise the alert that waits for 15 minutes. */
const AT_ONCE_MS = 1

let fixture: TelemetryFixture
let process: AlertProcess
let lastAtMs = Date.now() - 60 * MINUTE_MS

beforeAll(async () => {
  fixture = await telemetryFixture()
  await fixture.owner.query(`insert into customer (name) values ('Harbour')`)
  process = await startAlertProcess(fixture)
})
afterAll(async () => {
  await process.path.stop(1000)
  await process.watch.stop()
  await fixture.close()
})

async function newDevice(): Promise<DeviceId> {
  const { rows } = await fixture.owner.query<{ id: DeviceId }>(
    `insert into device (guid, name, status_id, model_id, customer_id, iot_device_id)
     values (gen_random_uuid(), 'Pier', 2, 1, (select id from customer limit 1), '') returning id`,
  )
  const deviceId = rows[0]?.id as DeviceId
  await fixture.owner.query(
    `insert into device_component (device_id, component_model_id, category_id, number) values ($1, $2, $3, 1), ($1, $2, $3, 2)`,
    [deviceId, NETWORK_SWITCH.model, NETWORK_SWITCH.category],
  )
  return deviceId
}

interface Request {
  readonly fieldId: number
  readonly kind?: string
  readonly minutes?: number
  readonly periodId?: number
  readonly joinedBy?: 'and' | 'or'
  readonly secondFieldId?: number
}

/** Makes a condition; by default it says that the port is down. */
async function newCondition(asked: Request): Promise<number> {
  const { fieldId, kind = 'level', minutes, periodId = 1, joinedBy, secondFieldId } = asked
  const { rows } = await fixture.owner.query<{ id: number }>(
    `insert into alert_condition (kind, field_id, operator_code, value_dec, minutes, period_id, joined_by,
       second_field_id, second_operator_code, second_value_dec)
     values ($1, $2, 'EQ', 0, $3, $4, $5, $6, $7, $8) returning id`,
    [kind, fieldId, minutes, periodId, joinedBy, secondFieldId, secondFieldId && 'EQ', secondFieldId && 0],
  )
  await process.watch.rules.refresh()
  return rows[0]?.id ?? 0
}

async function markUnused(deviceId: DeviceId, switchNumber: number, ports: readonly number[]) {
  await fixture.owner.query('update device_component set unused_ports = $3 where device_id = $1 and number = $2', [
    deviceId,
    switchNumber,
    ports,
  ])
  const db = openDatabase(fixture.pool)
  await db.transaction().execute((transaction) => noteOtherConditions(transaction, deviceId))
  await strayAlertsJob(db, () => undefined).runUnfenced(new AbortController().signal)
}

async function report(deviceId: DeviceId, values: Record<string, number>, afterMs: number = MINUTE_MS) {
  lastAtMs += afterMs
  await storeReports(process.path, ROUTER, deviceId, [{ atMs: lastAtMs, values }])
}

async function openAlerts(deviceId: DeviceId): Promise<readonly number[]> {
  const { rows } = await fixture.owner.query<{ condition_id: number }>(
    `select condition_id from alert where device_id = $1 and status_id = 1 and withdrawn_at is null order by condition_id`,
    [deviceId],
  )
  return rows.map(({ condition_id }) => condition_id)
}

test('no kind of condition opens for a port that is marked unused; those of other ports do', async () => {
  const deviceId = await newDevice()
  const used = await newCondition({ fieldId: PORT_3 })
  await newCondition({ fieldId: PORT_4 })
  await newCondition({ fieldId: PORT_4, kind: 'change', minutes: 10 })
  await newCondition({ fieldId: PORT_4, kind: 'absent', minutes: 1 })
  await newCondition({ fieldId: PORT_4, kind: 'pair', joinedBy: 'and', secondFieldId: PORT_3 })
  await markUnused(deviceId, 2, [2])
  await report(deviceId, { port3_status: 1, port4_status: 1 })
  await report(deviceId, { port3_status: 0, port4_status: 0 })
  await report(deviceId, { port3_status: 0 })
  await report(deviceId, { port3_status: 0 })
  expect(await openAlerts(deviceId)).toEqual([used])
})

test('what is met by either of two ports goes on with the one that is in use', async () => {
  const deviceId = await newDevice()
  const either = await newCondition({ fieldId: PORT_1, kind: 'pair', joinedBy: 'or', secondFieldId: PORT_4 })
  await markUnused(deviceId, 2, [2])
  await report(deviceId, { port1_status: 1, port4_status: 0 })
  expect(await openAlerts(deviceId)).not.toContain(either)
  await report(deviceId, { port1_status: 0, port4_status: 0 })
  expect(await openAlerts(deviceId)).toContain(either)
  await markUnused(deviceId, 1, [1])
  expect(await openAlerts(deviceId)).not.toContain(either)
})

test('an alert ends when its port is marked, and one begins anew when the port is used again', async () => {
  const [deviceId, other] = [await newDevice(), await newDevice()]
  const down = await newCondition({ fieldId: PORT_1 })
  const forLong = await newCondition({ fieldId: PORT_1, periodId: 3 })
  for (const id of [deviceId, other]) await report(id, { port1_status: 0 })
  expect(await openAlerts(deviceId)).toContain(down)
  expect(await openAlerts(deviceId)).not.toContain(forLong)

  await markUnused(deviceId, 1, [1])
  expect(await openAlerts(deviceId)).not.toContain(down)
  expect(await openAlerts(other)).toContain(down)
  await vi.waitFor(async () => {
    await report(deviceId, { port1_status: 0 }, AT_ONCE_MS)
    const { rowCount } = await fixture.owner.query(
      'select from alert_state where device_id = $1 and condition_id = any($2)',
      [deviceId, [down, forLong]],
    )
    expect(rowCount).toBe(0)
  }, WAITS)
  expect(await openAlerts(deviceId)).not.toContain(down)

  lastAtMs += 30 * MINUTE_MS
  await markUnused(deviceId, 1, [])
  await vi.waitFor(async () => {
    await report(deviceId, { port1_status: 0 }, AT_ONCE_MS)
    expect(await openAlerts(deviceId)).toContain(down)
  }, WAITS)
  // The port has not been down that long since it was marked as used again.
  expect(await openAlerts(deviceId)).not.toContain(forLong)
})

test('readings that come late open nothing for a port that is marked unused', async () => {
  const deviceId = await newDevice()
  const conditions = [
    await newCondition({ fieldId: PORT_1 }),
    await newCondition({ fieldId: PORT_1, kind: 'pair', joinedBy: 'or', secondFieldId: PORT_3 }),
  ]
  await report(deviceId, { port1_status: 1, port3_status: 1 })
  const lateAtMs = lastAtMs + 1000
  await report(deviceId, { port1_status: 1, port3_status: 1 })
  await markUnused(deviceId, 1, [1])
  await storeReports(process.path, ROUTER, deviceId, [{ atMs: lateAtMs, values: { port1_status: 0 } }])
  await fixture.owner.query(
    `insert into alert_refold (device_id, condition_id, from_at) select $1, id, $3 from unnest($2::int[]) as marked (id)
     on conflict do nothing`,
    [deviceId, conditions, new Date(lateAtMs)],
  )
  process.watch.noteLate(new Set([deviceId]))
  await vi.waitFor(async () => expect((await fixture.owner.query('select from alert_refold')).rowCount).toBe(0), WAITS)
  const { rows } = await fixture.owner.query('select condition_id from alert where device_id = $1', [deviceId])
  for (const { condition_id } of rows) expect(conditions).not.toContain(condition_id)
})

test('what a condition would have done leaves out ports that are marked unused', async () => {
  const deviceId = await newDevice()
  await report(deviceId, { port1_status: 0 })
  const first = { fieldId: PORT_1 as never, operator: 'EQ', threshold: 0 } as const
  const question = { deviceId, from: NO_LIMIT, asked: { kind: 'level', first }, periodId: 1, isPart: false } as const
  expect((await replayRequested(fixture.pool, question)).stretches).toHaveLength(1)
  await markUnused(deviceId, 1, [1])
  expect((await replayRequested(fixture.pool, question)).stretches).toEqual([])
})

test('processes and statements agree on which conditions ports that are marked unused leave', async () => {
  await fixture.owner.query('update alert_condition set deleted_at = now()')
  const fields = [PORT_1, 7102, PORT_3, PORT_4, 5104]
  for (const fieldId of fields) {
    await newCondition({ fieldId })
    for (const joinedBy of ['and', 'or'] as const)
      for (const secondFieldId of fields) await newCondition({ fieldId, kind: 'pair', joinedBy, secondFieldId })
  }
  const rules = await AlertRules.read(fixture.pool)
  const subsets = [[], [1], [2], [1, 2]]
  for (const first of subsets) {
    for (const second of subsets) {
      const deviceId = await newDevice()
      await markUnused(deviceId, 1, first)
      await markUnused(deviceId, 2, second)
      const { rows } = await fixture.owner.query<{ id: number }>(
        'select c.id from alert_condition c join device d on d.id = $1 and condition_applies(c, d) order by c.id',
        [deviceId],
      )
      const unused = await readUnusedFields(fixture.pool, deviceId)
      const device = { id: deviceId, modelId: 1, customerId: 1, tagKeys: [] } as never
      const judged = rules.of(device).filter((rule) => ruleBesideUnused(rule, unused) !== undefined)
      expect(judged.map(({ id }) => id).sort((a, b) => a - b)).toEqual(rows.map(({ id }) => id))
    }
  }
})
