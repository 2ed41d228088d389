import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DeviceSettingsView } from '#contract/http/devices/setup.ts'
import { sectionsOf } from '#contract/mqtt/settings.ts'
import { eventsTopic } from '#contract/mqtt/topics.ts'
import { CLIENT_FEATURES, writeClientFeatures } from '#domain/devices/clientFeatures.ts'
import { eventually } from '#server/testing/devices/gatewayFixture.ts'
import { type CommandFixture, commandFixture, type PlayedDevice } from '#server/testing/wholeServer/commandFixture.ts'

let fixture: CommandFixture
beforeAll(async () => {
  fixture = await commandFixture({ devices: 9 })
}, 120_000)
afterAll(() => fixture.close())

const NIGHT = [
  { from: '22:00', backlightPercent: 70 },
  { from: '01:00', backlightPercent: 0 },
  { from: '06:00', backlightPercent: null },
]
const BY_THE_SUN = [{ from: { sun: 'sunset', offsetMinutes: 30 }, backlightPercent: 60 }]
const EVERY_NIGHT = { workdays: NIGHT, weekends: NIGHT, holidays: NIGHT }

let next = 0
async function placed(position: { latitude: number; longitude: number } | null = null): Promise<PlayedDevice> {
  const played = fixture.devices[next++]
  if (!played) throw new Error('More devices are needed.')
  played.answerSettings = (document) => ({
    version: document.version,
    results: sectionsOf(document).map(({ section, number }) => ({ section, number, ok: true, errors: [] })),
  })
  await fixture.rows(`update device set latitude = $2, longitude = $3, time_zone = 'Europe/Berlin' where id = $1`, [
    played.device.id,
    position?.latitude ?? null,
    position?.longitude ?? null,
  ])
  await fixture.rows(
    `insert into device_component (device_id, component_model_id, category_id, number) values ($1, 17, 6, 1)`,
    [played.device.id],
  )
  return played
}
const BERLIN = { latitude: 52.52, longitude: 13.405 }

const apply = (played: PlayedDevice, body: object) =>
  fixture.ask('Device/ApplyDayPlanSettings', { method: 'POST', body: { deviceId: played.device.id, ...body } })
const view = async ({ device }: PlayedDevice) =>
  (await fixture.ask('Device/GetDeviceSettings', { query: { deviceId: device.id } })).body as DeviceSettingsView
const outcomes = async ({ device }: PlayedDevice) =>
  (
    await fixture.rows<{ outcome: string }>(
      `select outcome from audit_log where entity_id = $1 and call = 'Device/ApplyDayPlanSettings' order by id`,
      [device.id],
    )
  ).map(({ outcome }) => outcome)

/** Reports what a client says about itself when it connects. */
async function tell(played: PlayedDevice, values: Record<string, string>) {
  const content = JSON.stringify({ at: new Date().toISOString(), values })
  await played.client?.publishAsync(eventsTopic(played.device.guid, 'device', 1), content, { qos: 1 })
}

test('a plan for a device that is offline waits, goes out apart from what older clients know, and is what it has then', async () => {
  const played = await placed(BERLIN)
  expect(await apply(played, { workdays: NIGHT })).toMatchObject({ status: 200, body: [] })
  await fixture.connect(played)
  const { sections, position } = await eventually(
    () => view(played),
    (now) => now.sections[0]?.reason === null,
  )
  const wanted = { workdays: NIGHT, weekends: [], holidays: [] }
  expect(sections).toMatchObject([{ section: 'dayPlan', number: 1, desired: wanted, reported: wanted }])
  expect(position).toEqual(BERLIN)
  const [document] = played.documents
  expect(document).toMatchObject({
    sections: [],
    laterSections: [{ section: 'dayPlan', number: 1, args: wanted }],
    position: BERLIN,
  })
})

test('a kind of day that is left out stays as it is; a plan is taken back by lists without entries', async () => {
  const played = await placed()
  await fixture.connect(played)
  await apply(played, { workdays: NIGHT, holidays: NIGHT })
  await apply(played, { workdays: [], weekends: NIGHT })
  expect(played.commands.map(({ command }) => command.args)).toEqual([
    { workdays: NIGHT, weekends: [], holidays: NIGHT },
    { workdays: [], weekends: NIGHT, holidays: NIGHT },
  ])
  const [{ desiredAt } = { desiredAt: null }] = (await view(played)).sections
  expect(await apply(played, { workdays: NIGHT, basedOn: null })).toMatchObject({ body: { code: 'settings_changed' } })
  // Setting the same values again is no change that could overwrite somebody's.
  expect((await apply(played, { weekends: NIGHT, basedOn: null })).status).toBe(200)
  expect((await apply(played, { weekends: [], holidays: [], basedOn: desiredAt })).status).toBe(409)
  const query = { deviceId: played.device.id, section: 'dayPlan', number: 1 }
  const { rows } = (await fixture.ask('Device/GetSettingChangeList', { query })).body as { rows: { after: object }[] }
  expect(rows.map(({ after }) => after).at(-1)).toEqual({ workdays: NIGHT, weekends: [], holidays: NIGHT })
})

test('a client that tells its version and no day plans is refused one before anything is sent, and it says why', async () => {
  const played = await placed()
  await fixture.connect(played)
  await tell(played, { client_version: '0.9.0' })
  expect((await view(played)).knowsDayPlans).toBe(false)
  const refused = await apply(played, EVERY_NIGHT)
  expect(refused).toMatchObject({
    status: 409,
    body: {
      code: 'client_too_old',
      message: 'The client of this device does not know day plans. Update the client first; nothing was sent.',
    },
  })
  await tell(played, { client_version: '1.0.0', client_features: writeClientFeatures(CLIENT_FEATURES) })
  expect((await view(played)).knowsDayPlans).toBe(true)
  expect((await apply(played, EVERY_NIGHT)).status).toBe(200)
  expect(played.commands.map(({ command }) => command.name)).toEqual(['dayPlan.apply'])
  expect(await outcomes(played)).toEqual(['client_too_old', 'done'])
})

test('a schedule of battery tests and a data budget go the same way, and an older client is refused one and may be told to have none', async () => {
  const played = await placed()
  await fixture.connect(played)
  const schedule = { every: 'month', day: 31, from: '03:00', to: '04:00' }
  const applyTest = (body: object) =>
    fixture.ask('Device/ApplyBatteryTestSettings', { method: 'POST', body: { deviceId: played.device.id, ...body } })
  await tell(played, { client_version: '0.9.0' })
  expect(await applyTest({ schedule })).toMatchObject({ status: 409, body: { code: 'client_too_old' } })
  expect((await applyTest({ schedule: null })).status).toBe(200)
  await tell(played, { client_version: '1.0.0', client_features: writeClientFeatures(CLIENT_FEATURES) })
  expect((await applyTest({ schedule })).status).toBe(200)
  expect((await applyTest({ schedule: { ...schedule, day: 32 } })).status).toBe(400)
  expect(played.commands.map(({ command }) => [command.name, command.args])).toEqual([
    ['batteryTest.apply', { schedule: null }],
    ['batteryTest.apply', { schedule }],
  ])
  const applyBudget = (budget: object | null) =>
    fixture.ask('Device/ApplyDataBudgetSettings', { method: 'POST', body: { deviceId: played.device.id, budget } })
  expect((await applyBudget({ megabytes: 2000, billingDay: 15 })).status).toBe(200)
  expect((await applyBudget({ megabytes: 0, billingDay: 15 })).status).toBe(400)
  expect(played.commands.at(-1)?.command.args).toEqual({ budget: { megabytes: 2000, billingDay: 15 } })
  const { body } = await fixture.ask('Device/UpsBatteryTest', { query: { deviceId: played.device.id } })
  expect(body).toBe('ups.batteryTest is done.')
})

test('a plan by the sun needs a position, two entries at one time are none, and a wrong entry is named', async () => {
  const played = await placed()
  expect(await apply(played, { workdays: BY_THE_SUN })).toMatchObject({
    status: 409,
    body: { code: 'position_unknown' },
  })
  const twice = await apply(played, { workdays: [NIGHT[0], NIGHT[0]] })
  expect(twice).toMatchObject({
    status: 400,
    body: { message: 'Two entries for workdays begin at the same time: 22:00.' },
  })
  const wrong = await apply(played, { workdays: [{ from: '24:00', backlightPercent: 101 }] })
  expect(wrong.status).toBe(400)
  expect((await view(played)).sections).toEqual([])
  const elsewhere = await placed(BERLIN)
  expect((await apply(elsewhere, { workdays: BY_THE_SUN })).status).toBe(200)
})

test('another position is told to the device', async () => {
  const played = await placed(BERLIN)
  await fixture.connect(played)
  await eventually(
    async () => played.documents.length,
    (count) => count === 1,
  )
  const moved = { id: played.device.id, latitude: 48.2, longitude: 16.37 }
  await fixture.ask('Device/SetDeviceDetails', { method: 'POST', body: moved })
  await eventually(
    async () => played.documents.length,
    (count) => count === 2,
  )
  expect(played.documents[1]?.position).toEqual({ latitude: 48.2, longitude: 16.37 })
})

test('level 0 of a plan is planned darkness from when the device confirmed it', async () => {
  const played = await placed()
  await fixture.connect(played)
  await apply(played, EVERY_NIGHT)
  const { id: deviceId } = played.device
  const query = { deviceId, dateFrom: '2026-07-09T22:00:00Z', dateTo: '2026-07-10T22:00:00Z' }
  await fixture.rows(`update day_plan_history set valid_from = '2026-07-10T00:00:00Z' where device_id = $1`, [deviceId])
  expect((await fixture.ask('Device/GetPlannedDarkness', { query })).body).toEqual([
    // The plan lasts until 06:00 in Berlin; nothing was planned before it was confirmed.
    { from: '2026-07-10T00:00:00.000Z', to: '2026-07-10T04:00:00.000Z' },
  ])
})

test('who sets the brightness while a plan holds does not set the level of the plan for good', async () => {
  const played = await placed()
  await fixture.connect(played)
  await apply(played, EVERY_NIGHT)
  const content = JSON.stringify({ at: new Date().toISOString(), values: { backlight_level: 70, brightness: 43 } })
  await played.client?.publishAsync(eventsTopic(played.device.guid, 'display', 1), content, { qos: 1 })
  const body = { deviceId: played.device.id, dBrightness: 50 }
  await fixture.ask('Device/ApplyDisplaySettings', { method: 'POST', body })
  expect(played.commands.at(-1)?.command.args).toEqual({ displayNumber: 1, brightness: 50 })
})
