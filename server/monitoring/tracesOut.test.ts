import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { eventsTopic } from '#contract/mqtt/topics.ts'
import { openPool } from '#server/db/connect/pool.ts'
import { addUser, openSession } from '#server/testing/callers.ts'
import { freshDatabase, runFolder } from '#server/testing/database/freshDatabase.ts'
import { connectDevice, eventually, insertDevices } from '#server/testing/devices/gatewayFixture.ts'
import { startWholeServer } from '#server/testing/wholeServer/wholeServer.ts'

interface ToldSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly status: object
  readonly attributes: readonly { readonly key: string; readonly value: object }[]
}

const TOKEN = 'a token for a collector'
const told: { readonly path: string; readonly token: string | undefined; readonly body: string }[] = []
const collector = createServer(async (request, response) => {
  told.push({ path: request.url ?? '', token: request.headers.authorization, body: await text(request) })
  response.setHeader('content-type', 'application/json').end('{}')
})

const database = await freshDatabase()
const owner = openPool(database.ownerUrl, { maximumConnections: 2, name: 'test owner' })
afterAll(async () => {
  await owner.end()
  await database.drop()
})

const spans = () => told.flatMap(({ body }) => JSON.parse(body).resourceSpans[0].scopeSpans[0].spans as ToldSpan[])
const attributesOf = ({ attributes }: ToldSpan) => Object.fromEntries(attributes.map(({ key, value }) => [key, value]))

test('a collector is told of calls, batches and jobs with what they asked the database, by its token, and of no secret', async () => {
  collector.listen(0, '127.0.0.1')
  await once(collector, 'listening')
  const server = await startWholeServer(database, {
    config: {
      dataFolder: runFolder('traced'),
      otlpUrl: `http://127.0.0.1:${(collector.address() as AddressInfo).port}/otlp/`,
      otlpToken: TOKEN,
    },
  })
  const [device] = await insertDevices(owner, 1)
  if (!device) throw new Error('There is no device.')
  const client = await connectDevice(Number(new URL(server.localAddresses.mqttUrl).port), device)
  const report = JSON.stringify({ at: new Date().toISOString(), values: { contrast: 47.11 } })
  await client.publishAsync(eventsTopic(device.guid, 'display'), report, { qos: 1 })
  const token = await openSession(owner, await addUser(owner, { username: 'manager@traced.example', functions: [2] }))
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
  const { httpUrl } = server.localAddresses
  await fetch(`${httpUrl}/api/Device/GetDeviceList?search=whatever-was-typed`, {
    headers: { authorization: `Bearer ${token}`, traceparent: `00-${traceId}-00f067aa0ba902b7-01` },
  })
  await fetch(`${httpUrl}/api/App/Login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'who@traced.example', password: 'a secret word' }),
  })
  const all = await eventually(
    async () => spans(),
    (known) =>
      ['Device/GetDeviceList', 'App/Login', 'store reports', 'job roll-ups'].every((name) =>
        known.some((span) => span.name === name),
      ),
  )
  client.end(true)
  await server.stop()
  collector.close()
  const call = all.find(({ name }) => name === 'Device/GetDeviceList') as ToldSpan
  expect(call).toMatchObject({ traceId, parentSpanId: '00f067aa0ba902b7', kind: 2, status: {} })
  expect(attributesOf(call)).toMatchObject({
    'http.request.method': { stringValue: 'GET' },
    'http.response.status_code': { intValue: '200' },
  })
  for (const name of ['Device/GetDeviceList', 'store reports', 'job roll-ups']) {
    const parent = all.find((span) => span.name === name) as ToldSpan
    const asked = all.filter(({ parentSpanId }) => parentSpanId === parent.spanId)
    expect(asked, name).toContainEqual(expect.objectContaining({ name: 'database', traceId: parent.traceId, kind: 3 }))
    for (const { startTimeUnixNano, endTimeUnixNano } of asked) {
      expect(BigInt(startTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(parent.startTimeUnixNano))
      expect(BigInt(endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(startTimeUnixNano))
    }
  }
  expect(new Set(told.map(({ path, token: given }) => `${path} ${given}`))).toEqual(
    new Set([`/otlp/v1/traces Bearer ${TOKEN}`]),
  )
  const everything = told.map(({ body }) => body).join()
  for (const secret of [token, 'a secret word', 'whatever-was-typed', '47.11', TOKEN]) {
    expect(everything).not.toContain(secret)
  }
})

test('a collector that is away takes nothing from anybody, and the log says so once', async () => {
  const said: string[] = []
  const server = await startWholeServer(database, {
    config: { dataFolder: runFolder('untraced'), otlpUrl: 'http://127.0.0.1:1' },
    log: pino({ level: 'warn' }, { write: (line: string) => said.push(line) }),
  })
  const { httpUrl } = server.localAddresses
  const lost = () => said.filter((line) => line.includes('Traces could not be told.'))
  await eventually(
    async () => lost().length,
    (count) => count > 0,
  )
  expect((await fetch(`${httpUrl}/readyz`)).status).toBe(200)
  await server.stop()
  expect(lost()).toHaveLength(1)
})
