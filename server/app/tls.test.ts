import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { request } from 'node:https'
import { connect as connectPlain } from 'node:net'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { connectAsync } from 'mqtt'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DeviceConfiguration } from '#contract/http/devices/devices.ts'
import { eventsTopic } from '#contract/mqtt/topics.ts'
import { DAY_MS } from '#domain/units/time.ts'
import { makeAuthority, makeCertificate } from '#testing/certificates.ts'
import { openPool } from '../db/connect/pool.ts'
import { addUser, openSession, PASSWORD } from '../testing/callers.ts'
import { type FreshDatabase, freshDatabase, runFolder } from '../testing/database/freshDatabase.ts'
import { eventually, insertDevices, type TestDevice } from '../testing/devices/gatewayFixture.ts'
import { namesOnlyForTls } from '../testing/headers.ts'
import { headerV1, startBalancer } from '../testing/proxies.ts'
import { startWholeServer } from '../testing/wholeServer/wholeServer.ts'
import type { RunningServer } from './server.ts'

const authority = makeAuthority()
let database: FreshDatabase
let owner: ReturnType<typeof openPool>
let device: TestDevice
/** Its key ends once an agent has used a newer one. */
let agentDevice: TestDevice
let server: RunningServer
const folder = runFolder('tls')
const [certFile, keyFile, deviceCa] = ['cert.pem', 'key.pem', 'ca.pem'].map((name) => join(folder, name)) as [
  string,
  string,
  string,
]

beforeAll(async () => {
  database = await freshDatabase()
  owner = openPool(database.ownerUrl, { maximumConnections: 2, name: 'test owner' })
  const devices = (await insertDevices(owner, 2)) as [TestDevice, TestDevice]
  device = devices[0]
  agentDevice = devices[1]
  // Nine tenths of its time are over.
  const [validFrom, validUntil] = [new Date(Date.now() - 95 * DAY_MS), new Date(Date.now() + 5 * DAY_MS)]
  const { cert, key } = makeCertificate(authority, { validFrom, validUntil })
  writeFileSync(certFile, cert)
  writeFileSync(keyFile, key)
  writeFileSync(deviceCa, authority.cert)
  server = await startWholeServer(database, { config: { ...tlsConfig(), deviceCa, dataFolder: '/tmp' } })
}, 120_000)
afterAll(async () => {
  await server.stop()
  await owner.end()
  await database.drop()
})

const tlsConfig = () => ({ tlsCert: certFile, tlsKey: keyFile, httpsPort: 0, mqttsPort: 0 })

interface Request {
  readonly token?: string
  readonly body?: object
}

async function ask(url: string, { token, body }: Request = {}) {
  const headers = {
    ...(token && { authorization: `Bearer ${token}` }),
    ...(body && { 'content-type': 'application/json' }),
  }
  const asking = request(url, { ca: authority.cert, method: body ? 'POST' : 'GET', headers, agent: false })
  asking.end(body && JSON.stringify(body))
  const [answer] = await once(asking, 'response')
  return {
    status: answer.statusCode as number,
    headers: answer.headers as IncomingHttpHeaders,
    body: await json(answer),
  }
}

const mqttOptions = () => ({ username: device.guid, password: device.key, reconnectPeriod: 0, ca: authority.cert })

/** Publishes a report; its acknowledgement means that it is stored. */
async function report(url: string): Promise<void> {
  const client = await connectAsync(url, mqttOptions())
  const payload = JSON.stringify({ at: new Date().toISOString(), values: { cpu_load: 20 } })
  await client.publishAsync(eventsTopic(device.guid, 'device', 1), payload, { qos: 1 })
  await client.endAsync()
}

test('the console is reached by HTTPS, which browsers stay with, and its cookie travels by nothing else', async () => {
  const { httpUrl } = server.addresses
  expect(httpUrl).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/)
  expect(await ask(`${httpUrl}/livez`)).toMatchObject({ status: 200, body: { alive: true } })
  await addUser(owner, { username: 'reader@staff.example', functions: [2] })
  const signedIn = await ask(`${httpUrl}/api/App/Login`, {
    body: { username: 'reader@staff.example', password: PASSWORD },
  })
  expect(signedIn.status).toBe(200)
  expect(String(signedIn.headers['set-cookie'])).toContain('Secure')
  expect(signedIn.headers).toMatchObject({
    // Other names of the same domain are not this server's to decide about.
    'strict-transport-security': 'max-age=31536000',
    'cross-origin-opener-policy': 'same-origin',
    'origin-agent-cluster': '?1',
  })
  // Browsers complain of these headers on the plain port, which may be open beside it.
  const plain = await fetch(`${server.localAddresses.httpUrl}/livez`)
  expect(namesOnlyForTls(plain.headers)).toEqual([])
})

test('devices report by MQTT over TLS, by WebSocket over TLS, and in plain text within the machine', async () => {
  const { httpUrl, mqttUrl } = server.addresses
  expect(mqttUrl).toMatch(/^mqtts:\/\/127\.0\.0\.1:\d+$/)
  await report(mqttUrl)
  await report(`${httpUrl.replace('https:', 'wss:')}/mqtt`)
  await report(server.localAddresses.mqttUrl)
})

test('an agent trusts the authority that its configuration file names, and nobody else’s', async () => {
  const token = await openSession(owner, await addUser(owner, { username: 'admin@staff.example', functions: [1] }))
  const answer = await ask(`${server.addresses.httpUrl}/api/Device/DownloadConfiguration?id=${agentDevice.id}`, {
    token,
  })
  const configuration = answer.body as DeviceConfiguration
  expect(configuration).toMatchObject({ ...server.addresses, trustedCertificates: authority.cert })
  const said = (content: DeviceConfiguration, pattern: RegExp) => {
    const file = join(runFolder('agent'), 'device.json')
    writeFileSync(file, JSON.stringify(content))
    const program = fileURLToPath(new URL('../../device/agent/main.ts', import.meta.url))
    const agent = spawn(process.execPath, [program, '--config', file, '--driver', 'pretend'])
    let heard = ''
    agent.stdout.on('data', (text) => {
      heard += text
    })
    return eventually(
      async () => heard,
      (text) => pattern.test(text),
      60_000,
    ).finally(() => agent.kill('SIGKILL'))
  }
  const { trustedCertificates: _, ...stranger } = configuration
  await said(stranger, /unable to (verify the first|get local issuer) certificate/)
  await said({ ...stranger, trustedCertificates: makeAuthority().cert }, /certificate/)
  await said(configuration, /connected/i)
}, 90_000)

test('health and metrics tell that the certificate was not renewed in time', async () => {
  const { localAddresses } = server
  const answer = await fetch(`${localAddresses.httpUrl}/healthz`)
  const { troubles } = (await answer.json()) as { troubles: string[] }
  expect(troubles).toContainEqual(expect.stringMatching(/^The certificate expires at .* and was not renewed\.$/))
  expect((await fetch(`${localAddresses.httpUrl}/readyz`)).status).toBe(200)
})

test('on all interfaces plain text stays within the machine, and the PROXY header comes before TLS', async () => {
  const other = await startWholeServer(database, {
    config: {
      ...tlsConfig(),
      bindAddress: '0.0.0.0',
      trustedProxies: ['127.0.0.1'],
      proxyProtocol: ['https', 'mqtts'],
      metricsToken: 'a token of sixteen',
    },
  })
  const [httpsPort, mqttsPort] = [other.addresses.httpUrl, other.addresses.mqttUrl].map((url) =>
    Number(new URL(url).port),
  )
  const balancers = await Promise.all(
    [httpsPort, mqttsPort].map((port) => startBalancer(port ?? 0, () => headerV1('198.51.100.9'))),
  )
  const [https, mqtts] = balancers.map(({ port }) => port)
  expect((await ask(`https://127.0.0.1:${https}/livez`)).status).toBe(200)
  await report(`mqtts://127.0.0.1:${mqtts}`)
  await expect(ask(`https://127.0.0.1:${httpsPort}/livez`)).rejects.toThrow()
  for (const url of Object.values(other.localAddresses)) {
    expect(new URL(url).hostname).toBe('127.0.0.1')
    // The network would reach this other address of the machine.
    const outside = connectPlain({ port: Number(new URL(url).port), host: '127.0.0.2' })
    await expect(once(outside, 'connect')).rejects.toThrow('ECONNREFUSED')
  }
  const metrics = await fetch(`${other.localAddresses.httpUrl}/metrics`, {
    headers: { authorization: 'Bearer a token of sixteen' },
  })
  expect(await metrics.text()).toMatch(/^wayside_certificate_expires_timestamp_seconds \d{10}$/m)
  await Promise.all(balancers.map((balancer) => balancer.stop()))
  await other.stop()
})

test('a stop ends connections by TLS, and nobody connects any more', async () => {
  const other = await startWholeServer(database, { config: tlsConfig() })
  const { httpUrl, mqttUrl } = other.addresses
  const connecting = [mqttUrl, `${httpUrl.replace('https:', 'wss:')}/mqtt`].map(async (url) => {
    const client = await connectAsync(url, mqttOptions())
    return { ended: new Promise<void>((resolve) => client.once('close', () => resolve())) }
  })
  const clients = await Promise.all(connecting)
  await ask(`${httpUrl}/livez`)
  await other.stop()
  await Promise.all(clients.map(({ ended }) => ended))
  for (const url of [httpUrl, mqttUrl]) {
    const late = connectPlain({ port: Number(new URL(url).port), host: '127.0.0.1' })
    await expect(once(late, 'connect')).rejects.toThrow('ECONNREFUSED')
  }
})
