import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DeviceSettingsView, SettingChange } from '#contract/http/devices/setup.ts'
import type { CustomerId } from '#domain/ids.ts'
import { addUser, openSession } from '#server/testing/callers.ts'
import { type CommandFixture, commandFixture, type PlayedDevice } from '#server/testing/wholeServer/commandFixture.ts'

let fixture: CommandFixture
/** The token of the customer who owns the devices. */
let customersToken: string
let played: PlayedDevice
beforeAll(async () => {
  fixture = await commandFixture({ devices: 1 })
  played = fixture.devices[0] as PlayedDevice
  await fixture.connect(played)
  const { customerId } = (
    await fixture.rows<{ customerId: CustomerId }>('select customer_id as "customerId" from device where id = $1', [
      played.device.id,
    ])
  )[0] as { customerId: CustomerId }
  const userId = await addUser(fixture.owner, { username: 'carla@customer.example', functions: [2], customerId })
  customersToken = await openSession(fixture.owner, userId)
}, 120_000)
afterAll(() => fixture.close())

const apply = (dBrightness: number, basedOn?: string | null, token?: string) =>
  fixture.ask('Device/ApplyDisplaySettings', {
    method: 'POST',
    body: { deviceId: played.device.id, displayNumber: 1, dBrightness, ...(basedOn === undefined ? {} : { basedOn }) },
    ...(token ? { token } : {}),
  })
async function section() {
  const { body } = await fixture.ask('Device/GetDeviceSettings', { query: { deviceId: played.device.id } })
  const found = (body as DeviceSettingsView).sections.find((one) => one.section === 'display')
  if (!found) throw new Error('Nobody has set the display.')
  return found
}
async function changes(query: object = {}, token?: string) {
  const { status, body } = await fixture.ask('Device/GetSettingChangeList', {
    query: { deviceId: played.device.id, section: 'display', number: 1, ...query },
    ...(token ? { token } : {}),
  })
  expect(status).toBe(200)
  return body as { rows: SettingChange[]; next: string | null }
}
const brightnessOf = (rows: readonly SettingChange[]) =>
  rows.map(({ before, after }) => [before.brightness, after.brightness])

test('who applies to what somebody has set since is told by whom, and nothing is sent; seen, it goes through', async () => {
  expect((await apply(40, null)).status).toBe(200)
  const seen = (await section()).desiredAt
  expect((await apply(41, seen, customersToken)).status).toBe(200)
  const sent = played.commands.length
  const refused = await apply(42, seen)
  expect(refused).toMatchObject({ status: 409, body: { code: 'settings_changed' } })
  expect((refused.body as { message: string }).message).toMatch(/^carla@customer\.example has set this meanwhile\./)
  expect(played.commands).toHaveLength(sent)
  expect((await section()).desired).toMatchObject({ brightness: 41 })
  expect((await apply(42, (await section()).desiredAt)).status).toBe(200)
  expect((await section()).desired).toMatchObject({ brightness: 42 })
})

test('a customer reads "Staff" for who was faster, in the refusal and in the list', async () => {
  const seen = (await section()).desiredAt
  expect((await apply(43, seen)).status).toBe(200)
  const refused = await apply(44, seen, customersToken)
  expect((refused.body as { message: string }).message).toMatch(/^Staff has set this meanwhile\./)
  const { rows } = await changes({}, customersToken)
  expect(new Set(rows.map(({ by }) => by))).toEqual(new Set(['Staff', 'carla@customer.example']))
})

test('of two who apply in the same moment one is carried out and the other is refused', async () => {
  const seen = (await section()).desiredAt
  const answers = await Promise.all([apply(50, seen), apply(51, seen, customersToken)])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
})

test('the same values twice are no quarrel, and who names no base replaces what is there', async () => {
  const { desiredAt } = await section()
  expect((await apply(60, desiredAt)).status).toBe(200)
  expect((await apply(60, desiredAt, customersToken)).status).toBe(200)
  expect((await apply(61)).status).toBe(200)
})

test('the list tells each change with old and new, newest first and page by page, and nothing that was refused', async () => {
  const all = await changes({ limit: 200 })
  expect(all.next).toBeNull()
  expect(brightnessOf(all.rows).at(-1)).toEqual([undefined, 40])
  expect(brightnessOf(all.rows).slice(0, 3)).toEqual([
    [60, 61],
    [60, 60],
    [expect.any(Number), 60],
  ])
  expect(all.rows.flatMap(({ after }) => Object.keys(after))).not.toContain('displayNumber')
  const first = await changes({ limit: 3 })
  const second = await changes({ limit: 200, next: first.next })
  expect([...first.rows, ...second.rows]).toEqual(all.rows)
  expect((await changes({ number: 2 })).rows).toEqual([])
  expect((await changes({ section: 'turnOff' })).rows).toEqual([])
})
