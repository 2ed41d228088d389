import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { DeviceComponent } from '#contract/http/devices/components.ts'
import { COMPONENT_MODELS } from '#domain/components/componentModels.ts'
import { componentProblem } from '#domain/components/componentRules.ts'
import { newButtonRule } from '#domain/displays/buttonRules.ts'
import type { DeviceId } from '#domain/ids.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { addCustomer, addDevice, ask } from '#server/testing/callers.ts'

const api = await apiTest()
const customerId = await addCustomer(api.pool, 'Ours')
const token = await api.signedIn({ username: 'admin@a.example', functions: [1] })

type Wire = Partial<DeviceComponent>

const save = (body: readonly Wire[]) => ask(api, 'Device/SetDeviceComponents', { token, method: 'POST', body })
const read = async (deviceId: DeviceId): Promise<DeviceComponent[]> =>
  (await ask(api, 'Device/GetDeviceComponents', { token, query: { deviceId } })).json()
const rows = async (deviceId: DeviceId) =>
  (await api.pool.query('select * from device_component where device_id = $1 order by id', [deviceId])).rows
const versionOf = async (deviceId: DeviceId) =>
  (await api.pool.query('select version from device_settings where device_id = $1', [deviceId])).rows[0]?.version
const lastAudit = async () => (await api.pool.query('select * from audit_log order by id desc limit 1')).rows[0]

async function newDevice(modelId: number): Promise<DeviceId> {
  const body = { customerId, modelId, name: `Model ${modelId}` }
  return (
    await ask(api, 'Device/CreateDevice', { token, method: 'POST', body, headers: { 'idempotency-key': randomUUID() } })
  ).json().id
}

const display = (deviceId: DeviceId, number: number, more: Wire = {}): Wire => ({
  deviceId,
  modelId: 7,
  number,
  label: `Display ${number}`,
  ...more,
})

test('what a new device has reads with its categories, and saves as it was read', async () => {
  for (const modelId of [1, 2, 8, 15, 16, 22]) {
    const deviceId = await newDevice(modelId)
    const read1 = await read(deviceId)
    expect((await save(read1)).json()).toEqual(read1)
    expect(await versionOf(deviceId)).toBe(1)
  }
  const [ecu, , front] = await read(await newDevice(1))
  expect(ecu).toMatchObject({ modelId: 3, categoryId: 2, category: 'ECU', event_type_id: 1, removed: false })
  expect(front).toMatchObject({
    category: 'Display',
    event_type_id: 4,
    als: 1,
    touchMatrix: 1,
    touch_matrix: 1,
  })
})

test('added, changed and removed ones are saved together, audited with before and after, and the device is told', async () => {
  const deviceId = await newDevice(2)
  const before = await read(deviceId)
  const [screen, sensor] = before
  const answer = await save([
    { ...screen, label: 'Front', als: 2, touchMatrix: 1, modelId: 17 },
    { ...sensor, removed: true },
    { deviceId, id: -1, modelId: 8, number: 2 },
    { deviceId, id: -2, modelId: 10, number: 1 },
    {
      deviceId,
      id: -3,
      modelId: 4,
      number: 2,
      label: 'Relay',
      labelPort1: 'PC',
      labelPort2: 'LCD',
      optionPort2: 'RESET',
    },
    { deviceId, id: -4, modelId: 5, number: 1, removed: true },
  ])
  const after = answer.json() as DeviceComponent[]
  expect(
    after.map(({ categoryId, number, label, optionPort1, optionPort2 }) => [
      categoryId,
      number,
      label,
      optionPort1,
      optionPort2,
    ]),
  ).toEqual([
    [3, 2, 'Relay', 'FULL', 'RESET'],
    [6, 1, 'Front', '', ''],
    [7, 2, '', '', ''],
    [9, 1, '', '', ''],
  ])
  expect(after[1]).toMatchObject({ id: screen?.id, als: 2, touchMatrix: 1, touch_matrix: 1, modelId: 17 })
  expect(after.every(({ id }) => id > 0)).toBe(true)
  expect(await read(deviceId)).toEqual(after)
  expect(await versionOf(deviceId)).toBe(2)
  const audit = await lastAudit()
  expect(audit).toMatchObject({
    call: 'Device/SetDeviceComponents',
    outcome: 'done',
    entity_id: deviceId,
    customer_id: customerId,
  })
  expect(audit.before.components.map(({ id }: { id: number }) => id)).toEqual(before.map(({ id }) => id))
  expect(audit.after.components.map(({ id }: { id: number }) => id)).toEqual(after.map(({ id }) => id))
})

test('components that are not sent stay as they are, and count for the rules', async () => {
  const deviceId = await newDevice(1)
  const before = await read(deviceId)
  expect((await save([display(deviceId, 2)])).json()).toHaveLength(before.length + 1)
  const refused = await save([display(deviceId, 1)])
  expect([refused.statusCode, refused.json()]).toEqual([
    400,
    { code: 'invalid_components', message: 'Component number 1 is already used in Display!' },
  ])
})

test('ports that nothing is plugged into are kept, of network switches alone, and shown on their tiles', async () => {
  const deviceId = await newDevice(1)
  const before = await read(deviceId)
  const switches = before.filter(({ modelId }) => modelId === 14)
  const [first, second] = switches
  expect(first).toMatchObject({ unusedPorts: [], isExpected: false })
  const saved = await save([
    { ...first, unusedPorts: [2, 2] },
    { ...second, unusedPorts: [2, 1] },
    { ...before[0], unusedPorts: [1] },
  ])
  expect(saved.statusCode, saved.body).toBe(200)
  const after = await read(deviceId)
  expect(after.map(({ unusedPorts }) => unusedPorts).filter((ports) => ports.length > 0)).toEqual([[2], [1, 2]])
  const tiles = (await ask(api, 'Device/GetDeviceDashboardData', { token, query: { deviceId } })).json()
  const names = tiles.map(({ field_name }: { field_name: string }) => field_name)
  expect(names.filter((name: string) => name.startsWith('Network port'))).toEqual([
    'Network port 1',
    'Network port 2 (not in use)',
    'Network port 3 (not in use)',
    'Network port 4 (not in use)',
  ])
  expect((await save([{ ...first, unusedPorts: [3] }])).json().message).toContain('unusedPorts')
})

test('a save tells every process that other conditions are judged on the device, and wakes what closes their alerts', async () => {
  const deviceId = await newDevice(1)
  const networkSwitch = (await read(deviceId)).find(({ modelId }) => modelId === 14)
  const listening = await api.pool.connect()
  onTestFinished(() => listening.release(true))
  const heard: string[] = []
  listening.on('notification', ({ channel, payload }) => heard.push(`${channel} ${payload}`))
  await listening.query('listen wayside_alert_rules; listen wayside_jobs')
  await save([{ ...networkSwitch, unusedPorts: [1] }])
  await vi.waitFor(
    () => expect(heard).toEqual([`wayside_alert_rules ${deviceId}`, 'wayside_jobs stray alerts']),
    30_000,
  )
})

test('two components can exchange their numbers', async () => {
  const deviceId = await newDevice(15)
  const screens = (await read(deviceId)).filter(({ categoryId }) => categoryId === 6)
  const turned = screens.map((screen) => ({ ...screen, number: 4 - screen.number }))
  const after = (await save(turned)).json() as DeviceComponent[]
  expect(after.filter(({ categoryId }) => categoryId === 6).map(({ id }) => id)).toEqual(
    screens.map(({ id }) => id).reverse(),
  )
})

test.each([
  [
    'a number beyond the limit',
    (id: DeviceId) => [display(id, 4)],
    'Component numbers must start with 1 and maximum number for Display is 3.',
  ],
  [
    'a number before a missing label',
    (id: DeviceId) => [display(id, 2, { label: '' }), display(id, 0)],
    'Component numbers must start with 1 and maximum number for Display is 3.',
  ],
  [
    'a touch screen at two displays',
    (id: DeviceId) => [display(id, 2, { touchMatrix: 1 }), display(id, 3, { touchMatrix: 1 })],
    'Touch screen 1 is set in display 2 and 3, one touch screen can be linked only to one display!',
  ],
  ['a missing label', (id: DeviceId) => [display(id, 2, { label: '' })], 'Display 2 label is required'],
  ['a missing model', (id: DeviceId) => [display(id, 2, { modelId: 0 })], 'Model is required'],
  ['a model that is not offered', (id: DeviceId) => [display(id, 1, { modelId: 9 })], 'Model is not valid'],
  ['a foreign category', (id: DeviceId) => [display(id, 2, { categoryId: 5 })], 'categoryId is not valid'],
])('%s is refused, and nothing of the save is kept', async (_, body, message) => {
  const deviceId = await newDevice(2)
  const before = await rows(deviceId)
  const answer = await save([{ deviceId, modelId: 5, number: 1 }, ...body(deviceId)])
  expect([answer.statusCode, answer.json()]).toEqual([400, { code: 'invalid_components', message }])
  expect(await rows(deviceId)).toEqual(before)
  expect(await versionOf(deviceId)).toBe(1)
  expect(await lastAudit()).toMatchObject({
    outcome: 'invalid_components',
    details: message,
    before: null,
    after: null,
  })
})

test('components of two devices, or one of another device, refuse the whole save', async () => {
  const [own, other] = [await newDevice(2), await newDevice(2)]
  const [ofOther] = await read(other)
  const before = [await rows(own), await rows(other)]
  const wrong = [
    [display(own, 2), display(other, 2)],
    [display(own, 2), { ...ofOther, deviceId: own, label: 'Stolen' }],
    [display(own, 2), { ...ofOther, deviceId: own, removed: true }],
    [display(own, 2, { id: 2_000_000_000 })],
  ]
  for (const body of wrong) {
    const answer = await save(body)
    expect([answer.statusCode, answer.json().code]).toEqual([404, 'not_found'])
  }
  expect([await rows(own), await rows(other)]).toEqual(before)
})

test('a body that is no list, or an empty one, is refused', async () => {
  for (const body of [{}, [], null, [[]], [{ deviceId: 1, modelId: 7, number: 1, colour: 'red' }]]) {
    const answer = await ask(api, 'Device/SetDeviceComponents', { token, method: 'POST', body })
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'invalid_request'])
  }
})

test('the settings of the five-button module are kept as they were sent', async () => {
  const deviceId = await newDevice(15)
  const buttons = (await read(deviceId)).find(({ modelId }) => modelId === 21)
  const jsonSettings = [
    { ...newButtonRule(1), active: true, measurement: 4101, conditionValue: 60.1, thenValue: 1, logicalName: 'Heat' },
    newButtonRule(5),
  ]
  const after = (await save([{ ...buttons, jsonSettings }])).json() as DeviceComponent[]
  expect(after.find(({ modelId }) => modelId === 21)?.jsonSettings).toEqual(jsonSettings)
  const refused = await save([{ ...buttons, jsonSettings: [{ ...newButtonRule(1), active: true }] }])
  expect(refused.json().message).toBe('Yocto button 1 item 1 measurement is required')
})

test('the extended list knows models, limits and newest reports', async () => {
  const deviceId = await newDevice(1)
  await api.pool.query(
    `insert into device_state (device_id, event_type_id, number, newest_at, received_at, fields)
     values ($1, 4, 1, '2026-11-20T10:00:00Z', now(), '{}'), ($1, 7, 1, '2026-11-20T11:00:00Z', now(), '{}')`,
    [deviceId],
  )
  const list = (await ask(api, 'Device/GetDeviceComponentsExt', { token, query: { deviceId } })).json()
  const facts = list.map((one: Record<string, unknown>) => [
    one.modelName,
    one.number,
    one.maximumNumber,
    one.lastReport,
  ])
  expect(facts).toEqual([
    ['ECU', 1, 3, null],
    ['UPS', 1, 1, null],
    ['Display_ALT_1920', 1, 3, '2026-11-20T10:00:00.000Z'],
    ['AmbientSensor', 1, 3, null],
    ['TouchMatrix', 1, 3, null],
    ['NetworkSwitch', 1, 2, '2026-11-20T11:00:00.000Z'],
    ['NetworkSwitch', 2, 2, null],
  ])
})

test('saves at the same time come one after the other, and none breaks a rule', async () => {
  const { id: deviceId } = await addDevice(api.pool, { name: 'Busy', customerId })
  for (let round = 0; round < 5; round++) {
    const answers = await Promise.all([1, 2, 3, 1, 2, 3].map((number) => save([display(deviceId, number)])))
    const list = await read(deviceId)
    expect(list.map(({ number }) => number)).toEqual([1, 2, 3])
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(3)
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200, 400]))
    await save(list.map((component) => ({ ...component, removed: true })))
    expect(await read(deviceId)).toEqual([])
  }
})

const edit = fc.record({
  modelId: fc.constantFrom(...COMPONENT_MODELS.filter(({ isOffered }) => isOffered).map(({ id }) => id as number)),
  number: fc.integer({ min: 0, max: 4 }),
  touchMatrix: fc.option(fc.integer({ min: 1, max: 3 })),
  label: fc.constantFrom('', 'Label'),
  /** Names the saved component that is edited; a number beyond the last adds one. */
  place: fc.nat({ max: 8 }),
  removed: fc.boolean(),
})

test('whatever is saved in whatever order, the device never has components that break a rule', async () => {
  let saves = 0
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(edit, { minLength: 1, maxLength: 5 }), { maxLength: 8 }), async (sequence) => {
      const { id: deviceId } = await addDevice(api.pool, { name: 'Random', customerId })
      for (const edits of sequence) {
        const before = await read(deviceId)
        const body = edits.map(({ place, ...more }, index) => ({
          ...more,
          ...{ deviceId, id: before[place]?.id ?? -index, labelReset: 'Reset', labelPort1: 'One', labelPort2: 'Two' },
        }))
        const answer = await save(body)
        const after = await read(deviceId)
        expect([200, 400]).toContain(answer.statusCode)
        if (answer.statusCode === 200) saves++
        else expect(after).toEqual(before)
        expect(componentProblem(after)).toBeUndefined()
        expect(new Set(after.map(({ categoryId, number }) => `${categoryId}/${number}`)).size).toBe(after.length)
      }
    }),
    { numRuns: 40 },
  )
  expect(saves).toBeGreaterThan(10)
}, 180_000)
