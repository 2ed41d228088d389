import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DeviceSettingsView } from '#contract/http/devices/setup.ts'
import { LARGEST_SETTINGS_VERSION } from '#contract/mqtt/settings.ts'
import { eventually } from '#server/testing/devices/gatewayFixture.ts'
import { type CommandFixture, commandFixture, PlayedDevice } from '#server/testing/wholeServer/commandFixture.ts'
import { passTime } from '#testing/passTime.ts'

let fixture: CommandFixture
beforeAll(async () => {
  fixture = await commandFixture({ devices: 7 })
}, 120_000)
afterAll(() => fixture.close())

let next = 0
/** Plays an agent that refuses settings older than what it holds, and replies with the version that it holds. */
function deviceThatHolds(held: number, known?: PlayedDevice): PlayedDevice {
  const played = known ? new PlayedDevice(known.device) : (fixture.devices[next++] as PlayedDevice)
  played.answerSettings = ({ version, sections }) => {
    if (version < held) return { version: held, results: [] }
    held = version
    return { version, results: sections.map(({ section, number }) => ({ section, number, ok: true, errors: [] })) }
  }
  // The reply names the version that the agent holds in its topic too.
  const reply = played.reply.bind(played)
  played.reply = (_id, content) => reply(`settings-${(content as { version: number }).version}`, content)
  return played
}
const applySensor = (played: PlayedDevice, dMinBacklight: number) =>
  fixture.ask('Device/ApplyAmbientSensorSettings', {
    method: 'POST',
    body: {
      ...{ deviceId: played.device.id, dBacklightAutomaticStatus: 1, dMinAmbientLight: 5, dMaxAmbientLight: 900 },
      ...{ dMinBacklight, dMaxBacklight: 90 },
    },
  })
const section = async (played: PlayedDevice) => {
  const { body } = await fixture.ask('Device/GetDeviceSettings', { query: { deviceId: played.device.id } })
  return (body as DeviceSettingsView).sections[0]
}
const versionOf = async ({ device }: PlayedDevice) =>
  (await fixture.rows<{ version: number }>('select version from device_settings where device_id = $1', [device.id]))[0]
    ?.version

test('what a device is told becomes newer than what it holds of another server, and reaches it', async () => {
  const played = deviceThatHolds(9)
  await applySensor(played, 10)
  await fixture.connect(played)
  const settled = await eventually(
    () => section(played),
    (one) => one?.reason === null,
  )
  expect(settled).toMatchObject({ reported: { minBacklight: 10 }, reason: null })
  expect(played.documents.map(({ version }) => version)).toEqual([2, 10])
  expect(await versionOf(played)).toBe(10)
})

test('so does what nobody wished for by a section: components, drivers, an offer, holidays', async () => {
  const played = deviceThatHolds(41)
  await fixture.connect(played, fixture.there)
  await eventually(
    async () => played.documents.length,
    (count) => count === 2,
  )
  expect(played.documents.map(({ version }) => version)).toEqual([1, 42])
  expect(played.documents[1]).toEqual({ ...played.documents[0], version: 42 })
})

test('an answer that is as new as what was told changes no version', async () => {
  const played = deviceThatHolds(1)
  await applySensor(played, 10)
  await fixture.connect(played)
  await eventually(
    () => section(played),
    (one) => one?.reason === null,
  )
  await played.reply('', { version: 2, results: [] })
  await played.reply('', { version: 1, results: [] })
  expect(await versionOf(played)).toBe(2)
  expect(played.documents).toHaveLength(1)
})

const viewOf = async (played: PlayedDevice) =>
  (await fixture.ask('Device/GetDeviceSettings', { query: { deviceId: played.device.id } })).body as DeviceSettingsView
const usedUpSince = async (played: PlayedDevice) => (await viewOf(played)).versionsUsedUpSince

test.each([2_000_000_000, LARGEST_SETTINGS_VERSION, Number.MAX_SAFE_INTEGER])(
  'a device that claims %s poisons no version of the server, and is told to need another key until it takes settings again',
  async (held) => {
    const played = deviceThatHolds(held)
    await fixture.connect(played)
    const since = await eventually(
      () => usedUpSince(played),
      (at) => at !== null,
    )
    expect(await applySensor(played, 10)).toMatchObject({ status: 200 })
    expect(await versionOf(played)).toBe(2)
    // The device repeats this with each document, and its version stays.
    await played.reply('', { version: held, results: [] })
    await passTime(500, 'an answer would have been stored')
    expect(await usedUpSince(played)).toBe(since)
    expect(await versionOf(played)).toBe(2)

    // A new key makes the device accept any version.
    await played.disconnect(fixture.owner)
    const renewed = deviceThatHolds(0, played)
    await fixture.connect(renewed, fixture.there)
    await eventually(
      () => usedUpSince(renewed),
      (at) => at === null,
    )
  },
)

test('a device that always claims a newer version than it is sent gets few documents, and is told to need another key', async () => {
  const played = deviceThatHolds(0)
  played.answerSettings = ({ version }) => ({ version: version + 1, results: [] })
  await fixture.connect(played)
  const since = await eventually(
    () => usedUpSince(played),
    (at) => at !== null,
  )
  const claimMore = async () => played.reply('', { version: ((await versionOf(played)) ?? 1) + 1, results: [] })
  for (let claim = 0; claim < 10; claim++) await claimMore()
  await passTime(500, 'a document would have come')
  // The device is sent a document when it connects, and one above each of five claims.
  expect(played.documents.map(({ version }) => version)).toEqual([1, 3, 5, 7, 9, 11])

  // An hour later it is sent settings again, because it may have been on another server; it stays marked until it
  // accepts them.
  await fixture.owner.query(
    "update device_settings set raised_since = raised_since - interval '1 hour' where device_id = $1",
    [played.device.id],
  )
  played.answerSettings = ({ version }) => ({ version, results: [] })
  await claimMore()
  await eventually(
    () => usedUpSince(played),
    (at) => at === null,
  )
  expect(since).not.toBe(null)
  expect(played.documents).toHaveLength(7)
})
