import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import type { Incident } from '#contract/http/alerting/incidents.ts'
import type { DeviceGuid, DeviceId } from '#domain/ids.ts'
import { waitingJob } from '#server/darkness/waiting/waitingJob.ts'
import { openPool } from '#server/db/connect/pool.ts'
import { openDatabase } from '#server/db/database.ts'
import { ensureDefaultConditions } from '#server/features/alerting/thresholds/defaultConditions.ts'
import { ensureFirstAdmin } from '#server/features/people/signIn/firstAdmin.ts'
import { newestPresence } from '#server/fleet/newestPresence.ts'
import { beginProcess, storeChanges } from '#server/gateway/wire/presence.store.ts'
import { incidentJob } from '#server/incidents/incidentJob.ts'
import { AlertRules } from '#server/telemetry/alerts/alertRules.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { ask, PASSWORD, signIn } from '#server/testing/callers.ts'
import { DEMO_ADMIN, DEMO_MANAGER } from './demoUsers.ts'
import { wentOffline } from './fleetFile.ts'
import { makePastOutage } from './pastOutage.store.ts'
import { createSeedStore } from './seed.store.ts'
import { seedDemo } from './seedDemo.ts'

const PROCESS = '00000000-0000-4000-8000-000000000001'
const DEVICES = 47
const folder = mkdtempSync(join(tmpdir(), 'wayside-outage-'))
const fleetFile = join(folder, 'fleet.json')
const api = await apiTest()
const db = openDatabase(api.pool)
const pool = openPool(api.ownerUrl, { maximumConnections: 2, name: 'outage' })
const owner = new pg.Client({ connectionString: api.ownerUrl })
await owner.connect()
await ensureFirstAdmin(db, { username: DEMO_ADMIN, password: PASSWORD })
await ensureDefaultConditions(db)
const addresses = { mqttUrl: 'mqtt://127.0.0.1:1883', httpUrl: 'http://127.0.0.1:8080' }
const seed = () =>
  seedDemo({ db, store: createSeedStore(db), deviceCount: DEVICES, historyDays: 30, fleetFile, addresses })
await seed()
await beginProcess(pool, PROCESS)
const went = await wentOffline(fleetFile)
interface Gone {
  readonly id: DeviceId
  readonly guid: DeviceGuid
  readonly isOfRouter: boolean
}
const { rows: gone } = await pool.query<Gone>(
  `select id, guid, description like '%router%' as "isOfRouter" from device where guid = any($1) order by id`,
  [[...went.keys()]],
)
const ofRouter = gone.filter(({ isOfRouter }) => isOfRouter)
const devices = ofRouter.map(({ id }) => id)
const alone = gone.filter((device) => !ofRouter.includes(device)).map(({ id }) => id)
afterAll(async () => {
  await Promise.all([pool.end(), owner.end()])
  rmSync(folder, { recursive: true })
})

const stopped = new AbortController().signal
const make = () => makePastOutage(pool, { fleetFile, pastDays: 30, readRules: () => AlertRules.read(api.pool) })
const connectionOf = (id: DeviceId) => `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`
const comes = (id: DeviceId) =>
  storeChanges(pool, PROCESS, [
    { deviceId: id, kind: 'opened', connectionId: connectionOf(id), isSilent: false, reason: 'connected' },
  ])
const leaves = (id: DeviceId) =>
  storeChanges(pool, PROCESS, [
    { deviceId: id, kind: 'closed', connectionId: connectionOf(id), reason: 'disconnected' },
  ])
const judge = async (job = waitingJob(() => undefined)) => {
  await job.run(owner, new Date(), stopped)
  await incidentJob(() => undefined, 'notices').run(owner, new Date(), stopped)
}
async function incidents(): Promise<readonly Incident[]> {
  const token = await signIn(api, DEMO_MANAGER, PASSWORD)
  return (await ask(api, 'Incident/GetIncidentList', { token })).json().rows
}

test('a fresh demo has two incidents: a device off, and a router off with six displays behind it folded into one alert', async () => {
  const watching = waitingJob(() => undefined)
  await judge(watching)
  for (const id of [...devices.slice(1), ...alone]) await comes(id)
  for (const id of [...devices.slice(1), ...alone]) await leaves(id)
  // The device with the router has not connected yet.
  expect(await make()).toBe(false)
  await comes(devices[0] as DeviceId)
  expect(await make()).toBe(false)
  await leaves(devices[0] as DeviceId)
  await judge(watching)
  expect(await incidents()).toEqual([])

  expect(await make()).toBe(true)
  await judge(watching)
  const found = await incidents()
  const incident = found.find(({ cause }) => cause?.deviceId === devices[0])
  expect(alone).toHaveLength(1)
  expect(found.filter((one) => one !== incident)).toMatchObject([
    { title: expect.stringContaining('Not reporting for 30 minutes'), state: 'active', cause: { deviceId: alone[0] } },
  ])
  const { rows } = await pool.query<{ address: string }>('select address from device where id = $1', [devices[0]])
  expect(incident).toMatchObject({
    title: `7 devices at ${rows[0]?.address}: Not reporting for 30 minutes`,
    state: 'active',
    began: new Date(went.get(ofRouter[0]?.guid as DeviceGuid) ?? 0).toISOString(),
    cause: { deviceId: devices[0] },
    ...{ alertCount: 7, activeCount: 7, openCount: 7, deviceCount: 7, placeCount: 1 },
  })

  // The outage stays for the server, for the next leader, and over another start of the demo.
  await seed()
  expect(await make()).toBe(true)
  await judge(watching)
  await judge()
  expect(await incidents()).toEqual(found)
  const presence = await newestPresence(pool, [...devices, ...alone])
  expect(gone.map(({ id }) => presence.get(id)?.since.getTime())).toEqual(gone.map(({ guid }) => went.get(guid)))
  expect((await pool.query('select from alert_notice')).rowCount).toBe(0)
})
