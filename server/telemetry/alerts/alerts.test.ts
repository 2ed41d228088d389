import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { foldAlerts } from '#domain/alerts/fold/alertFold.ts'
import { UNTOUCHED } from '#domain/alerts/fold/conditionFold.ts'
import type { DeviceId } from '#domain/ids.ts'
import { HOUR_MS, MINUTE_MS } from '#domain/units/time.ts'
import { type AlertProcess, startAlertProcess } from '#server/testing/devices/alertProcesses.ts'
import { storeReports, type TelemetryFixture, telemetryFixture, UPS } from '#server/testing/devices/telemetryFixture.ts'
import { passTime } from '#testing/passTime.ts'

const LOAD = 5104
const STATUS = 5101

let fixture: TelemetryFixture
const processes: AlertProcess[] = []

beforeAll(async () => {
  fixture = await telemetryFixture()
  await fixture.owner.query(`insert into customer (name) values ('Harbour')`)
})
afterAll(async () => {
  for (const { watch, path } of processes) {
    await path.stop(1000)
    await watch.stop()
  }
  await fixture.close()
})

async function startProcess() {
  const started = await startAlertProcess(fixture)
  processes.push(started)
  return started
}

async function newDevice(statusId = 2): Promise<DeviceId> {
  const { rows } = await fixture.owner.query<{ id: DeviceId }>(
    `insert into device (guid, name, status_id, model_id, customer_id, iot_device_id)
     values (gen_random_uuid(), 'Pier', $1, 1, (select id from customer limit 1), '') returning id`,
    [statusId],
  )
  return rows[0]?.id as DeviceId
}

interface Request {
  readonly deviceId: DeviceId
  readonly operator?: string
  readonly value: number | string
  readonly periodId?: number
  readonly fieldId?: number
}

async function newCondition({ deviceId, operator = 'GT', value, periodId = 1, fieldId = LOAD }: Request) {
  const isNumber = typeof value === 'number'
  const { rows } = await fixture.pool.query<{ id: number }>(
    `insert into alert_condition (device_id, field_id, operator_code, value_dec, value_text, period_id)
     values ($1, $2, $3, $4, $5, $6) returning id`,
    [deviceId, fieldId, operator, isNumber ? value : null, isNumber ? null : value, periodId],
  )
  for (const { watch } of processes) await watch.rules.refresh()
  return rows[0]?.id ?? 0
}

const start = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 20 * HOUR_MS
const report = (minute: number, load: number) => ({ atMs: start + minute * MINUTE_MS, values: { load } })

async function allFolded() {
  await passTime(300, 'what was stored late is marked after its acknowledgement')
  const marks = async () => (await fixture.pool.query('select from alert_refold limit 1')).rowCount
  await vi.waitUntil(async () => (await marks()) === 0, { timeout: 60_000 })
  // The fold that removed the last dirty range commits with it.
}

async function alertsOf(deviceId: DeviceId) {
  const { rows } = await fixture.pool.query(
    `select (extract(epoch from a.created_at) * 1000 - $2)::bigint::float / 60000 as minute, condition_state_id as state,
       active_count as times, metric_value_dec as metric,
       (extract(epoch from a.state_since) * 1000 - $2)::bigint::float / 60000 as since,
       (select string_agg(kind || ((extract(epoch from at) * 1000 - $2) / 60000)::int, ' ' order by at)
        from alert_event e where e.device_id = a.device_id and e.alert_id = a.id
          and kind in ('opened', 'active', 'notActive')) as history
     from alert a where device_id = $1 and withdrawn_at is null order by created_at, condition_id`,
    [deviceId, start],
  )
  return rows as { minute: number; state: number; times: number; metric: number; since: number; history: string }[]
}

const lockIsAwaited = () =>
  vi.waitUntil(
    async () => {
      const sql = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      return ((await fixture.pool.query(sql)).rowCount ?? 0) > 0
    },
    { timeout: 30_000, interval: 10 },
  )

test('an alert opens with the reading, turns not active and active again, and is counted', async () => {
  const { path } = await startProcess()
  const deviceId = await newDevice()
  await newCondition({ deviceId, value: 60.1 })
  for (const [minute, load] of [60.1, 61, 62, 50, 70].entries()) {
    await storeReports(path, UPS, deviceId, [report(minute, load)])
  }
  expect(await alertsOf(deviceId)).toEqual([
    { minute: 1, state: 1, times: 2, metric: 61, since: 4, history: 'opened1 notActive3 active4' },
  ])
})

test('each turn of an alert that is mailed is left for the queue of mails, of one that is not none', async () => {
  const { path } = processes[0] ?? (await startProcess())
  const turnsOf = async (deviceId: DeviceId) =>
    (await fixture.pool.query('select from alert_turn where device_id = $1', [deviceId])).rowCount
  const [mailed, quiet] = [await newDevice(), await newDevice()]
  await newCondition({ deviceId: mailed, value: 60 })
  const quietId = await newCondition({ deviceId: quiet, value: 60 })
  await fixture.pool.query('update alert_condition set action_type_id = 2 where id = $1', [quietId])
  await passTime(500, 'the notice of the condition is heard')
  for (const deviceId of [mailed, quiet]) await storeReports(path, UPS, deviceId, [report(0, 70)])
  expect([await turnsOf(mailed), await turnsOf(quiet)]).toEqual([0, 0])
  for (const deviceId of [mailed, quiet]) await storeReports(path, UPS, deviceId, [report(1, 50)])
  expect([await turnsOf(mailed), await turnsOf(quiet)]).toEqual([1, 0])
})

test('a reading that opens an alert is stored before the many that wait, and all of them are stored', async () => {
  const { path } = processes[0] ?? (await startProcess())
  const devices = await Promise.all(Array.from({ length: 80 }, () => newDevice()))
  const [watched = 0 as DeviceId, ...others] = devices.filter((id) => id % 2 === (devices[0] ?? 0) % 2)
  await newCondition({ deviceId: watched, value: 60 })
  // The notice of the change has arrived by then too, and what is known of the device stays known.
  await passTime(500, 'the notice of the condition is heard')
  await storeReports(path, UPS, watched, [report(0, 10)])
  const stored: DeviceId[] = []
  const send = (deviceId: DeviceId, load: number) =>
    storeReports(path, UPS, deviceId, [report(1, load)]).then(() => stored.push(deviceId))
  await fixture.owner.query('begin')
  await fixture.owner.query('lock table reading_look in share row exclusive mode')
  // The first batch is being written and held up, and the others wait behind it.
  const sent = [send(others[0] as DeviceId, 1)]
  await lockIsAwaited()
  for (const deviceId of others.slice(1)) sent.push(send(deviceId, 1))
  sent.push(send(watched, 70))
  await fixture.owner.query('commit')
  await Promise.all(sent)
  expect(stored.slice(0, 2)).toEqual([others[0], watched])
  expect(new Set(stored)).toEqual(new Set([watched, ...others]))
  expect(await alertsOf(watched)).toMatchObject([{ minute: 1, history: 'opened1' }])
})

test('texts, equality of a real, several conditions of one field', async () => {
  const { path } = processes[0] ?? (await startProcess())
  const deviceId = await newDevice()
  await newCondition({ deviceId, operator: 'NEQ', value: 'on line interactive normal', fieldId: STATUS })
  await newCondition({ deviceId, operator: 'EQ', value: 60.1 })
  await newCondition({ deviceId, operator: 'LTE', value: 60.1 })
  await storeReports(path, UPS, deviceId, [
    { atMs: start, values: { status: 'on line interactive normal', load: 60.1 } },
    { atMs: start + 1, values: { status: 'on battery' } },
  ])
  const { rows } = await fixture.pool.query(
    `select operator_code as code, metric_value_dec as number, metric_value_text as text from alert
     where device_id = $1 order by condition_id`,
    [deviceId],
  )
  expect(rows).toEqual([
    { code: 'NEQ', number: null, text: 'on battery' },
    { code: 'EQ', number: 60.1, text: null },
    { code: 'LTE', number: 60.1, text: null },
  ])
})

test.each([1, 4])('a device of status %d raises nothing', async (statusId) => {
  const { path } = processes[0] ?? (await startProcess())
  const deviceId = await newDevice(statusId)
  await newCondition({ deviceId, value: 1 })
  await storeReports(path, UPS, deviceId, [report(0, 50), report(2, 50), report(1, 50)])
  await allFolded()
  expect(await alertsOf(deviceId)).toEqual([])
})

test('a device that was deactivated raises nothing in a process that has not heard of it yet', async () => {
  const { path } = processes[0] ?? (await startProcess())
  const deviceId = await newDevice()
  await newCondition({ deviceId, value: 60 })
  await storeReports(path, UPS, deviceId, [report(0, 50)])
  await fixture.owner.query('alter table device disable trigger device_alerts_changed')
  await fixture.owner.query('update device set status_id = 4 where id = $1', [deviceId])
  await fixture.owner.query('alter table device enable trigger device_alerts_changed')
  await storeReports(path, UPS, deviceId, [report(1, 70)])
  expect(await alertsOf(deviceId)).toEqual([])
  const stored = await fixture.pool.query('select from readings_of_ups where device_id = $1', [deviceId])
  expect(stored.rowCount).toBe(2)
})

const DELIVERIES = {
  shuffled: (reports: Report[], order: readonly number[]) => order.map((index) => reports[index] as Report),
  reversed: (reports: Report[]) => [...reports].reverse(),
  twice: (reports: Report[]) => [...reports, ...reports],
  'each one twice': (reports: Report[]) => reports.flatMap((one) => [one, one]),
  'the middle last': (reports: Report[]) => {
    const third = Math.floor(reports.length / 3)
    return [...reports.slice(0, third), ...reports.slice(2 * third), ...reports.slice(third, 2 * third)]
  },
}
type Report = ReturnType<typeof report>

test('any shuffle, delay or repetition of the same readings ends in the same alerts', async () => {
  const { path } = await startProcess()
  const other = await startProcess()
  const minutes = 90
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(50, 50, 61, 61, 61, undefined), { minLength: minutes, maxLength: minutes }),
      fc.shuffledSubarray(
        Array.from({ length: minutes }, (_, index) => index),
        { minLength: minutes },
      ),
      fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 20 }),
      async (values, order, batchSizes) => {
        const sent = values.flatMap((value, minute) => (value === undefined ? [] : [report(minute, value)]))
        const readings = sent.map(({ atMs, values: { load } }) => ({ atMs, values: [load, undefined] as const }))
        const above60 = { kind: 'level', operator: 'GT', threshold: 60, clearLevel: undefined } as const
        const results = []
        for (const delivery of ['in order', ...Object.keys(DELIVERIES)] as ('in order' | keyof typeof DELIVERIES)[]) {
          const deviceId = await newDevice()
          await newCondition({ deviceId, value: 60 })
          await newCondition({ deviceId, value: 60, periodId: 2 })
          const queue =
            delivery === 'in order'
              ? sent
              : DELIVERIES[delivery](
                  sent,
                  order.filter((index) => index < sent.length),
                )
          for (let first = 0, round = 0; first < queue.length; round++) {
            const size = batchSizes[round % batchSizes.length] ?? 1
            // Now and then the device connects to another process, which knows nothing of what this one did.
            const through = delivery !== 'in order' && round % 7 === 6 ? other.path : path
            await storeReports(through, UPS, deviceId, queue.slice(first, first + size))
            if (through !== path) {
              path.forget(deviceId)
              through.forget(deviceId)
            }
            first += size
          }
          results.push({ delivery, deviceId })
        }
        await allFolded()
        const expected = [0, 5].flatMap(
          (period) => foldAlerts({ judged: above60, periodMs: period * MINUTE_MS }, UNTOUCHED, readings).alerts,
        )
        for (const { delivery, deviceId } of results) {
          const alerts = await alertsOf(deviceId)
          expect({ delivery, alerts: alerts.map(({ minute, times }) => [minute, times]) }).toEqual({
            delivery,
            alerts: expected
              .map(({ openedAtMs, stretches }) => [((openedAtMs ?? 0) - start) / MINUTE_MS, stretches.length])
              .sort(([a], [b]) => (a ?? 0) - (b ?? 0)),
          })
          expect({ delivery, alerts }).toEqual({ delivery, alerts: await alertsOf(results[0]?.deviceId as DeviceId) })
        }
      },
    ),
    { numRuns: 4, endOnFailure: true },
  )
}, 120_000)
