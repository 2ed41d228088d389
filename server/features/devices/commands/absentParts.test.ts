import { expect, test } from 'vitest'
import type { DeviceComponent } from '#contract/http/devices/components.ts'
import type { DeviceId } from '#domain/ids.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { addCustomer, ask } from '#server/testing/callers.ts'

const api = await apiTest()
const customerId = await addCustomer(api.pool, 'Ours')
const token = await api.signedIn({ username: 'admin@a.example', functions: [1] })

async function newDevice(modelId: number): Promise<DeviceId> {
  const body = { customerId, modelId, name: `Model ${modelId}` }
  return (await ask(api, 'Device/CreateDevice', { token, method: 'POST', body })).json().id
}
const kiosk = await newDevice(15)
const totem = await newDevice(1)
const panel = await newDevice(8)

async function press(call: string, deviceId: DeviceId, more: Record<string, string | number | boolean> = {}) {
  const answer = await ask(api, `Device/${call}`, { token, query: { deviceId, ...more } })
  return [answer.statusCode, answer.json().message]
}
async function apply(call: string, deviceId: DeviceId, more: object) {
  const answer = await ask(api, `Device/Apply${call}`, { token, method: 'POST', body: { deviceId, ...more } })
  return [answer.statusCode, answer.json().message ?? answer.json()]
}
const count = async (table: string) => (await api.pool.query(`select count(*)::int as n from ${table}`)).rows[0].n
const OFFLINE = [409, 'The device is offline. Nothing was sent.']

test('power switches are those of model 1 alone, whatever the device', async () => {
  for (const call of ['PowerSwitch1TurnOn', 'PowerSwitch1TurnOff', 'PowerSwitch2Reset']) {
    expect(await press(call, kiosk)).toEqual([400, 'This device has no power switch.'])
    expect(await press(call, panel)).toEqual([400, 'This device has no power switch.'])
    expect(await press(call, totem)).toEqual(OFFLINE)
  }
  expect(await count('device_command')).toBe(0)
})

test('a command to a part that the device does not have is refused with those that it has', async () => {
  expect(await press('UpsReboot', panel)).toEqual([400, 'This device has no UPS.'])
  expect(await press('UpsBatteryTest', panel)).toEqual([400, 'This device has no UPS.'])
  expect(await press('Router1Reset', kiosk)).toEqual([400, 'This device has no network switch.'])
  const beyond = [400, 'number is not valid: this device has only router with relay 1']
  expect(await press('ResetNetworkRouterWithRelay', kiosk, { number: 2 })).toEqual(beyond)
  expect(await press('ResetNetworkRouterWithRelayPort', kiosk, { number: 3 })).toEqual(beyond)
  expect(await press('SetNetworkRouterWithRelayOnOff', kiosk, { number: 2, on: true })).toEqual(beyond)
  const relay = [400, 'number is not valid: this device has only relay 1']
  expect(await press('ResetNetworkRelay', kiosk, { number: 2, port: 1 })).toEqual(relay)
  expect(await press('SetNetworkRelayOnOff', kiosk, { number: 2, port: 1, on: false })).toEqual(relay)
  expect(await press('ResetNetworkRelay', totem, { number: 1, port: 1 })).toEqual([
    400,
    'number is not valid: this device has no relay',
  ])
  expect(await press('TestDeviceDriver', panel, { part: 'ups' })).toEqual([
    400,
    'part is not valid: this device has no ups',
  ])
  for (const [call, more] of [
    ['UpsReboot', {}],
    ['ResetNetworkRouterWithRelay', { number: 1 }],
    ['SetNetworkRelayOnOff', { number: 1, port: 2, on: true }],
    ['TestDeviceDriver', { part: 'ups' }],
    ['RestartComputer', {}],
  ] as const) {
    expect(await press(call, kiosk, more), call).toEqual(OFFLINE)
  }
  for (const call of ['Router1Reset', 'Router2Reset', 'UpsReboot']) expect(await press(call, totem)).toEqual(OFFLINE)
})

test('a port that can only be reset is not switched', async () => {
  const read = await ask(api, 'Device/GetDeviceComponents', { token, query: { deviceId: kiosk } })
  const body = (read.json() as DeviceComponent[]).map((one) =>
    one.categoryId === 3 ? { ...one, optionPort2: 'RESET' } : one,
  )
  await ask(api, 'Device/SetDeviceComponents', { token, method: 'POST', body })
  expect(await press('SetNetworkRelayOnOff', kiosk, { number: 1, port: 2, on: true })).toEqual([
    400,
    'port is not valid: port 2 of relay 1 can only be reset',
  ])
  expect(await press('SetNetworkRelayOnOff', kiosk, { number: 1, port: 1, on: true })).toEqual(OFFLINE)
  expect(await press('ResetNetworkRelay', kiosk, { number: 1, port: 2 })).toEqual(OFFLINE)
})

test('settings of a display or sensor that the device does not have are refused, and nothing is kept', async () => {
  const dark = { dBacklightLevel: 30 }
  expect(await apply('DisplaySettings', panel, { displayNumber: 2, ...dark })).toEqual([
    400,
    'displayNumber is not valid: this device has only display 1',
  ])
  expect(await apply('DisplaySettings', totem, { displayNumber: 3, ...dark })).toEqual([
    400,
    'displayNumber is not valid: this device has only display 1',
  ])
  expect(await apply('AmbientSensorSettings', kiosk, { number: 2, ...CURVE })).toEqual([
    400,
    'number is not valid: this device has only ambient sensor 1',
  ])
  const schedule = { every: 'month', day: 1, from: '02:00', to: '04:00' }
  expect(await apply('BatteryTestSettings', panel, { schedule })).toEqual([
    400,
    'schedule is not valid: this device has no UPS',
  ])
  expect(await count('device_setting')).toBe(0)
  expect(await apply('BatteryTestSettings', panel, { schedule: null })).toEqual([200, []])
  expect(await apply('DisplaySettings', kiosk, { displayNumber: 3, ...dark })).toEqual([200, []])
  expect(await apply('DisplaySettings', totem, dark)).toEqual([200, []])
})
const CURVE = {
  dBacklightAutomaticStatus: 1,
  dMinBacklight: 10,
  dMaxBacklight: 90,
  dMinAmbientLight: 5,
  dMaxAmbientLight: 900,
}

test('no minimum exceeds its maximum, and of what is left out the value that the device is to have counts', async () => {
  const before = await count('device_setting')
  expect(await apply('AmbientSensorSettings', panel, { ...CURVE, dMinBacklight: 91 })).toEqual([
    400,
    'The minimum cannot exceed the maximum: backlight from 91 to 90 %.',
  ])
  expect(await apply('AmbientSensorSettings', panel, { ...CURVE, dMinAmbientLight: 901 })).toEqual([
    400,
    'The minimum cannot exceed the maximum: ambient light from 901 to 900 lux.',
  ])
  expect(await count('device_setting')).toBe(before)
  expect(await apply('AmbientSensorSettings', panel, { ...CURVE, dMinBacklight: 90 })).toEqual([200, []])
  expect(await apply('AmbientSensorSettings', panel, { dMaxBacklight: 80 })).toEqual([
    400,
    'The minimum cannot exceed the maximum: backlight from 90 to 80 %.',
  ])
})
