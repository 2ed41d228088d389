import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { deviceConfiguration } from '#contract/http/devices/devices.ts'
import { standardComponents } from '#domain/components/standardComponents.ts'
import type { DeviceId, DeviceModelId } from '#domain/ids.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { addCustomer, addDevice, ask } from '#server/testing/callers.ts'

const api = await apiTest()
const norway = (await api.pool.query(`select id from country where iso_code = 'NO'`)).rows[0].id
const customerId = await addCustomer(api.pool, 'Nordlys', norway)
const token = await api.signedIn({ username: 'admin@a.example', functions: [1] })

const create = (body: object) => ask(api, 'Device/CreateDevice', { token, method: 'POST', body })
const download = (id: DeviceId) => ask(api, 'Device/DownloadConfiguration', { token, query: { id } })
const keysOf = async (id: DeviceId) =>
  (
    await api.pool.query('select key_hash from device_credential where device_id = $1 order by issued_at', [id])
  ).rows.map(({ key_hash }) => (key_hash as Buffer).toString('hex'))
const hashOf = (key: string) => createHash('sha256').update(key).digest('hex')

test('a new device is Pending, has the zone of its country, its guid as Device ID and the standard components', async () => {
  const device = (await create({ customerId, modelId: 15, name: '  Kiosk at the quay ' })).json()
  expect(device).toMatchObject({
    name: 'Kiosk at the quay',
    statusId: 1,
    connStatusId: 0,
    lastEvent: null,
    activeAlerts: 0,
    customerId,
    iotDeviceId: device.guid,
    timeZone: 'Europe/Oslo',
    timeZoneIsAssumed: true,
  })
  const { rows } = await api.pool.query(
    `select component_model_id as "componentModelId", number, label, als, touch_matrix as "touchMatrix"
     from device_component where device_id = $1 order by id`,
    [device.id],
  )
  expect(rows).toEqual(standardComponents(15 as DeviceModelId))
  const settings = await api.pool.query('select version from device_settings where device_id = $1', [device.id])
  expect(settings.rows).toEqual([{ version: 1 }])
  expect((await ask(api, 'Device/GetDevice', { token, query: { guid: device.guid.toUpperCase() } })).json()).toEqual(
    device,
  )
})

test('a customer without a country gives UTC', async () => {
  const body = { customerId: await addCustomer(api.pool, 'Nowhere'), modelId: 1, name: 'One' }
  expect((await create(body)).json()).toMatchObject({ timeZone: 'UTC', timeZoneIsAssumed: true })
})

test('staff must say for which customer a device is', async () => {
  const answer = await create({ modelId: 1, name: 'One' })
  expect([answer.statusCode, answer.json().message]).toEqual([400, 'customerId is required'])
})

test('the audit row of a new device says what it became, the one of a configuration holds no key', async () => {
  const device = (await create({ customerId, modelId: 1, name: 'Audited' })).json()
  const { key } = (await download(device.id)).json()
  const { rows } = await api.pool.query('select * from audit_log where entity_id = $1 order by id', [device.id])
  expect(rows).toMatchObject([
    { call: 'Device/CreateDevice', entity_name: 'Audited', customer_id: customerId, username: 'admin@a.example' },
    { call: 'Device/DownloadConfiguration', outcome: 'done', entity_name: 'Audited' },
  ])
  expect(rows[0].after).toEqual({ name: 'Audited', modelId: 1, customerId, statusId: 1 })
  expect(JSON.stringify(rows)).not.toContain(key)
  expect(JSON.stringify(rows)).not.toContain(hashOf(key))
  expect(api.logged.join('')).not.toContain(key)
})

test('a configuration holds a key of 256 bits that is kept only as a hash', async () => {
  const { id } = await addDevice(api.pool, { name: 'One', customerId })
  const configuration = deviceConfiguration.parse((await download(id)).json())
  expect(configuration.key).toMatch(/^[A-Za-z0-9_-]{43}$/)
  expect(await keysOf(id)).toEqual([hashOf(configuration.key)])
})

test('a new key replaces one that was never used; a used one lives until the gateway sees the new one', async () => {
  const { id } = await addDevice(api.pool, { name: 'One', customerId })
  const [first, second] = [(await download(id)).json().key, (await download(id)).json().key]
  expect(await keysOf(id)).toEqual([hashOf(second)])
  expect(first).not.toBe(second)
  await api.pool.query('update device_credential set first_used_at = now() where device_id = $1', [id])
  const third = (await download(id)).json().key
  const fourth = (await download(id)).json().key
  expect(await keysOf(id)).toEqual([hashOf(second), hashOf(fourth)])
  expect(third).not.toBe(fourth)
})

test('of downloads at the same time exactly one key remains', async () => {
  const { id } = await addDevice(api.pool, { name: 'One', customerId })
  for (let round = 0; round < 10; round += 1) {
    const answers = await Promise.all(Array.from({ length: 5 }, () => download(id)))
    const kept = await keysOf(id)
    expect(kept).toHaveLength(1)
    expect(answers.map((answer) => hashOf(answer.json().key))).toContain(kept[0])
  }
})

test.each([
  ['Praha 0587', 'Praha 0587.json'],
  ['../../etc/passwd', 'etc_passwd.json'],
  ['"; filename="evil.exe', 'filename__evil.exe.json'],
  ['Οθόνη 1', 'Οθόνη 1.json'],
  ['.hidden', 'hidden.json'],
  ['CON|<>:*?', 'CON______.json'],
  ['🙂'.repeat(60), 'file.json'],
  ["'; drop table device; --", 'drop table device_ --.json'],
  ['=cmd|calc', 'cmd_calc.json'],
  ['<img src=x onerror=alert(1)>', 'img src_x onerror_alert_1__.json'],
])(
  'a device may be called %j; its file has a harmless name and its name comes back unchanged',
  async (name, fileName) => {
    const created = await create({ customerId, modelId: 1, name })
    expect(created.json()).toMatchObject({ name })
    const answer = await download(created.json().id)
    const header = String(answer.headers['content-disposition'])
    const found = decodeURIComponent(/filename\*=UTF-8''(.*)$/.exec(header)?.[1] ?? '')
    expect(found.replace(/_+\.json$/, '.json').replace(/^_+/, '')).toBe(
      fileName.replace(/_+\.json$/, '.json').replace(/^_+/, ''),
    )
    expect(header).toMatch(/^attachment; filename="[\x20-\x7e]*"; filename\*=UTF-8''[\x21-\x7e]+$/)
    expect(answer.headers).not.toHaveProperty('set-cookie')
    expect(answer.json().name).toBe(name)
  },
)
