import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CommandsEvent } from '#contract/http/live.ts'
import { settingsReplyId } from '#contract/mqtt/settings.ts'
import type { CustomerId } from '#domain/ids.ts'
import { addCustomer, addUser, openSession } from '#server/testing/callers.ts'
import { eventually } from '#server/testing/devices/gatewayFixture.ts'
import { type HeardEvent, listenLive } from '#server/testing/liveStream.ts'
import { type CommandFixture, commandFixture } from '#server/testing/wholeServer/commandFixture.ts'

let fixture: CommandFixture
let customers: readonly [CustomerId, CustomerId]
let admin: string
beforeAll(async () => {
  fixture = await commandFixture()
  customers = [await addCustomer(fixture.owner, 'Old harbour'), await addCustomer(fixture.owner, 'New airport')]
  admin = await openSession(
    fixture.owner,
    await addUser(fixture.owner, { username: 'admin@staff.example', functions: [1] }),
  )
})
afterAll(() => fixture.close())

const tokenOf = async (username: string, customerId: CustomerId) =>
  openSession(fixture.owner, await addUser(fixture.owner, { username, functions: [2], customerId }))

const commandsIn = (heard: readonly HeardEvent[]) =>
  heard.filter(({ event }) => event === 'commands').map(({ data }) => data as CommandsEvent)

test('with the move the streams of the old customer end in every process, and nothing of after is told in them', async () => {
  const [played] = fixture.devices
  if (!played) throw new Error('There is no device.')
  const deviceId = played.device.id
  await fixture.rows('update device set customer_id = $2 where id = $1', [deviceId, customers[0]])
  const [old, own] = [await tokenOf('anna@old.example', customers[0]), await tokenOf('boris@new.example', customers[1])]
  const watched = { deviceIds: [deviceId], stateDeviceIds: [deviceId] }
  const before = await listenLive(fixture.there.localAddresses.httpUrl, old, watched)
  const staff = await listenLive(fixture.there.localAddresses.httpUrl, fixture.token, watched)
  await fixture.connect(played)
  played.answer = () => undefined
  // Nobody answers this command, so that it is under way while the device moves.
  const waiting = fixture.ask('Device/UpsReboot', { token: old, query: { deviceId } })
  await eventually(
    async () => commandsIn(before.heard).at(-1)?.commands[0],
    (command) => command?.state === 'sent' && command.username === 'anna@old.example',
  )
  const moved = await fixture.ask('Device/SetDeviceDetails', {
    token: admin,
    method: 'POST',
    body: { id: deviceId, customerId: customers[1] },
  })
  expect(moved.status).toBe(200)
  await before.ended
  const after = await listenLive(fixture.there.localAddresses.httpUrl, own, watched)
  await fixture.owner.query(`update device set status_id = 3 where id = $1`, [deviceId])
  await played.disconnect(fixture.owner)
  const isRepaired = ({ data }: HeardEvent) => (data as { statusId?: number }).statusId === 3
  expect(
    await eventually(
      async () => after.heard.some(isRepaired),
      (has) => has,
    ),
  ).toBe(true)
  expect(before.heard.some(isRepaired)).toBe(false)
  expect(commandsIn(after.heard).flatMap(({ commands }) => commands)).toEqual([])
  const seen = await eventually(
    async () => commandsIn(staff.heard).at(-1)?.commands[0]?.state,
    (state) => state === 'unknown',
  )
  expect(seen).toBe('unknown')
  expect((await waiting).status).toBeGreaterThanOrEqual(400)
  // The former customer may open a stream, but it says nothing about the device.
  const again = await listenLive(fixture.here.localAddresses.httpUrl, old, watched)
  await eventually(
    async () => again.heard.length,
    (count) => count > 0,
  )
  expect(again.heard.map(({ event }) => event)).toEqual(['ready'])
  for (const stream of [after, staff, again]) stream.close()
})

test('the Overview of another customer is not found', async () => {
  const token = await tokenOf('overview@old.example', customers[0])
  const open = (customerId: number) =>
    fixture.ask('Live/Watch', {
      token,
      method: 'POST',
      body: { deviceIds: [], stateDeviceIds: [], overviews: [customerId] },
    })
  expect((await open(customers[1])).status).toBe(404)
})

test('a wish that was on its way is taken back, and what the device has done goes back with it', async () => {
  const [played] = fixture.devices
  if (!played) throw new Error('There is no device.')
  const deviceId = played.device.id
  const settings = async () =>
    (
      await fixture.rows<{ desired: { wdTimeOffFrom: string }; reported: { wdTimeOffFrom: string } }>(
        `select desired, reported from device_setting where device_id = $1 and section = 'turnOff'`,
        [deviceId],
      )
    ).map(({ desired, reported }) => [desired?.wdTimeOffFrom, reported?.wdTimeOffFrom])
  const apply = (from: string) =>
    fixture.ask('Device/ApplyTurnDisplayOffSettings', {
      method: 'POST',
      body: { deviceId, wdTimeOffFrom: from, wdTimeOffTo: '06:00' },
    })
  await fixture.rows('update device set status_id = 2 where id = $1', [deviceId])
  played.answer = () => ({ ok: true, text: '', errors: [] })
  await fixture.connect(played)
  expect((await apply('22:00')).body).toEqual([])
  let asked = ''
  played.answer = (_, id) => {
    asked = id
    return undefined
  }
  const waiting = apply('20:00')
  await eventually(
    async () => asked,
    (id) => id !== '',
  )
  played.answerSettings = () => undefined
  const documents = played.documents.length
  await fixture.ask('Device/SetDeviceDetails', {
    token: admin,
    method: 'POST',
    body: { id: deviceId, customerId: customers[0] },
  })
  await waiting
  expect(await settings()).toEqual([['22:00', '22:00']])
  // The device carried it out after all, and reports so late.
  await played.reply(asked, { ok: true, text: '', errors: [] })
  expect(await eventually(settings, ([row]) => row?.[1] === '20:00')).toEqual([['22:00', '20:00']])
  const document = await eventually(
    async () => played.documents.slice(documents).at(-1),
    (newest) => newest !== undefined,
  )
  expect(document?.sections).toMatchObject([{ section: 'turnOff', args: { wdTimeOffFrom: '22:00' } }])
  const version = document?.version ?? 0
  const results = [{ section: 'turnOff', number: 1, ok: true, errors: [] }]
  await played.reply(settingsReplyId(version), { version, results })
  expect(await eventually(settings, ([row]) => row?.[1] === '22:00')).toEqual([['22:00', '22:00']])
})
