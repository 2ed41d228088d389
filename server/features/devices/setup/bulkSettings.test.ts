import { afterAll, beforeAll, expect, test } from 'vitest'
import { setDeviceStatus } from '#contract/http/devices/details.ts'
import { addUser, openSession } from '#server/testing/callers.ts'
import { eventually } from '#server/testing/devices/gatewayFixture.ts'
import { type CommandFixture, commandFixture, type PlayedDevice } from '#server/testing/wholeServer/commandFixture.ts'

const DEVICES = 100

let fixture: CommandFixture
beforeAll(async () => {
  fixture = await commandFixture({ devices: DEVICES })
  await Promise.all(fixture.devices.map((played) => fixture.connect(played)))
}, 120_000)
afterAll(() => fixture.close())

const idOf = ({ device }: PlayedDevice) => ({ deviceId: device.id })
const brightness = (played: PlayedDevice, dBrightness: number) =>
  fixture.ask('Device/ApplyDisplaySettings', {
    method: 'POST',
    body: { ...idOf(played), displayNumber: 1, dBrightness },
  })
const counted = (statuses: readonly number[]) =>
  Object.fromEntries([...Map.groupBy(statuses, (status) => status)].map(([status, all]) => [status, all.length]))

test('of settings for a hundred devices that are asked for at once all are accepted, and each device answers', async () => {
  const answers = await Promise.all(fixture.devices.map((played) => brightness(played, 41)))
  expect(counted(answers.map(({ status }) => status))).toEqual({ 200: DEVICES })
  expect(answers.map(({ body }) => body)).toEqual(Array(DEVICES).fill([]))
  expect(fixture.devices.map(({ commands }) => commands.length)).toEqual(Array(DEVICES).fill(1))
})

test('while a hundred devices are silent, whoever waits for them may read and change other things', async () => {
  const [other, ...silent] = fixture.devices as [PlayedDevice, ...PlayedDevice[]]
  const answered = silent.map(({ answer }) => answer)
  for (const played of silent) played.answer = () => undefined
  const asked = silent.map((played) => brightness(played, 42))
  const heard = () => silent.filter(({ commands }) => commands.length === 2).length
  await eventually(
    async () => heard(),
    (count) => count === silent.length,
    9_000,
  )
  expect(heard()).toBe(silent.length)
  const body = { id: other.device.id, statusId: 2 }
  expect((await fixture.ask(setDeviceStatus.path, { method: 'POST', body })).status).toBe(200)
  expect((await fixture.ask('Device/GetDeviceCommandList', { query: idOf(other) })).status).toBe(200)
  for (const [index, played] of silent.entries()) {
    played.answer = answered[index] as PlayedDevice['answer']
    await played.reply(played.commands[1]?.id ?? '', { ok: true, text: 'At last.', errors: [] })
  }
  expect(counted((await Promise.all(asked)).map(({ status }) => status))).toEqual({ 200: silent.length })
})

test('of a hundred power commands at once sixty are carried out, and the others are too many for this minute', async () => {
  const userId = await addUser(fixture.owner, { username: 'hasty@staff.example', functions: [2] })
  const token = await openSession(fixture.owner, userId)
  const answers = await Promise.all(
    fixture.devices.map((played) => fixture.ask('Device/UpsReboot', { token, query: idOf(played) })),
  )
  const codes = answers.map(({ status, body }) => (status === 200 ? 'done' : (body as { code: string }).code))
  expect(Object.fromEntries([...Map.groupBy(codes, (code) => code)].map(([code, all]) => [code, all.length]))).toEqual({
    done: 60,
    too_many_commands: DEVICES - 60,
  })
})

test('who hangs up while it waits for its turn has changed nothing', async () => {
  const holder = await fixture.owner.connect()
  await holder.query('begin')
  await holder.query('select from device for update')
  const leaving = new AbortController()
  const address = `${fixture.here.localAddresses.httpUrl}/api/Device/ApplyDisplaySettings`
  const asked = fixture.devices.map(({ device }) =>
    fetch(address, {
      method: 'POST',
      headers: { authorization: `Bearer ${fixture.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ deviceId: device.id, displayNumber: 1, dBrightness: 43 }),
      signal: leaving.signal,
    }).catch(() => undefined),
  )
  const locking = () =>
    fixture.rows(`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`)
  const waiting = await eventually(locking, ({ length }) => length >= 8)
  leaving.abort()
  await Promise.all(asked)
  await holder.query('rollback')
  holder.release()
  // This change is requested after all of them, so it runs after them.
  expect((await brightness(fixture.devices[0] as PlayedDevice, 44)).status).toBe(200)
  const changed = await fixture.rows(`select from device_setting where desired ->> 'brightness' = '43'
    union all select from device_command where args ->> 'brightness' = '43'`)
  expect(waiting).toHaveLength(8)
  expect(changed.length).toBeLessThanOrEqual(2 * 8)
})
