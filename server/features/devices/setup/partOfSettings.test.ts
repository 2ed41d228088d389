import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventsTopic } from '#contract/mqtt/topics.ts'
import { eventually } from '#server/testing/devices/gatewayFixture.ts'
import { type CommandFixture, commandFixture, type PlayedDevice } from '#server/testing/wholeServer/commandFixture.ts'

let fixture: CommandFixture
beforeAll(async () => {
  fixture = await commandFixture({ devices: 20 })
}, 120_000)
afterAll(() => fixture.close())

let next = 0
async function connected(components = DISPLAY): Promise<PlayedDevice> {
  const played = fixture.devices[next++]
  if (!played) throw new Error('More devices are needed.')
  // This model has no parts beyond its components.
  await fixture.rows('update device set model_id = 15 where id = $1', [played.device.id])
  for (const [modelId, categoryId, number] of components) {
    await fixture.rows(
      `insert into device_component (device_id, component_model_id, category_id, number) values ($1, $2, $3, $4)`,
      [played.device.id, modelId, categoryId, number],
    )
  }
  await fixture.connect(played)
  return played
}
const DISPLAY = [[17, 6, 1]]
const WITH_SENSOR = [...DISPLAY, [8, 7, 1]]
const TWO_DISPLAYS = [...DISPLAY, [17, 6, 2]]

const CALIBRATED = {
  backlight_level: 70,
  brightness: 43,
  gamma_value: 2.4,
  red_color_balance: 61,
  green_color_balance: 52,
  blue_color_balance: 47,
}
const AS_CALIBRATED = {
  brightness: 43,
  gammaValue: 2.4,
  redColorBalance: 61,
  greenColorBalance: 52,
  blueColorBalance: 47,
}
const AUTOMATIC = {
  ...{ backlight_automatic_status: 1, min_backlight: 20, max_backlight: 90 },
  ...{ min_ambient_light: 100, max_ambient_light: 20_000 },
}

async function report(played: PlayedDevice, values: Record<string, number | string>, number = 1) {
  const content = JSON.stringify({ at: new Date().toISOString(), values })
  await played.client?.publishAsync(eventsTopic(played.device.guid, 'display', number), content, { qos: 1 })
}
const apply = (call: string, played: PlayedDevice, body: object) =>
  fixture.ask(`Device/${call}`, { method: 'POST', body: { deviceId: played.device.id, ...body } })
const applyDisplay = (played: PlayedDevice, body: object) => apply('ApplyDisplaySettings', played, body)
const lastArgs = (played: PlayedDevice) => played.commands.at(-1)?.command.args

test('a display keeps what it reports of everything that is not named', async () => {
  const played = await connected()
  await report(played, CALIBRATED)
  expect(await applyDisplay(played, { dBacklightLevel: 30 })).toMatchObject({ status: 200, body: [] })
  expect(lastArgs(played)).toEqual({ displayNumber: 1, backlightLevel: 30, ...AS_CALIBRATED })
})

test('what a device reports last counts, also after it was set', async () => {
  const played = await connected()
  await report(played, CALIBRATED)
  await applyDisplay(played, { dGammaValue: 2 })
  await report(played, { gamma_value: 2.6, red_color_balance: 33 })
  await applyDisplay(played, { dBacklightLevel: 30 })
  expect(lastArgs(played)).toMatchObject({ backlightLevel: 30, gammaValue: 2.6, redColorBalance: 33 })
})

test('what is confirmed and not reported again since stays as confirmed', async () => {
  const played = await connected()
  await report(played, CALIBRATED)
  await applyDisplay(played, { dGammaValue: 2 })
  await applyDisplay(played, { dBrightness: 12 })
  expect(lastArgs(played)).toMatchObject({ backlightLevel: 70, gammaValue: 2, brightness: 12 })
})

test('what was never reported is left out, never filled with a default', async () => {
  const played = await connected()
  await report(played, { backlight_level: 70, gamma_value: 2.4 })
  expect(await applyDisplay(played, { dBacklightLevel: 30 })).toMatchObject({ status: 200, body: [] })
  expect(lastArgs(played)).toEqual({ displayNumber: 1, backlightLevel: 30, gammaValue: 2.4 })
})

test('a display that is dark now is not set dark for good, nor to the level of the moment under automatic backlight', async () => {
  const dark = await connected()
  await report(dark, { ...CALIBRATED, backlight_level: 0 })
  await applyDisplay(dark, { dGammaValue: 2 })
  expect(lastArgs(dark)).not.toHaveProperty('backlightLevel')
  const steered = await connected(WITH_SENSOR)
  await report(steered, { ...CALIBRATED, ...AUTOMATIC })
  await applyDisplay(steered, { dGammaValue: 2 })
  expect(lastArgs(steered)).not.toHaveProperty('backlightLevel')
  await applyDisplay(steered, { dBacklightLevel: 55 })
  await report(steered, { backlight_level: 88 })
  await applyDisplay(steered, { dGammaValue: 2.2 })
  expect(lastArgs(steered)).toMatchObject({ backlightLevel: 55, gammaValue: 2.2 })
})

test('what a command left out stays on record as it was confirmed, and nothing differs', async () => {
  const played = await connected()
  await report(played, CALIBRATED)
  await applyDisplay(played, { dBacklightLevel: 80, dTouchScreenStatus: 'OFF' })
  await report(played, { backlight_level: 0 })
  for (const dGammaValue of [2, 2.2]) {
    await applyDisplay(played, { dGammaValue })
    expect(lastArgs(played)).toEqual({ displayNumber: 1, ...AS_CALIBRATED, gammaValue: dGammaValue })
  }
  const { body } = await fixture.ask('Device/GetDeviceSettings', { query: { deviceId: played.device.id } })
  const whole = { displayNumber: 1, ...AS_CALIBRATED, gammaValue: 2.2, backlightLevel: 80, touchScreenStatus: 'OFF' }
  expect(body).toMatchObject({ sections: [{ desired: whole, reported: whole, reason: null }] })
})

test('a wish that is still on its way is not undone by another part', async () => {
  const played = await connected()
  await report(played, CALIBRATED)
  await played.disconnect(fixture.owner)
  await applyDisplay(played, { dGammaValue: 2 })
  await applyDisplay(played, { dBacklightLevel: 30 })
  await fixture.connect(played)
  await eventually(
    async () => played.documents.at(-1)?.sections ?? [],
    (sections) => sections.length === 1,
  )
  expect(played.documents.at(-1)?.sections[0]?.args).toMatchObject({
    gammaValue: 2,
    backlightLevel: 30,
    brightness: 43,
  })
})

test('a call that names nothing to set is refused', async () => {
  const played = await connected()
  const nothing = { status: 400, body: { message: 'Nothing to set: no setting is named.' } }
  expect(await applyDisplay(played, {})).toMatchObject(nothing)
  expect(await apply('ApplyAmbientSensorSettings', played, { number: 1 })).toMatchObject(nothing)
  expect(played.commands).toEqual([])
})

test('an ambient sensor keeps the rest of its curve; of one that never reported it, what is missing is asked for', async () => {
  const played = await connected(WITH_SENSOR)
  const missing = await apply('ApplyAmbientSensorSettings', played, { dMinBacklight: 30, dMaxBacklight: 80 })
  expect(missing).toMatchObject({
    status: 400,
    body: {
      message:
        'dBacklightAutomaticStatus is required; dMinAmbientLight is required; dMaxAmbientLight is required: the device has never reported them',
    },
  })
  // A fault in the named values is reported before missing ones.
  expect(await apply('ApplyAmbientSensorSettings', played, { dMinBacklight: 80, dMaxBacklight: 30 })).toMatchObject({
    status: 400,
    body: { message: 'The minimum cannot exceed the maximum: backlight from 80 to 30 %.' },
  })
  await report(played, AUTOMATIC)
  expect(await apply('ApplyAmbientSensorSettings', played, { dMaxBacklight: 80 })).toMatchObject({
    status: 200,
    body: [],
  })
  expect(lastArgs(played)).toEqual({
    ...{ number: 1, backlightAutomaticStatus: true, minBacklight: 20, maxBacklight: 80 },
    ...{ minAmbientLight: 100, maxAmbientLight: 20_000 },
  })
})

test('groups of off times that are not named stay where that is asked for, and are never off where it is not', async () => {
  const played = await connected()
  const workdays = { wdTimeOffFrom: '22:00', wdTimeOffTo: '06:00' }
  const weekends = { wkndTimeOffFrom: '20:00', wkndTimeOffTo: '09:00' }
  await apply('ApplyTurnDisplayOffSettings', played, workdays)
  await apply('ApplyTurnDisplayOffSettings', played, { ...weekends, leaveOthers: true })
  expect(lastArgs(played)).toEqual({ ...workdays, ...weekends, holTimeOffFrom: null, holTimeOffTo: null })
  const none = { wdTimeOffFrom: null, wdTimeOffTo: null }
  await apply('ApplyTurnDisplayOffSettings', played, { ...none, leaveOthers: true })
  expect(lastArgs(played)).toEqual({ ...none, ...weekends, holTimeOffFrom: null, holTimeOffTo: null })
  await apply('ApplyTurnDisplayOffSettings', played, workdays)
  expect(lastArgs(played)).toMatchObject({ ...workdays, wkndTimeOffFrom: null, wkndTimeOffTo: null })
})

test('a device with several displays is not set without the number of one', async () => {
  const played = await connected(TWO_DISPLAYS)
  const refused = await applyDisplay(played, { dBacklightLevel: 30 })
  expect(refused).toMatchObject({
    status: 400,
    body: { code: 'invalid_request', message: 'displayNumber is required: this device has displays 1 and 2' },
  })
  expect(played.commands).toEqual([])
  await applyDisplay(played, { displayNumber: 2, dBacklightLevel: 30 })
  expect(lastArgs(played)).toEqual({ displayNumber: 2, backlightLevel: 30 })
  const sensors = await connected([...WITH_SENSOR, [8, 7, 2], [8, 7, 3]])
  expect(await apply('ApplyAmbientSensorSettings', sensors, { dMinBacklight: 3 })).toMatchObject({
    status: 400,
    body: { message: 'number is required: this device has ambient sensors 1, 2 and 3' },
  })
  const second = await connected([[17, 6, 2]])
  await applyDisplay(second, { dBacklightLevel: 30 })
  expect(lastArgs(second)).toMatchObject({ displayNumber: 2 })
})

test('gamma between its five steps is refused with the reason', async () => {
  const played = await connected()
  for (const dGammaValue of [1.9, 2.05, 1.6, 2.8, '2.2']) {
    expect(await applyDisplay(played, { dGammaValue })).toMatchObject({
      status: 400,
      body: { message: 'dGammaValue must be one of 1.8, 2, 2.2, 2.4, 2.6' },
    })
  }
  for (const dGammaValue of [1.8, 2, 2.2, 2.4, 2.6]) {
    expect(await applyDisplay(played, { dGammaValue })).toMatchObject({ status: 200, body: [] })
  }
  await report(played, { gamma_value: 2.13 })
  await applyDisplay(played, { dBrightness: 1 })
  expect(lastArgs(played)).toMatchObject({ gammaValue: 2.13 })
})

test('devices are compared by what they report, with what is not known left out', async () => {
  const played = await connected([...TWO_DISPLAYS, [8, 7, 1]])
  await report(played, { ...CALIBRATED, ...AUTOMATIC, touch_matrix_status: 'Driver is running' })
  await report(played, { backlight_level: 60 }, 2)
  await apply('ApplyTurnDisplayOffSettings', played, { wdTimeOffFrom: '22:00', wdTimeOffTo: '06:00' })
  await played.disconnect(fixture.owner)
  await applyDisplay(played, { displayNumber: 2, dBacklightLevel: 99 })
  const { body } = await fixture.ask('Device/CompareDeviceSettings', {
    method: 'POST',
    body: { deviceIds: [played.device.id] },
  })
  expect(body).toMatchObject([
    {
      automaticDisplays: [1],
      present: [
        { section: 'display', number: 1, values: { ...AS_CALIBRATED, backlightLevel: 70, touchScreenStatus: 'ON' } },
        { section: 'display', number: 2, values: { backlightLevel: 60 } },
        { section: 'ambientSensor', number: 1, values: { backlightAutomaticStatus: true, minBacklight: 20 } },
        { section: 'turnOff', number: 1, values: { wdTimeOffFrom: '22:00', holTimeOffFrom: null } },
        { section: 'dayPlan', number: 1, values: { workdays: [], weekends: [], holidays: [] } },
      ],
    },
  ])
})
