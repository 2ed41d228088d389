import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Device } from '#contract/http/devices/devices.ts'
import type { CustomerId, DeviceModelId } from '#domain/ids.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { addCustomer, ask } from '#server/testing/callers.ts'

const api = await apiTest()
const run = async (sql: string, ...values: unknown[]) => (await api.pool.query(sql, values)).rows
const harbour = await addCustomer(api.pool, 'Přístav')
const airport = await addCustomer(api.pool, 'Flughafen Köln')
const staff = await api.signedIn({ username: 'staff@a.example', functions: [1, 2] })
const pilot = await api.signedIn({ username: 'pilot@airport.example', functions: [2], customerId: airport })

async function create(name: string, customerId: CustomerId, details: Record<string, string> = {}): Promise<Device> {
  const body = { name, customerId, modelId: 15 as DeviceModelId }
  const device = (
    await ask(api, 'Device/CreateDevice', {
      token: staff,
      method: 'POST',
      body,
      headers: { 'idempotency-key': randomUUID() },
    })
  ).json() as Device
  if (Object.keys(details).length > 0) await change(device, details)
  return device
}

async function change({ id }: Device, details: Record<string, string | number>) {
  const body = { id, ...details }
  const answer = await ask(api, 'Device/SetDeviceDetails', { token: staff, method: 'POST', body })
  expect(answer.statusCode).toBe(200)
}

async function found(search: string, more: Record<string, string | number> = {}, token = staff): Promise<string[]> {
  const answer = await ask(api, 'Device/GetDeviceList', {
    token,
    query: { search, ...more, rowNum: 1, pageSize: 100 },
  })
  const { rows, total } = answer.json() as { rows: Device[]; total: number }
  expect(total).toBe(rows.length)
  return rows.map(({ name }) => name)
}

const koln = await create('Köln 0137', airport, { address: 'Æ-Straße 5', attrSerial: 'WS01-2217' })
await create('Αθήνα 0211', harbour, { address: 'Πανεπιστημίου 3' })

test('a device is found by each of its words in plain letters, from the change on that gave it them', async () => {
  for (const question of ['koln', 'Köln', 'koeln 0137', 'ae strasse', 'ws01-2217', '2217', 'flughafen', 'KO 01']) {
    expect([question, await found(question)]).toEqual([question, ['Köln 0137']])
  }
  for (const question of ['athina', 'Αθήνα', 'pristav', 'panepistimiou', 'Přístav 0211']) {
    expect([question, await found(question)]).toEqual([question, ['Αθήνα 0211']])
  }
  expect(await found('nowhere')).toEqual([])
  expect(await found(' -% ')).toEqual(['Köln 0137', 'Αθήνα 0211'])
  await change(koln, { name: 'Wesseling 1' })
  expect(await found('koln 0137')).toEqual([])
  expect(await found('wesseling')).toEqual(['Wesseling 1'])
  expect(await found('koln')).toEqual(['Wesseling 1'])
})

test('a place is asked for by its own words, alone, with a search and on the map', async () => {
  expect(await found('', { place: 'panepist' })).toEqual(['Αθήνα 0211'])
  expect(await found('athina', { place: 'Πανεπιστημίου 3' })).toEqual(['Αθήνα 0211'])
  expect(await found('', { place: 'athina' })).toEqual([])
  expect(await found('wesseling', { place: 'panepistimiou' })).toEqual([])
  await run('update device set latitude = 50, longitude = 7')
  const pins = await ask(api, 'Device/GetDevicePins', { token: staff, query: { place: 'strasse' } })
  expect(pins.json()).toMatchObject({ names: ['Wesseling 1'] })
})

test('a search goes with every other filter, stays within the scope, and pins are searched alike', async () => {
  expect(await found('0', { deviceName: 'Αθ' })).toEqual(['Αθήνα 0211'])
  expect(await found('0', { filter: 'activeConnected' })).toEqual([])
  expect(await found('a', {}, pilot)).toEqual(['Wesseling 1'])
  expect(await found('athina', {}, pilot)).toEqual([])
  await run('update device set latitude = 50, longitude = 7')
  const pins = await ask(api, 'Device/GetDevicePins', { token: staff, query: { search: 'athina' } })
  expect((pins.json() as { ids: number[] }).ids).toHaveLength(1)
})

test('devices of a customer with another name, and those that nobody folded, are found when the job had its turn', async () => {
  const body = { id: airport, name: 'Letiště' }
  expect((await ask(api, 'Customer/SetCustomer', { token: staff, method: 'POST', body })).statusCode).toBe(200)
  await run(
    `insert into device (guid, name, customer_id, model_id, iot_device_id) values (gen_random_uuid(), 'Łódź', $1, 15, '')`,
    harbour,
  )
  expect(await found('letiste')).toEqual([])
  await api.runJob('search texts')
  expect(await found('letiste')).toEqual(['Wesseling 1'])
  expect(await found('flughafen')).toEqual([])
  expect(await found('lodz')).toEqual(['Łódź'])
  await run(`update device set name = 'Gdańsk' where name = 'Łódź'`)
  expect(await found('lodz')).toEqual([])
  await api.runJob('search texts')
  expect(await found('gdansk')).toEqual(['Gdańsk'])
})

test('with many devices a search that most fit and one that few fit answer as a look at each row would', async () => {
  await run(
    `insert into device (guid, name, customer_id, model_id, iot_device_id, search_text)
     select gen_random_uuid(), 'Pier ' || n, $1, 15, '', ' pier ' || n from generate_series(1, 3000) n`,
    harbour,
  )
  await run('vacuum analyze device')
  expect(await found('pier 2999')).toEqual(['Pier 2999'])
  const count = async (search: string) =>
    (
      (await ask(api, 'Device/GetDeviceList', { token: staff, query: { search, rowNum: 1, pageSize: 1 } })).json() as {
        total: number
      }
    ).total
  expect(await count('pier')).toBe(3000)
  expect(await count('pie 77')).toBe(11)
  expect(await count('777')).toBe(3)
})
