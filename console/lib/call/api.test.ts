import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { signInAs } from '#console/testing/signInAs.ts'
import { standAt } from '#console/testing/standAt.ts'
import { setDeviceComponents } from '#contract/http/devices/components.ts'
import { downloadConfiguration, listDevices } from '#contract/http/devices/devices.ts'
import { checkPasswordLink } from '#contract/http/people/account.ts'
import { getClientAuthData, login, logout } from '#contract/http/people/signIn.ts'
import type { CustomerId, DeviceId } from '#domain/ids.ts'
import { fetchFile, send } from './api.ts'
import { beginCall } from './begunCalls.ts'
import { CallFailed, mayPass } from './CallFailed.ts'
import { queryText } from './callRequest.ts'
import { messages } from './messages.ts'
import { endSession, readSession, sessionEnd } from './sessionStore.ts'

interface Heard {
  readonly method: string
  readonly url: string
  readonly authorization: string | undefined
  readonly cookie: string | undefined
  readonly binds: unknown
  readonly body: string
}
interface Reply {
  readonly status: number
  readonly headers?: Record<string, string>
  readonly text: string
  /** The answer never comes, so the caller has to give up. */
  readonly isNever?: boolean
}

const heard: Heard[] = []
let reply: Reply
const server = createServer(async (request, response) => {
  heard.push(await readRequest(request))
  if (reply.isNever) return
  response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers })
  response.end(reply.text)
})

beforeEach(async () => {
  heard.length = 0
  reply = { status: 200, text: '{}' }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  standAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  signInAs()
})
afterEach(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

async function readRequest(request: IncomingMessage): Promise<Heard> {
  let body = ''
  for await (const chunk of request) body += chunk
  const { method = '', url = '', headers } = request
  return {
    method,
    url,
    authorization: headers.authorization,
    cookie: headers.cookie,
    binds: headers['x-wayside-bind'],
    body,
  }
}
const failing = async (work: Promise<unknown>): Promise<CallFailed> => {
  const failure = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(failure).toBeInstanceOf(CallFailed)
  return failure as CallFailed
}

test('a reading call is a GET with its values in the address and the token in its header', async () => {
  reply = { status: 200, text: '[]' }
  const query = { deviceName: 'a&b=č', customerId: 3 as CustomerId, descending: false }
  expect(await send(listDevices, { query })).toEqual([])
  expect(heard).toMatchObject([{ method: 'GET', authorization: `Bearer ${readSession()?.accessToken}`, body: '' }])
  const address = new URL(heard[0]?.url ?? '', 'http://x')
  expect(address.pathname).toBe('/api/Device/GetDeviceList')
  expect(Object.fromEntries(address.searchParams)).toEqual({
    deviceName: 'a&b=č',
    customerId: '3',
    descending: 'false',
  })
})

test('a state-changing GET is sent as POST, and nothing of it stands in the address', async () => {
  await fetchFile(downloadConfiguration, { query: { id: 7 as DeviceId } }, 'device.json')
  expect(heard).toMatchObject([{ method: 'POST', url: '/api/Device/DownloadConfiguration', body: '{"id":7}' }])
})

test('a body that is a list goes as it is', async () => {
  reply = { status: 200, text: '[]' }
  const body = [{ deviceId: 7 as DeviceId, modelId: 7, number: 1 }]
  expect(await send(setDeviceComponents, { body })).toEqual([])
  expect(heard[0]).toMatchObject({ method: 'POST', url: '/api/Device/SetDeviceComponents', body: JSON.stringify(body) })
})

test('sign-in carries no token of somebody who was here before', async () => {
  await send(login, { body: { username: 'a', password: 'b' } })
  expect(heard[0]?.authorization).toBeUndefined()
})

test('cookies go with signing in, which asks for a bound session, and with the token: never with a public call', async () => {
  reply = { status: 200, headers: { 'set-cookie': 'wayside_half_x=y; Path=/api; HttpOnly' }, text: '{}' }
  await send(login, { body: { username: 'a', password: 'b' } })
  reply = { status: 200, text: '{}' }
  await send(login, { body: { username: 'a', password: 'b' } })
  await send(getClientAuthData, {})
  await send(checkPasswordLink, { body: { token: 'A'.repeat(43) } })
  expect(heard.map(({ cookie }) => cookie)).toEqual([undefined, 'wayside_half_x=y', 'wayside_half_x=y', undefined])
  expect(heard.map(({ binds }) => binds)).toEqual(['cookie', 'cookie', undefined, undefined])
})

test('a browser that keeps no cookies asks for a session that is its token alone', async () => {
  vi.spyOn(navigator, 'cookieEnabled', 'get').mockReturnValue(false)
  await send(login, { body: { username: 'a', password: 'b' } })
  expect(heard[0]?.binds).toBeUndefined()
})

test('absent values are left out of an address, lists become comma lists', () => {
  expect(queryText({ a: undefined, b: null, c: [1, 2], d: 0, e: '' })).toBe('?c=1%2C2&d=0&e=')
  expect(queryText(undefined)).toBe('')
})

test('a refusal carries code, status and the sentence of the server', async () => {
  reply = { status: 404, text: '{"code":"not_found","message":"No such device."}' }
  expect(await failing(send(listDevices, { query: {} }))).toMatchObject({
    code: 'not_found',
    status: 404,
    message: 'No such device.',
  })
  expect(readSession()).toBeDefined()
})

test('an answer that is not ours still gives a sentence, without a stack or markup', async () => {
  reply = { status: 502, text: '<html>Bad gateway</html>' }
  const failure = await failing(send(listDevices, { query: {} }))
  expect(failure).toMatchObject({ code: 'unexpected', status: 502, message: messages.unexpectedAnswer(502) })
  reply = { status: 502, text: '{"code":"bad_gateway","message":"No route."}' }
  expect(await failing(send(listDevices, { query: {} }))).toMatchObject({ code: 'unexpected', message: 'No route.' })
  expect(mayPass(failure)).toBe(true)
  reply = { status: 200, text: 'not json' }
  expect(await failing(send(listDevices, { query: {} }))).toMatchObject({ code: 'unexpected', status: 200 })
})

test('no answer at all is network trouble, which may pass', async () => {
  server.closeAllConnections()
  standAt('http://127.0.0.1:1/')
  const failure = await failing(send(listDevices, { query: {} }))
  expect(failure).toMatchObject({ code: 'network', status: 0, message: messages.networkTrouble })
  expect(mayPass(failure)).toBe(true)
})

test('a 401 ends the session; a 401 of the sign-in itself does not', async () => {
  reply = { status: 401, text: '{"code":"wrong_credentials","message":"no"}' }
  await failing(send(login, { body: { username: 'a', password: 'b' } }))
  expect(readSession()).toBeDefined()
  await failing(send(logout, {}))
  expect(readSession()).toBeUndefined()
  expect(sessionEnd()).toBe('expired')
})

test('a late 401 of an older session leaves the new one alone', async () => {
  reply = { status: 401, text: '{"code":"sign_in_required","message":"no"}' }
  const late = failing(send(listDevices, { query: {} }))
  endSession('signedOut')
  signInAs({ id: 2 })
  localStorage.setItem('wayside.session', JSON.stringify({ accessToken: 'newer', user: readSession()?.user }))
  window.dispatchEvent(new StorageEvent('storage', { key: 'wayside.session' }))
  await late
  expect(readSession()?.accessToken).toBe('newer')
})

test('an abort by the caller is no failure to show', async () => {
  reply = { status: 200, text: '[]', isNever: true }
  const asked = new AbortController()
  const work = send(listDevices, { query: {}, signal: asked.signal })
  await vi.waitUntil(() => heard.length > 0, 30_000)
  asked.abort()
  await expect(work).rejects.not.toBeInstanceOf(CallFailed)
})

test('a download takes its name from the answer', async () => {
  reply = { status: 200, headers: { 'content-disposition': 'attachment; filename="praha.json"' }, text: '{"guid":"x"}' }
  const file = await fetchFile(downloadConfiguration, { query: { id: 7 as DeviceId } }, 'device.json')
  expect(file.name).toBe('praha.json')
  expect(await file.blob.text()).toBe('{"guid":"x"}')
})

test('a call that was begun is not made again: who asks the same first has its answer, the next one asks anew', async () => {
  reply = { status: 200, text: '{"rows":[]}' }
  beginCall(listDevices, { pageSize: 5 })
  expect(await send(listDevices, { query: { pageSize: 5 } })).toEqual({ rows: [] })
  expect(heard).toHaveLength(1)
  await send(listDevices, { query: { pageSize: 5 } })
  expect(heard).toHaveLength(2)
})

test('what was begun for one session is never the answer of another', async () => {
  reply = { status: 200, text: '{"rows":["theirs"]}' }
  beginCall(listDevices, { pageSize: 5 })
  signInAs({ id: 2 })
  reply = { status: 200, text: '{"rows":[]}' }
  expect(await send(listDevices, { query: { pageSize: 5 } })).toEqual({ rows: [] })
  expect(new Set(heard.map(({ authorization }) => authorization)).size).toBe(2)
})
