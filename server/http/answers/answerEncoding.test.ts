import { randomBytes } from 'node:crypto'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import fastify from 'fastify'
import { expect, onTestFinished, test, vi } from 'vitest'
import { CALLS } from '#contract/http/table.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { addCustomer, addDevice, ask } from '#server/testing/callers.ts'
import { encoded, mayBeCompressed } from './answerEncoding.ts'
import { chunkStream } from './rowStream.ts'

const api = await apiTest()
const customerId = await addCustomer(api.pool, 'Ours')
for (let number = 0; number < 40; number++) await addDevice(api.pool, { name: `Pier ${number}`, customerId })
const token = await api.signedIn({ username: 'lab@a.example', functions: [1, 2, 5] })

const LIST = 'Device/GetDeviceList'
const asks = (accept: string | undefined, path = LIST, query: Record<string, string | number> = {}) =>
  ask(api, path, { token, query, headers: accept === undefined ? {} : { 'accept-encoding': accept } })
const plain = (await asks(undefined)).body

const OPENED_BY = { zstd: zstdDecompressSync, br: brotliDecompressSync, gzip: gunzipSync }

test.each<[string | undefined, keyof typeof OPENED_BY | undefined]>([
  [undefined, undefined],
  ['', undefined],
  ['identity', undefined],
  ['deflate', undefined],
  ['gzip, deflate, br, zstd', 'zstd'],
  ['gzip, deflate, br', 'br'],
  ['GZIP', 'gzip'],
  ['*', 'zstd'],
  ['*, zstd;q=0', 'br'],
  ['zstd;q=0.5, gzip;q=0.8', 'gzip'],
  ['identity;q=1, gzip;q=0.5', undefined],
  ['gzip;q=0, br;q=0.000', undefined],
  ['gzip;q=2, ;;, ,"', 'gzip'],
])('whoever accepts %j is answered in %s', async (accept, coding) => {
  const answer = await asks(accept)
  expect(answer.headers['content-encoding']).toBe(coding)
  expect(answer.headers.vary).toBe('accept-encoding')
  const text = coding === undefined ? answer.body : OPENED_BY[coding](answer.rawPayload).toString()
  expect(text).toBe(plain)
  if (coding) expect(answer.rawPayload.length).toBeLessThan(plain.length / 4)
})

test('what is short goes out as it is', async () => {
  const answer = await asks('zstd', LIST, { pageSize: 2 })
  expect(answer.headers['content-encoding']).toBeUndefined()
  expect(answer.json().rows).toHaveLength(2)
})

test('an answer that was written as text is compressed too', async () => {
  await api.pool.query('update device set latitude = 50 + id / 100.0, longitude = 14')
  const pins = await asks('zstd', 'Device/GetDevicePins')
  expect(pins.headers['content-encoding']).toBe('zstd')
  const { body } = await asks(undefined, 'Device/GetDevicePins')
  expect(zstdDecompressSync(pins.rawPayload).toString()).toBe(body)
})

async function serve(parts: () => AsyncGenerator<string, void>) {
  const ends: unknown[] = []
  const app = fastify()
  app.get('/', async (_request, reply) =>
    reply.send(await encoded(reply, await chunkStream(parts(), (fault) => ends.push(fault)))),
  )
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => app.close())
  return { ends, get: (coding: string) => fetch(url, { headers: { 'accept-encoding': coding } }) }
}

const until = (isTrue: () => boolean) => vi.waitUntil(isTrue, { timeout: 30_000, interval: 10 })

test.each(['zstd', 'br', 'gzip'])(
  'what was made is read in %s before the rest is made, and then the rest',
  async (coding) => {
    let goOn: () => void = () => undefined
    const isRead = new Promise<void>((resolve) => {
      goOn = resolve
    })
    const { get, ends } = await serve(async function* () {
      yield 'begins'
      await isRead
      yield ' and ends'
    })
    const answer = await get(coding)
    expect(answer.headers.get('content-encoding')).toBe(coding)
    let text = ''
    for await (const part of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += part
      if (text === 'begins') goOn()
    }
    expect(text).toBe('begins and ends')
    await until(() => ends.length === 1)
    expect(ends).toEqual([undefined])
  },
)

test('a fault in the middle of a compressed answer breaks the connection', async () => {
  const { get, ends } = await serve(async function* () {
    yield 'x'.repeat(100_000)
    throw new Error('the disk is gone')
  })
  await expect(get('zstd').then((answer) => answer.text())).rejects.toThrow()
  await until(() => ends.length === 1)
  expect(ends[0]).toMatchObject({ message: 'the disk is gone' })
})

test('a reader that leaves a compressed answer ends its making', async () => {
  let isFinished = false
  const { get, ends } = await serve(async function* () {
    try {
      for (;;) yield randomBytes(50_000).toString('hex')
    } finally {
      isFinished = true
    }
  })
  const answer = await get('zstd')
  const reader = answer.body?.getReader()
  await reader?.read()
  await reader?.cancel()
  await until(() => ends.length === 1 && isFinished)
  expect(ends).toEqual([undefined])
})

test('what gives out keys or tokens is never compressed', () => {
  const givesOut = CALLS.filter(({ path }) => /Login|DownloadConfiguration|RenewDeviceKey|Password/.test(path))
  expect(givesOut.length).toBeGreaterThan(4)
  expect(givesOut.filter(mayBeCompressed)).toEqual([])
  expect(CALLS.filter(mayBeCompressed).length).toBeGreaterThan(20)
})

/** None of these is a secret: they tell whether there is a password, or name a secret, a link or a tile. */
const NO_SECRETS = {
  // Here the word names a way to confirm an identity.
  'App/GetStepUpWays': ['password'],
  'Alert/GetDefaultConditionList': ['key'],
  'AppUser/GetAppUserList': ['password'],
  'AppUser/GetAppUser': ['password'],
  'Channel/GetChannelList': ['hasSecret', 'secretHost'],
  'Device/GetDeviceDrivers': ['secrets'],
  'Device/GetFeedChain': ['key'],
  'Dashboard/GetDashboardValues': ['key'],
  'Dashboard/GetTileTrends': ['key'],
  'Dashboard/GetWrongNow': ['key'],
  'LightRule/GetRuleSetList': ['key'],
  'Visit/GetVisit': ['key'],
}

test('nothing in an answer that may be compressed is called like a secret', () => {
  const called = CALLS.filter(mayBeCompressed).flatMap(({ path, answer }) => {
    const schema = JSON.stringify(answer, (_name, value) => value?.def ?? value)
    const words = new Set(Array.from(schema.matchAll(/"(\w*(?:token|password|secret)\w*|key)":/gi), ([, word]) => word))
    return words.size > 0 ? [[path, [...words]] as const] : []
  })
  expect(Object.fromEntries(called)).toEqual(NO_SECRETS)
})
