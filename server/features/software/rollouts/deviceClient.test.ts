import { afterAll, beforeAll, expect, test } from 'vitest'
import { addCustomer, addUser, openSession } from '#server/testing/callers.ts'
import {
  becomes,
  type ClientFixture,
  clientFixture,
  type UpdatedDevice,
} from '#server/testing/wholeServer/clientFixture.ts'

let fixture: ClientFixture
let device: UpdatedDevice

beforeAll(async () => {
  fixture = await clientFixture()
  device = fixture.devices[0] as UpdatedDevice
})
afterAll(() => fixture.close())

const clientOf = async (token?: string) =>
  fixture.ask('Device/GetClientVersion', {
    query: { deviceId: device.device.id },
    ...(token === undefined ? {} : { token }),
  })
const clientBecomes = (isRight: (text: string) => boolean) =>
  becomes(
    async () => (await clientOf()).body,
    (body) => isRight(JSON.stringify(body)),
  )

test('a device that never said anything runs an unknown version, and has no update', async () => {
  expect((await clientOf()).body).toEqual({ version: null, newestVersion: null, update: null })
})

test('its people see what it runs and how far its update is, and after it that it is done', async () => {
  device.temper = 'onlyBegins'
  await fixture.connect(device)
  await fixture.upload('1.9.0')
  await fixture.upload('1.10.0')
  await fixture.post('Device/UpdateClientVersion', [device.device.id])
  expect(await clientBecomes((text) => text.includes('downloading'))).toMatchObject({
    version: '1.0.0',
    newestVersion: '1.10.0',
    update: { version: '1.10.0', state: 'downloading', receivedBytes: 0, reason: '' },
  })
  device.version = '1.10.0'
  await device.say(device.offers[0] as string, 'done')
  expect(await clientBecomes((text) => text.includes('"done"'))).toMatchObject({
    version: '1.10.0',
    update: { state: 'done' },
  })
})

test('what failed last is told until another update begins', async () => {
  device.temper = 'fails'
  await fixture.upload('1.11.0')
  await fixture.post('Device/UpdateClientVersion', [device.device.id])
  expect(await clientBecomes((text) => text.includes('failed'))).toMatchObject({
    version: '1.10.0',
    update: { version: '1.11.0', state: 'failed', reason: 'Version 1.1.0 did not connect within two minutes.' },
  })
})

test('it is for those who may see the device', async () => {
  const customerId = await addCustomer(fixture.owner, 'Another')
  const userId = await addUser(fixture.owner, { username: 'theirs@example.com', functions: [1], customerId })
  const foreign = await clientOf(await openSession(fixture.owner, userId))
  expect([foreign.status, foreign.body]).toMatchObject([404, { code: 'not_found' }])
})
