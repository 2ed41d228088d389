import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { fleet } from '#contract/fleet.ts'
import { feedsProblem } from '#domain/darkness/configuredFeeds.ts'
import { defaultFeedChain } from '#domain/darkness/feedChain.ts'
import { openDatabase } from '#server/db/database.ts'
import { ensureFirstAdmin } from '#server/features/people/signIn/firstAdmin.ts'
import { ask, PASSWORD, type StartedApi, signIn, startApi } from '#server/testing/callers.ts'
import { DEMO_ADMIN, DEMO_USERS } from './demoUsers.ts'
import { createSeedStore } from './seed.store.ts'
import { seedDemo } from './seedDemo.ts'

let api: StartedApi
let folder: string
let fleetFile: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wayside-demo-'))
  fleetFile = join(folder, 'demo', 'fleet.json')
})
beforeEach(async () => {
  api = await startApi()
  rmSync(fleetFile, { force: true })
  return () => api.stop()
})
afterAll(() => rmSync(folder, { recursive: true }))

async function seed(deviceCount: number) {
  const db = openDatabase(api.pool)
  const admin = await ensureFirstAdmin(db, { username: DEMO_ADMIN, password: PASSWORD })
  const addresses = { mqttUrl: 'mqtt://127.0.0.1:1883', httpUrl: 'http://127.0.0.1:8080' }
  const store = createSeedStore(db)
  const { addedDevices } = await seedDemo({ db, store, deviceCount, historyDays: 30, fleetFile, addresses })
  return { admin, addedDevices }
}

const readFleet = () => fleet.parse(JSON.parse(readFileSync(fleetFile, 'utf8')))
const count = async (sql: string) => (await api.pool.query(`select count(*)::int as count from ${sql}`)).rows[0].count

test('the demo has a user of each kind, all with the password of the administrator', async () => {
  await seed(2)
  for (const { username } of DEMO_USERS) {
    const token = await signIn(api, username, PASSWORD)
    expect((await ask(api, 'App/GetClientAuthData', { token })).json()).toMatchObject({ username })
  }
  const rights = async (username: string) => {
    const token = await signIn(api, username, PASSWORD)
    const { isAdmin, isDeviceManager, isAnalyticsUser, isLab } = (
      await ask(api, 'App/GetClientAuthData', { token })
    ).json()
    return [isAdmin, isDeviceManager, isAnalyticsUser, isLab]
  }
  expect(await rights('manager@demo.example')).toEqual([false, true, false, false])
  expect(await rights('analyst@demo.example')).toEqual([false, false, true, false])
  expect(await rights('lab@demo.example')).toEqual([false, true, true, true])
  expect(await rights('nobody@demo.example')).toEqual([false, false, false, false])
})

test('forty devices are spread over customers and models, each customer has three that are Paired', async () => {
  await seed(40)
  expect(await count('device')).toBe(41)
  const { rows } = await api.pool.query(
    'select customer_id, count(*)::int as count from device where status_id = 2 group by customer_id order by count',
  )
  expect(rows.length).toBeGreaterThanOrEqual(4)
  expect(rows[0].count).toBeGreaterThanOrEqual(3)
  const models = (await api.pool.query('select distinct model_id from device')).rows.map(({ model_id }) => model_id)
  expect(models).toEqual(expect.arrayContaining([1, 15, 16, 22]))
  const statuses = (await api.pool.query('select distinct status_id from device order by 1')).rows
  expect(statuses.map(({ status_id }) => status_id)).toEqual([1, 2, 3, 4, 5])
  expect(await count(`device where time_zone_is_assumed or time_zone = 'UTC'`)).toBe(0)
  const names = (await api.pool.query('select distinct name from device')).rows
  expect(names.length).toBe(41)
})

test('no device is named after the computer that the demo runs on: a description says which it is', async () => {
  await seed(1)
  const { rows } = await api.pool.query(`select name, description from device where attr_serial = 'HOST'`)
  expect(rows).toEqual([{ name: 'This machine', description: expect.stringContaining(hostname()) }])
})

test('the fleet file names every device with a key that the database knows, for its owner only', async () => {
  await seed(6)
  const written = readFleet()
  expect(written.devices.map(({ driver }) => driver)).toEqual([...Array(6).fill('pretend'), 'host'])
  expect(statSync(fleetFile).mode & 0o777).toBe(0o600)
  for (const { guid, key } of written.devices) {
    const keyHash = createHash('sha256').update(key).digest()
    const sql = `device_credential k join device d on d.id = k.device_id where d.guid = $1 and k.key_hash = $2`
    const { rows } = await api.pool.query(`select count(*)::int as count from ${sql}`, [guid, keyHash])
    expect(rows).toEqual([{ count: 1 }])
  }
  expect(JSON.stringify((await api.pool.query('select c::text from device_credential c')).rows)).not.toContain(
    written.devices[0]?.key,
  )
})

test('starting again changes nothing, and a larger fleet adds', async () => {
  await seed(6)
  const [before, credentials] = [readFileSync(fleetFile, 'utf8'), await count('device_credential')]
  await api.pool.query(`update device set name = 'Renamed' where id = (select min(id) from device)`)
  const again = await seed(6)
  expect(again).toEqual({ admin: { isNew: false, username: DEMO_ADMIN }, addedDevices: 0 })
  expect(await count('device_credential')).toBe(credentials)
  expect(readFleet().devices.map(({ key }) => key)).toEqual(
    fleet.parse(JSON.parse(before)).devices.map(({ key }) => key),
  )
  expect(readFleet().devices.map(({ name }) => name)).toContain('Renamed')
  expect((await seed(9)).addedDevices).toBe(3)
  expect(readFleet().devices.length).toBe(10)
})

test('most devices have visits written down by its people, some none, and who is being mended is visited now', async () => {
  await seed(40)
  const { rows } = await api.pool.query(
    `select d.status_id, count(m.id)::int as visits, count(m.id) filter (where m.end_at is null)::int as going_on,
       bool_and(u.username = 'manager@demo.example') as is_theirs
     from device d left join maintenance_entry m on m.device_id = d.id left join app_user u on u.id = m.created_by
     group by d.id`,
  )
  expect(rows.filter(({ visits }) => visits === 0).length).toBeGreaterThan(0)
  expect(rows.filter(({ visits }) => visits > 1).length).toBeGreaterThan(25)
  expect(rows.every(({ is_theirs }) => is_theirs !== false)).toBe(true)
  expect(rows.filter(({ going_on }) => going_on > 0).map(({ status_id }) => status_id)).toEqual([3, 3])
  const before = await count('maintenance_entry')
  await seed(40)
  expect(await count('maintenance_entry')).toBe(before)
})

test('a lost fleet file is written again with new keys, and a deleted device stays deleted', async () => {
  await seed(3)
  const before = readFleet().devices
  await api.pool.query('update device set deleted_at = now() where guid = $1', [before[0]?.guid])
  rmSync(fleetFile)
  expect((await seed(3)).addedDevices).toBe(0)
  const after = readFleet().devices
  expect(after.map(({ guid }) => guid)).toEqual(before.slice(1).map(({ guid }) => guid))
  expect(after.map(({ key }) => key)).not.toContain(before[1]?.key)
})

test('the demo starts on a database that was in real use too', async () => {
  const db = openDatabase(api.pool)
  await ensureFirstAdmin(db, { username: 'admin@wayside.local', password: PASSWORD })
  await seed(1)
  expect(await signIn(api, DEMO_ADMIN, PASSWORD)).toHaveLength(43)
})

test('devices of the demo are wired as their fitters have it, and the simulator knows that and what is off', async () => {
  await seed(24)
  const { rows } = await api.pool.query<{ guid: string; feeds: object }>(
    `select d.guid, jsonb_object_agg(f.part, f.fed_by) as feeds from device_feed f
     join device d on d.id = f.device_id group by 1`,
  )
  const told = readFleet().devices
  expect(rows.length).toBeGreaterThan(3)
  for (const { guid, feeds } of rows) {
    const device = told.find((one) => one.guid === guid)
    expect(device?.feeds).toEqual(feeds)
    if (device) expect(feedsProblem(defaultFeedChain(device.modelId, device.components), device.feeds)).toBeUndefined()
  }
  const off = () => readFleet().devices.flatMap(({ offSinceMs }) => Object.entries(offSinceMs))
  expect(off()).toEqual([['power-switch/1', expect.any(Number)]])
  const before = off()
  await seed(24)
  expect(off()).toEqual(before)
})

test('without demo devices there are users and customers only', async () => {
  await seed(0)
  expect([await count('device'), readFleet().devices]).toEqual([0, []])
})

test('the first password is generated when none is given, shown once and kept only as a hash', async () => {
  const db = openDatabase(api.pool)
  const first = await ensureFirstAdmin(db, { username: 'admin@wayside.local' })
  expect(first.generatedPassword).toMatch(/^([a-km-np-z2-9]{4}-){4}[a-km-np-z2-9]{4}$/)
  expect(await signIn(api, 'admin@wayside.local', first.generatedPassword)).toHaveLength(43)
  expect(await ensureFirstAdmin(db, { username: 'admin@wayside.local', password: PASSWORD })).toEqual({
    isNew: false,
    username: 'admin@wayside.local',
  })
  const { rows } = await api.pool.query('select u::text from app_user u')
  expect(JSON.stringify(rows)).not.toContain(first.generatedPassword)
})

test('two fresh installations share no password', async () => {
  const db = openDatabase(api.pool)
  const one = await ensureFirstAdmin(db, { username: 'one@wayside.local' })
  const other = await startApi()
  try {
    const two = await ensureFirstAdmin(openDatabase(other.pool), {
      username: 'one@wayside.local',
    })
    expect(two.generatedPassword).not.toBe(one.generatedPassword)
  } finally {
    await other.stop()
  }
})
