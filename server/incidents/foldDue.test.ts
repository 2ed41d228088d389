import fc from 'fast-check'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { fieldIdOfKind } from '#domain/alerts/conditionKinds.ts'
import type { DeviceId } from '#domain/ids.ts'
import { foldIncidents } from '#domain/incidents/foldIncidents.ts'
import { HOUR_MS, MINUTE_MS } from '#domain/units/time.ts'
import { openPool } from '#server/db/connect/pool.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { storeSearchTexts } from '#server/fleet/searchTexts.ts'
import { databaseTest } from '#server/testing/database/databaseTest.ts'
import { insertDevices } from '#server/testing/devices/gatewayFixture.ts'
import { foldDue } from './foldDue.ts'
import { fleetSize, partsIn, raisedParts } from './partRows.ts'

const { database, owner } = await databaseTest()
const pool = openPool(database.ownerUrl, { maximumConnections: 2, name: 'test' })
afterAll(() => pool.end())

const SILENT = fieldIdOfKind('silent') as number
const DARK = fieldIdOfKind('dark') as number
const ROUTER_PORT = 7101
const PANEL_TEMP = 4101
const UPS_STATUS = 5104
const start = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 20 * HOUR_MS
const at = (minute: number) => new Date(start + minute * MINUTE_MS)

beforeEach(async () => {
  await owner.query(`delete from alert; delete from alert_event; delete from incident_due; delete from incident_part;
    delete from incident_share; delete from incident_deed; delete from incident; update device set deleted_at = now()`)
})

interface Times {
  readonly fromMinute: number
  readonly toMinute?: number | undefined
}

/** Stores the history of an alert as the batch of a reading would leave it, whatever was there. */
async function tell(deviceId: DeviceId, alertId: number, fieldId: number, times: readonly Times[], severityId = 2) {
  const first = times[0]
  await owner.query('delete from alert_event where device_id = $1 and alert_id = $2', [deviceId, alertId])
  await owner.query('update alert set withdrawn_at = now() where device_id = $1 and id = $2', [deviceId, alertId])
  if (first !== undefined) {
    await owner.query(
      `insert into alert (id, device_id, condition_id, created_at, found_at, field_id, operator_code, value_dec, period_id,
         action_type_id, condition_text, state_since, severity_id)
       values ($2::bigint, $1, $2::bigint::int, $3, $3, $4, 'GT', 5, 1, 1, 'Too much', $3, $5)
       on conflict (device_id, id) do update set withdrawn_at = null, created_at = excluded.created_at`,
      [deviceId, alertId, at(first.fromMinute), fieldId, severityId],
    )
  }
  for (const [index, { fromMinute, toMinute }] of times.entries()) {
    await owner.query(`insert into alert_event (device_id, alert_id, kind, at) values ($1, $2, $3, $4)`, [
      deviceId,
      alertId,
      index === 0 ? 'opened' : 'active',
      at(fromMinute),
    ])
    if (toMinute !== undefined)
      await owner.query(`insert into alert_event (device_id, alert_id, kind, at) values ($1, $2, 'notActive', $3)`, [
        deviceId,
        alertId,
        at(toMinute),
      ])
  }
  await owner.query('insert into incident_due (device_id, alert_id) values ($1, $2)', [deviceId, alertId])
}

const fold = () => inTransaction(pool, foldDue)

interface ShareRow {
  readonly id: number
  readonly alerts: number
  readonly active: number
  readonly devices: number
  readonly cause: number
  readonly is_over: boolean
}

async function incidents(): Promise<readonly ShareRow[]> {
  const { rows } = await owner.query<ShareRow>(
    `select incident_id::int as id, alert_count as alerts, active_count as active, device_count as devices,
       cause_alert_id::int as cause, over_at is not null as is_over
     from incident_share where customer_id = 0 order by began_at, incident_id`,
  )
  return rows
}

async function devicesAt(count: number, latitude: number | null = null, customerId = 1) {
  const devices = (await insertDevices(pool, count)).map(({ id }) => id)
  await owner.query('update device set latitude = $2, longitude = $3, customer_id = $4 where id = any($1)', [
    devices,
    latitude,
    latitude === null ? null : 13.4,
    customerId,
  ])
  return devices
}

test('what a router takes with it is one incident, and the router its root cause', async () => {
  const [totem, neighbour] = (await devicesAt(2, 52.5)) as [DeviceId, DeviceId]
  await tell(totem, 2, DARK, [{ fromMinute: 6 }])
  await tell(totem, 3, PANEL_TEMP, [{ fromMinute: 4 }])
  await tell(neighbour, 4, PANEL_TEMP, [{ fromMinute: 9 }])
  await fold()
  await tell(totem, 1, ROUTER_PORT, [{ fromMinute: 1 }], 1)
  await fold()
  expect(await incidents()).toEqual([
    { id: expect.any(Number), alerts: 4, active: 4, devices: 2, cause: 1, is_over: false },
  ])
  // Two hours later the display is still off: what follows on the same device is its consequence.
  await tell(totem, 5, DARK, [{ fromMinute: 130 }])
  await tell(neighbour, 6, PANEL_TEMP, [{ fromMinute: 145 }])
  await fold()
  expect((await incidents()).map(({ alerts }) => alerts)).toEqual([5, 1])
})

test('what happens hours apart, or streets apart, are two', async () => {
  const [here, there] = [(await devicesAt(1, 52.5))[0], (await devicesAt(1, 52.51))[0]] as [DeviceId, DeviceId]
  await tell(here, 1, PANEL_TEMP, [{ fromMinute: 0, toMinute: 5 }, { fromMinute: 90 }])
  await tell(there, 2, PANEL_TEMP, [{ fromMinute: 1 }])
  await fold()
  expect(await incidents()).toHaveLength(3)
})

test.for(['', '  ', ' , ', '–', '\u3164', 'ʻ'])('two devices whose address is "%s" are two places', async (address) => {
  const [one, other] = (await devicesAt(2)) as [DeviceId, DeviceId]
  await owner.query('update device set address = $2 where id = any($1)', [[one, other], address])
  await storeSearchTexts(owner, [one, other])
  await tell(one, 1, PANEL_TEMP, [{ fromMinute: 0 }])
  await tell(other, 2, UPS_STATUS, [{ fromMinute: 1 }])
  await fold()
  expect((await incidents()).map(({ alerts }) => alerts)).toEqual([1, 1])
})

test('two devices of one address are one place, also before the words of one of them are known', async () => {
  const [one, other] = (await devicesAt(2)) as [DeviceId, DeviceId]
  await owner.query(`update device set address = 'Kärntner Straße 1' where id = any($1)`, [[one, other]])
  await storeSearchTexts(owner, [one])
  await tell(one, 1, PANEL_TEMP, [{ fromMinute: 0 }])
  await tell(other, 2, UPS_STATUS, [{ fromMinute: 1 }])
  await fold()
  expect((await incidents()).map(({ alerts }) => alerts)).toEqual([2])
})

test('a network that goes away with a thousand devices is one incident with one end, of which each customer has a part', async () => {
  const other = (await owner.query<{ id: number }>(`insert into customer (name) values ('Other network') returning id`))
    .rows[0]?.id as number
  const devices = [...(await devicesAt(700)), ...(await devicesAt(300, null, other))]
  const minutes = devices.map((_, index) => 6 + (index % 110) / 60)
  for (const [index, id] of devices.entries()) await tell(id, index + 1, SILENT, [{ fromMinute: minutes[index] ?? 0 }])
  while ((await fold()).hasMore);
  expect(await incidents()).toMatchObject([{ alerts: 1000, active: 1000, devices: 1000, is_over: false }])
  const { rows } = await owner.query('select customer_id, alert_count from incident_share order by customer_id')
  expect(rows).toEqual([
    { customer_id: 0, alert_count: 1000 },
    { customer_id: 1, alert_count: 700 },
    { customer_id: other, alert_count: 300 },
  ])
  for (const [index, id] of devices.entries())
    await tell(id, index + 1, SILENT, [{ fromMinute: minutes[index] ?? 0, toMinute: 60 + (index % 7) }])
  await fold()
  expect(await incidents()).toMatchObject([{ alerts: 1000, active: 0, is_over: true }])
}, 120_000)

test('a deleted device takes its alerts out, and what people did with the others stays', async () => {
  const [one, other] = (await devicesAt(2, 52.5)) as [DeviceId, DeviceId]
  await tell(one, 1, PANEL_TEMP, [{ fromMinute: 0 }])
  await tell(other, 2, PANEL_TEMP, [{ fromMinute: 5 }])
  await fold()
  const [before] = await incidents()
  await owner.query('update device set deleted_at = now() where id = $1', [one])
  await owner.query(
    `insert into incident_due (device_id, alert_id, incident_id) select device_id, alert_id, incident_id from incident_part where device_id = $1`,
    [one],
  )
  await owner.query('delete from incident_part where device_id = $1', [one])
  await fold()
  expect(await incidents()).toMatchObject([{ id: before?.id, alerts: 1, cause: 2 }])
})

test('an alert that readings which came late move keeps its incident, its number and its group', async () => {
  const [one, other] = (await devicesAt(2)) as [DeviceId, DeviceId]
  await tell(one, 1, PANEL_TEMP, [{ fromMinute: 10, toMinute: 20 }, { fromMinute: 100 }])
  await tell(other, 2, PANEL_TEMP, [{ fromMinute: 300 }])
  await fold()
  const before = await incidents()
  await owner.query('update incident_part set group_id = 7 where alert_id = 1 and raised_at = $1', [at(100)])
  await tell(one, 1, PANEL_TEMP, [{ fromMinute: 10, toMinute: 20 }, { fromMinute: 97 }])
  await tell(other, 2, PANEL_TEMP, [{ fromMinute: 280, toMinute: 285 }, { fromMinute: 301 }])
  await fold()
  const after = await incidents()
  expect(after.map(({ id }) => id).slice(0, 2)).toEqual(before.map(({ id }) => id).slice(0, 2))
  expect(after.map(({ id }) => id)).toContain(before[2]?.id)
  const { rows } = await owner.query('select raised_at from incident_part where group_id = 7')
  expect(rows).toEqual([{ raised_at: at(97) }])
})

/** Each alert of a day of faults is known at last; some were known otherwise before. */
const faults = fc.array(
  fc.record({
    device: fc.nat(7),
    fieldId: fc.constantFrom(SILENT, SILENT, DARK, ROUTER_PORT, PANEL_TEMP),
    times: fc
      .array(fc.record({ gap: fc.integer({ min: 1, max: 90 }), lasts: fc.integer({ min: 1, max: 60 }) }), {
        maxLength: 3,
      })
      .map((all) => {
        let minute = 0
        return all.map(({ gap, lasts }) => {
          const fromMinute = minute + gap
          minute = fromMinute + lasts
          return { fromMinute, toMinute: minute }
        })
      }),
    lasts: fc.boolean(),
    wasKnownOtherwise: fc.boolean(),
  }),
  { minLength: 3, maxLength: 14 },
)

test('a day of faults is folded alike in whatever order it becomes known', async () => {
  await fc.assert(
    fc.asyncProperty(faults, fc.array(fc.nat(), { minLength: 60, maxLength: 60 }), async (all, seededRandom) => {
      await owner.query(
        'delete from incident_part; delete from incident_share; delete from alert; delete from alert_event; update device set deleted_at = now()',
      )
      const devices = [...(await devicesAt(3, 52.5)), ...(await devicesAt(5))]
      const told = all.map(({ device, fieldId, times, lasts, wasKnownOtherwise }, index) => {
        const last = times.at(-1)
        const known = lasts && last ? [...times.slice(0, -1), { fromMinute: last.fromMinute }] : times
        return { deviceId: devices[device] as DeviceId, alertId: index + 1, fieldId, times: known, wasKnownOtherwise }
      })
      let roll = 0
      const next = (below: number) => (seededRandom[roll++ % seededRandom.length] ?? 0) % below
      const early = told
        .filter(({ wasKnownOtherwise }) => wasKnownOtherwise)
        .map((one) => ({ ...one, times: [{ fromMinute: next(120) }] }))
      const shuffle = <One>(list: readonly One[]) =>
        list
          .map((one) => ({ one, order: next(1000) }))
          .toSorted((a, b) => a.order - b.order)
          .map(({ one }) => one)
      for (const { deviceId, alertId, fieldId, times } of [...shuffle(early), ...shuffle(told)]) {
        await tell(deviceId, alertId, fieldId, times)
        if (next(3) > 0) continue
        // A kill before the commit must leave everything as it was.
        if (next(3) === 0)
          await inTransaction(pool, async (tx) => foldDue(tx).then(() => Promise.reject(new Error('killed')))).catch(
            () => undefined,
          )
        await fold()
      }
      await fold()
      await expectFolded(told)
    }),
    { numRuns: 15 },
  )
}, 180_000)

async function expectFolded(told: readonly { deviceId: DeviceId; alertId: number }[]) {
  const raised = await raisedParts(
    owner as never,
    told.map(({ deviceId, alertId }) => ({ deviceId, alertId: alertId as never })),
  )
  const expected = foldIncidents(raised, await fleetSize(owner as never))
  const { rows } = await owner.query<{ id: string }>('select distinct incident_id as id from incident_part')
  const stored = await partsIn(
    owner as never,
    rows.map(({ id }) => Number(id) as never),
  )
  const keyOfPart = (part: (typeof raised)[number]) => `${part.deviceId} ${part.alertId} ${part.raisedMs}`
  const wholes = (groups: Iterable<readonly (typeof raised)[number][]>) =>
    [...groups].map((own) => own.map(keyOfPart).toSorted().join()).toSorted()
  expect(wholes(Map.groupBy(stored, ({ incidentId }) => incidentId).values())).toEqual(
    wholes(Map.groupBy(raised, (part) => expected[raised.indexOf(part)]).values()),
  )
  const shares = await incidents()
  const shown = shares.length
  const folded = [...Map.groupBy(stored, ({ incidentId }) => incidentId).values()].reduce(
    (sum, own) => sum + own.length - 1,
    0,
  )
  expect(shown + folded).toBe(raised.length)
  expect(stored.length).toBe(raised.length)
}
