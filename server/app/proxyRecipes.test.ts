import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { Agent, type RequestOptions, request } from 'node:https'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { connectAsync } from 'mqtt'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LARGEST_RELEASE_BYTES, uploadRelease } from '#contract/http/software/releases.ts'
import { eventsTopic } from '#contract/mqtt/topics.ts'
import { makeAuthority, makeCertificate } from '#testing/certificates.ts'
import { freePort } from '#testing/freePort.ts'
import { openPool } from '../db/connect/pool.ts'
import type { Config } from '../settings/config.ts'
import { addUser, openSession, PASSWORD } from '../testing/callers.ts'
import { type FreshDatabase, freshDatabase, runFolder } from '../testing/database/freshDatabase.ts'
import { type DebianPrograms, findDebianPrograms } from '../testing/debianPrograms.ts'
import { eventually, insertDevices, type TestDevice } from '../testing/devices/gatewayFixture.ts'
import { startWholeServer } from '../testing/wholeServer/wholeServer.ts'
import type { RunningServer } from './server.ts'

/** The proxy sees the client at this address; whatever else the client claims is invented. */
const CLIENT = '127.0.0.2'
const TRUSTED = ['127.0.0.1']
const authority = makeAuthority()
const folder = runFolder('proxies')
const [certFile, keyFile] = [join(folder, 'fullchain.pem'), join(folder, 'privkey.pem')]
const agent = new Agent({ ca: authority.cert, localAddress: CLIENT })
let database: FreshDatabase
let owner: ReturnType<typeof openPool>
let device: TestDevice
let token: string

beforeAll(async () => {
  const { cert, key } = makeCertificate(authority)
  writeFileSync(certFile, cert)
  writeFileSync(keyFile, key)
  database = await freshDatabase()
  owner = openPool(database.ownerUrl, { maximumConnections: 2, name: 'test owner' })
  ;[device] = (await insertDevices(owner, 1)) as [TestDevice]
  token = await openSession(owner, await addUser(owner, { username: 'admin@staff.example', functions: [1] }))
}, 60_000)
afterAll(async () => {
  agent.destroy()
  await owner.end()
  await database.drop()
})

interface Recipe {
  readonly file: string
  /** Each address, port and file of the recipe with its value here; each has to stand in the recipe. */
  readonly here: readonly (readonly [told: string, here: string])[]
}

function write({ file, here }: Recipe): string {
  let content = readFileSync(fileURLToPath(new URL(`../../deploy/proxy/${file}`, import.meta.url)), 'utf8')
  for (const [told, replacement] of here) {
    expect(content).toContain(told)
    content = content.replaceAll(told, replacement)
  }
  const written = join(folder, file)
  writeFileSync(written, content)
  return written
}

/** Runs a proxy with its recipe while `work` is done. */
async function withProxy(
  { pathOf, environment }: DebianPrograms,
  [program, ...words]: readonly [string, ...string[]],
  httpsPort: number,
  work: () => Promise<void>,
): Promise<void> {
  const child: ChildProcess = spawn(pathOf(program), words, {
    env: { ...environment, HOME: folder, XDG_DATA_HOME: folder },
  })
  let said = ''
  for (const output of [child.stdout, child.stderr]) output?.on('data', (part) => (said += part))
  try {
    const answers = async () => {
      if (child.exitCode !== null) throw new Error(`The proxy has ended: ${said}`)
      return ask(httpsPort, '/readyz').catch((error: Error) => ({ status: 0, body: error.message }))
    }
    await eventually(answers, ({ status }) => status === 200, 20_000)
    await work()
  } finally {
    child.kill('SIGTERM')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
}

interface Request {
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
}

async function open(port: number, path: string, { body, headers }: Request = {}): Promise<IncomingMessage> {
  const options: RequestOptions = {
    agent,
    host: '127.0.0.1',
    port,
    path,
    method: body ? 'POST' : 'GET',
    headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
  }
  const asking = request(options)
  asking.end(body && JSON.stringify(body))
  const [answer] = await once(asking, 'response')
  return answer
}

async function ask(port: number, path: string, asked: Request = {}) {
  const answer = await open(port, path, asked)
  return { status: answer.statusCode, body: await textOf(answer) }
}

/** Publishes a report; its acknowledgement means that it is stored. */
async function report(url: string): Promise<void> {
  const { guid: username, key: password } = device
  const client = await connectAsync(url, { username, password, reconnectPeriod: 0, ca: authority.cert })
  const payload = JSON.stringify({ at: new Date().toISOString(), values: { cpu_load: 20 } })
  await client.publishAsync(eventsTopic(device.guid, 'device', 1), payload, { qos: 1 })
  await client.endAsync()
}

/** Does through the proxy what people and devices do. */
async function expectEverythingThrough(httpsPort: number, mqttUrl: string | undefined): Promise<void> {
  const username = `reader.${httpsPort}@staff.example`
  const userId = await addUser(owner, { username, functions: [2] })
  const claims = { 'x-forwarded-for': '198.51.100.66', 'x-forwarded-host': 'evil.example' }
  const signedIn = await ask(httpsPort, '/api/App/Login', { body: { username, password: PASSWORD }, headers: claims })
  expect(signedIn.status).toBe(200)
  const { rows } = await owner.query('select address from app_session where user_id = $1', [userId])
  expect(rows).toEqual([{ address: CLIENT }])

  const headers = { authorization: `Bearer ${token}` }
  const watched = { deviceIds: [device.id], stateDeviceIds: [device.id] }
  const stream = await open(httpsPort, '/api/Live/Watch', { body: watched, headers })
  let heard = ''
  stream.setEncoding('utf8').on('data', (part: string) => (heard += part))
  await report(`wss://127.0.0.1:${httpsPort}/mqtt`)
  await eventually(
    async () => heard,
    (events) => events.includes('event: state'),
  )
  stream.destroy()

  if (mqttUrl !== undefined) await report(mqttUrl)
  const release = { fileName: 'large', contentBase64: 'AAAA'.repeat(LARGEST_RELEASE_BYTES / 3) }
  const refused = await ask(httpsPort, `/api/${uploadRelease.path}`, { body: release, headers })
  expect(JSON.parse(refused.body)).toMatchObject({ code: 'release_refused' })
}

type WorkOf = (server: RunningServer, stop: () => Promise<void>) => Promise<void>

async function withServer(config: Partial<Config>, work: WorkOf): Promise<void> {
  const server = await startWholeServer(database, {
    config: { trustedProxies: TRUSTED, dataFolder: folder, ...config },
  })
  let stopped: Promise<void> | undefined
  const stop = () => {
    stopped ??= server.stop()
    return stopped
  }
  try {
    await work(server, stop)
  } finally {
    await stop()
  }
}

const portOf = (url: string) => new URL(url).port

test('Caddy by its recipe: browsers and devices reach the server, and are known by their own address', async ({
  skip,
}) => {
  const caddy = findDebianPrograms(['caddy'], ['/usr/bin/caddy'])
  if (typeof caddy === 'string') return skip(caddy)
  await withServer({}, async ({ localAddresses }) => {
    const port = await freePort()
    const file = write({
      file: 'Caddyfile',
      here: [
        // The test has its own certificate, and no port 80 to obtain one.
        [
          'wayside.example.org {',
          `{\n\tadmin off\n\tauto_https disable_redirects\n}\n127.0.0.1:${port} {\n\ttls ${certFile} ${keyFile}`,
        ],
        ['127.0.0.1:8080', `127.0.0.1:${portOf(localAddresses.httpUrl)}`],
      ],
    })
    const words = ['/usr/bin/caddy', 'run', '--adapter', 'caddyfile', '--config', file] as const
    await withProxy(caddy, words, port, () => expectEverythingThrough(port, undefined))
  })
}, 90_000)

test('nginx by its recipe: browsers and devices reach the server, and are known by their own address', async ({
  skip,
}) => {
  const MODULE = '/usr/lib/nginx/modules/ngx_stream_module.so'
  const nginx = findDebianPrograms(['nginx', 'libnginx-mod-stream'], ['/usr/sbin/nginx', MODULE])
  if (typeof nginx === 'string') return skip(nginx)
  await withServer({ proxyProtocol: ['mqtt'] }, async ({ localAddresses }) => {
    const [port, mqttsPort] = [await freePort(), await freePort()]
    const own = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    const file = write({
      file: 'nginx.conf',
      here: [
        ['include /etc/nginx/modules-enabled/*.conf;', `load_module ${nginx.pathOf(MODULE)};`],
        ['access_log off;', `access_log off; ${own.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}`],
        ['listen 443 ssl', `listen 127.0.0.1:${port} ssl`],
        ['listen 8883 ssl', `listen 127.0.0.1:${mqttsPort} ssl`],
        ['127.0.0.1:8080', `127.0.0.1:${portOf(localAddresses.httpUrl)}`],
        ['127.0.0.1:1883', `127.0.0.1:${portOf(localAddresses.mqttUrl)}`],
        ['/etc/wayside/tls', folder],
      ],
    })
    mkdirSync(join(folder, 'nginx'), { recursive: true })
    const rest = `daemon off; master_process off; pid ${folder}/nginx.pid; error_log stderr;`
    const words = ['/usr/sbin/nginx', '-p', folder, '-e', 'stderr', '-c', file, '-g', rest] as const
    await withProxy(nginx, words, port, () => expectEverythingThrough(port, `mqtts://127.0.0.1:${mqttsPort}`))
  })
}, 90_000)

/** Few machines have the libraries that it loads. */
const HAPROXY = ['haproxy', 'liblua5.3-0', 'libopentracing-c-wrapper0', 'libopentracing1']

test('HAProxy by its recipe: two servers are reached, and one of them alone when the other stops', async ({ skip }) => {
  const haproxy = findDebianPrograms(HAPROXY, ['/usr/sbin/haproxy'])
  if (typeof haproxy === 'string') return skip(haproxy)
  const config: Partial<Config> = {
    tlsCert: certFile,
    tlsKey: keyFile,
    httpsPort: 0,
    mqttsPort: 0,
    proxyProtocol: ['https', 'mqtts'],
  }
  await withServer(config, async (one, stopOne) => {
    await withServer(config, async (two) => {
      const [port, mqttsPort] = [await freePort(), await freePort()]
      const file = write({
        file: 'haproxy.cfg',
        here: [
          // So many need more open files than a tester may have.
          ['maxconn 40000', 'maxconn 400'],
          // A busy machine answers late, and HAProxy would end the connections of a server that it takes for dead.
          ['timeout check 3s', 'timeout check 30s'],
          ['timeout connect 5s', 'timeout connect 30s'],
          ['inter 3s', 'inter 10s'],
          ['bind :443', `bind 127.0.0.1:${port}`],
          ['bind :8883', `bind 127.0.0.1:${mqttsPort}`],
          ...[one, two].flatMap(({ addresses }, index): [string, string][] => {
            const told = `10.0.5.${11 + index}`
            const https = portOf(addresses.httpUrl)
            return [
              [`${told}:8443`, `127.0.0.1:${https}`],
              [`${told}:8883 port 8443`, `127.0.0.1:${portOf(addresses.mqttUrl)} port ${https}`],
            ]
          }),
        ],
      })
      await withProxy(haproxy, ['/usr/sbin/haproxy', '-db', '-f', file], port, async () => {
        const mqttUrl = `mqtts://127.0.0.1:${mqttsPort}`
        await expectEverythingThrough(port, mqttUrl)
        await stopOne()
        const left = async () => [await ask(port, '/readyz'), await ask(port, '/readyz')].map(({ status }) => status)
        await eventually(
          () => left().catch(() => []),
          (states) => states.join() === '200,200',
          40_000,
        )
        await report(mqttUrl)
      })
    })
  })
}, 120_000)
