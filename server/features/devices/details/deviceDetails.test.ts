import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Device } from '#contract/http/devices/devices.ts'
import type { CustomerId, DeviceId, DeviceModelId } from '#domain/ids.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { addCustomer, addDevice, ask, countAuditRows } from '#server/testing/callers.ts'

const tokens: Record<'admin' | 'manager' | 'customerAdmin', string> = { admin: '', manager: '', customerAdmin: '' }
const changed: DeviceId[] = []

async function country(iso: string): Promise<number> {
  return (await api.pool.query('select id from country where iso_code = $1', [iso])).rows[0].id
}

const api = await apiTest({ onDeviceChanged: (deviceId) => changed.push(deviceId) })
const norway = await addCustomer(api.pool, 'Nordlys', await country('NO'))
const czechia = await addCustomer(api.pool, 'Praha', await country('CZ'))
const token = async (username: string, functions: (1 | 2)[], customerId?: CustomerId) =>
  api.signedIn({ username, functions, ...(customerId && { customerId }) })
tokens.admin = await token('admin@staff.example', [1])
tokens.manager = await token('manager@staff.example', [2])
tokens.customerAdmin = await token('admin@a.example', [1], norway)

type Who = keyof typeof tokens

const set = (id: DeviceId, body: object, who: Who = 'admin') =>
  ask(api, 'Device/SetDeviceDetails', { token: tokens[who], method: 'POST', body: { id, ...body } })
const get = async (id: DeviceId): Promise<Device> =>
  (await ask(api, 'Device/GetDeviceById', { token: tokens.admin, query: { id } })).json()
const newDevice = async () =>
  (
    await ask(api, 'Device/CreateDevice', {
      token: tokens.admin,
      method: 'POST',
      body: { customerId: norway, modelId: 15, name: 'Kiosk' },
      headers: { 'idempotency-key': randomUUID() },
    })
  ).json() as Device
const versionOf = async (id: DeviceId) =>
  (await api.pool.query('select version from device_settings where device_id = $1', [id])).rows[0].version
const lastAudit = async () => (await api.pool.query('select * from audit_log order by id desc limit 1')).rows[0]
const refusal = (answer: Awaited<ReturnType<typeof set>>) => [answer.statusCode, answer.json().message]

test('a record that is sent back changes nothing, and its read-only fields are ignored', async () => {
  const device = await newDevice()
  const forged = { guid: '00000000-0000-4000-8000-000000000000', statusId: 4, connStatusId: 1, iotDeviceId: 'forged' }
  const more = { lastEvent: '2026-01-01T00:00:00.000Z', activeAlerts: 7, timeZoneIsAssumed: false }
  expect((await set(device.id, { ...device, ...forged, ...more }, 'manager')).json()).toEqual(device)
  expect(await get(device.id)).toEqual(device)
  expect(await lastAudit()).toMatchObject({ call: 'Device/SetDeviceDetails', outcome: 'done', before: {}, after: {} })
  expect(await versionOf(device.id)).toBe(1)
})

test('what is left out stays, and the audit row holds exactly what was changed', async () => {
  const device = await newDevice()
  const after = { address: 'Quay 4', description: 'Beside the\nferry', internalIp: '10.0.0.7' }
  expect((await set(device.id, { ...after, name: '  Kiosk  ' }, 'manager')).json()).toEqual({ ...device, ...after })
  expect(await lastAudit()).toMatchObject({
    entity_id: device.id,
    entity_name: 'Kiosk',
    customer_id: norway,
    username: 'manager@staff.example',
    before: { address: '', description: '', internalIp: '' },
    after,
  })
  expect(changed.at(-1)).toBe(device.id)
  expect((await set(device.id, { internalIp: '' })).json()).toMatchObject({ ...after, internalIp: '' })
})

test.each([
  [{ internalIp: '10.0.7' }, 'This field internalIp is not a valid IP address.'],
  [{ externalIp: '256.0.0.1' }, 'This field externalIp is not a valid IP address.'],
  [{ name: ' ' }, 'name is required'],
  [{ latitude: 91, longitude: 0 }, 'latitude is not valid'],
  [{ latitude: 50 }, 'longitude is required'],
  [{ longitude: 14 }, 'latitude is required'],
  [{ timeZone: 'Europe/Nowhere' }, 'timeZone is not valid'],
  [{ timeZone: '+02:00' }, 'timeZone is not valid'],
  [{ modelId: 3 }, 'modelId is not valid'],
  [{ colour: 'red' }, 'colour is not a field of this call'],
  [{ id: undefined }, 'id is required'],
])('%j is refused with its message, and nothing is changed', async (body, message) => {
  const device = await newDevice()
  expect(refusal(await set(device.id, { address: 'Elsewhere', ...body }))).toEqual([400, message])
  expect(await get(device.id)).toEqual(device)
})

test('the model is changed by admins only, and the device is told', async () => {
  const device = await newDevice()
  expect((await set(device.id, { modelId: 1, name: 'Mine' }, 'manager')).statusCode).toBe(403)
  expect(await get(device.id)).toEqual(device)
  expect((await set(device.id, { modelId: 15, name: 'Mine' }, 'manager')).json()).toMatchObject({ name: 'Mine' })
  expect(await versionOf(device.id)).toBe(1)
  expect((await set(device.id, { modelId: 1 }, 'customerAdmin')).json()).toMatchObject({ modelId: 1 })
  expect(await versionOf(device.id)).toBe(2)
})

test('only staff admins move a device to another customer, whose country is then where its zone comes from', async () => {
  const device = await newDevice()
  // A customer's admin must not learn that other customers exist.
  for (const [who, status] of [
    ['manager', 403],
    ['customerAdmin', 404],
  ] as const) {
    expect((await set(device.id, { customerId: czechia }, who)).statusCode).toBe(status)
    expect((await set(device.id, { customerId: 2_000_000_000 }, who)).statusCode).toBe(status)
    expect((await set(device.id, { customerId: norway }, who)).statusCode).toBe(200)
  }
  expect((await set(device.id, { customerId: 2_000_000_000 })).statusCode).toBe(404)
  expect(await get(device.id)).toEqual(device)
  expect((await set(device.id, { customerId: czechia })).json()).toMatchObject({
    customerId: czechia,
    timeZone: 'Europe/Prague',
    timeZoneIsAssumed: true,
  })
  expect(await versionOf(device.id)).toBe(2)
  // The former values belong to the customer who had the device.
  expect(await lastAudit()).toMatchObject({ customer_id: norway, before: { customerId: norway } })
  expect((await set(device.id, { name: 'Lost' }, 'customerAdmin')).statusCode).toBe(404)
})

test('an assumed zone follows the position, a chosen one stays until the choice is taken back', async () => {
  const device = await newDevice()
  const zone = async (body: object) => {
    const { timeZone, timeZoneIsAssumed } = (await set(device.id, body, 'manager')).json()
    return [timeZone, timeZoneIsAssumed]
  }
  expect(device.timeZone).toBe('Europe/Oslo')
  expect(await zone({ latitude: 50.08, longitude: 14.43 })).toEqual(['Europe/Prague', true])
  expect(await versionOf(device.id)).toBe(2)
  // The form sends back the zone that it was given.
  expect(await zone({ latitude: 60.17, longitude: 24.94, timeZone: 'Europe/Prague' })).toEqual([
    'Europe/Helsinki',
    true,
  ])
  expect(await zone({ timeZone: 'Europe/Kyiv' })).toEqual(['Europe/Kyiv', false])
  // The settings of this device follow the sun at its position.
  expect(await zone({ latitude: 50.08, longitude: 14.43 })).toEqual(['Europe/Kyiv', false])
  expect(await versionOf(device.id)).toBe(5)
  expect(await zone({ address: 'Elsewhere', timeZone: 'Europe/Kyiv' })).toEqual(['Europe/Kyiv', false])
  expect(await versionOf(device.id)).toBe(5)
  expect(await zone({ timeZone: null })).toEqual(['Europe/Prague', true])
  expect(await zone({ latitude: null, longitude: null })).toEqual(['Europe/Oslo', true])
  expect(await get(device.id)).toMatchObject({ latitude: null, longitude: null })
})

test.each([
  [50.08, 14.43, 'Europe/Prague'],
  [-90, 0, 'Antarctica/McMurdo'],
  [0, -30, 'Etc/GMT+2'],
])('at %d, %d it is %s', async (latitude, longitude, timeZone) => {
  const answer = await ask(api, 'Device/GetTimeZoneAt', { token: tokens.manager, query: { latitude, longitude } })
  expect(answer.json()).toEqual({ timeZone })
})

test('every status but Pending and Updating can be chosen from every status', async () => {
  const { id } = await newDevice()
  const choose = (statusId: number) =>
    ask(api, 'Device/SetDeviceStatus', { token: tokens.manager, query: { id, statusId } })
  for (const from of [1, 2, 3, 4, 5, 6]) {
    for (const to of [2, 3, 4, 5]) {
      await api.pool.query('update device set status_id = $2 where id = $1', [id, from])
      changed.length = 0
      expect((await choose(to)).json()).toMatchObject({ id, statusId: to })
      const [before, after] = from === to ? [{}, {}] : [{ statusId: from }, { statusId: to }]
      expect(await lastAudit()).toMatchObject({ call: 'Device/SetDeviceStatus', before, after })
      expect(changed).toEqual([id])
    }
  }
  for (const never of [-1, 0, 1, 6, 7]) {
    expect(refusal(await choose(never))).toEqual([400, 'statusId is not valid'])
  }
  expect(await get(id)).toMatchObject({ statusId: 5 })
})

test('two operators at once lose nothing of each other', async () => {
  const { id } = await newDevice()
  const fields = ['address', 'attrSerial', 'description', 'internalIp', 'externalIp']
  for (let round = 0; round < 5; round++) {
    const answers = await Promise.all(fields.map((field) => set(id, { [field]: `10.0.0.${round}` })))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(fields.map(() => 200))
    expect(await get(id)).toMatchObject(Object.fromEntries(fields.map((field) => [field, `10.0.0.${round}`])))
  }
})

test('a refused change leaves its audit row and no other trace', async () => {
  const { id } = await addDevice(api.pool, { name: 'One', customerId: czechia, modelId: 1 as DeviceModelId })
  const before = await countAuditRows(api.pool)
  expect((await set(id, { name: 'Stolen' }, 'customerAdmin')).statusCode).toBe(404)
  expect((await countAuditRows(api.pool)) - before).toBe(1)
  expect(await lastAudit()).toMatchObject({ outcome: 'not_found', entity_id: id, entity_name: '', before: null })
  expect(await get(id)).toMatchObject({ name: 'One' })
})
