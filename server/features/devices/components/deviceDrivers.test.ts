import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { getDeviceDrivers } from '#contract/http/devices/deviceDrivers.ts'
import type { DeviceId } from '#domain/ids.ts'
import { recordDiscovery, recordDriverReport } from '#server/gateway/commands/driverReport.ts'
import { readSettingsDocuments } from '#server/gateway/commands/settingsDocument.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { addCustomer, ask } from '#server/testing/callers.ts'
import { testCipher } from '#server/testing/database/testCipher.ts'

const api = await apiTest()
const customerId = await addCustomer(api.pool, 'Ours')
const token = await api.signedIn({ username: 'admin@a.example', functions: [1] })
const SECRET = 'canary-of-a-password'

async function newDevice(): Promise<DeviceId> {
  const body = { customerId, modelId: 1, name: 'Totem' }
  return (
    await ask(api, 'Device/CreateDevice', { token, method: 'POST', body, headers: { 'idempotency-key': randomUUID() } })
  ).json().id
}
const set = (deviceId: DeviceId, part: string, driver: string | null, options: object = {}) =>
  ask(api, 'Device/SetDeviceDriver', { token, method: 'POST', body: { deviceId, part, driver, options } })
const read = async (deviceId: DeviceId) =>
  getDeviceDrivers.answer.parse((await ask(api, 'Device/GetDeviceDrivers', { token, query: { deviceId } })).json())
const partOf = async (deviceId: DeviceId, key: string) => (await read(deviceId)).parts.find(({ part }) => part === key)
const sent = async (deviceId: DeviceId) =>
  (await readSettingsDocuments(api.pool, [deviceId], testCipher)).get(deviceId)?.drivers
const audits = async (deviceId: DeviceId) =>
  (
    await api.pool.query(
      `select before, after, details from audit_log where call = 'Device/SetDeviceDriver' and entity_id = $1 order by id`,
      [deviceId],
    )
  ).rows

const NUT = { host: '10.0.0.5', ups: 'cabinet', username: 'wayside' }

test('a driver that is chosen goes to the device with its secrets, which nobody is shown again', async () => {
  const deviceId = await newDevice()
  const answer = await set(deviceId, 'ups', 'nut', { ...NUT, password: SECRET })
  expect(answer.statusCode).toBe(200)
  expect(await sent(deviceId)).toEqual([{ part: 'ups', driver: 'nut', options: { ...NUT, password: SECRET } }])
  expect((await partOf(deviceId, 'ups'))?.chosen).toEqual({ driver: 'nut', options: NUT, secrets: ['password'] })
  await set(deviceId, 'ups', 'nut', { ...NUT, password: `${SECRET} 2` })
  await set(deviceId, 'ups', null)
  expect(await sent(deviceId)).toEqual([])
  const log = await audits(deviceId)
  expect(log.map(({ before, after }) => [before.driver, after.driver, after.newSecrets])).toEqual([
    [null, 'nut', ['password']],
    ['nut', 'nut', ['password']],
    ['nut', null, undefined],
  ])
  const everything = [answer.body, log, await read(deviceId)]
  expect(JSON.stringify(everything)).not.toContain(SECRET)
})

test('a secret that is left out stays, goes when it is taken away, and is to be given anew where the driver goes elsewhere', async () => {
  const deviceId = await newDevice()
  await set(deviceId, 'ups', 'nut', { ...NUT, password: SECRET })
  const passwordSent = async () => (await sent(deviceId))?.[0]?.options.password
  await set(deviceId, 'ups', 'nut', { ...NUT, ups: 'other', port: 3493 })
  expect(await passwordSent()).toBe(SECRET)
  for (const elsewhere of [
    { ...NUT, host: '10.0.0.66' },
    { ...NUT, port: 8080 },
  ]) {
    await set(deviceId, 'ups', 'nut', { ...NUT, password: SECRET })
    expect((await set(deviceId, 'ups', 'nut', elsewhere)).json().message).toContain('password must be entered again')
    expect(await passwordSent()).toBe(SECRET)
    expect((await set(deviceId, 'ups', 'nut', { ...elsewhere, password: null })).statusCode).toBe(200)
    expect(await passwordSent()).toBeUndefined()
  }
  await set(deviceId, 'ups', 'nut', { ...NUT, password: SECRET })
  await set(deviceId, 'ups', 'nut', { ...NUT, password: null })
  expect(await passwordSent()).toBeUndefined()
})

test.each([
  ['ups', 'nut', {}, 'host is required'],
  ['ups', 'nut', { host: 'ups.cabinet' }, 'host must be an IP address'],
  ['ups', 'nut', { host: '10.0.0.5', program: '/bin/sh' }, 'program is not an option of the driver nut'],
  ['ups', 'nut', { ...NUT, ups: 'a\nINSTCMD b load.off' }, 'ups must not have control characters'],
  ['display', 'nut', NUT, 'driver is no driver of display'],
  ['ups', 'magic', NUT, 'driver is no driver of ups'],
  ['camera', 'nut', NUT, 'part is no component of this device'],
])('at %s the driver %s with %j is refused: %s', async (part, driver, options, sentence) => {
  const deviceId = await newDevice()
  const answer = await set(deviceId, part, driver, options)
  expect([answer.statusCode, answer.json().code]).toEqual([400, 'invalid_driver'])
  expect(answer.json().message).toContain(sentence)
  expect(await sent(deviceId)).toEqual([])
})

test('what the device says of its drivers is shown, as long as the client that said it is the one that runs', async () => {
  const deviceId = await newDevice()
  const told = (clientVersion: string) => ({
    clientVersion,
    known: ['nut'],
    allowedNetworks: ['10.0.0.0/24'],
    parts: [{ part: 'display', setBy: 'file' as const, drivers: ['exec'], refusal: null }],
  })
  const say = async (clientVersion: string) => {
    const connection = await api.pool.connect()
    await recordDriverReport(connection, deviceId, told(clientVersion)).finally(() => connection.release())
  }
  expect((await read(deviceId)).client).toBeNull()
  await api.pool.query('insert into device_client (device_id, version) values ($1, $2)', [deviceId, '1.4.0'])
  await say('1.4.0')
  expect((await read(deviceId)).client).toEqual({ known: ['nut'], allowedNetworks: ['10.0.0.0/24'] })
  expect(await partOf(deviceId, 'display')).toMatchObject({ setBy: 'file', used: ['exec'], chosen: null })
  const outside = await set(deviceId, 'ups', 'nut', { host: '10.0.1.5' })
  expect(outside.json().message).toBe(
    "host lies in no network that the totem's own file allows the console; it allows 10.0.0.0/24",
  )
  await api.pool.query("update device_client set version = '1.3.0' where device_id = $1", [deviceId])
  expect((await read(deviceId)).client).toBeNull()
})

test('what a device has found is shown as a draft, and stays when it reports its drivers', async () => {
  const deviceId = await newDevice()
  expect((await read(deviceId)).found).toBeNull()
  const [clientVersion, part] = ['1.2.3', { part: 'ups', driver: 'nut', options: NUT, words: 'NUT answers.' }]
  const found = { clientVersion, parts: [part], seen: [{ kind: 'serial' as const, name: 'ttyUSB0' }] }
  const client = await api.pool.connect()
  expect(await recordDiscovery(client, deviceId, found)).toBe(true)
  expect(await recordDiscovery(client, deviceId, found)).toBe(false)
  await recordDriverReport(client, deviceId, { clientVersion, known: ['nut'], allowedNetworks: [], parts: [] })
  client.release()
  const shown = await read(deviceId)
  expect(shown.found).toMatchObject({ parts: [part], seen: found.seen, at: expect.stringContaining('T') })
  expect(shown.parts.find((one) => one.part === 'ups')).toMatchObject({ chosen: null, used: [] })
})
