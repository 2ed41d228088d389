import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { DAY_MS } from '#domain/units/time.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { addCustomer, addDevice, ask } from '#server/testing/callers.ts'
import { collectGarbage } from '#server/testing/collectGarbage.ts'
import { eventually } from '#server/testing/devices/gatewayFixture.ts'
import { telemetryFixture } from '#server/testing/devices/telemetryFixture.ts'
import { passTime } from '#testing/passTime.ts'

const MB = 1024 * 1024
const ROWS = 400_000
const BEGIN_MS = Math.floor(Date.now() / DAY_MS) * DAY_MS - 2 * DAY_MS

const fixture = await telemetryFixture()
afterAll(() => fixture.close())
const api = await apiTest({ on: fixture.database })
const token = await api.signedIn({ username: 'lab@a.example', functions: [2], isLab: true })
const deviceId = (await addDevice(api.pool, { name: 'chatty', customerId: await addCustomer(api.pool, 'Customer') })).id
await fixture.owner.query(
  `insert into reading_display (device_dt, inserted, device_id, number, internal_temp, intake_temp, source)
   select $2::timestamptz + n * interval '300 milliseconds', now(), $1, 1, n / 10.0, 20, repeat('x', 100)
   from generate_series(1, $3::integer) n`,
  [deviceId, new Date(BEGIN_MS), ROWS],
)
await api.app.listen({ host: '127.0.0.1', port: 0 })

const query = () => ({
  deviceId,
  evTypeId: 4,
  dateFrom: new Date(BEGIN_MS).toISOString(),
  dateTo: new Date(BEGIN_MS + 2 * DAY_MS).toISOString(),
})

function open(encoding = 'identity'): Promise<IncomingMessage> {
  const { port } = api.app.server.address() as AddressInfo
  const texts = Object.entries(query()).map(([name, value]): [string, string] => [name, String(value)])
  const path = `/api/Device/GetDeviceEvTypeRawDataV2Full?${new URLSearchParams(texts)}`
  return new Promise((resolve, reject) => {
    request(
      {
        port,
        host: '127.0.0.1',
        path,
        agent: false,
        headers: { authorization: `Bearer ${token}`, 'accept-encoding': encoding },
      },
      resolve,
    )
      .once('error', reject)
      .end()
  })
}

const killConnections = () =>
  fixture.owner.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'wayside long reads' and datname = current_database() and pid <> pg_backend_pid()`,
  )

test('an export whose database connections are killed is a broken transfer, and the server goes on', async () => {
  const answer = await open()
  expect(answer.statusCode).toBe(200)
  let text = ''
  let kills = 0
  const reading = (async () => {
    for await (const chunk of answer) {
      text += chunk
      // No connection is in use between two pages, so killing once is not always enough.
      if (text.length > MB && !api.logged.some((line) => line.includes('a stream was cut'))) {
        kills += 1
        await killConnections()
      }
    }
  })()
  await expect(reading).rejects.toMatchObject({ code: 'ECONNRESET' })
  expect(kills).toBeGreaterThan(0)
  expect(answer.complete).toBe(false)
  expect(text.length).toBeGreaterThan(MB)
  expect(() => JSON.parse(text)).toThrow()
  await eventually(
    async () => api.logged.filter((line) => line.includes('a stream was cut')),
    (lines) => lines.length === 1,
  )

  const next = await ask(api, 'Device/GetDeviceEvTypeRawDataV2', { token, query: { ...query(), pageSize: 5 } })
  expect(next.statusCode).toBe(200)
  expect(next.json().rows).toHaveLength(5)
})

test('a reader that hangs up in the middle is no fault of the server', async () => {
  const before = api.logged.length
  for (const encoding of ['identity', 'zstd']) {
    const answer = await open(encoding)
    await once(answer, 'data')
    answer.destroy()
  }
  // A cut would be logged once the connection is known to be gone; the next export then gets its place.
  await passTime(500, 'a line of the log that must not come')
  expect((await open()).destroy().statusCode).toBe(200)
  expect(api.logged.slice(before)).toEqual([])
})

/** Measures what is reachable, because garbage that waits for collection differs with every run. */
function liveBytes(): number {
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

const newestPageAt = async () =>
  (
    await fixture.owner.query<{ at: string }>(
      `select max(query_start)::text as at from pg_stat_activity
       where application_name = 'wayside long reads' and datname = current_database() and query like '%string_agg%'`,
    )
  ).rows[0]?.at

test('a slow reader of many rows holds up the reading of them, and memory stays the same', async () => {
  const answer = await open()
  let bytes = 0
  const samples: number[] = []
  let pausedAt: string | undefined
  for await (const chunk of answer) {
    const isFirst = bytes === 0
    bytes += (chunk as Buffer).length
    if (isFirst) {
      // When nobody reads, the server must wait instead of filling its memory.
      let before: string | undefined
      do {
        before = await newestPageAt()
        await passTime(1500, 'another page would be read meanwhile, were there room')
      } while ((await newestPageAt()) !== before)
      pausedAt = before
    }
    if (bytes > (samples.length + 1) * 10 * MB) samples.push(liveBytes())
  }
  expect(answer.complete).toBe(true)
  // It stopped in the middle, and had not finished.
  expect(pausedAt).toBeTypeOf('string')
  expect(await newestPageAt()).not.toBe(pausedAt)
  expect(samples.length).toBeGreaterThan(5)
  // Chunks in transit come and go; rows that were kept would take all of `bytes`.
  expect(Math.max(...samples) - Math.min(...samples)).toBeLessThan(bytes / 3)
}, 180_000)
