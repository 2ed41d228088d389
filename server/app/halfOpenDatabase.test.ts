import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { eventsTopic } from '#contract/mqtt/topics.ts'
import { openPool } from '../db/connect/pool.ts'
import { addUser, openSession } from '../testing/callers.ts'
import { freshDatabase } from '../testing/database/freshDatabase.ts'
import { SwallowingProxy } from '../testing/database/SwallowingProxy.ts'
import { eventually, insertDevices } from '../testing/devices/gatewayFixture.ts'
import { IMPATIENCE } from '../testing/impatience.ts'
import { PlayedDevice } from '../testing/wholeServer/commandFixture.ts'
import { askServer, startWholeServer } from '../testing/wholeServer/wholeServer.ts'
import type { RunningServer } from './server.ts'

/** Recovery takes less than 10 s, and longer on a busy machine. */
const WITHIN_MS = 40_000

let database: Awaited<ReturnType<typeof freshDatabase>>
let proxy: SwallowingProxy
let server: RunningServer
let played: PlayedDevice
let token: string
let owner: ReturnType<typeof openPool>

beforeEach(async () => {
  database = await freshDatabase()
  owner = openPool(database.ownerUrl, { maximumConnections: 3, name: 'test owner' })
  proxy = await SwallowingProxy.start(database.ownerUrl)
  server = await startWholeServer(
    { ownerUrl: proxy.through(database.ownerUrl), applicationUrl: proxy.through(database.applicationUrl) },
    { patience: IMPATIENCE },
  )
  const [device] = await insertDevices(owner, 1, { modelId: 1 })
  if (!device) throw new Error('There is no device.')
  played = new PlayedDevice(device)
  token = await openSession(owner, await addUser(owner, { username: 'manager@staff.example', functions: [2] }))
  await played.connect(Number(new URL(server.localAddresses.mqttUrl).port), owner)
  // A device without its settings is disconnected, to fetch them again.
  await eventually(
    async () => played.documents.length,
    (count) => count > 0,
  )
}, 120_000)
afterEach(async () => {
  played.client?.end(true)
  await server.stop()
  await proxy.stop()
  await owner.end()
  await database.drop()
}, 60_000)

const ask = (path: string, query: Record<string, string | number>) =>
  askServer(server.localAddresses.httpUrl, path, { token, query })

async function report(backlightPercent: number): Promise<void> {
  const payload = JSON.stringify({ at: new Date().toISOString(), values: { backlight_level: backlightPercent } })
  await played.client?.publishAsync(eventsTopic(played.device.guid, 'display', 1), payload, { qos: 1 })
}

test('with every connection half-open a report is acknowledged and stored, and calls are answered', async () => {
  await report(20)
  expect(proxy.swallow()).toBeGreaterThan(4)
  const acknowledged = report(21)
  const answered = eventually(
    () => ask('Device/GetDeviceCommandList', { deviceId: played.device.id }),
    ({ status }) => status === 200,
    WITHIN_MS,
  )
  await acknowledged
  expect((await answered).status).toBe(200)
  const { rows } = await owner.query('select backlight_level from reading_display order by device_dt')
  expect(rows.map((row) => row.backlight_level)).toEqual([20, 21])
}, 60_000)

test('with only what hears notices half-open a power command is carried out', async () => {
  expect(proxy.swallow((name) => name === 'wayside listener')).toBeGreaterThan(0)
  const answer = await eventually(
    () => ask('Device/UpsReboot', { deviceId: played.device.id }),
    ({ status }) => status === 200,
    WITHIN_MS,
  )
  expect(answer).toMatchObject({ status: 200, body: 'ups.reboot is done.' })
  expect(new Set(played.commands.map(({ command }) => command.name))).toEqual(new Set(['ups.reboot']))
}, 60_000)

test('with only the connections of the leader half-open its jobs go on', async () => {
  const deadProcess = () => owner.query('select from server_process where id = $1', [deadId])
  const deadId = randomUUID()
  const isLeading = async () =>
    (await owner.query(`select from pg_locks where locktype = 'advisory' and granted and mode = 'ExclusiveLock'`))
      .rowCount
  await eventually(isLeading, (count) => (count ?? 0) > 0)
  expect(proxy.swallow((name) => /jobs|lead/.test(name))).toBeGreaterThan(0)
  await owner.query(`insert into server_process (id, lease_until) values ($1, now() - interval '1 minute')`, [deadId])
  const left = await eventually(deadProcess, ({ rowCount }) => rowCount === 0, WITHIN_MS)
  expect(left.rowCount).toBe(0)
}, 60_000)
