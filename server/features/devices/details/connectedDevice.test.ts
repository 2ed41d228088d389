import { connectAsync } from 'mqtt'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DeviceConfiguration } from '#contract/http/devices/devices.ts'
import type { DeviceSettings } from '#contract/mqtt/settings.ts'
import { addUser, openSession } from '#server/testing/callers.ts'
import { closed, eventually } from '#server/testing/devices/gatewayFixture.ts'
import { type CommandFixture, commandFixture, type PlayedDevice } from '#server/testing/wholeServer/commandFixture.ts'

let fixture: CommandFixture
let admin: string
let countryId: number
beforeAll(async () => {
  fixture = await commandFixture({ devices: 8 })
  admin = await openSession(
    fixture.owner,
    await addUser(fixture.owner, { username: 'a@staff.example', functions: [1] }),
  )
  const [country] = await fixture.rows<{ id: number }>(`select id from country where iso_code = 'CZ'`)
  countryId = country?.id ?? 0
  await fixture.rows('update customer set country_id = $1', [countryId])
}, 120_000)
afterAll(() => fixture.close())

let next = 0
function newDevice(): PlayedDevice {
  const device = fixture.devices[next++]
  if (!device) throw new Error('More devices are needed.')
  return device
}

const post = (path: string, body: unknown) => fixture.ask(path, { token: admin, method: 'POST', body })
const nextDocument = (played: PlayedDevice, isRight: (document: DeviceSettings) => boolean) =>
  eventually(
    async () => played.documents.at(-1),
    (document) => document !== undefined && isRight(document),
  )

test('a device hears of its zone, model, components and holidays, whichever process it is connected to', async () => {
  for (const server of [fixture.here, fixture.there]) {
    const played = newDevice()
    const { id } = played.device
    await fixture.connect(played, server)
    const first = await nextDocument(played, () => true)
    expect(first).toMatchObject({ timeZone: 'UTC', components: [] })
    const after = (changes: number) => (first?.version ?? 0) + changes

    await post('Device/SetDeviceDetails', { id, latitude: 60.17, longitude: 24.94, modelId: 15 })
    const moved = await nextDocument(played, ({ timeZone }) => timeZone === 'Europe/Helsinki')
    expect(moved).toMatchObject({ modelId: 15, version: after(1) })

    await post('Device/SetDeviceComponents', [{ deviceId: id, modelId: 17, number: 2, label: 'Left', als: 1 }])
    const fitted = await nextDocument(played, ({ components }) => components.length > 0)
    expect(fitted?.components).toEqual([{ componentModelId: 17, number: 2, label: 'Left', als: 1, buttonRules: null }])

    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
    const year = Number(tomorrow.slice(0, 4))
    await post('Country/SetHolidayList', { countryId, year, rows: [{ date: tomorrow, name: 'Day of the test' }] })
    const free = await nextDocument(played, ({ version }) => version === after(3))
    expect(free?.holidays[0]).toBe(tomorrow)
    await post('Country/SetHolidayList', { countryId, year, rows: null })
    expect((await nextDocument(played, ({ version }) => version === after(4)))?.version).toBe(after(4))

    await post('Device/SetDeviceDetails', { id, name: 'Of no concern to the device', address: 'Quay 4' })
    await post('Device/SetDeviceDetails', { id, timeZone: 'Europe/Oslo' })
    const last = await nextDocument(played, ({ timeZone }) => timeZone === 'Europe/Oslo')
    expect(last?.version).toBe(after(5))
  }
})

test('a renewed key ends every connection of an older one, here and at another process, and only the new one connects', async () => {
  for (const server of [fixture.here, fixture.there]) {
    const played = newDevice()
    const { id, guid, key } = played.device
    await fixture.connect(played, server)
    const pending = (await fixture.ask('Device/DownloadConfiguration', { query: { id } })).body as DeviceConfiguration
    const renewed = (await post('Device/RenewDeviceKey', { id })).body as DeviceConfiguration
    await closed(played.client as NonNullable<typeof played.client>)
    expect(renewed.guid).toBe(guid)
    const connect = (password: string) =>
      connectAsync(server.localAddresses.mqttUrl, { username: guid, password, reconnectPeriod: 0 }, false)
    for (const dead of [key, pending.key]) await expect(connect(dead)).rejects.toThrow()
    const client = await connect(renewed.key)
    expect(client.connected).toBe(true)
    await client.endAsync()
    const rows = await fixture.rows<{ call: string }>('select * from audit_log where entity_id = $1 order by id', [id])
    expect(rows.at(-1)).toMatchObject({ call: 'Device/RenewDeviceKey', outcome: 'done' })
    expect(JSON.stringify(rows)).not.toContain(renewed.key)
  }
})

/** Counts rows about a device in every table that names devices, except the audit log. */
async function rowsAbout(id: number): Promise<Record<string, number>> {
  const tables = await fixture.rows<{ name: string }>(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'device_id'
     where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace
       and c.relname <> 'device_deletion'`,
  )
  const counts: Record<string, number> = {}
  for (const { name } of tables) {
    const [row] = await fixture.rows<{ count: number }>(`select count(*)::int from ${name} where device_id = $1`, [id])
    if (row && row.count > 0) counts[name] = row.count
  }
  return counts
}

/** Leaves a row in each table that a device can fill. */
async function tellOfEverything(played: ReturnType<typeof newDevice>, server: typeof fixture.here) {
  const { id, guid } = played.device
  await fixture.connect(played, server)
  await post('Device/SetDeviceComponents', [{ deviceId: id, modelId: 5, number: 1 }])
  const at = new Date(Date.now() - 3_600_000).toISOString()
  const say = (topic: string, content: object) =>
    played.client?.publishAsync(`v1/devices/${guid}/${topic}`, JSON.stringify(content), { qos: 1 })
  await say('events/ups', { at, values: { load: 50 } })
  await say('events/display', { at, values: { backlight_level: 80 } })
  await say('messages', { at, msg: 'Hello' })
  await say('events/ups', { at: 'yesterday', values: {} })
  await fixture.ask('Device/UpsReboot', { query: { deviceId: id } })
}

test('a deleted device is offline at once and unknown to every call, and all it ever said is gone soon', async () => {
  const [deleted, other] = [newDevice(), newDevice()]
  for (const [played, server] of [
    [deleted, fixture.there],
    [other, fixture.here],
  ] as const) {
    await tellOfEverything(played, server)
  }
  const { id, guid } = deleted.device
  const told = await rowsAbout(id)
  expect(Object.keys(told).sort()).toEqual(
    expect.arrayContaining(['device_command', 'device_message', 'reading_look', 'rejected_report']),
  )
  // Marks are merged into roll-ups, and presence changes, so their counts may differ.
  const { state_mark: _, rollup_mark: __, rollup_due: ___, rollup = 0, ...ofOther } = await rowsAbout(other.device.id)

  expect(await fixture.ask('Device/DelDevice', { query: { id } })).toMatchObject({ status: 200, body: true })
  const never = { status: 404, body: { code: 'not_found', message: 'It does not exist, or you may not see it.' } }
  for (const asked of [{ id }, { id: 2_000_000_000 }]) {
    for (const path of ['Device/GetDeviceById', 'Device/DelDevice', 'Device/DownloadConfiguration']) {
      expect(await fixture.ask(path, { query: asked })).toMatchObject(never)
    }
  }
  expect(await fixture.ask('Device/GetDevice', { query: { guid } })).toMatchObject(never)
  await closed(deleted.client as NonNullable<typeof deleted.client>)
  await expect(
    connectAsync(
      fixture.here.localAddresses.mqttUrl,
      { username: guid, password: deleted.device.key, reconnectPeriod: 0 },
      false,
    ),
  ).rejects.toThrow()

  const emptied = await eventually(
    async () =>
      (await fixture.rows('select emptied_at from device_deletion where device_id = $1', [id]))[0]?.emptied_at,
    (moment) => moment !== null && moment !== undefined,
  )
  expect(emptied).toBeInstanceOf(Date)
  // Going offline may be recorded after the first run; the next run deletes that, and what a late batch brought.
  await fixture.rows(`insert into reading_ups (device_id, number, device_dt, inserted) values ($1, 1, now(), now())`, [
    id,
  ])
  await fixture.rows('update device_deletion set due_at = now() where device_id = $1', [id])
  expect(
    await eventually(
      () => rowsAbout(id),
      (counts) => Object.keys(counts).length === 0,
    ),
  ).toEqual({})
  const left = await rowsAbout(other.device.id)
  expect(left).toMatchObject(ofOther)
  expect(left.rollup ?? 0).toBeGreaterThanOrEqual(rollup)
  expect(other.client?.connected).toBe(true)

  const audit = await fixture.rows('select call, outcome, before from audit_log where entity_id = $1 order by id', [id])
  expect(audit.find(({ call, outcome }) => call === 'Device/DelDevice' && outcome === 'done')).toMatchObject({
    before: { guid, name: expect.any(String) },
  })
  expect(audit.map(({ call }) => call)).toContain('Device/UpsReboot')
}, 180_000)

test('the identity of a deleted device is free again', async () => {
  const { id, guid } = newDevice().device
  await fixture.ask('Device/DelDevice', { query: { id } })
  const again = `insert into device (guid, name, model_id, customer_id, iot_device_id)
    select guid, name, model_id, customer_id, iot_device_id from device where id = $1 returning id`
  const [reborn] = await fixture.rows<{ id: number }>(again, [id])
  expect((await fixture.ask('Device/GetDevice', { query: { guid } })).body).toMatchObject({ id: reborn?.id, guid })
  await expect(fixture.rows(again, [id])).rejects.toMatchObject({ code: '23505' })
})
