import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DeviceId } from '#domain/ids.ts'
import { HOUR_MS, MINUTE_MS } from '#domain/units/time.ts'
import { type AlertProcess, startAlertProcess } from '#server/testing/devices/alertProcesses.ts'
import { storeReports, type TelemetryFixture, telemetryFixture, UPS } from '#server/testing/devices/telemetryFixture.ts'

const LOAD = 5104
/** Each of two shards gets more devices than reserved alert ids. */
const DEVICES = 700

let fixture: TelemetryFixture
let started: AlertProcess

beforeAll(async () => {
  fixture = await telemetryFixture()
  await fixture.owner.query(`insert into customer (name) values ('Harbour')`)
  await fixture.owner.query(
    `insert into alert_condition (model_id, field_id, operator_code, value_dec, period_id) values (1, $1, 'GT', 60, 1)`,
    [LOAD],
  )
  started = await startAlertProcess(fixture)
})
afterAll(async () => {
  await started.path.stop(1000)
  await started.watch.stop()
  await fixture.close()
})

test('where more alerts open at once than there are numbers for, every report is stored that is acknowledged', async () => {
  const { rows } = await fixture.owner.query<{ id: DeviceId }>(
    `insert into device (guid, name, status_id, model_id, customer_id, iot_device_id)
     select gen_random_uuid(), 'Pier', 2, 1, (select id from customer limit 1), '' from generate_series(1, $1) returning id`,
    [DEVICES],
  )
  const atMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 2 * HOUR_MS
  const tell = (load: number, minute: number) =>
    Promise.all(
      rows.map(({ id }) =>
        storeReports(started.path, UPS, id, [{ atMs: atMs + minute * MINUTE_MS, values: { load } }]),
      ),
    )
  const countOf = async (table: string) =>
    Number((await fixture.owner.query<{ count: string }>(`select count(*) from ${table}`)).rows[0]?.count)
  await tell(70, 0)
  expect(await countOf('reading_look')).toBe(DEVICES)
  expect(await countOf('alert')).toBe(DEVICES)
  // A batch that failed once holds nothing back for good.
  await tell(71, 1)
  expect(await countOf('reading_look')).toBe(2 * DEVICES)
})
