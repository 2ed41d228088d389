import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DeviceId } from '#domain/ids.ts'
import { HOUR_MS, MINUTE_MS } from '#domain/units/time.ts'
import type { Queryable } from '#server/db/transaction.ts'
import { type AlertProcesses, alertProcesses } from '#server/testing/devices/alertProcesses.ts'
import { storeReports, UPS } from '#server/testing/devices/telemetryFixture.ts'
import { type AlertRule, readAlertRule } from '../alertRules.ts'
import { readMemories } from './conditionMemories.ts'

const LOAD = 5104
const UPS_TEMP = 5108
const start = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 2 * HOUR_MS
const minute = (count: number) => start + count * MINUTE_MS

let processes: AlertProcesses
beforeAll(async () => {
  processes = await alertProcesses(1)
}, 120_000)
afterAll(() => processes.close())

async function newCondition(deviceId: DeviceId, columns: Readonly<Record<string, unknown>>): Promise<AlertRule> {
  const names = Object.keys(columns)
  const { rows } = await processes.fixture.pool.query<{ id: number }>(
    `insert into alert_condition (device_id, field_id, operator_code, ${names.join(', ')})
     values ($1, ${LOAD}, 'GT', ${names.map((_, index) => `$${index + 2}`).join(', ')}) returning id`,
    [deviceId, ...Object.values(columns)],
  )
  return (await readAlertRule(processes.fixture.pool, rows[0]?.id ?? 0)) as AlertRule
}

const newPair = (deviceId: DeviceId, joinedBy: string) =>
  newCondition(deviceId, {
    ...{ kind: 'pair', value_dec: 55, joined_by: joinedBy },
    ...{ second_field_id: UPS_TEMP, second_operator_code: 'GT', second_value_dec: 40 },
  })

const newChange = (deviceId: DeviceId, minutes: number) =>
  newCondition(deviceId, { kind: 'change', value_dec: 12, minutes })

interface Remembering {
  readonly deviceId: DeviceId
  readonly rule: AlertRule
  readonly state: { readonly lastAtMs: number | undefined }
}

function counted() {
  const texts: string[] = []
  const query = (text: string, values: unknown[]) => {
    texts.push(text)
    return processes.fixture.pool.query(text, values)
  }
  return { texts, queryable: { query } as unknown as Queryable }
}

test('a field is read once, however many conditions look back at it', async () => {
  const [path] = processes.paths
  if (!path) throw new Error('No process.')
  const conditions: Remembering[] = []
  for (let device = 0; device < 4; device++) {
    const deviceId = await processes.newDevice()
    const reports = [10, 20, 30].map((count) => ({
      atMs: minute(count),
      values: { load: count + device, temp: 40 + count },
    }))
    await storeReports(path, UPS, deviceId, reports)
    const state = { lastAtMs: minute(30) }
    conditions.push(
      { deviceId, rule: await newPair(deviceId, 'and'), state },
      { deviceId, rule: await newPair(deviceId, 'or'), state: { lastAtMs: minute(20) } },
      { deviceId, rule: await newChange(deviceId, 15), state },
      { deviceId, rule: await newChange(deviceId, 15), state: { lastAtMs: undefined } },
    )
  }
  const { texts, queryable } = counted()
  const memories = await readMemories(queryable, conditions, () => new Date(start))
  expect(texts.filter((text) => text.includes('as at_ms'))).toHaveLength(2)

  // Each condition is read as if it were the only one, so that none gets what another had to know.
  for (const condition of conditions) {
    const alone = await readMemories(processes.fixture.pool, [condition], () => new Date(start))
    expect(memories.get(condition)).toEqual(alone.get(condition))
  }
  const [pair, earlier, change, untouched] = conditions as [Remembering, Remembering, Remembering, Remembering]
  expect(memories.get(pair)?.map((known) => [known?.value, known?.atMs])).toEqual([
    [30, minute(30)],
    [70, minute(30)],
  ])
  expect(memories.get(earlier)?.map((known) => known?.atMs)).toEqual([minute(20), minute(20)])
  expect(memories.get(change)?.map((known) => known?.value)).toEqual([20, 30])
  expect(memories.has(untouched)).toBe(false)
}, 60_000)

test('what arrived before a condition counted is not remembered for it, though for one that counted then', async () => {
  const deviceId = await processes.newDevice()
  const [path] = processes.paths
  if (!path) throw new Error('No process.')
  await storeReports(path, UPS, deviceId, [{ atMs: minute(10), values: { load: 60, temp: 50 } }])
  const rule = await newPair(deviceId, 'and')
  const [early, late] = [1, 2].map(() => ({ deviceId, rule, state: { lastAtMs: minute(10) } }))
  if (!early || !late) throw new Error('No conditions.')
  const laterOn = new Date(Date.now() + HOUR_MS)
  const countsFrom = (condition: Remembering) => (condition === late ? laterOn : new Date(start))
  const memories = await readMemories(processes.fixture.pool, [early, late], countsFrom)
  expect(memories.get(early)?.map((known) => known?.value)).toEqual([60, 50])
  expect(memories.get(late)).toEqual([])
}, 60_000)
