import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { apiTest } from '#server/testing/apiTest.ts'
import {
  addApiToken,
  addCustomer,
  addDevice,
  addUser,
  ask,
  countAuditRows,
  openSession,
  type Request,
  startApi,
} from '#server/testing/callers.ts'

const api = await apiTest()
const customerId = await addCustomer(api.pool, 'Ours')
const deviceId = (await addDevice(api.pool, { name: 'One', customerId })).id
const token = await api.signedIn({ username: 'admin@a.example', functions: [1] })
await api.app.listen({ host: '127.0.0.1', port: 0 })
const port = (api.app.server.address() as AddressInfo).port

const countKeys = async () =>
  (await api.pool.query('select count(*)::int as count from device_credential')).rows[0].count as number
const countDevices = async () =>
  (await api.pool.query('select count(*)::int as count from device')).rows[0].count as number

const DOWNLOAD = 'Device/DownloadConfiguration'
const CREATE = 'Device/CreateDevice'

test.each<[string, Request, number]>([
  ['HEAD', { method: 'HEAD' }, 405],
  ['OPTIONS', { method: 'OPTIONS' }, 405],
  ['PUT', { method: 'PUT' }, 405],
  ['a followed link', { headers: { 'sec-fetch-mode': 'navigate' } }, 403],
  ['an embedded picture', { headers: { 'sec-fetch-mode': 'no-cors' } }, 403],
  ['a prefetch', { headers: { 'sec-purpose': 'prefetch;prerender' } }, 403],
  ['an old prefetch', { headers: { purpose: 'prefetch' } }, 403],
])('a call that changes state by GET has no effect for %s', async (_, asked, status) => {
  const keys = await countKeys()
  const answer = await ask(api, DOWNLOAD, { token, query: { id: deviceId }, ...asked })
  expect(answer.statusCode).toBe(status)
  expect(await countKeys()).toBe(keys)
})

test.each<[string, Request]>([
  ['in the address', { query: { token: 'TOKEN' } }],
  ['in the address as access_token', { query: { access_token: 'TOKEN' } }],
  ['in a cookie', { headers: { cookie: 'token=TOKEN; accessToken=TOKEN; authorization=Bearer TOKEN' } }],
  ['without Bearer', { headers: { authorization: 'TOKEN' } }],
  ['as Basic', { headers: { authorization: 'Basic TOKEN' } }],
])('a token %s signs nobody in', async (_, asked) => {
  const withToken = JSON.parse(JSON.stringify(asked).replaceAll('TOKEN', token)) as Request
  const keys = await countKeys()
  const answer = await ask(api, DOWNLOAD, { ...withToken, query: { id: deviceId, ...withToken.query } })
  expect(answer.statusCode).toBe(401)
  expect(await countKeys()).toBe(keys)
})

test('browsers that fetch, and programs that say nothing about it, may use a GET that changes state', async () => {
  for (const headers of [{}, { 'sec-fetch-mode': 'cors', 'sec-fetch-site': 'same-origin' }] as Record<
    string,
    string
  >[]) {
    expect((await ask(api, DOWNLOAD, { token, query: { id: deviceId }, headers })).statusCode).toBe(200)
  }
})

test('a GET that changes state answers POST, with its names in address or body, in both only if equal', async () => {
  const post = (asked: Request) => ask(api, DOWNLOAD, { token, method: 'POST', ...asked })
  expect((await post({ query: { id: deviceId } })).statusCode).toBe(200)
  expect((await post({ body: { id: deviceId } })).statusCode).toBe(200)
  expect((await post({ query: { id: deviceId }, body: { id: deviceId } })).statusCode).toBe(200)
  const keys = await countKeys()
  const conflict = await post({ query: { id: deviceId }, body: { id: deviceId + 1 } })
  expect([conflict.statusCode, conflict.json().code]).toEqual([400, 'parameter_conflict'])
  const asText = await post({ query: { id: deviceId }, body: { id: String(deviceId) } })
  expect(asText.statusCode).toBe(400)
  expect((await post({ body: [deviceId] })).statusCode).toBe(400)
  expect(await countKeys()).toBe(keys)
})

test('a call that only reads does not answer POST', async () => {
  const answer = await ask(api, 'Device/GetDeviceList', { token, method: 'POST', body: {} })
  expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'GET'])
})

test.each<[string, Record<string, string>, string]>([
  ['an unknown parameter', { nope: '1' }, 'nope is not a parameter of this call'],
  ['a number with an exponent', { modelId: '1e1' }, 'modelId is not valid'],
  ['a number with a blank in it', { modelId: '1 0' }, 'modelId is not valid'],
  ['a hexadecimal number', { modelId: '0x1' }, 'modelId is not valid'],
  ['a number beyond 32 bits', { modelId: '2147483648' }, 'modelId is not valid'],
  ['a fraction', { rowNum: '1.5' }, 'rowNum is not valid'],
  ['a negative page size', { pageSize: '-1' }, 'pageSize is not valid'],
  ['a word for a truth', { descending: 'yes' }, 'descending is not valid'],
  ['a foreign sort column', { sort: 'password_hash' }, 'sort is not valid'],
  ['a NUL', { deviceName: '\u0000' }, 'deviceName is not valid'],
  ['a made-up key', { next: 'bm90IGEga2V5' }, 'next is not valid'],
  ['a prototype key', { __proto__: '1', constructor: '1' }, 'constructor is not a parameter of this call'],
])('%s in the address is refused by name', async (_, query, message) => {
  const answer = await ask(api, 'Device/GetDeviceList', { token, query })
  expect([answer.statusCode, answer.json()]).toEqual([400, { code: 'invalid_request', message }])
})

test('null and nothing stand for an absent parameter where it may be absent', async () => {
  const query = { customerId: '', deviceName: 'null', modelId: 'null', filter: '' }
  const answer = await ask(api, 'Device/GetDeviceList', { token, query })
  expect([answer.statusCode, answer.json().length > 0]).toEqual([200, true])
  expect((await ask(api, 'Device/GetDevice', { token, query: { guid: 'null' } })).statusCode).toBe(400)
})

test('a parameter given twice, and an address that cannot be decoded, are refused', async () => {
  const headers = { authorization: `Bearer ${token}` }
  const twice = await api.app.inject({ url: '/api/Device/GetDeviceList?modelId=1&modelId=1', headers })
  expect([twice.statusCode, twice.json().message]).toEqual([400, 'modelId is given more than once'])
  const hidden = await api.app.inject({ url: '/api/Device/GetDeviceList?modelId=1&model%49d=2', headers })
  expect(hidden.statusCode).toBe(400)
  const broken = await api.app.inject({ url: '/api/Device/GetDeviceList?deviceName=%E0%A4', headers })
  expect(broken.statusCode).toBe(400)
  const brokenPath = await api.app.inject({ url: '/api/%E0%A4', headers })
  expect([brokenPath.statusCode, brokenPath.json().code]).toEqual([400, 'invalid_request'])
})

const good = () => `{"customerId":${customerId},"modelId":1,"name":"Added"}`
const JSON_TYPE = 'application/json'

test.each<[string, string | undefined, () => string | Buffer, number]>([
  ['a form', 'application/x-www-form-urlencoded', () => `customerId=${customerId}&modelId=1&name=x`, 415],
  ['plain text', 'text/plain', good, 415],
  ['several parts', 'multipart/form-data; boundary=x', good, 415],
  ['no type', undefined, good, 415],
  ['a malformed type', 'application/json,text/plain', good, 415],
  ['another alphabet', 'application/json; charset=utf-16', good, 415],
  ['a relative of JSON', 'application/ld+json', good, 415],
  ['half a document', JSON_TYPE, () => good().slice(0, -1), 400],
  ['two documents', JSON_TYPE, () => good() + good(), 400],
  ['a byte order mark', JSON_TYPE, () => `\ufeff${good()}x`, 400],
  ['bytes that are no text', JSON_TYPE, () => Buffer.from([0x7b, 0xff, 0x7d]), 400],
  ['a comment', JSON_TYPE, () => `/**/${good()}`, 400],
  ['NaN', JSON_TYPE, () => good().replace('1', 'NaN'), 400],
  ['a list', JSON_TYPE, () => `[${good()}]`, 400],
  ['a text', JSON_TYPE, () => JSON.stringify(good()), 400],
  ['null', JSON_TYPE, () => 'null', 400],
  ['nothing', JSON_TYPE, () => '', 400],
  ['a key twice', JSON_TYPE, () => good().replace('{', '{"name":"First",'), 400],
  ['a key twice, once escaped', JSON_TYPE, () => good().replace('{', '{"n\\u0061me":"First",'), 400],
  ['a prototype', JSON_TYPE, () => good().replace('{', '{"__proto__":{"isAdmin":true},'), 400],
  ['a constructor', JSON_TYPE, () => good().replace('{', '{"constructor":{},'), 400],
  ['an unknown field', JSON_TYPE, () => good().replace('{', '{"statusId":2,'), 400],
  ['a number as text', JSON_TYPE, () => good().replace('"modelId":1', '"modelId":"1"'), 400],
  ['a text as number', JSON_TYPE, () => good().replace('"Added"', '1'), 400],
  ['a fraction for an id', JSON_TYPE, () => good().replace('"modelId":1', '"modelId":1.5'), 400],
  ['an id beyond 32 bits', JSON_TYPE, () => good().replace('"modelId":1', '"modelId":4294967297'), 400],
  ['a model that does not exist', JSON_TYPE, () => good().replace('"modelId":1', '"modelId":99'), 400],
  ['a NUL in the name', JSON_TYPE, () => good().replace('Added', 'a\\u0000b'), 400],
  ['half a letter in the name', JSON_TYPE, () => good().replace('Added', 'a\\ud800b'), 400],
  ['an empty name', JSON_TYPE, () => good().replace('Added', '  '), 400],
  ['an endless name', JSON_TYPE, () => good().replace('Added', 'x'.repeat(201)), 400],
  ['deep nesting', JSON_TYPE, () => `${'['.repeat(5000)}${']'.repeat(5000)}`, 400],
  ['two megabytes', JSON_TYPE, () => good().replace('Added', 'x'.repeat(2 ** 21)), 413],
])('%s is refused as a body, changes nothing and leaves one audit row', async (_, type, body, status) => {
  const [devices, rows] = [await countDevices(), await countAuditRows(api.pool)]
  const answer = await fetch(`http://127.0.0.1:${port}/api/${CREATE}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, ...(type === undefined ? {} : { 'content-type': type }) },
    body: new Blob([new Uint8Array(Buffer.from(body()))]),
  })
  expect([answer.status, await countDevices()]).toEqual([status, devices])
  expect(await countAuditRows(api.pool)).toBe(rows + 1)
  expect(Object.keys((await answer.json()) as object)).toEqual(['message', 'code'])
})

test('a body sent in chunks is bounded too', async () => {
  const chunk = 'x'.repeat(65_536)
  const endless = new ReadableStream({ pull: (controller) => controller.enqueue(new TextEncoder().encode(chunk)) })
  const devices = await countDevices()
  const outcome = await fetch(`http://127.0.0.1:${port}/api/${CREATE}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': JSON_TYPE },
    body: endless,
    duplex: 'half',
  } as RequestInit).then(
    ({ status }) => status,
    () => 'cut off',
  )
  expect([413, 'cut off']).toContain(outcome)
  expect(await countDevices()).toBe(devices)
})

test('a well-formed body is taken with its alphabet named', async () => {
  const headers = { 'content-type': 'application/json; charset=UTF-8' }
  const body = JSON.parse(good()) as object
  expect((await ask(api, CREATE, { token, method: 'POST', headers, body })).statusCode).toBe(200)
})

test('a validation error says every wrong field with the sentences of the forms', async () => {
  const answer = await ask(api, CREATE, { token, method: 'POST', body: { modelId: 'x', name: '' } })
  expect(answer.json()).toEqual({ code: 'invalid_request', message: 'modelId is not valid; name is required' })
})

test('a refusal leaves its row also where the id that was asked for is wider than any that there is', async () => {
  for (const path of ['Alert/AcknowledgeAlert', 'Incident/AcknowledgeIncident']) {
    const rows = await countAuditRows(api.pool)
    const answer = await ask(api, path, { token, method: 'POST', body: { id: Number.MAX_SAFE_INTEGER } })
    expect([answer.statusCode, (await countAuditRows(api.pool)) - rows]).toEqual([404, 1])
    const written = await api.pool.query('select entity_id, details from audit_log order by id desc limit 1')
    expect(written.rows).toEqual([
      { entity_id: null, details: expect.stringMatching(/^id 9007199254740991; It does not exist/) },
    ])
  }
})

test('a header that claims another address changes neither the audit row nor a limit', async () => {
  const headers = { 'x-forwarded-for': '6.6.6.6', forwarded: 'for=6.6.6.6', 'x-real-ip': '6.6.6.6' }
  await ask(api, DOWNLOAD, { token, query: { id: deviceId }, headers })
  const { rows } = await api.pool.query('select address from audit_log order by id desc limit 1')
  expect(rows).toEqual([{ address: '127.0.0.1' }])
})

test('the address of the server in a configuration does not come from the Host header', async () => {
  const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example' }
  const answer = await ask(api, DOWNLOAD, { token, query: { id: deviceId }, headers })
  expect(answer.body).not.toContain('evil')
})

test('an unknown call answers 404, an answer is never cached, and nothing may be framed or sniffed', async () => {
  const answer = await ask(api, 'Device/Nope', { token })
  expect([answer.statusCode, answer.json().code]).toEqual([404, 'unknown_call'])
  expect(answer.headers).toMatchObject({
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  })
})

test('a line that is no HTTP is answered with 400 and no stack', async () => {
  const socket = connect(port, '127.0.0.1')
  socket.end('GET /api/App/Login\r\nnonsense\r\n\r\n')
  const answer = await text(socket)
  expect(answer).toMatch(/^HTTP\/1\.1 400/)
  expect(answer).not.toContain('    at ')
})

test('many calls from one user, or one API token, are slowed down, and those of others are not', async () => {
  const limits = { uses: 1000, perSeconds: 60 }
  const narrow = await startApi({
    on: api,
    rateLimits: {
      signInsPerAddress: limits,
      publicChangesPerAddress: limits,
      publicReadsPerAddress: limits,
      mailsAskedPerAddress: limits,
      unauthenticatedPerAddress: { uses: 5, perSeconds: 60 },
      callsPerUser: { uses: 3, perSeconds: 60 },
      callsPerApiToken: { uses: 2, perSeconds: 60 },
    },
  })
  try {
    const other = await api.signedIn({ username: 'other@a.example', functions: [1] })
    const statuses = async (by: string | undefined, times: number) => {
      const found: number[] = []
      for (let n = 0; n < times; n += 1)
        found.push((await ask(narrow, 'App/GetClientAuthData', { token: by })).statusCode)
      return found
    }
    const programmer = await addUser(api.pool, { username: 'programmer@a.example', functions: [1] })
    const program = await addApiToken(api.pool, programmer)
    expect(await statuses(program.token, 3)).toEqual([200, 200, 429])
    expect(await statuses(await openSession(api.pool, programmer), 1)).toEqual([200])
    expect(await statuses(token, 4)).toEqual([200, 200, 200, 429])
    expect(await statuses(other, 1)).toEqual([200])
    expect(await statuses(undefined, 6)).toEqual([401, 401, 401, 401, 401, 429])
    const refused = await ask(narrow, 'App/GetClientAuthData', { token })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  } finally {
    await narrow.stop()
  }
})

test('of very many calls at the same moment from one user some are refused, and another user is served', async () => {
  const other = await api.signedIn({ username: 'calm@a.example', functions: [1] })
  const flood = Array.from({ length: 120 }, () => ask(api, 'Device/GetDeviceList', { token }))
  const served = ask(api, 'Device/GetDeviceList', { token: other })
  const statuses = (await Promise.all(flood)).map(({ statusCode }) => statusCode)
  expect([...new Set(statuses)].sort()).toEqual([200, 429])
  expect((await served).statusCode).toBe(200)
  expect((await ask(api, 'Device/GetDeviceList', { token })).statusCode).toBe(200)
})

test('with the database away a call answers 503 and when to try again', async () => {
  const broken = await startApi({ on: api })
  await broken.pool.end()
  const answer = await ask(broken, 'App/GetClientAuthData', { token })
  expect([answer.statusCode, answer.json().code, answer.headers['retry-after']]).toEqual([503, 'not_ready', '2'])
  await broken.app.close()
})

test('no log line holds a query, a body or a token', async () => {
  await ask(api, 'Device/GetDeviceList', { token, query: { deviceName: 'sesame' } })
  await ask(api, CREATE, { token, method: 'POST', body: { customerId, modelId: 1, name: 'sesame' } })
  await ask(api, 'App/Login', { method: 'POST', body: { username: 'sesame', password: 'sesame' } })
  const lines = api.logged.join('\n')
  expect(lines).toContain('/api/Device/GetDeviceList')
  expect(lines).not.toContain('sesame')
  expect(lines).not.toContain(token)
})
