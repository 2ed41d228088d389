import { type AddressInfo, connect } from 'node:net'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { MessageRow, RawRow } from '#contract/http/devices/records.ts'
import { DAY_MS, MINUTE_MS } from '#domain/units/time.ts'
import { apiTestWithDevices } from '#server/testing/apiTest.ts'
import { ask } from '#server/testing/callers.ts'
import { WEEK_DAYS } from '#server/testing/database/keptDays.ts'
import { eventually } from '#server/testing/devices/gatewayFixture.ts'

const BEGIN_MS = Math.floor(Date.now() / DAY_MS) * DAY_MS - 3 * DAY_MS
const REPORTS = 1_200

const HOSTILE = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '<svg/onload=alert(1)>',
  'javascript:alert(1)',
  "'; drop table device_message; --",
  "' or '1'='1",
  '1; select pg_sleep(10)',
  '$1',
  '$$; delete from device; $$',
  '\\',
  '\\\\',
  '%',
  '_',
  '100%_sure\\',
  '{{7*7}}',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a payload
  '${7*7}',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a payload
  '${jndi:ldap://x.example/a}',
  '<%= 7*7 %>',
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  '\t=cmd',
  '=HYPERLINK("http://x.example")',
  'a;b;c',
  '"quoted"',
  'two\nlines',
  'carriage\r\nreturn',
  '../../etc/passwd',
  '%00',
  '%0d%0aSet-Cookie: a=b',
  '\u202Egnp.exe',
  '\u0007bell',
  '\u001b[31mred',
  '\u2028separator',
  '😀👩‍👩‍👧',
  'null',
  '[]',
  '{"__proto__":{"admin":true}}',
  `${'A'.repeat(2000)}`,
] as const

const { gateway: fixture, ...api } = await apiTestWithDevices({ devices: 3, keptDays: WEEK_DAYS })
const session = (username: string, isLab: boolean) => api.signedIn({ username, functions: [2], isLab })
const lab = await session('lab@a.example', true)
const manager = await session('manager@a.example', false)
const client = await fixture.connect(fixture.device)
const topic = `v1/devices/${fixture.device.guid}`
for (const number of [1, 2]) {
  for (let from = 0; from < REPORTS / 2; from += 60) {
    const reports = Array.from({ length: 60 }, (_, index) => ({
      at: new Date(BEGIN_MS + (from + index) * MINUTE_MS).toISOString(),
      values: { internal_temp: 20.1 + from + index, touch_matrix_status: 'Enabled', novelty: index },
    }))
    await client.publishAsync(`${topic}/events/display/${number}`, JSON.stringify(reports), { qos: 1 })
  }
}
for (const [index, msg] of HOSTILE.entries()) {
  const at = new Date(BEGIN_MS + Math.floor(index / 2) * MINUTE_MS).toISOString()
  await client.publishAsync(`${topic}/messages`, JSON.stringify({ at, msg }), { qos: 1 })
}

type Query = Record<string, string | number>
const period = (fromMs: number, toMs: number) => ({
  dateFrom: new Date(fromMs).toISOString(),
  dateTo: new Date(toMs).toISOString(),
})
const WHOLE = period(BEGIN_MS, BEGIN_MS + DAY_MS)
const RAW = 'Device/GetDeviceEvTypeRawDataV2'
const MESSAGES = 'EventType/GetDeviceEvTypeMsgData'

async function answer<Answer>(path: string, query: Query, token = manager): Promise<Answer> {
  const about: Query = path.startsWith('Device/') ? { evTypeId: 4 } : {}
  const given = await ask(api, path, { token, query: { deviceId: fixture.device.id, ...about, ...WHOLE, ...query } })
  if (given.statusCode !== 200) throw new Error(given.body)
  return given.json()
}

interface Page<Row> {
  readonly rows: Row[]
  readonly total: number | null
  readonly next: string | null
}

async function walked<Row>(path: string, query: Query): Promise<Row[]> {
  const rows: Row[] = []
  let next: string | null = null
  do {
    const page: Page<Row> = await answer(path, { ...query, ...(next === null ? {} : { next }) })
    rows.push(...page.rows)
    next = page.next
  } while (next !== null)
  return rows
}

test('a report stands under the names of component 1, with its number and what the catalogue does not know', async () => {
  const [newest] = await answer<RawRow[]>(RAW, {})
  expect(newest).toEqual({
    device_dt: new Date(BEGIN_MS + (REPORTS / 2 - 1) * MINUTE_MS).toISOString(),
    inserted: expect.any(String),
    number: 2,
    extra: { novelty: 59 },
    d_internal_temp: 20.1 + REPORTS / 2 - 1,
    d_touch_matrix_status: 'Enabled',
  })
})

test('without paging at most 1,000 rows are answered, the newest', async () => {
  const all = await answer<RawRow[]>(`${RAW}Full`, {}, lab)
  expect(all).toHaveLength(REPORTS)
  expect(await answer<RawRow[]>(RAW, {})).toEqual(all.slice(0, 1000))
})

test('pages of any size make the whole, of reports and of messages', async () => {
  const reports = await answer<RawRow[]>(`${RAW}Full`, {}, lab)
  const messages = await answer<MessageRow[]>(`${MESSAGES}Full`, {}, lab)
  for (const pageSize of [7, 100, 600, 1000]) {
    expect(await walked(RAW, { pageSize })).toEqual(reports)
    expect(await walked(MESSAGES, { pageSize })).toEqual(messages)
  }
  expect((await answer<Page<RawRow>>(RAW, { pageSize: 5 })).total).toBe(REPORTS)
}, 180_000)

test('both ends of a period belong to it, and a date alone is its midnight in UTC', async () => {
  const minutes = async (query: Query) =>
    (await answer<RawRow[]>(RAW, query))
      .filter(({ number }) => number === 1)
      .map(({ device_dt }) => (Date.parse(device_dt) - BEGIN_MS) / MINUTE_MS)
  expect(await minutes(period(BEGIN_MS + 2 * MINUTE_MS, BEGIN_MS + 4 * MINUTE_MS))).toEqual([4, 3, 2])
  expect(await minutes(period(BEGIN_MS + 2 * MINUTE_MS + 1, BEGIN_MS + 4 * MINUTE_MS - 1))).toEqual([3])
  const day = new Date(BEGIN_MS).toISOString().slice(0, 10)
  expect(await minutes({ dateFrom: day, dateTo: day })).toEqual([0])
})

test('hostile messages are stored and answered letter by letter', async () => {
  const found = await answer<MessageRow[]>(MESSAGES, {})
  expect(found.map(({ msg }) => msg).sort()).toEqual([...HOSTILE].sort())
})

test('a search finds what contains it, whatever the case, and no letter of it means anything', async () => {
  for (const text of ['SCRIPT', '%', '_', '\\', "'", '"', '$', '(1)', '</', '100%_SURE\\']) {
    const found = await answer<MessageRow[]>(MESSAGES, { text })
    const wanted = HOSTILE.filter((msg) => msg.toLowerCase().includes(text.toLowerCase()))
    expect(found.map(({ msg }) => msg).sort()).toEqual([...wanted].sort())
    expect(await answer<MessageRow[]>(`${MESSAGES}Full`, { text }, lab)).toEqual(found)
  }
})

test('a device without reports answers an empty list, an empty page and an empty stream', async () => {
  const deviceId = fixture.devices[1]?.id as number
  expect(await answer(RAW, { deviceId })).toEqual([])
  expect(await answer(RAW, { deviceId, pageSize: 10 })).toEqual({ rows: [], total: 0, next: null })
  expect(await answer(`${RAW}Full`, { deviceId }, lab)).toEqual([])
})

test('a period of a thousand years is not read day by day', async () => {
  const all = await answer<RawRow[]>(`${RAW}Full`, { dateFrom: '2000-01-01', dateTo: '2999-12-31' }, lab)
  expect(all).toHaveLength(REPORTS)
  // A separate request for each day of such a period would take minutes.
}, 60_000)

test('a user has three exports at once, and another waits until one of their readers has left', async () => {
  const deviceId = fixture.devices[2]?.id as number
  await fixture.rows(
    `insert into device_message (device_id, at, hash, msg)
     select $1, $2::timestamptz + n * interval '1 second', sha256(n::text::bytea), repeat('x', 2000)
     from generate_series(1, 10000) n`,
    [deviceId, new Date(BEGIN_MS)],
  )
  await api.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = api.app.server.address() as AddressInfo
  const path = `/api/${MESSAGES}Full?${new URLSearchParams({ deviceId: String(deviceId), ...WHOLE })}`
  const open = async () => {
    const reader = connect(port, '127.0.0.1')
    reader.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${lab}\r\n\r\n`)
    const status = await new Promise<string>((resolve) => {
      reader.once('data', (chunk) => resolve(chunk.toString('latin1').slice(9, 12)))
    })
    reader.pause()
    return { reader, status }
  }
  const opened = [await open(), await open(), await open()]
  expect(opened.map(({ status }) => status)).toEqual(['200', '200', '200'])
  let hasBegun = false
  const waits = open().finally(() => {
    hasBegun = true
  })
  await ask(api, MESSAGES, { token: lab, query: { deviceId, ...WHOLE } })
  expect(hasBegun).toBe(false)
  opened[0]?.reader.destroy()
  const again = await waits
  expect(again.status).toBe('200')
  for (const { reader } of [...opened, again]) reader.destroy()
  const whole = await eventually(
    () => ask(api, `${MESSAGES}Full`, { token: lab, query: { deviceId, ...WHOLE } }),
    ({ statusCode }) => statusCode === 200,
  )
  expect(whole.json()).toHaveLength(10_000)
  expect(api.logged.filter((line) => line.includes('a stream was cut'))).toEqual([])
})

test.each([
  [{ evTypeId: 99 }, 'evTypeId'],
  [{ dateFrom: '2999-01-01' }, 'dateFrom'],
  [{ dateTo: 'yesterday' }, 'dateTo'],
  [{ pageSize: 0 }, 'pageSize'],
  [{ pageSize: 1001 }, 'pageSize'],
  [{ next: 'AAAA' }, 'next'],
  [{ rowNum: 1 }, 'rowNum'],
] as const)('%j is refused by its name', async (query, name) => {
  await expect(answer(RAW, query)).rejects.toThrow(name)
})

test('no key of a page and no text breaks anything: the answer is a page or a refusal', async () => {
  const text = fc.string({ unit: 'binary', maxLength: 60 })
  const json = fc.json().map((value) => Buffer.from(value).toString('base64url'))
  await fc.assert(
    fc.asyncProperty(fc.oneof(text, json), text, fc.constantFrom(RAW, MESSAGES), async (next, search, path) => {
      const query = {
        deviceId: fixture.device.id,
        ...WHOLE,
        next,
        ...(path === RAW ? { evTypeId: 4 } : { text: search }),
      }
      const { statusCode } = await ask(api, path, { token: manager, query: query as Query })
      expect([200, 400]).toContain(statusCode)
    }),
    { numRuns: 150 },
  )
})
