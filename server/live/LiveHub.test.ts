import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterEach, expect, test, vi } from 'vitest'
import type { DeviceId } from '#domain/ids.ts'
import { openPool } from '#server/db/connect/pool.ts'
import { freshDatabase } from '#server/testing/database/freshDatabase.ts'
import { LiveHub } from './LiveHub.ts'
import { OtherProcesses } from './OtherProcesses.store.ts'
import type { LiveStream } from './Watchers.ts'

const leftovers: (() => unknown)[] = []
afterEach(async () => {
  for (const clean of leftovers.splice(0).reverse()) await clean()
})

const DEVICE = 7 as DeviceId
const OTHER_DEVICE = 8 as DeviceId
const log = { error: () => undefined }

/** Starts one server process: a hub, its connection to the others, and readers that answer what the test says. */
async function startProcess(database: Awaited<ReturnType<typeof freshDatabase>>) {
  const pool = openPool(database.applicationUrl, { maximumConnections: 3, name: 'test' })
  const processId = randomUUID()
  await pool.query(`insert into server_process (id, lease_until) values ($1, now() + interval '1 minute')`, [processId])
  let hub: LiveHub | undefined
  let reads = 0
  const commandsVersion = 1
  const others = new OtherProcesses({
    pool,
    processId,
    log,
    connect: async () => {
      const client = new pg.Client({ connectionString: database.applicationUrl, application_name: 'listener' })
      await client.connect()
      return client
    },
    onChangedElsewhere: (ids) => hub?.noteChangedElsewhere(ids),
    onAlertsElsewhere: (ids) => hub?.noteAlertsElsewhere(ids),
    onWatchedElsewhere: (ids) => hub?.noteWatchedElsewhere(ids),
    onPeopleChanged: () => hub?.recheckRights(),
    onReconnected: () => hub?.retellAll(),
  })
  hub = new LiveHub({
    others,
    log,
    readDevices: async (_, ids) => ids.map((id) => ({ id, ...QUIET, activeAlerts: ++reads })),
    readStates: async (_, ids) => ids.map((deviceId) => ({ deviceId, values: [], reads: ++reads })),
    readAlerts: async (_scope, ids) => ids.map((deviceId) => ({ deviceId, alerts: [] })),
    readCommands: async (_, ids) =>
      ids.map((deviceId) => ({ deviceId, commands: [], settingsVersion: commandsVersion })),
  })
  leftovers.push(async () => {
    hub?.stop()
    await others.stop()
    await pool.end()
  })
  return { hub, pool }
}

function openStream() {
  const heard: string[] = []
  const closers: (() => void)[] = []
  let isClosed = false
  const stream: LiveStream = {
    send: (event: string, data: { id?: number; deviceId?: number }) =>
      void heard.push([event, data.id ?? data.deviceId].filter(Boolean).join(' ')),
    onClose: (listener) => void closers.push(listener),
    close: () => {
      isClosed = true
      for (const closer of closers) closer()
    },
  }
  return { stream, heard, isClosed: () => isClosed }
}

const until = (holds: () => boolean | Promise<boolean>) => vi.waitUntil(holds, { timeout: 30_000, interval: 20 })

const watching = (stream: LiveStream, rows: DeviceId[], states: DeviceId[], isStillAllowed = async () => true) => ({
  stream,
  scope: { kind: 'everything' } as const,
  deviceIds: new Set(rows),
  stateDeviceIds: new Set(states),
  isStillAllowed,
})

async function setup() {
  const database = await freshDatabase()
  leftovers.push(() => database.drop())
  return database
}

const QUIET = {
  connStatusId: 1,
  statusId: 2,
  lastEvent: null,
  light: null,
  lightSince: null,
  lightIsAtLeast: false,
  lightCause: null,
  worstAlert: null,
  clockErrorMs: null,
  refusedSince: null,
  isOnBattery: null,
  identityConflictSince: null,
  wrong: null,
  tags: [],
}

test('a console hears of what it watches and of nothing else', async () => {
  const { hub } = await startProcess(await setup())
  const { stream, heard } = openStream()
  hub.open(watching(stream, [DEVICE], []))
  await until(() => heard.length === 2)
  expect(heard).toEqual(['ready', 'device 7'])
  hub.noteChanged(OTHER_DEVICE)
  hub.noteChanged(DEVICE)
  hub.noteChanged(DEVICE)
  await until(() => heard.length === 3)
  expect(heard).toEqual(['ready', 'device 7', 'device 7'])
})

test('a change at one process reaches the console at another', async () => {
  const database = await setup()
  const here = await startProcess(database)
  const there = await startProcess(database)
  const { stream, heard } = openStream()
  here.hub.open(watching(stream, [], [DEVICE]))
  await until(async () => (await here.pool.query('select 1 from live_watch')).rowCount === 1)
  heard.length = 0
  await until(() => {
    there.hub.noteChanged(DEVICE)
    return heard.includes('state 7')
  })
})

test('a listener that lost its connection tells everything again', async () => {
  const { hub, pool } = await startProcess(await setup())
  const { stream, heard } = openStream()
  hub.open(watching(stream, [DEVICE], []))
  await until(() => heard.includes('device 7'))
  heard.length = 0
  await pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'listener' and datname = current_database()`,
  )
  await until(() => heard.includes('device 7'))
})

test('alerts are told before anything is gathered, to whoever watches the device, at every process', async () => {
  const database = await setup()
  const here = await startProcess(database)
  const there = await startProcess(database)
  const { stream, heard } = openStream()
  here.hub.open(watching(stream, [DEVICE], []))
  await until(() => heard.includes('device 7'))
  heard.length = 0
  here.hub.noteAlerts([DEVICE, OTHER_DEVICE])
  await until(() => heard.includes('device 7'))
  expect(heard).toEqual(['alerts 7', 'device 7'])
  heard.length = 0
  await until(() => {
    there.hub.noteAlerts([DEVICE])
    return heard.includes('alerts 7')
  })
})

test('alerts that change before the other process knows who watches are told as soon as it does', async () => {
  const database = await setup()
  const here = await startProcess(database)
  const there = await startProcess(database)
  const { stream, heard } = openStream()
  here.hub.open(watching(stream, [DEVICE], []))
  there.hub.noteAlerts([DEVICE, OTHER_DEVICE])
  await until(() => heard.includes('alerts 7'))
  expect(heard).not.toContain('alerts 8')
})

test('a stream whose session ended is closed with the next look at who may watch', async () => {
  const { hub } = await startProcess(await setup())
  const { stream, isClosed } = openStream()
  let isAllowed = true
  hub.open(watching(stream, [DEVICE], [], async () => isAllowed))
  isAllowed = false
  await until(isClosed)
})
