import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '#testing/freePort.ts'
import { isHeldLock } from '../db/advisoryLocks.ts'
import { openPool } from '../db/connect/pool.ts'
import type { Role } from '../settings/settingValues.ts'
import { addUser, openSession } from '../testing/callers.ts'
import { type FreshDatabase, freshDatabase } from '../testing/database/freshDatabase.ts'
import { eventually, insertDevices } from '../testing/devices/gatewayFixture.ts'
import { IMPATIENCE } from '../testing/impatience.ts'
import { PlayedDevice } from '../testing/wholeServer/commandFixture.ts'
import { askServer, startWholeServer } from '../testing/wholeServer/wholeServer.ts'
import type { RunningServer } from './server.ts'

const WITHIN_MS = 60_000

let database: FreshDatabase
let owner: ReturnType<typeof openPool>
let token: string
const servers = new Map<Role, RunningServer>()

async function start(role: Role, mqttPort?: number): Promise<void> {
  const config = { roles: [role], dataFolder: '/tmp' } as const
  const options = { config, mqttPort: mqttPort ?? (await freePort()), patience: IMPATIENCE }
  servers.set(role, await startWholeServer(database, options))
}

/** Holds a port, so that a server which is to leave it alone fails to start when it opens it. */
async function holdPort() {
  const holder = createServer().listen(0, '127.0.0.1')
  await once(holder, 'listening')
  const { port } = holder.address() as AddressInfo
  return { port, release: () => holder.close() }
}

beforeAll(async () => {
  database = await freshDatabase()
  owner = openPool(database.ownerUrl, { maximumConnections: 2, name: 'test owner' })
  token = await openSession(owner, await addUser(owner, { username: 'manager@staff.example', functions: [2] }))
  await start('api')
  await start('gateway')
}, 120_000)
afterAll(async () => {
  await Promise.all([...servers.values()].map((server) => server.stop()))
  await owner.end()
  await database.drop()
}, 60_000)

const addressesOf = (role: Role) => (servers.get(role) as RunningServer).localAddresses
const mqttPortOf = (role: Role) => Number(new URL(addressesOf(role).mqttUrl).port)
const statusOf = async (role: Role, path: string) => (await fetch(`${addressesOf(role).httpUrl}${path}`)).status

async function health(role: Role) {
  const answer = await fetch(`${addressesOf(role).httpUrl}/healthz`)
  return (await answer.json()) as { healthy: boolean; roles: string[]; troubles: string[] }
}

const isOpen = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })

/** True when the console's address accepts MQTT. */
const speaksMqttOverHttp = (role: Role) =>
  new Promise<boolean>((resolve) => {
    const socket = new WebSocket(`${addressesOf(role).httpUrl.replace('http', 'ws')}/mqtt`, 'mqtt')
    socket.onopen = () => {
      socket.close()
      resolve(true)
    }
    socket.onerror = () => resolve(false)
  })

const leaders = async () => (await owner.query(`select from pg_locks l where ${isHeldLock('l', 'lead')}`)).rowCount ?? 0

test('each role opens its own doors, and watching is answered by all', async () => {
  expect(await Promise.all((['api', 'gateway'] as const).map((role) => isOpen(mqttPortOf(role))))).toEqual([
    false,
    true,
  ])
  expect(await speaksMqttOverHttp('api')).toBe(false)
  expect(await speaksMqttOverHttp('gateway')).toBe(true)
  for (const path of ['/livez', '/readyz']) {
    expect(await statusOf('api', path)).toBe(200)
    expect(await statusOf('gateway', path)).toBe(200)
  }
  const asked = { token }
  expect((await askServer(addressesOf('api').httpUrl, 'Device/GetDeviceList', asked)).status).toBe(200)
  expect(await askServer(addressesOf('gateway').httpUrl, 'Device/GetDeviceList', asked)).toMatchObject({
    status: 404,
    body: { code: 'unknown_call' },
  })
  expect(await statusOf('gateway', '/')).toBe(404)
  expect(await statusOf('gateway', '/device-api/nothing')).toBe(await statusOf('api', '/device-api/nothing'))
}, 60_000)

test('nobody leads without jobs, and every process says so until one comes', async () => {
  const missing = await eventually(
    () => Promise.all([health('api'), health('gateway')]),
    (both) => both.every(({ healthy }) => !healthy),
    WITHIN_MS,
  )
  for (const { troubles } of missing)
    expect(troubles).toEqual([expect.stringMatching(/^No process has led for \d+ s:/)])
  expect(missing.map(({ roles }) => roles)).toEqual([['api'], ['gateway']])
  expect(await leaders()).toBe(0)
  const held = await holdPort()
  await start('jobs', held.port)
  held.release()
  await eventually(leaders, (count) => count === 1, WITHIN_MS)
  const all = ['api', 'gateway', 'jobs'] as const
  const found = await eventually(
    () => Promise.all(all.map(health)),
    (each) => each.every(({ healthy }) => healthy),
    WITHIN_MS,
  )
  expect(found).toEqual(all.map((role) => ({ healthy: true, roles: [role], troubles: [] })))
  expect(await statusOf('jobs', '/api/Device/GetDeviceList')).toBe(404)
}, 150_000)

test('a command crosses from the process that is asked to the one that holds the device', async () => {
  const [device] = await insertDevices(owner, 1, { modelId: 1 })
  if (device === undefined) throw new Error('There is no device.')
  const played = new PlayedDevice(device)
  await played.connect(mqttPortOf('gateway'), owner)
  const query = { deviceId: device.id }
  const answer = await askServer(addressesOf('api').httpUrl, 'Device/UpsReboot', { token, query })
  expect(answer).toMatchObject({ status: 200, body: 'ups.reboot is done.' })
  played.client?.end(true)
}, 60_000)

test('only a process that devices can reach says that it takes them', async () => {
  const { rows } = await owner.query<{ listens: boolean }>('select listens from server_process order by listens')
  expect(rows.map(({ listens }) => listens)).toEqual([false, false, true])
})
