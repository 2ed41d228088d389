import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { apiTest } from '#server/testing/apiTest.ts'
import { addCustomer, ask, type Request } from '#server/testing/callers.ts'
import { insertRelease } from '#server/testing/releases.ts'

const api = await apiTest()
const owner = new pg.Client({ connectionString: api.ownerUrl })
await owner.connect()
const token = await api.signedIn({ username: 'admin@staff.example', functions: [1] })
const body = { customerId: await addCustomer(api.pool, 'Ours', 1), modelId: 1, name: 'Whole' }
const deviceId = (await ask(api, 'Device/CreateDevice', { token, method: 'POST', body })).json().id
await ask(api, 'Device/DownloadConfiguration', { token, query: { id: deviceId } })
const releaseId = await insertRelease(api.pool, '1.0.0')
const componentId = (await ask(api, 'Device/GetDeviceComponents', { token, query: { deviceId } })).json()[0].id
afterAll(async () => {
  await owner.end()
})

const post = (body: unknown): Request => ({ method: 'POST', body })

const ofRollout = async () => post((await owner.query('select max(id) as id from client_rollout')).rows[0])

const CHANGES: readonly (readonly [string, () => Request | Promise<Request>])[] = [
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
