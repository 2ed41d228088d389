import { get, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { DAY_MS } from '#domain/units/time.ts'
import { openPool } from '#server/db/connect/pool.ts'
import { addCustomer, addDevice, addUser, openSession } from '#server/testing/callers.ts'
import { freshDatabase } from '#server/testing/database/freshDatabase.ts'
import { startWholeServer } from '#server/testing/wholeServer/wholeServer.ts'

const database = await freshDatabase()
const owner = openPool(database.ownerUrl, { maximumConnections: 1, name: 'test owner' })
const server = await startWholeServer(database)
afterAll(async () => {
  await server.stop()
  await owner.end()
  await database.drop()
})

const DECODED = { zstd: zstdDecompressSync, br: brotliDecompressSync, gzip: gunzipSync } as const

const asked = (path: string, query: Readonly<Record<string, string>>, token: string, encoding: string) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'accept-encoding': encoding }
    get(`${server.localAddresses.httpUrl}/api/${path}?${new URLSearchParams(query)}`, { headers }, resolve).once(
      'error',
      reject,
    )
  })

test('what is read apart is sent in the coding that its asker likes best, and says so', async () => {
  const token = await openSession(
    owner,
    await addUser(owner, { username: 'reader@a.example', functions: [2, 5], isLab: true }),
  )
  const customerId = await addCustomer(owner, 'Harbour')
  const { id } = await addDevice(owner, { name: 'Pier', customerId })
  const { id: other } = await addDevice(owner, { name: 'Gate', customerId })
  const to = Math.floor(Date.now() / DAY_MS) * DAY_MS
  await owner.query(
    `insert into reading_ups (device_dt, inserted, device_id, number, load)
     select $2::timestamptz - n * interval '10 seconds', now(), $1, 1, n % 100 from generate_series(1, 4000) n`,
    [id, new Date(to)],
  )
  await owner.query(
    `insert into rollup (device_id, field_id, day, means, minima, maxima, counts)
     select d, f, ($2::timestamptz at time zone 'UTC')::date, v, v, v, array_fill(60, array[24])
     from unnest($1::integer[]) d, unnest(array[5103, 5104, 4101]) f, (select array_fill(21.5::real, array[24]) as v) hours`,
    [[id, other], new Date(to - DAY_MS)],
  )
  const since = (days: number) => ({
    dateFrom: new Date(to - days * DAY_MS).toISOString(),
    dateTo: new Date(to).toISOString(),
  })
  const year = { devices: String(id), measurements: '5103,5104,5105,5108,4101,4102,4103', ...since(366) }
  const calls = [
    ['Device/GetDeviceEvTypeRawDataV2Full', { deviceId: String(id), evTypeId: '5', ...since(1) }],
    ['Analytics/GetAnalyticsDataTable', year],
    ['Analytics/GetAnalyticsColumns', { ...year, devices: `${id},${other}` }],
  ] as const
  for (const [path, query] of calls) {
    const answer = await asked(path, query, token, 'identity')
    const plain = await buffer(answer)
    expect(answer.statusCode, plain.toString()).toBe(200)
    expect(answer.headers).toMatchObject({ vary: 'accept-encoding' })
    expect(answer.headers['content-encoding']).toBeUndefined()
    expect(plain.length).toBeGreaterThan(100)
    expect(() => JSON.parse(plain.toString())).not.toThrow()
    for (const [name, decode] of Object.entries(DECODED)) {
      const coded = await asked(path, query, token, `${name};q=1, identity;q=0.5`)
      expect(coded.headers).toMatchObject({ 'content-encoding': name, vary: 'accept-encoding' })
      expect(decode(await buffer(coded)).equals(plain)).toBe(true)
    }
  }
})
