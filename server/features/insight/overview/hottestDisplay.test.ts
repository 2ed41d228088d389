import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import type { TemperatureRow } from '#contract/http/insight/overview.ts'
import type { DeviceId, DeviceModelId } from '#domain/ids.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#domain/units/time.ts'
import { findHotDevices } from '#server/fleet/overviewCounts.ts'
import { WritePath } from '#server/telemetry/write/WritePath.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { addCustomer, addDevice, ask } from '#server/testing/callers.ts'
import { KEPT_DAYS } from '#server/testing/database/keptDays.ts'
import { DISPLAY, storeReports } from '#server/testing/devices/telemetryFixture.ts'

const EVERY_INTERNAL_TEMPERATURE = 4001
const INTERNAL_TEMPERATURE = 4101

const api = await apiTest()
const customerId = await addCustomer(api.pool, 'Harbour')
const token = await api.signedIn({ username: 'staff@a.example', functions: [1, 2] })
const owner = new pg.Client({ connectionString: api.ownerUrl })
await owner.connect()
afterAll(() => owner.end())

const nowMs = Date.now()
/** Readings of one moment: the internal and the intake temperature of each display, ordered by number. */
type Moment = readonly [ageMs: number, ...displays: (readonly [internal: number, intake?: number] | undefined)[]]

async function addReporting(name: string, moments: readonly Moment[]): Promise<DeviceId> {
  // This model has three displays.
  const { id } = await addDevice(api.pool, { name, customerId, modelId: 15 as DeviceModelId })
  const path = new WritePath({
    pool: api.pool,
    retentionDays: KEPT_DAYS,
    onStored: () => undefined,
    log: console.error,
  })
  for (const [ageMs, ...displays] of moments) {
    const reports = displays.flatMap((temperatures, index) => {
      const [internal_temp, intake_temp] = temperatures ?? []
      return temperatures ? [{ atMs: nowMs - ageMs, number: index + 1, values: { internal_temp, intake_temp } }] : []
    })
    await storeReports(path, DISPLAY, id, reports)
  }
  // When the write path has stopped, everything that lists show of the device is stored.
  await path.stop(10_000)
  return id
}

const setCondition = async (condition: object) => {
  const body = { operatorId: 1, periodId: 1, actionTypeId: 1, ...condition }
  const answer = await ask(api, 'Alert/SetAlertCondition', { token, method: 'POST', body })
  expect(answer.statusCode, answer.body).toBe(200)
}

const rowsOf = async (table: string): Promise<readonly TemperatureRow[]> =>
  (await ask(api, 'Dashboard/GetDashboardTable', { token, query: { table, customerId } })).json()

const kiosk = await addReporting('Kiosk', [
  [DAY_MS + HOUR_MS, [30], [31], [90]],
  [2 * HOUR_MS, [35, 20], [50, 24], [40]],
  [MINUTE_MS, [36, 21], [52, 25], undefined],
])
await addReporting('Totem', [[2 * HOUR_MS, [49, 22], [20]]])
await setCondition({ allDevices: true, eventTypeFieldId: EVERY_INTERNAL_TEMPERATURE, valueDec: 45 })
await setCondition({ deviceId: kiosk, eventTypeFieldId: INTERNAL_TEMPERATURE, valueDec: 33 })

test('a device stands at the temperature, the intake and the limit of its hottest display of the last day', async () => {
  expect(await rowsOf('INTERNAL_TEMPERATURE')).toMatchObject([
    { device: 'Kiosk', display_number: 2, internal_temp: 52, intake_temp: 25, internal_limit: 45 },
    { device: 'Totem', display_number: 1, internal_temp: 49, intake_temp: 22, internal_limit: 45 },
  ])
})

test('the chart draws the hottest display of each device', async () => {
  const rows = await rowsOf('AVG_TEMPERATURE')
  const known = rows.filter(({ internal_temp }) => internal_temp !== null)
  expect(rows).toHaveLength(48)
  const hourOf = (ageMs: number) => new Date(Math.floor((nowMs - ageMs) / HOUR_MS) * HOUR_MS).toISOString()
  expect(
    known.map((row) => [row.device, row.display_number, row.device_time, row.internal_temp, row.intake_temp]),
  ).toEqual([
    ['Kiosk', 2, hourOf(2 * HOUR_MS), 50, 24],
    ['Kiosk', 2, hourOf(MINUTE_MS), 52, 25],
    ['Totem', 1, hourOf(2 * HOUR_MS), 49, 22],
  ])
})

test('in a large fleet devices are found beforehand by their hottest display', async () => {
  await owner.query('select gather_overview_counts()')
  await findHotDevices(owner, new Date(), 0)
  const { rows } = await owner.query('select internal_temp from hot_device where customer_id = $1 order by 1', [
    customerId,
  ])
  expect(rows.map(({ internal_temp }) => internal_temp)).toEqual([49, 52])
})
