import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getUnusualFields, type UnusualFields } from '#contract/http/devices/records.ts'
import type { DeviceId, DeviceModelId } from '#domain/ids.ts'
import { DAY_MS, HOUR_MS } from '#domain/units/time.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { addCustomer, addDevice, ask } from '#server/testing/callers.ts'

const api = await apiTest()
const token = await api.signedIn({ username: 'analyst@a.example', functions: [5] })
/** The day is four days ago, so all of its hours have ended. */
const DAY = Math.floor(Date.now() / DAY_MS) * DAY_MS - 4 * DAY_MS
const INTERNAL = 4101
const BACKLIGHT = 4102

const owner = new pg.Client({ connectionString: api.ownerUrl })
beforeAll(async () => {
  await owner.connect()
  const { rows } = await owner.query<{ first: string }>(
    `select to_char(min(to_date(right(relname, 6), 'YYYYMM')), 'YYYY-MM-DD') as first from pg_class
     where relname ~ '^rollup_[0-9]{6}$'`,
  )
  await owner.query(
    `create table rollup_before partition of rollup for values from (minvalue) to ('${rows[0]?.first}')`,
  )
})
afterAll(() => owner.end())

const addTotem = async (): Promise<DeviceId> =>
  (
    await addDevice(api.pool, {
      name: 'Totem',
      modelId: 22 as DeviceModelId,
      customerId: await addCustomer(api.pool, `Customer ${randomUUID()}`),
    })
  ).id

/** Stores hourly means of a field for so many days, the newest last; only the newest day has another value at noon. */
async function measured(deviceId: DeviceId, fieldId: number, days: number, usual: number, noon: number) {
  for (let before = days - 1; before >= 0; before--) {
    const day = new Date(DAY - before * DAY_MS)
    const means = Array.from({ length: 24 }, (_, hour) => (before === 0 && hour === 12 ? noon : usual + (before % 3)))
    await owner.query(
      `insert into rollup (device_id, field_id, day, means, minima, maxima, counts)
       values ($1, $2, $3, $4, $4, $4, array_fill(60, array[24]))`,
      [deviceId, fieldId, day.toISOString().slice(0, 10), means],
    )
  }
}

async function unusual(deviceId: DeviceId, fromHour = 11, toHour = 14): Promise<UnusualFields> {
  const query = {
    deviceId,
    dateFrom: new Date(DAY + fromHour * HOUR_MS).toISOString(),
    dateTo: new Date(DAY + toHour * HOUR_MS).toISOString(),
  }
  const answer = await ask(api, 'Device/GetUnusualFields', { token, query })
  expect(answer.statusCode, answer.body).toBe(200)
  return getUnusualFields.answer.parse(answer.json())
}

test('what was furthest from the same hours of earlier days is told, and what was as usual is not', async () => {
  const id = await addTotem()
  await measured(id, INTERNAL, 15, 40, 65)
  await measured(id, BACKLIGHT, 15, 70, 71)
  const { fields, compared, withoutHistory } = await unusual(id)
  expect(fields).toMatchObject([{ fieldId: INTERNAL, value: 65, at: new Date(DAY + 12 * HOUR_MS).toISOString() }])
  expect(fields[0]?.usualFrom).toBeLessThan(41)
  expect(fields[0]?.usualTo).toBeLessThan(50)
  expect([compared, withoutHistory]).toEqual([2, 0])
  expect((await unusual(id, 13, 15)).fields).toEqual([])
})

test('of fewer than five earlier days nothing is guessed', async () => {
  const id = await addTotem()
  await measured(id, INTERNAL, 5, 40, 90)
  expect(await unusual(id)).toEqual({ fields: [], compared: 0, withoutHistory: 1 })
})

test('a window longer than a day is refused', async () => {
  const query = { deviceId: await addTotem(), dateFrom: new Date(DAY).toISOString() }
  const dateTo = new Date(DAY + 26 * HOUR_MS).toISOString()
  expect((await ask(api, 'Device/GetUnusualFields', { token, query: { ...query, dateTo } })).statusCode).toBe(400)
})
