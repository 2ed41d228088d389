import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DeviceId } from '#domain/ids.ts'
import {
  type Asked,
  addCustomer,
  addUser,
  ask,
  openSession,
  type StartedApi,
  startApi,
} from '#server/testing/callers.ts'
import { insertRelease } from '#server/testing/releases.ts'

let api: StartedApi
let owner: pg.Client
let token: string
let deviceId: DeviceId
let componentId: number
let releaseId: number
beforeAll(async () => {
  api = await startApi()
  owner = new pg.Client({ connectionString: api.ownerUrl })
  await owner.connect()
  token = await openSession(api.pool, await addUser(api.pool, { username: 'admin@staff.example', functions: [1] }))
  const body = { customerId: await addCustomer(api.pool, 'Ours', 1), modelId: 1, name: 'Whole' }
  deviceId = (await ask(api, 'Device/CreateDevice', { token, method: 'POST', body })).json().id
  await ask(api, 'Device/DownloadConfiguration', { token, query: { id: deviceId } })
  releaseId = await insertRelease(api.pool, '1.0.0')
  componentId = (await ask(api, 'Device/GetDeviceComponents', { token, query: { deviceId } })).json()[0].id
})
afterAll(async () => {
  await owner.end()
  await api.stop()
})

const post = (body: unknown): Asked => ({ method: 'POST', body })

/** The rollout that the first of these calls has made. */
const ofRollout = async () => post((await owner.query('select max(id) as id from client_rollout')).rows[0])

const CHANGES: readonly (readonly [string, () => Asked | Promise<Asked>])[] = [
  ['Device/UpdateClientVersion', () => post([deviceId])],
  ['ClientUpdate/PauseUpdate', ofRollout],
  ['ClientUpdate/ResumeUpdate', ofRollout],
  ['ClientUpdate/StopUpdate', ofRollout],
  ['Release/DelRelease', () => ({ query: { id: releaseId } })],
  ['Device/SetDeviceDetails', () => post({ id: deviceId, name: 'Half', modelId: 15, latitude: 50, longitude: 14 })],
  ['Device/SetDeviceStatus', () => ({ query: { id: deviceId, statusId: 4 } })],
  ['Device/RenewDeviceKey', () => post({ id: deviceId })],
  [
    'Device/SetDeviceComponents',
    () =>
      post([
        { deviceId, id: componentId, modelId: 3, number: 3, label: 'Half' },
        { deviceId, modelId: 19, number: 1 },
      ]),
  ],
  ['Country/SetHolidayList', () => post({ countryId: 1, year: 2027, rows: [{ date: '2027-05-05', name: 'Half' }] })],
  ['Device/DelDevice', () => ({ query: { id: deviceId } })],
]

const TABLES = [
  'device',
  'device_component',
  'device_settings',
  'device_credential',
  'device_deletion',
  'holiday_year',
  'client_release',
  'client_rollout',
  'client_update',
]

async function everything(): Promise<unknown[]> {
  const contents: unknown[] = []
  for (const table of [...TABLES, 'holiday']) {
    contents.push((await owner.query(`select t::text from ${table} t order by 1`)).rows)
  }
  return contents
}

test.each(CHANGES)('%s without its audit row changes nothing, and with it changes something', async (path, asked) => {
  await owner.query(
    `alter table audit_log add constraint full_disk check (call <> '${path}' or outcome <> 'done') not valid`,
  )
  const before = await everything()
  expect((await ask(api, path, { token, ...(await asked()) })).statusCode).toBe(500)
  expect(await everything()).toEqual(before)
  await owner.query('alter table audit_log drop constraint full_disk')
  expect((await ask(api, path, { token, ...(await asked()) })).statusCode).toBe(200)
  expect(await everything()).not.toEqual(before)
})
