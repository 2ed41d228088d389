import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { apiTest } from '#server/testing/apiTest.ts'
import { addCustomer, addDevice, addUser, PASSWORD, type StartedApi, startApi } from '#server/testing/callers.ts'
import { namesOnlyForTls } from '#server/testing/headers.ts'
import { type RunningProxy, startReverseProxy } from '#server/testing/proxies.ts'

const listen = async ({ app }: StartedApi) => {
  await app.listen({ host: '127.0.0.1', port: 0 })
  return (app.server.address() as AddressInfo).port
}

const api = await apiTest({ config: { trustedProxies: ['127.0.0.1', '10.0.0.0/8'] } })
const direct = await apiTest({ on: api })
const proxy = await startReverseProxy(await listen(api))
const proxyInFront = await startReverseProxy(await listen(direct))
const deviceId = (await addDevice(api.pool, { name: 'Sign', customerId: await addCustomer(api.pool, 'Ours') })).id
const token = await api.signedIn({ username: 'admin@a.example', functions: [1] })
afterAll(async () => {
  await proxy.stop()
  await proxyInFront.stop()
})

const DOWNLOAD = 'Device/DownloadConfiguration'

async function download({ port }: RunningProxy, headers: Readonly<Record<string, string>>) {
  const answer = await fetch(`http://127.0.0.1:${port}/api/${DOWNLOAD}?id=${deviceId}`, {
    headers: { authorization: `Bearer ${token}`, ...headers },
  })
  const { rows } = await api.pool.query('select address from audit_log order by id desc limit 1')
  return { body: await answer.text(), address: rows[0].address }
}

test('the audit log names the client behind a trusted proxy, whatever the client claims', async () => {
  const from = (client: string, claimed?: string) =>
    download(proxy, { 'x-test-client': client, ...(claimed && { 'x-forwarded-for': claimed }) })
  expect((await from('198.51.100.7')).address).toBe('198.51.100.7')
  expect((await from('2001:DB8::7')).address).toBe('2001:db8::7')
  expect((await from('198.51.100.7', '6.6.6.6')).address).toBe('198.51.100.7')
  expect((await from('10.9.9.9', '198.51.100.8')).address).toBe('198.51.100.8')
})

test('behind a proxy that nobody trusts everybody is that proxy', async () => {
  expect((await download(proxyInFront, { 'x-test-client': '198.51.100.7' })).address).toBe('127.0.0.1')
})

test('the sessions of a user tell from where they were opened, behind the proxy', async () => {
  await addUser(api.pool, { username: 'far@a.example', functions: [2] })
  await fetch(`http://127.0.0.1:${proxy.port}/api/App/Login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-test-client': '198.51.100.7' },
    body: JSON.stringify({ username: 'far@a.example', password: PASSWORD }),
  })
  const { rows } = await api.pool.query(
    `select address from app_session where user_id = (select id from app_user where username = 'far@a.example')`,
  )
  expect(rows).toEqual([{ address: '198.51.100.7' }])
})

test('hosts and protocols that a trusted proxy forwards reach neither links nor cookies nor the policy of an answer', async () => {
  const headers = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https', forwarded: 'host=evil.example' }
  const { body } = await download(proxy, headers)
  expect(JSON.parse(body)).toMatchObject({ httpUrl: 'http://127.0.0.1:8080' })
  expect(body).not.toContain('evil')
  const signedIn = await fetch(`http://127.0.0.1:${proxy.port}/api/App/Login`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin@a.example', password: PASSWORD }),
  })
  expect(signedIn.headers.get('set-cookie')).toMatch(/; SameSite=Strict$/)
  const answer = await fetch(`http://127.0.0.1:${proxy.port}/api/App/Nothing`, { headers })
  expect([...answer.headers].join()).not.toContain('evil')
  expect(namesOnlyForTls(answer.headers)).toEqual([])
})

test('behind a proxy the public address says that browsers come by HTTPS', async () => {
  const answers = async (publicUrl: string) => {
    const { app, stop } = await startApi({ on: api, config: { publicUrl } })
    const { headers } = await app.inject('/livez')
    await stop()
    return namesOnlyForTls(new Headers(headers as Record<string, string>))
  }
  expect(await answers('https://signs.example')).toHaveLength(3)
  expect(await answers('http://signs.example')).toEqual([])
})
