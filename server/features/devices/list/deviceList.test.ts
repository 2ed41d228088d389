import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DEVICE_SORT_COLUMNS } from '#contract/call/listOptions.ts'
import type { Device } from '#contract/http/devices/devices.ts'
import { deviceModelName } from '#domain/devices/models.ts'
import { connectionStatusName, deviceStatusName } from '#domain/devices/status.ts'
import type { CustomerId } from '#domain/ids.ts'
import { openDatabase } from '#server/db/database.ts'
import type { JsonRows } from '#server/http/call/route.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { addCustomer, addDevice, ask } from '#server/testing/callers.ts'
import { analyze } from '#server/testing/database/analyze.ts'
import { allDevices } from './deviceList.store.ts'

interface Page {
  readonly rows: Device[]
  readonly total: number | null
  readonly next: string | null
}
type Query = Record<string, string | number | boolean>

const MODELS = [1, 2, 8, 15, 16, 22, 99]
const NAMES = ['Brno', 'brno', 'Ærø', 'Αθήνα', '100 %', 'a_b', 'back\\slash', "O'Hara", 'zebra', 'Zebra', '', '东京']

const api = await apiTest()
const { pool } = api
const customers = [await addCustomer(pool, 'A'), await addCustomer(pool, 'B'), await addCustomer(pool, 'C')]
const [alive, dead] = [randomUUID(), randomUUID()]
await pool.query(`insert into server_process (id, lease_until) values ($1, now() + interval '1 hour'), ($2, now())`, [
  alive,
  dead,
])
await pool.query(
  `insert into device (guid, name, address, status_id, model_id, customer_id, attr_serial, iot_device_id, deleted_at)
   select gen_random_uuid(), ($1::text[])[1 + n % 12] || case when n % 5 = 0 then '' else ' ' || n % 40 end,
     case when n % 4 = 0 then '' else ($1::text[])[1 + (n * 7) % 12] end, 1 + n % 6, ($2::int[])[1 + n % 7],
     ($3::int[])[1 + n % 3], 'SN-' || n % 50, '', case when n % 29 = 0 then now() end
   from generate_series(1, 400) n`,
  [NAMES, MODELS, customers],
)
// Devices have a living connection, a silent one, one of a dead server process, both of them, or none.
await pool.query(
  `insert into device_connection (device_id, connection_id, process_id, is_silent)
   select id, gen_random_uuid(), case when id % 5 = 2 then $2::uuid else $1::uuid end, id % 5 = 1
   from device where id % 5 < 3
   union all select id, gen_random_uuid(), $1::uuid, false from device where id % 10 = 2`,
  [alive, dead],
)
await pool.query(
  `update device_now set newest_at = case when device_id % 6 = 0 then '2026-11-20T11:00:00Z'::timestamptz
     else '2026-11-20T10:00:00Z'::timestamptz - device_id * interval '1 minute' end
   where device_id % 3 = 0`,
)
// Most devices have no alert and the others a few, including deleted devices and alerts that are not Opened and Active.
await pool.query(
  `insert into alert (device_id, condition_id, status_id, condition_state_id, created_at, found_at, field_id,
     operator_code, period_id, action_type_id, condition_text, state_since, severity_id, withdrawn_at)
   select id, kind, 1 + (kind % 7 = 5)::int, 1 + (kind % 7 = 6)::int, now(), now(), 4101, 'GT', 1, 1, 'warm', now(),
     1 + kind % 3, case when kind % 7 = 4 then now() end
   from device, generate_series(1, 7) kind where id % 9 < 2 and kind <= id % 8`,
)
// Without statistics about names every name counts as common.
await analyze(api, 'device')
const token = await api.signedIn({ username: 'staff@a.example', functions: [2] })
const customer = { username: 'customer@a.example', functions: [5], customerId: customers[1] as CustomerId } as const
const customerToken = await api.signedIn(customer)

async function list<Answer = Device[]>(query: Query, by = token): Promise<Answer> {
  const answer = await ask(api, 'Device/GetDeviceList', { token: by, query })
  if (answer.statusCode !== 200) throw new Error(answer.body)
  return answer.json() as Answer
}

async function walk(query: Query, by = token): Promise<Device[]> {
  const rows: Device[] = []
  let next: string | null = null
  do {
    const page: Page = await list<Page>({ ...query, ...(next === null ? {} : { next }) }, by)
    rows.push(...page.rows)
    next = page.next
  } while (next !== null)
  return rows
}

async function wholeOf(query: Query, by = token): Promise<Device[]> {
  const answer = await ask(api, 'Device/GetDeviceListFull', { token: by, query })
  if (answer.statusCode !== 200) throw new Error(answer.body)
  return answer.json() as Device[]
}

const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined })
const filters = fc.record(
  {
    customerId: optional(fc.constantFrom(-1, 0, 1, 2)),
    deviceName: optional(
      fc.constantFrom('b', 'BRNO', '%', '_', '\\', "'", 'ή', '1', '东', 'ær', 'A_B', '0 %', 'nowhere'),
    ),
    modelId: optional(fc.constantFrom(...MODELS)),
    attrSerial: optional(fc.constantFrom('sn-1', '7', '%')),
    statusId: optional(fc.integer({ min: 1, max: 7 })),
    connStatusId: optional(fc.constantFrom(0, 1)),
    filter: optional(fc.constantFrom('activeConnected', 'pending', 'maintenance', 'outOfOrder')),
  },
  { requiredKeys: [] },
)
const orders = fc.record({ sort: fc.constantFrom(...DEVICE_SORT_COLUMNS), descending: fc.boolean() })

/** Filters are generated with the index of a customer, because ids are known only when the database exists. */
function queryOf(drawn: Record<string, unknown>): Query {
  const { customerId, ...rest } = drawn
  const known = typeof customerId === 'number' && customerId >= 0 ? customers[customerId] : customerId
  const entries = Object.entries({ ...rest, customerId: known }).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as Query
}

const STATUS_OF_FILTER = { activeConnected: 2, pending: 1, maintenance: 3, outOfOrder: 5 }

/**
 * Counts by hand-written SQL: a device is online by a connection that is not silent, in a process whose lease is valid.
 */
async function countByHand(query: Query): Promise<number> {
  const { rows } = await api.pool.query(
    `with seen as (select d.*, exists (select from device_connection c, server_process p
        where c.device_id = d.id and c.process_id = p.id and c.is_silent = false and p.lease_until > now()) as online
      from device d where d.deleted_at is null)
     select count(*)::int as count from seen where ($1::int is null or customer_id = $1)
       and ($2::text is null or position(lower($2) in lower(name)) > 0)
       and ($3::int is null or model_id = $3)
       and ($4::text is null or position(lower($4) in lower(attr_serial)) > 0)
       and ($5::int is null or status_id = $5) and ($6::int is null or online = ($6 = 1))
       and ($7::int is null or status_id = $7) and ($8::bool is null or online = $8)`,
    [
      query.customerId === -1 ? null : (query.customerId ?? null),
      query.deviceName ?? null,
      query.modelId ?? null,
      query.attrSerial ?? null,
      query.statusId ?? null,
      query.connStatusId ?? null,
      query.filter === undefined ? null : STATUS_OF_FILTER[query.filter as keyof typeof STATUS_OF_FILTER],
      query.filter === 'activeConnected' ? true : null,
    ],
  )
  return rows[0].count
}

const seed = Number(process.pid)
const runs = { numRuns: 40, seed, verbose: true }

test(`walking the pages by key, or by row number, or all at once, gives exactly the whole list (seed ${seed})`, async () => {
  await fc.assert(
    fc.asyncProperty(filters, orders, fc.integer({ min: 1, max: 130 }), async (drawn, order, pageSize) => {
      const query = { ...queryOf(drawn), ...order }
      const whole = await list(query)
      expect(await walk({ ...query, pageSize })).toEqual(whole)
      expect(await wholeOf(query)).toEqual(whole)
      const rowNum = 1 + (pageSize % 60)
      const page = await list<Page>({ ...query, rowNum, pageSize })
      expect(page.rows).toEqual(whole.slice(rowNum - 1, rowNum - 1 + pageSize))
      expect(page.total).toBe(whole.length)
    }),
    runs,
  )
}, 120_000)

test(`every filter counts what hand-written SQL counts (seed ${seed})`, async () => {
  await fc.assert(
    fc.asyncProperty(filters, async (drawn) => {
      const query = queryOf(drawn)
      expect((await list(query)).length).toBe(await countByHand(query))
    }),
    runs,
  )
}, 180_000)

const shown: Record<string, (device: Device) => string> = {
  model: ({ modelId }) => deviceModelName(modelId),
  status: ({ statusId }) => deviceStatusName(statusId),
  connected: ({ connStatusId }) => connectionStatusName(connStatusId),
}

test.each(['model', 'status', 'connected'])(
  'sorted by %s, equal words stand together, and backwards is the reverse',
  async (sort) => {
    const forwards = await list({ sort })
    const words = forwards.map((device) => shown[sort]?.(device) ?? '')
    expect(new Set(words).size).toBe(words.filter((word, index) => word !== words[index - 1]).length)
    expect(await list({ sort, descending: true })).toEqual([...forwards].reverse())
  },
)

test('models are in the order of their names, not of their numbers', async () => {
  const names = [...new Set((await list({ sort: 'model' })).map(({ modelId }) => deviceModelName(modelId)))]
  const known = names.filter((name) => !name.startsWith('Model '))
  expect(known).toEqual([...known].sort((a, b) => a.localeCompare(b, 'en')))
  expect(names.at(-1)).toBe('Model 99')
})

test('names stand in alphabetical order, whatever their case', async () => {
  const plain = (await list({})).map(({ name }) => name).filter((name) => /^[a-z ]*$/i.test(name))
  expect(plain).toEqual([...plain].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)))
  const words = plain.map((name) => name.trim().toLowerCase())
  expect(words.filter((word, index) => word !== words[index - 1])).toEqual([...new Set(words)])
})

test('the last event is the newest report, or nothing', async () => {
  const devices = await list({})
  const lastEvent = (id: number) => devices.find((device) => device.id === id)?.lastEvent
  expect([lastEvent(4), lastEvent(3), lastEvent(6)]).toEqual([
    null,
    '2026-11-20T09:57:00.000Z',
    '2026-11-20T11:00:00.000Z',
  ])
})

test('a device has the title and the severity of the worst of its active alerts, and none without one', async () => {
  const devices = await list({})
  const worst = (id: number) => (id % 9 < 2 && id % 8 > 0 ? (id % 8 > 2 ? 1 : 2) : undefined)
  expect(devices.map(({ worstAlert }) => worstAlert?.severityId)).toEqual(devices.map(({ id }) => worst(id)))
  expect(new Set(devices.map(({ worstAlert }) => worstAlert?.title))).toEqual(new Set([undefined, 'warm']))
})

test('devices with most active alerts come first, those without any last, and pages of them have no gap', async () => {
  const counts = (await list({ sort: 'alerts', descending: true })).map(({ activeAlerts }) => activeAlerts)
  expect(new Set(counts)).toEqual(new Set([4, 3, 2, 1, 0]))
  expect(counts).toEqual([...counts].sort((one, other) => other - one))
  for (const descending of [true, false]) {
    const query = { sort: 'alerts', descending }
    for (const pageSize of [9, 50]) expect(await walk({ ...query, pageSize })).toEqual(await list(query))
  }
})

test('a customer user walks only the own devices, whatever customer key is in the address', async () => {
  const own = await walk({ pageSize: 7 }, customerToken)
  expect(new Set(own.map(({ customerId }) => customerId))).toEqual(new Set([customers[1]]))
  expect(await list({ customerId: -1 }, customerToken)).toEqual(own)
  const staffPage = await list<Page>({ pageSize: 5 })
  const page = await list<Page>({ pageSize: 500, next: staffPage.next ?? '' }, customerToken)
  expect(page.rows.every(({ customerId }) => customerId === customers[1])).toBe(true)
})

test('the longest names in any script can be walked', async () => {
  const customerId = await addCustomer(api.pool, 'Long')
  for (const letter of ['ώ', '東', '\u0001', '🙂']) {
    const text = letter.repeat(letter === '🙂' ? 100 : 200)
    await addDevice(api.pool, { name: text, address: text, customerId })
  }
  for (const sort of DEVICE_SORT_COLUMNS) {
    expect(await walk({ customerId, sort, pageSize: 1 })).toEqual(await list({ customerId, sort }))
  }
  await api.pool.query('update device set deleted_at = now() where customer_id = $1', [customerId])
})

test('of a fleet of many batches each device comes once, in order, and none that went meanwhile', async () => {
  const customerId = await addCustomer(api.pool, 'Many')
  await api.pool.query(
    `insert into device (guid, name, model_id, customer_id, iot_device_id)
     select gen_random_uuid(), 'Many ' || to_char(n, 'FM0000'), 1, $1, '' from generate_series(1, 1203) n`,
    [customerId],
  )
  const expected = Array.from({ length: 1203 }, (_, index) => `Many ${String(1203 - index).padStart(4, '0')}`)
  const names = (devices: readonly Device[]) => devices.map(({ name }) => name)
  expect(names(await wholeOf({ customerId, descending: true }))).toEqual(expected)
  expect(await wholeOf({ customerId: -1 }, customerToken)).toEqual(await list({}, customerToken))
  const db = openDatabase(api.pool)
  const batches = allDevices(db, { kind: 'customer', customerId }, {}, { sort: 'name', isDescending: false })
  const named = ({ rowsJson }: JsonRows) => names(JSON.parse(`[${rowsJson}]`) as Device[])
  const first = named((await batches.next()).value as JsonRows)
  await api.pool.query(`update device set deleted_at = now() where customer_id = $1 and name <> 'Many 1200'`, [
    customerId,
  ])
  const rest = (await Array.fromAsync(batches)).flatMap(named)
  expect(first).toEqual(expected.toReversed().slice(0, first.length))
  expect(rest).toEqual(['Many 1200'])
  await api.pool.query('update device set deleted_at = now() where customer_id = $1', [customerId])
})

test('the page that a list begins with is the beginning of the whole list, for whoever asks', async () => {
  for (const [by, sort, descending] of [
    [token, 'name', false],
    [token, 'address', true],
    [customerToken, 'name', true],
    [customerToken, 'address', false],
  ] as const) {
    const whole = await list({ sort, descending }, by)
    expect(whole.length).toBeGreaterThan(25)
    for (const pageSize of [25, 50, 100]) {
      const page = await list<Page>({ sort, descending, pageSize, rowNum: 1 }, by)
      expect(page.rows).toEqual(whole.slice(0, pageSize))
      expect([page.total, page.next === null]).toEqual([whole.length, whole.length <= pageSize])
      expect(await walk({ sort, descending, pageSize }, by)).toEqual(whole)
    }
  }
})

test('a key belongs to its sort', async () => {
  const { next } = await list<Page>({ pageSize: 5, sort: 'address' })
  for (const query of [{ sort: 'name' }, { sort: 'address', descending: true }] as Query[]) {
    const answer = await ask(api, 'Device/GetDeviceList', { token, query: { ...query, next: next ?? '' } })
    expect([answer.statusCode, answer.json().message]).toEqual([400, 'next is not valid'])
  }
})

test('rows answered are the smaller of page size and limit; rows beyond 10,000 are reached by key', async () => {
  expect((await list<Page>({ pageSize: 9, limit: 4 })).rows.length).toBe(4)
  expect((await list<Page>({ limit: 4 })).rows.length).toBe(4)
  expect((await list<Page>({ rowNum: 1 })).rows.length).toBe(100)
  expect((await list<Page>({ rowNum: 10_000 })).rows).toEqual([])
  const answer = await ask(api, 'Device/GetDeviceList', { token, query: { rowNum: 10_001 } })
  expect([answer.statusCode, answer.json().code]).toEqual([400, 'page_too_deep'])
})

test('by what needs attention the worst come first, each group by name, and pages of them have no gap', async () => {
  await api.pool.query(
    `update device_now n set wrong_kinds = (array[0, 1, 2, 6, 16])[1 + id % 5], customer_id = d.customer_id
     from device d where d.id = n.device_id and d.status_id = 2 and d.deleted_at is null`,
  )
  const whole = await list({ sort: 'now' })
  const kinds = whole.map(({ wrong }) => wrong)
  expect(kinds.filter((kind, index) => kind !== kinds[index - 1])).toEqual(['dark', 'silent', 'onBattery', null])
  const calm = whole.filter(({ wrong }) => wrong === null).map(({ id }) => id)
  const byName = (await list({ sort: 'name' })).map(({ id }) => id)
  expect(calm).toEqual(byName.filter((id) => calm.includes(id)))
  for (const descending of [true, false]) {
    const query = { sort: 'now', descending }
    for (const pageSize of [3, 50]) expect(await walk({ ...query, pageSize })).toEqual(await list(query))
    expect(await walk({ ...query, filter: 'wrong', pageSize: 3 })).toEqual(await list({ ...query, filter: 'wrong' }))
  }
})

test('devices with something wrong come in pages by their alerts as they come all at once', async () => {
  await api.pool.query(
    `update device_now n set wrong_kinds = 1 + id % 2, customer_id = d.customer_id
     from device d where d.id = n.device_id and d.status_id = 2 and d.deleted_at is null and d.id % 7 > 1`,
  )
  for (const descending of [true, false]) {
    const query = { filter: 'wrong', sort: 'alerts', descending }
    const all = await list({ ...query })
    expect(new Set(all.map(({ activeAlerts }) => activeAlerts)).size).toBeGreaterThan(2)
    for (const pageSize of [1, 3, 50]) {
      const paged = await walk({ ...query, rowNum: 1, pageSize })
      expect(paged.map(({ id }) => id)).toEqual(all.map(({ id }) => id))
    }
  }
})

test('each tab counts as many devices as its list has, for each caller and each customer', async () => {
  const manager = { username: 'tabs@a.example', functions: [2], customerId: customers[1] as CustomerId } as const
  const managerToken = await api.signedIn(manager)
  const total = async (query: Query, by: string) => (await list<Page>({ ...query, rowNum: 1, pageSize: 1 }, by)).total
  for (const [by, query] of [
    [token, {}],
    [token, { customerId: customers[2] as number }],
    [managerToken, {}],
  ] as const) {
    const counts = (await ask(api, 'Device/GetDeviceListCounts', { token: by, query })).json()
    expect(counts).toMatchObject({
      all: await total(query, by),
      wrong: await total({ ...query, filter: 'wrong' }, by),
      maintenance: await total({ ...query, statusId: 3 }, by),
    })
  }
  const [all, own] = [await total({}, token), await total({}, managerToken)]
  expect(own).toBeLessThan(all ?? 0)
})
