import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Device } from '#contract/http/devices/devices.ts'
import type { DeviceId } from '#domain/ids.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { addCustomer, ask } from '#server/testing/callers.ts'

const api = await apiTest()
const city = await addCustomer(api.pool, 'City Media')
const metro = await addCustomer(api.pool, 'Metro')
const staff = await api.signedIn({ username: 'staff@staff.example', functions: [1] })
const carla = await api.signedIn({ username: 'carla@city.example', functions: [2], customerId: city })
const dan = await api.signedIn({ username: 'dan@city.example', functions: [2], customerId: city })
const mia = await api.signedIn({ username: 'mia@metro.example', functions: [2], customerId: metro })

const post = (path: string, token: string, body: object) => ask(api, path, { token, method: 'POST', body })
const set = (token: string, id: DeviceId, body: object) => post('Device/SetDeviceDetails', token, { id, ...body })
const refusal = (answer: Awaited<ReturnType<typeof set>>) => [
  answer.statusCode,
  answer.json().code,
  answer.json().message,
]
async function newDevice(): Promise<Device> {
  const created = await ask(api, 'Device/CreateDevice', {
    token: staff,
    method: 'POST',
    body: { customerId: city, modelId: 15, name: 'Kiosk' },
    headers: { 'idempotency-key': randomUUID() },
  })
  return (
    await set(staff, created.json().id, { address: 'Quay 4', tags: ['Messe'], latitude: 50, longitude: 14 })
  ).json()
}
const now = async (id: DeviceId): Promise<Device> =>
  (await ask(api, 'Device/GetDeviceById', { token: staff, query: { id } })).json()
const lastAudit = async () => (await api.pool.query('select * from audit_log order by id desc limit 1')).rows[0]

test('who changes what somebody has changed since is told who and both values, and nothing is saved', async () => {
  const { id } = await newDevice()
  await set(carla, id, { name: 'Pier 8' })
  // Another operator has changed another field after that.
  await set(staff, id, { description: 'By the ferry' })
  const refused = await set(dan, id, {
    name: 'Pier 9',
    address: 'Quay 5',
    basedOn: { name: 'Kiosk', address: 'Quay 4' },
  })
  expect(refusal(refused)).toEqual([
    409,
    'settings_changed',
    'carla@city.example has changed this meanwhile: name is "Pier 8" now, yours is "Pier 9". Nothing of yours was saved: see both, and save again.',
  ])
  expect(await now(id)).toMatchObject({ name: 'Pier 8', address: 'Quay 4' })
  expect(await lastAudit()).toMatchObject({ outcome: 'settings_changed', entity_id: id, after: null })
  expect((await set(dan, id, { name: 'Pier 9', basedOn: { name: 'Pier 8' } })).statusCode).toBe(200)
})

test('a customer reads "Staff" for staff who were faster, whatever was changed', async () => {
  const { id } = await newDevice()
  await set(staff, id, { tags: ['Rewire'], latitude: 51, longitude: 14, description: 'x'.repeat(500) })
  const basedOn = { tags: ['Messe'], latitude: 50, longitude: 14, description: '' }
  const refused = await set(carla, id, {
    tags: ['Messe', 'new'],
    latitude: 52,
    longitude: 14,
    description: 'y',
    basedOn,
  })
  expect(refusal(refused)[2]).toBe(
    `Staff has changed this meanwhile: description is "${'x'.repeat(59)}… now, yours is "y"; latitude is 51 now, yours is 52; tags is ["Rewire"] now, yours is ["Messe","new"]. Nothing of yours was saved: see both, and save again.`,
  )
})

test('two who change different fields, or the same to the same value, do not quarrel; nor does who names no base', async () => {
  const { id } = await newDevice()
  await set(carla, id, { name: 'Pier 8' })
  expect((await set(dan, id, { address: 'Quay 5', basedOn: { address: 'Quay 4' } })).statusCode).toBe(200)
  expect((await set(dan, id, { name: 'Pier 8', basedOn: { name: 'Kiosk' } })).statusCode).toBe(200)
  expect(await now(id)).toMatchObject({ name: 'Pier 8', address: 'Quay 5' })
  expect((await set(dan, id, { name: 'Pier 9' })).statusCode).toBe(200)
})

test('of two who rename a device in the same moment one is carried out and the other is refused', async () => {
  const { id } = await newDevice()
  const basedOn = { name: 'Kiosk' }
  const answers = await Promise.all([set(carla, id, { name: 'A', basedOn }), set(dan, id, { name: 'B', basedOn })])
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
})

test('who got the device from another customer learns nothing of who changed it there', async () => {
  const { id } = await newDevice()
  await set(carla, id, { name: 'Pier 8' })
  await set(staff, id, { customerId: metro })
  const refused = await set(mia, id, { name: 'Pier 9', basedOn: { name: 'Kiosk' } })
  expect(refusal(refused)[2]).toMatch(/^Somebody has changed this meanwhile: name is "Pier 8" now/)
  expect((await set(mia, id, { basedOn: { guid: 'x' } })).statusCode).toBe(400)
})
