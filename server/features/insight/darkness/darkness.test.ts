import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { type Darkness, getDarkness } from '#contract/http/insight/darkness.ts'
import { componentModelById } from '#domain/components/componentModels.ts'
import { standardComponents } from '#domain/components/standardComponents.ts'
import type { DeviceId, DeviceModelId } from '#domain/ids.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { addCustomer, addDevice, ask } from '#server/testing/callers.ts'

const PROCESS = randomUUID()

const api = await apiTest()
const token = await api.signedIn({ username: 'manager@a.example', functions: [2] })
await api.pool.query(`insert into server_process (id, lease_until) values ($1, now() + interval '1 hour')`, [PROCESS])

type Fields = Readonly<Record<string, number | string>>

const UPS = { status: 'on line interactive normal', input_voltage: 231, output_voltage: 230, battery_charge: 97 }
const DISPLAY = { internal_temp: 31, intake_temp: 24, backlight_level: 80, out_of_order_status: 'HDMI-1' }
const SENSOR = {
  ambient_light: 4000,
  backlight_automatic_status: 1,
  min_backlight: 20,
  max_backlight: 90,
  min_ambient_light: 100,
  max_ambient_light: 20_000,
}
const COMPUTER = { uptime: 4000, status_id: 1 }

async function addTotem(isOnline = true): Promise<DeviceId> {
  const customerId = await addCustomer(api.pool, `Customer ${randomUUID()}`)
  const modelId = 2 as DeviceModelId
  const { id } = await addDevice(api.pool, { name: 'Totem', customerId, modelId })
  for (const { componentModelId, number, label, als } of standardComponents(modelId)) {
    await api.pool.query(
      `insert into device_component (device_id, component_model_id, category_id, number, label, als)
       values ($1, $2, $3, $4, $5, $6)`,
      [id, componentModelId, componentModelById(componentModelId)?.categoryId, number, label, als],
    )
  }
  await api.pool.query(
    `insert into device_component (device_id, component_model_id, category_id, number, label) values ($1, 5, 4, 1, 'UPS')`,
    [id],
  )
  if (isOnline) {
    await api.pool.query(
      `insert into device_connection (device_id, connection_id, process_id, is_silent) values ($1, $2, $3, false)`,
      [id, randomUUID(), PROCESS],
    )
  }
  return id
}

async function report(deviceId: DeviceId, eventTypeId: number, fields: Fields, secondsAgo = 10) {
  const at = Date.now() - secondsAgo * 1000
  const stored = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, [value, at]]))
  await api.pool.query(
    `insert into device_state (device_id, event_type_id, number, newest_at, oldest_moved_at, received_at, fields)
     values ($1, $2, 1, $3, $3, now(), $4)`,
    [deviceId, eventTypeId, new Date(at), JSON.stringify(stored)],
  )
}

async function reportHealthy(deviceId: DeviceId, display: Fields = {}, secondsAgo = 10) {
  await report(deviceId, 3, COMPUTER, secondsAgo)
  await report(deviceId, 5, UPS, secondsAgo)
  await report(deviceId, 4, { ...DISPLAY, ...SENSOR, ...display }, secondsAgo)
}

async function darkness(deviceId: DeviceId): Promise<Darkness> {
  const answer = await ask(api, 'Device/GetDarkness', { token, query: { deviceId } })
  expect(answer.statusCode).toBe(200)
  return getDarkness.answer.parse(answer.json())
}

test('a lost source is found at the end of the chain, with its evidence and the age of it', async () => {
  const id = await addTotem()
  await reportHealthy(id, { out_of_order_status: 'ARGB', source_search_status: 'Searching' })
  const { walks, at } = await darkness(id)
  expect(walks).toHaveLength(1)
  expect(walks[0]?.verdict).toMatchObject({
    kind: 'broken',
    finding: 'sourceLost',
    link: 'content',
    action: { kind: 'command', words: 'Restart the computer: reboot the UPS', section: 'UPS', control: 'ups/reboot' },
  })
  const [source] = walks[0]?.links.at(-1)?.evidence ?? []
  expect(source).toMatchObject({ text: 'Out of order', isStale: false })
  expect(Date.parse(at) - Date.parse(source?.at ?? '')).toBeGreaterThan(5000)
})

test('a device that never reported, or is gone, is unknown from the first link on', async () => {
  const never = await addTotem(false)
  expect((await darkness(never)).walks[0]?.verdict).toMatchObject({
    kind: 'unknown',
    finding: 'offline',
    link: 'mains',
  })
  const silent = await addTotem()
  await reportHealthy(silent, {}, 600)
  const { verdict, links } = (await darkness(silent)).walks[0] as Darkness['walks'][number]
  expect(verdict).toMatchObject({ kind: 'unknown', finding: 'noReading', link: 'mains' })
  expect(links[0]?.evidence[0]).toMatchObject({ isStale: true })
  expect(links.slice(1).every(({ state }) => state === 'notLookedAt')).toBe(true)
})

const ALL_DAY = { From: '00:00', To: '00:00' }
const allDay = Object.fromEntries(
  ['wd', 'wknd', 'hol'].flatMap((group) => [
    [`${group}TimeOffFrom`, ALL_DAY.From],
    [`${group}TimeOffTo`, ALL_DAY.To],
  ]),
)

test('off times count once the device has confirmed them', async () => {
  const id = await addTotem()
  await reportHealthy(id, { backlight_level: 0 })
  await api.pool.query(
    `insert into device_setting (device_id, section, number, desired) values ($1, 'turnOff', 1, $2)`,
    [id, JSON.stringify(allDay)],
  )
  expect((await darkness(id)).walks[0]?.verdict.finding).toBe('backlightDead')
  await api.pool.query('update device_setting set reported = desired, reported_at = now() where device_id = $1', [id])
  expect((await darkness(id)).walks[0]?.verdict).toMatchObject({
    kind: 'planned',
    finding: 'offTime',
    link: 'schedule',
  })
})

test('what the device refused, and what it never answered, is told although it is lit', async () => {
  const refusing = await addTotem()
  await reportHealthy(refusing)
  await api.pool.query(
    `insert into device_setting (device_id, section, number, refused, refused_at, refused_errors)
     values ($1, 'display', 1, '{}', now(), '["Display 1 refuses these settings."]')`,
    [refusing],
  )
  expect((await darkness(refusing)).walks[0]?.verdict).toMatchObject({ kind: 'lit', finding: 'displayRefuses' })
  const silent = await addTotem()
  await reportHealthy(silent)
  await api.pool.query(
    `insert into device_command (device_id, name, args, username, state, sent_at, ended_at, expires_at)
     values ($1, 'ups.reboot', '{}', 'eva', 'unknown', now() - interval '1 minute', now() - interval '30 s', now())`,
    [silent],
  )
  expect((await darkness(silent)).walks[0]?.verdict).toMatchObject({ kind: 'lit', finding: 'answersNever' })
})

test('what a device never answered the customer before is not told to the one who has it now', async () => {
  const id = await addTotem()
  await reportHealthy(id)
  await api.pool.query(
    `insert into device_command (device_id, name, args, username, state, sent_at, ended_at, expires_at)
     values ($1, 'ups.reboot', '{}', 'eva', 'unknown', now() - interval '1 minute', now() - interval '30 s', now())`,
    [id],
  )
  expect((await darkness(id)).walks[0]?.verdict.finding).toBe('answersNever')
  await api.pool.query('update device set customer_id = $2 where id = $1', [
    id,
    await addCustomer(api.pool, 'The next'),
  ])
  expect((await darkness(id)).walks[0]?.verdict.finding).toBe('lit')
})

test('a display whose outlet went off is dark by it, until it says something from after that', async () => {
  const id = await addTotem()
  await api.pool.query('update device set model_id = 1 where id = $1', [id])
  await reportHealthy(id, {}, 40)
  await report(id, 6, { port1_status: 0, port2_status: 1 }, 5)
  for (const [port1, secondsAgo] of [
    [1, 80],
    [0, 30],
    [null, 20],
    [0, 5],
  ]) {
    await api.pool.query(
      `insert into reading_power_switch (device_id, number, device_dt, inserted, port1_status, port2_status)
       values ($1, 1, now() - make_interval(secs => $2), now(), $3, 1)`,
      [id, secondsAgo, port1],
    )
  }
  const verdict = async () => (await darkness(id)).walks[0]?.verdict
  expect(await verdict()).toMatchObject({ kind: 'broken', finding: 'outletOff', link: 'outlet' })
  await api.pool.query('delete from device_state where device_id = $1 and event_type_id = 4', [id])
  await report(id, 4, { ...DISPLAY, ...SENSOR }, 25)
  expect(await verdict()).toMatchObject({ kind: 'lit', finding: 'outletOff' })
})

test('a device without displays has nothing to be dark', async () => {
  const customerId = await addCustomer(api.pool, 'Machines')
  const { id } = await addDevice(api.pool, { name: 'Machine', customerId, modelId: 8 as DeviceModelId })
  expect((await darkness(id)).walks).toEqual([])
})
