import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { DeviceSettingsView, SettingSection } from '#contract/http/devices/setup.ts'
import { addCustomer, addUser, openSession } from '#server/testing/callers.ts'
import { eventually } from '#server/testing/devices/gatewayFixture.ts'
import { type CommandFixture, commandFixture, type PlayedDevice } from '#server/testing/wholeServer/commandFixture.ts'

const SILENT = 'The device has not answered within 10 seconds. The change is kept and waits for the device.'

let fixture: CommandFixture
beforeAll(async () => {
  fixture = await commandFixture({ devices: 20 })
}, 120_000)
afterAll(() => fixture.close())

let next = 0
/** Gives a device that no other test uses, not connected. */
function newDevice(): PlayedDevice {
  const device = fixture.devices[next++]
  if (!device) throw new Error('More devices are needed.')
  return device
}
async function connectedDevice(): Promise<PlayedDevice> {
  const played = newDevice()
  await fixture.connect(played)
  return played
}

const SENSOR = { dBacklightAutomaticStatus: 1, dMinAmbientLight: 5, dMaxAmbientLight: 900, dMaxBacklight: 90 }
const sensorArgs = (minBacklight: number) => ({
  number: 1,
  backlightAutomaticStatus: true,
  minAmbientLight: 5,
  maxAmbientLight: 900,
  minBacklight,
  maxBacklight: 90,
})
const applySensor = (played: PlayedDevice, dMinBacklight: number, server = fixture.here) =>
  fixture.ask(
    'Device/ApplyAmbientSensorSettings',
    { method: 'POST', body: { deviceId: played.device.id, ...SENSOR, dMinBacklight } },
    server,
  )
async function view(played: PlayedDevice): Promise<DeviceSettingsView> {
  const { body } = await fixture.ask('Device/GetDeviceSettings', { query: { deviceId: played.device.id } })
  return body as DeviceSettingsView
}
const section = async (played: PlayedDevice) => (await view(played)).sections[0] as SettingSection
const isQueued = ({ headers }: { headers: Headers }) => headers.get('x-wayside-queued')
const isUnanswered = ({ headers }: { headers: Headers }) => headers.get('x-wayside-unanswered')
const audited = (played: PlayedDevice) =>
  fixture.rows<{ outcome: string; before: object; after: object }>(
    'select outcome, before, after from audit_log where entity_id = $1 order by id',
    [played.device.id],
  )
const refuses = (played: PlayedDevice, ...errors: string[]) => {
  played.answer = () => ({ ok: false, text: 'Refused.', errors })
  played.answerSettings = ({ version, sections }) => ({
    version,
    results: sections.map((one) => ({ section: one.section, number: one.number, ok: false, errors })),
  })
}

test('what a connected device confirms is desired and reported, with before and after in the audit log', async () => {
  const played = await connectedDevice()
  const first = await applySensor(played, 10)
  expect([first.status, first.body, isQueued(first)]).toEqual([200, [], null])
  await applySensor(played, 20)
  expect(played.commands.map(({ command: { name, args } }) => [name, args])).toEqual([
    ['ambientSensor.apply', sensorArgs(10)],
    ['ambientSensor.apply', sensorArgs(20)],
  ])
  const set = await view(played)
  expect(set).toMatchObject({ version: 3, timeZone: 'UTC', isOnline: true })
  expect(set.sections).toMatchObject([
    {
      section: 'ambientSensor',
      number: 1,
      desired: sensorArgs(20),
      desiredBy: 'manager@staff.example',
      reported: sensorArgs(20),
      reason: null,
      refusal: null,
    },
  ])
  const named = { section: 'ambientSensor', number: 1 }
  expect(await audited(played)).toEqual([
    { outcome: 'done', before: named, after: { ...named, ...sensorArgs(10) } },
    { outcome: 'done', before: { ...named, ...sensorArgs(10) }, after: { ...named, ...sensorArgs(20) } },
  ])
})

test('a refused wish returns to what the device has, its words are the answer, and it never gets the wish again', async () => {
  const played = await connectedDevice()
  await applySensor(played, 10)
  refuses(played, 'No such sensor.')
  const refused = await applySensor(played, 20)
  expect([refused.status, refused.body, isQueued(refused)]).toEqual([200, ['No such sensor.'], null])
  expect(await section(played)).toMatchObject({
    desired: sensorArgs(10),
    reported: sensorArgs(10),
    reason: 'refused',
    refusal: { asked: sensorArgs(20), errors: ['No such sensor.'] },
  })
  await played.disconnect(fixture.owner)
  await fixture.connect(played)
  await eventually(
    async () => played.documents.length,
    (count) => count === 2,
  )
  const [before, after] = played.documents
  expect(after?.sections).toEqual([{ section: 'ambientSensor', number: 1, args: sensorArgs(10) }])
  expect(after?.version).toBeGreaterThan((before?.version ?? 0) + 2)
})

test('a first wish that is refused leaves nothing desired', async () => {
  const played = await connectedDevice()
  refuses(played)
  expect((await applySensor(played, 20)).body).toEqual(['Refused.'])
  expect(await section(played)).toMatchObject({ desired: null, reported: null, reason: 'refused' })
})

test('wishes for an offline device wait, the newest goes out when it connects, and each is in the audit log', async () => {
  const played = newDevice()
  for (const minBacklight of [10, 20, 30]) {
    const answer = await applySensor(played, minBacklight)
    expect([answer.status, answer.body, isQueued(answer)]).toEqual([200, [], 'true'])
  }
  expect(await section(played)).toMatchObject({ desired: sensorArgs(30), reported: null, reason: 'offline' })
  await fixture.connect(played, fixture.there)
  const set = await eventually(
    () => section(played),
    ({ reported }) => reported !== null,
  )
  expect(set).toMatchObject({ desired: sensorArgs(30), reported: sensorArgs(30), reason: null })
  expect(played.documents.map(({ sections }) => sections)).toEqual([
    [{ section: 'ambientSensor', number: 1, args: sensorArgs(30) }],
  ])
  expect(played.commands).toEqual([])
  expect((await audited(played)).map(({ outcome }) => outcome)).toEqual(['done', 'done', 'done'])
})

test('what a device refuses of its settings document is told section by section', async () => {
  const played = newDevice()
  await applySensor(played, 10)
  const times = { wdTimeOffFrom: '22:00', wdTimeOffTo: '06:00' }
  const { device } = played
  await fixture.ask('Device/ApplyTurnDisplayOffSettings', { method: 'POST', body: { deviceId: device.id, ...times } })
  played.answerSettings = ({ version, sections }) => ({
    version,
    results: sections.map(({ section: name, number }) => ({
      section: name,
      number,
      ok: name === 'turnOff',
      errors: name === 'turnOff' ? [] : ['No such sensor.'],
    })),
  })
  await fixture.connect(played)
  // The version is read before the sections, so it may be one behind them.
  const { sections } = await eventually(
    () => view(played),
    (set) => set.sections[0]?.reason === 'refused' && set.version === 4,
  )
  expect(sections).toMatchObject([
    { section: 'ambientSensor', desired: null, refusal: { errors: ['No such sensor.'] } },
    { section: 'turnOff', reason: null, reported: { ...times, wkndTimeOffFrom: null } },
  ])
  const local = await fixture.ask('Device/GetDeviceLocalSettings', { query: { deviceId: device.id } })
  expect(local.body).toMatchObject({ ...times, holTimeOffTo: null })
})

test('an answer to settings that the device never got settles nothing', async () => {
  const played = newDevice()
  played.answerSettings = () => undefined
  await applySensor(played, 10)
  await fixture.connect(played)
  await eventually(
    async () => played.documents.length,
    (count) => count === 1,
  )
  const result = { section: 'ambientSensor', number: 1, ok: true, errors: [] }
  await played.reply('settings-99', { version: 99, results: [result] })
  await played.reply('settings-1', { version: 1, results: [result] })
  await played.reply('settings-2', { version: 3, results: [result] })
  expect(await section(played)).toMatchObject({ reported: null, reason: 'waiting' })
  await played.reply('settings-2', { version: 2, results: [result] })
  expect(await section(played)).toMatchObject({ reported: sensorArgs(10), reason: null })
})

test('silence leaves the wish waiting and says so; a late answer settles it, and an older one does not undo it', async () => {
  const played = await connectedDevice()
  played.answer = () => undefined
  const silences = Promise.all([applySensor(played, 10), applySensor(played, 20, fixture.there)])
  expect((await silences).map(({ body }) => body)).toEqual([[SILENT], [SILENT]])
  expect((await silences).map((silence) => [isUnanswered(silence), isQueued(silence)])).toEqual([
    ['true', null],
    ['true', null],
  ])
  const waiting = await section(played)
  expect(waiting).toMatchObject({ reported: null, reason: 'waiting' })
  const newest = waiting.desired
  const isNewest = (args: Record<string, unknown>) => args.minBacklight === newest?.minBacklight
  const idWhere = (isRight: (args: Record<string, unknown>) => boolean) =>
    played.commands.find(({ command }) => isRight(command.args))?.id ?? ''
  const [newestId, olderId] = [idWhere(isNewest), idWhere((args) => !isNewest(args))]
  expect(played.commands).toHaveLength(2)
  await played.reply(newestId, { ok: true, text: '', errors: [] })
  expect(await section(played)).toMatchObject({ desired: newest, reported: newest, reason: null })
  await played.reply(olderId, { ok: true, text: '', errors: [] })
  expect(await section(played)).toMatchObject({ desired: newest, reported: newest, reason: null })
}, 180_000)

test('an older answer that comes first is reported while the newer wish waits, and its refusal changes nothing', async () => {
  const played = await connectedDevice()
  played.answer = () => undefined
  const asked = [10, 20, 30].map(async (minBacklight, index) => {
    await vi.waitUntil(() => played.commands.length === index, { timeout: 30_000, interval: 10 })
    return applySensor(played, minBacklight)
  })
  await eventually(
    async () => played.commands.length,
    (count) => count === 3,
  )
  const [first, second, third] = played.commands.map(({ id }) => id)
  await played.reply(first ?? '', { ok: true, text: '', errors: [] })
  expect(await section(played)).toMatchObject({
    desired: sensorArgs(30),
    reported: sensorArgs(10),
    reason: 'waiting',
  })
  await played.reply(second ?? '', { ok: false, text: '', errors: ['Not that one.'] })
  expect(await section(played)).toMatchObject({ desired: sensorArgs(30), reported: sensorArgs(10), refusal: null })
  await played.reply(third ?? '', { ok: false, text: '', errors: ['Nor that one.'] })
  expect(await section(played)).toMatchObject({ desired: sensorArgs(10), reported: sensorArgs(10), reason: 'refused' })
  const answers = await Promise.all(asked)
  expect(answers.map(({ body }) => body)).toEqual([[], ['Not that one.'], ['Nor that one.']])
}, 180_000)

test('settings that went unanswered are sent again as a document once their command has expired', async () => {
  const played = await connectedDevice()
  played.answer = () => undefined
  const asked = applySensor(played, 10)
  await eventually(
    async () => played.commands.length,
    (count) => count === 1,
  )
  await fixture.rows(
    `update device_command set accepted_at = accepted_at - interval '70 s', expires_at = expires_at - interval '70 s'
     where device_id = $1`,
    [played.device.id],
  )
  expect(
    await eventually(
      () => section(played),
      ({ reason }) => reason === null,
    ),
  ).toMatchObject({ reported: sensorArgs(10) })
  expect(played.documents.at(-1)?.sections).toHaveLength(1)
  await asked
}, 180_000)

test('an apply to a deactivated device, a half group of times and a value out of range are refused and change nothing', async () => {
  const played = newDevice()
  const apply = (path: string, body: object) =>
    fixture.ask(path, { method: 'POST', body: { deviceId: played.device.id, ...body } })
  const half = await apply('Device/ApplyTurnDisplayOffSettings', { holTimeOffTo: '06:00' })
  expect(half).toMatchObject({ status: 400, body: { message: 'holTimeOffFrom is required' } })
  const wrong = await apply('Device/ApplyAmbientSensorSettings', { ...SENSOR, dMinBacklight: 101 })
  expect(wrong.status).toBe(400)
  await fixture.rows('update device set status_id = 4 where id = $1', [played.device.id])
  expect(await applySensor(played, 10)).toMatchObject({ status: 409, body: { code: 'device_deactivated' } })
  expect((await view(played)).sections).toEqual([])
  expect((await audited(played)).map(({ outcome }) => outcome)).toEqual(['device_deactivated'])
})

test('a touch screen whose state is unknown is left as it is', async () => {
  const played = await connectedDevice()
  const body = {
    deviceId: played.device.id,
    displayNumber: 1,
    dBrightness: 50,
    dBacklightLevel: 70,
    dGammaValue: 2.2,
    dRedColorBalance: 50,
    dGreenColorBalance: 50,
    dBlueColorBalance: 50,
  }
  await fixture.ask('Device/ApplyDisplaySettings', { method: 'POST', body })
  await fixture.ask('Device/ApplyDisplaySettings', { method: 'POST', body: { ...body, dTouchScreenStatus: 'OFF' } })
  const [unknown, off] = played.commands.map(({ command }) => command.args)
  expect(unknown).not.toHaveProperty('touchScreenStatus')
  expect(off).toMatchObject({ displayNumber: 1, touchScreenStatus: 'OFF', gammaValue: 2.2 })
  expect(await section(played)).toMatchObject({ section: 'display', number: 1, reason: null })
})

test('devices are compared before they are set, and one that the caller may not see refuses the whole call', async () => {
  const [one, other] = [newDevice(), newDevice()]
  await applySensor(one, 10)
  await fixture.rows(
    `insert into device_component (device_id, component_model_id, category_id, number)
     values ($1, 11, 6, 2), ($1, 11, 6, 1), ($1, 5, 4, 1)`,
    [one.device.id],
  )
  const ids = [one, other].map(({ device }) => device.id)
  const ask = (deviceIds: readonly number[], token = fixture.token) =>
    fixture.ask('Device/CompareDeviceSettings', { method: 'POST', body: { deviceIds }, token })
  const { body } = await ask([...ids, ...ids])
  const compared = (body as { deviceId: number }[]).toSorted((a, b) => a.deviceId - b.deviceId)
  expect(compared).toMatchObject([
    { deviceId: ids[0], isOnline: false, displayNumbers: [1, 2], sections: [{ desired: sensorArgs(10) }] },
    { deviceId: ids[1], statusId: 1, modelId: 1, displayNumbers: [1], sections: [] },
  ])
  const theirs = await addCustomer(fixture.owner, 'Theirs')
  const stranger = await addUser(fixture.owner, {
    username: 'manager@theirs.example',
    functions: [2],
    customerId: theirs,
  })
  await fixture.rows('update device set customer_id = $2 where id = $1', [ids[1], theirs])
  const token = await openSession(fixture.owner, stranger)
  expect((await ask([ids[1] ?? 0], token)).status).toBe(200)
  expect((await ask(ids, token)).status).toBe(404)
})

test('the settings tell a device its components with their sensors and rules, and the holidays of its country', async () => {
  const played = newDevice()
  const rule = { number: 1, active: true, operator: 'GT', measurement: 4101, conditionValue: 5, thenValue: 1 }
  const rules = [{ ...rule, elseValue: 0, logicalName: 'Warm' }]
  const countries = await fixture.rows<{ id: number }>(`select id from country where iso_code = 'AT'`)
  const customer = await addCustomer(fixture.owner, 'In Austria', countries[0]?.id)
  await fixture.rows('update device set customer_id = $2 where id = $1', [played.device.id, customer])
  await fixture.rows(
    `insert into device_component (device_id, component_model_id, category_id, number, als, json_settings)
     values ($1, 11, 6, 1, 2, null), ($1, 12, 17, 1, null, $2)`,
    [played.device.id, JSON.stringify(rules)],
  )
  await fixture.connect(played)
  await eventually(
    async () => played.documents.length,
    (count) => count === 1,
  )
  const [document] = played.documents
  expect(document?.components).toMatchObject([
    { number: 1, als: 2, buttonRules: null },
    { number: 1, als: null, buttonRules: rules },
  ])
  expect(document?.holidays.some((date) => date.endsWith('-12-25'))).toBe(true)
})
