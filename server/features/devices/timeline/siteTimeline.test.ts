import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getDeviceTimeline, getSiteTimeline, type SiteTimeline } from '#contract/http/devices/records.ts'
import type { CustomerId, DeviceId, DeviceModelId } from '#domain/ids.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#domain/units/time.ts'
import { storeSearchTexts } from '#server/fleet/searchTexts.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { addCustomer, addDevice, ask } from '#server/testing/callers.ts'

const api = await apiTest()
const staff = await api.signedIn({ username: 'manager@a.example', functions: [2] })
/** The tests' moments count from two hours ago, to the minute. */
const T = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - 2 * HOUR_MS
const at = (minute: number) => new Date(T + minute * MINUTE_MS).toISOString()

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

const customer = () => addCustomer(api.pool, `Customer ${randomUUID()}`)

async function stand(
  customerId: CustomerId,
  name: string,
  place: { readonly address?: string; readonly at?: readonly [number, number] },
): Promise<DeviceId> {
  const { id } = await addDevice(api.pool, {
    ...{ name, customerId, modelId: 22 as DeviceModelId },
    address: place.address ?? '',
  })
  if (place.at) await api.pool.query('update device set latitude = $2, longitude = $3 where id = $1', [id, ...place.at])
  await storeSearchTexts(api.pool, [id])
  return id
}

async function site(deviceId: DeviceId, token = staff): Promise<SiteTimeline> {
  const query = { deviceId, dateFrom: at(0), dateTo: at(60) }
  const answer = await ask(api, 'Device/GetSiteTimeline', { token, query })
  expect(answer.statusCode, answer.body).toBe(200)
  return getSiteTimeline.answer.parse(answer.json())
}
const namesOf = ({ devices }: SiteTimeline) => devices.map(({ name }) => name)
const wentOffline = (id: DeviceId, minute: number) =>
  api.pool.query('insert into device_presence_history (device_id, at, is_online, reason) values ($1, $2, false, $3)', [
    id,
    at(minute),
    'silent',
  ])

test('devices of one address stand together however it is written, and those within 150 m', async () => {
  const ours = await customer()
  const id = await stand(ours, 'A', { address: 'Hlavní nádraží 1, Brno', at: [49.19, 16.61] })
  await stand(ours, 'B', { address: 'hlavni  nadrazi 1 BRNO' })
  await stand(ours, 'C', { address: 'Platform 3', at: [49.1911, 16.6105] })
  await stand(ours, 'Other street', { address: 'Nádražní 7, Brno', at: [49.1925, 16.61] })
  await stand(ours, 'Same words, another town', { address: 'Hlavní nádraží 1, Brno', at: [49.6, 17.2] })
  const { devices, leftOut } = await site(id)
  expect(devices.map(({ name }) => name).sort()).toEqual(['A', 'B', 'C'])
  expect(leftOut).toBe(0)
})

test.for(['', '  ', ' , ', '–', '\u3164'])(
  'a device without a position and with the address "%s" stands alone',
  async (address) => {
    const ours = await customer()
    await stand(ours, 'B', { address })
    expect(namesOf(await site(await stand(ours, 'A', { address })))).toEqual(['A'])
  },
)

test('devices of another customer at the same place are nobody else’s, not even for the staff', async () => {
  const place = { address: 'Náměstí 1', at: [50, 14] } as const
  const [ours, theirs] = [await customer(), await customer()]
  const id = await stand(ours, 'Ours', place)
  const other = await stand(theirs, 'Theirs', place)
  const token = await api.signedIn({ username: 'ours@b.example', functions: [2], customerId: ours })
  expect(namesOf(await site(id, token))).toEqual(['Ours'])
  expect(namesOf(await site(id))).toEqual(['Ours'])
  const query = { deviceId: other, dateFrom: at(0), dateTo: at(60) }
  expect((await ask(api, 'Device/GetSiteTimeline', { token, query })).statusCode).toBe(404)
})

test('whoever may only analyse is told of alerts and light alone, of each device', async () => {
  const ours = await customer()
  const id = await stand(ours, 'A', { address: 'Rynek 3' })
  await stand(ours, 'B', { address: 'Rynek 3' })
  const analyst = await api.signedIn({ username: 'analyst@c.example', functions: [5] })
  const { devices } = await site(id, analyst)
  expect(devices.map(({ lanes }) => Object.keys(lanes))).toEqual([
    ['alerts', 'light'],
    ['alerts', 'light'],
  ])
})

test('the worst of the period stands first, and of many devices the rest is counted', async () => {
  const ours = await customer()
  const place = { address: 'Nordre gate 2' }
  const id = await stand(ours, 'Asked', place)
  const others: DeviceId[] = []
  for (let number = 1; number <= 21; number++) others.push(await stand(ours, `Other ${number}`, place))
  await wentOffline(others[3] as DeviceId, 40)
  await wentOffline(others[1] as DeviceId, 20)
  const told = await site(id)
  expect(namesOf(told).slice(0, 3)).toEqual(['Other 2', 'Other 4', 'Asked'])
  expect([told.devices.length, told.leftOut]).toEqual([20, 2])
})

test('a period longer than a month is refused', async () => {
  const query = { deviceId: await stand(await customer(), 'A', {}), dateFrom: at(0) }
  const dateTo = new Date(T + 32 * DAY_MS).toISOString()
  expect((await ask(api, 'Device/GetSiteTimeline', { token: staff, query: { ...query, dateTo } })).statusCode).toBe(400)
})

test('light and power of before the days that are read are shown by hours, and what is not kept stays untold', async () => {
  const id = await stand(await customer(), 'A', {})
  await api.pool.query(
    `insert into device_component (device_id, component_model_id, category_id, number) values ($1, 17, 6, 1)`,
    [id],
  )
  const day = Math.floor(T / DAY_MS) * DAY_MS - 20 * DAY_MS
  const hours = (tell: (hour: number) => number) => Array.from({ length: 24 }, (_, hour) => tell(hour))
  const dayText = new Date(day).toISOString().slice(0, 10)
  const insert = (field: number, lowest: number[], highest: number[]) =>
    owner.query(
      `insert into rollup (device_id, field_id, day, means, minima, maxima, counts)
       values ($1, $2, $3, $4, $4, $5, array_fill(60, array[24]))`,
      [id, field, dayText, lowest, highest],
    )
  await insert(
    4113,
    hours((hour) => (hour === 3 || hour === 4 ? 0 : 40)),
    hours((hour) => (hour === 3 ? 0 : 80)),
  )
  await insert(
    5105,
    hours((hour) => (hour === 9 ? 0 : 230)),
    hours(() => 231),
  )
  const answer = await ask(api, 'Device/GetDeviceTimeline', {
    token: staff,
    query: { deviceId: id, dateFrom: new Date(day - DAY_MS).toISOString(), dateTo: at(0) },
  })
  expect(answer.statusCode, answer.body).toBe(200)
  const { light, power } = getDeviceTimeline.answer.parse(answer.json())
  const hour = (number: number) => new Date(day + number * HOUR_MS).toISOString()
  expect(light?.since).toBe(hour(0))
  expect(light?.items.at(-1), 'what nobody reported').toMatchObject({ kind: 'unknown' })
  expect(light?.items.filter(({ kind }) => kind !== 'unknown')).toEqual([
    { from: hour(3), to: hour(4), kind: 'unplanned', hours: 'whole' },
    { from: hour(4), to: hour(5), kind: 'unplanned', hours: 'part' },
  ])
  expect(power).toEqual({ since: hour(0), items: [{ from: hour(9), to: hour(10), hours: 'part' }] })
})
