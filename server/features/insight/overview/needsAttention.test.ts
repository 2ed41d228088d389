import { expect, test } from 'vitest'
import { type WrongNow, wrongNow } from '#contract/http/insight/overview.ts'
import { bitOf, WRONG_KINDS } from '#domain/darkness/wrongKinds.ts'
import type { CustomerId, DeviceId, DeviceModelId } from '#domain/ids.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { addCustomer, addDevice, ask } from '#server/testing/callers.ts'

const api = await apiTest()
const run = async (sql: string, ...values: unknown[]) => (await api.pool.query(sql, values)).rows
const harbour = await addCustomer(api.pool, 'Harbour')
const airport = await addCustomer(api.pool, 'Airport')
const staff = await api.signedIn({ username: 'staff@a.example', functions: [2] })
const pilot = await api.signedIn({ username: 'pilot@airport.example', functions: [2], customerId: airport })

const CAUSE = {
  displayNumber: 1,
  displayName: 'Display 1',
  finding: 'outletOff',
  link: 'outlet',
  sentence: 'Display 1 is dark: Power switch 1, which feeds the display, is off.',
  action: { kind: 'command', words: 'Turn on: Power switch 1', section: 'Power switches', control: 'powerSwitch/1' },
}

const at = new Date().toISOString()

interface Verdict {
  readonly light?: string
  readonly hoursAgo?: number
  readonly isSilent?: boolean
  readonly isOnBattery?: boolean
  readonly stake?: number
  readonly command?: object
}

async function add(name: string, customerId: CustomerId, verdict: Verdict, statusId = 2): Promise<DeviceId> {
  const { id } = await addDevice(api.pool, { name, customerId, statusId, modelId: 15 as DeviceModelId })
  const { light = 'lit', hoursAgo = 1, isSilent = false, isOnBattery = false, stake, command } = verdict
  const since = new Date(Date.now() - hoursAgo * 3_600_000)
  const kinds = {
    dark: light === 'unplanned',
    silent: isSilent,
    alerted: stake !== undefined,
    unanswered: command !== undefined,
    onBattery: isOnBattery,
    inMaintenance: false,
    reportsRefused: false,
    clockWrong: false,
    restarting: false,
    identityConflict: false,
  }
  const [worst] = WRONG_KINDS.filter((kind) => kinds[kind])
  await run(
    `update device_now set light = $2, light_since = $3, cause = $4, is_silent = $5, silent_since = $3,
       is_on_battery = $6, battery_since = $3, active_alerts = $7, alert_consequence = $8, unknown_command = $9,
       customer_id = $10, wrong_kinds = $11, wrong_since = $12 where device_id = $1`,
    id,
    light,
    since,
    light === 'unplanned' ? JSON.stringify(CAUSE) : null,
    isSilent,
    isOnBattery,
    stake === undefined ? 0 : 2,
    worst === 'alerted' ? stake : null,
    command === undefined ? null : JSON.stringify(command),
    statusId === 2 ? customerId : null,
    WRONG_KINDS.reduce((bits, kind) => bits | (kinds[kind] ? bitOf(kind) : 0), 0),
    worst === 'alerted' ? null : command ? new Date(at) : since,
  )
  if (stake !== undefined) {
    await run(
      `insert into alert (device_id, condition_id, created_at, found_at, field_id, operator_code, period_id,
         action_type_id, condition_text, state_since)
       select $1, k, now() - k * interval '1 hour', now(), 4101, 'GT', 1, 1, 'Too warm ' || k, $2 from generate_series(1, 2) k`,
      id,
      since,
    )
  }
  return id
}

const asked = async (query: Record<string, number> = {}, token = staff): Promise<WrongNow> =>
  wrongNow.parse((await ask(api, 'Dashboard/GetWrongNow', { token, query })).json())
const names = ({ rows }: WrongNow) => rows.map(({ devices }) => devices.map(({ deviceName }) => deviceName).join(', '))

await add('Lit', harbour, {})
await add('On battery', harbour, { isOnBattery: true })
await add('Dark for long', airport, { light: 'unplanned', hoursAgo: 9, isOnBattery: true })
await add('Dark', harbour, { light: 'unplanned', hoursAgo: 2, stake: 1 })
await add('Silent', airport, { light: 'unknown', isSilent: true })
await add('Warm', harbour, { stake: 2, hoursAgo: 5 })
const endangered = await add('Endangered', airport, { stake: 1 })
await add('Asked', harbour, { command: { name: 'powerSwitch.reset', args: { number: 2 }, at } })
await add('Dark in maintenance', harbour, { light: 'unplanned' }, 3)
await add('Never seen', harbour, { light: 'unknown', isSilent: true }, 1)
await run(
  `update device set deleted_at = now() where id = $1`,
  await add('Gone', harbour, { light: 'unplanned', hoursAgo: 99 }),
)

const rowOf = (found: WrongNow, name: string) =>
  found.rows.find(({ devices }) => devices.some(({ deviceName }) => deviceName === name))

test('a device that is dark or not reporting is always a row, even where no incident exists', async () => {
  const found = await asked()
  expect(found.attention).toEqual({
    ...{ all: 7, dark: 2, silent: 1, alerted: 2, onBattery: 1, other: 1, rollout: 0, excused: 1 },
  })
  expect(found.counts).toMatchObject({ dark: 2, silent: 1, alerted: 3, unanswered: 1, onBattery: 2 })
  expect([found.devices, found.activeDevices]).toEqual([7, 8])
  const [dark] = found.rows
  expect(dark).toMatchObject({
    ...{ group: 'dark', severityId: 1, what: 'Dark: power switch 1 is off', deviceCount: 2 },
    ...{ incidentId: null, ownerName: '', step: null },
  })
  expect(names(found)[0]).toBe('Dark for long, Dark')
  expect(Date.now() - Date.parse(dark?.since ?? '')).toBeGreaterThan(8.9 * 3_600_000)
  expect(rowOf(found, 'Silent')).toMatchObject({ group: 'silent', what: 'Not reporting: no data from this device' })
  expect(rowOf(found, 'Warm')).toMatchObject({ group: 'alerted', what: 'Too warm 1', deviceCount: 2 })
  expect(rowOf(found, 'Asked')).toMatchObject({ group: 'other', since: at })
  expect(found.rows.at(-1)).toMatchObject({ group: 'excused', what: 'Dark: power switch 1 is off (in maintenance)' })
})

test('one device alone has the recommended step of its diagnosis', async () => {
  const { rows } = await asked({ customerId: harbour })
  expect(rows[0]?.step).toEqual({ kind: 'setup', label: 'Turn switch on', control: 'powerSwitch/1' })
})

test('each count is the number of rows of the list that it opens, for staff and for a customer', async () => {
  for (const [token, query] of [
    [staff, {}],
    [staff, { customerId: harbour }],
    [pilot, {}],
  ] as const) {
    const { counts, devices } = await asked(query, token)
    const listed = async (filter: string) => {
      const page = await ask(api, 'Device/GetDeviceList', {
        token,
        query: { ...query, filter, rowNum: 1, pageSize: 99 },
      })
      const { rows, total } = page.json() as { rows: unknown[]; total: number }
      expect(total).toBe(rows.length)
      return total
    }
    for (const kind of WRONG_KINDS) expect([kind, counts[kind]]).toEqual([kind, await listed(kind)])
    expect(devices).toBe(await listed('wrong'))
    expect(devices).toBeGreaterThan(0)
  }
})

test('what is wrong is found by how long it has been so, each kind by its own beginning', async () => {
  const listed = async (query: Record<string, string | number>, token = staff) => {
    const page = await ask(api, 'Device/GetDeviceList', { token, query: { ...query, rowNum: 1, pageSize: 99 } })
    const { rows, total } = page.json() as { rows: { name: string }[]; total: number }
    expect(total).toBe(rows.length)
    return rows.map(({ name }) => name)
  }
  const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()
  expect(await listed({ filter: 'dark', forMinutes: 180 })).toEqual(['Dark for long'])
  expect(await listed({ filter: 'dark', since: ago(3) })).toEqual(['Dark'])
  expect(await listed({ filter: 'dark', forMinutes: 60, since: ago(10) })).toEqual(['Dark', 'Dark for long'])
  expect(await listed({ filter: 'silent', forMinutes: 61 })).toEqual([])
  expect(await listed({ filter: 'alerted', forMinutes: 90 })).toEqual(['Dark', 'Warm'])
  expect(await listed({ filter: 'onBattery', forMinutes: 90 })).toEqual(['Dark for long'])
  expect(await listed({ filter: 'unanswered', forMinutes: 60 })).toEqual([])
  expect(await listed({ filter: 'unanswered', since: ago(1) })).toEqual(['Asked'])
  expect(await listed({ forMinutes: 180 })).toEqual(['Dark for long', 'Warm'])
  expect(await listed({ filter: 'wrong', forMinutes: 180 }, pilot)).toEqual(['Dark for long'])
  expect(await listed({ filter: 'pending', forMinutes: 1 })).toEqual([])
  expect(await listed({ filter: 'activeConnected', forMinutes: 1 })).toEqual([])
})

test('a customer sees what is theirs, and Staff where staff own it', async () => {
  const [{ id } = { id: 0 }] = await run(
    `insert into incident (owner_id, acknowledged_at)
     select id, now() from app_user where username = 'staff@a.example' returning id::float8 as id`,
  )
  await run(
    `insert into incident_part (device_id, alert_id, raised_at, onset_at, customer_id, field_id, severity_id, is_open, incident_id)
     select device_id, id, created_at, created_at, $3, field_id, 2, true, $2 from alert where device_id = $1`,
    endangered,
    id,
    airport,
  )
  await run(
    `insert into incident_share (incident_id, customer_id, began_at, state_id, severity_id, alert_count, active_count,
       open_count, device_count, place_count, customer_count, cause_device_id, cause_alert_id)
     select $2, share, now(), 0, 2, 2, 2, 2, 1, 1, 1, $1, (select min(id) from alert where device_id = $1)
     from unnest(array[0, $3::int]) share`,
    endangered,
    id,
    airport,
  )
  expect(rowOf(await asked(), 'Endangered')).toMatchObject({
    ...{ key: `incident ${id}`, group: 'alerted', what: 'Too warm 1, and 1 more', deviceCount: 1, incidentId: id },
    ...{ ownerName: 'staff@a.example', step: { kind: 'chart', label: 'Open chart' } },
  })
  const own = await asked({}, pilot)
  expect(rowOf(own, 'Endangered')?.ownerName).toBe('Staff')
  expect(names(own).toSorted()).toEqual(['Dark for long', 'Endangered', 'Silent'])
  expect(own.attention).toMatchObject({ all: 3, dark: 1, silent: 1, alerted: 1, excused: 0 })
  expect(await asked({ customerId: harbour })).toMatchObject({ devices: 4 })
  const foreign = await ask(api, 'Dashboard/GetWrongNow', { token: pilot, query: { customerId: harbour } })
  expect(foreign.statusCode).toBe(404)
})

test('a rollout that was halted is a row for staff, and for nobody else', async () => {
  await run(
    `with release as (
       insert into client_release (version, version_order, bytes, sha256, signature, content)
       values ('9.1.0', '{9,1,0}', 1, '', '', '') returning id)
     insert into client_rollout (release_id, state, is_downgrade, wait_minutes, wave_count, created_by_name)
     select id, 'halted', false, 0, 1, 'a' from release`,
  )
  expect((await asked()).rows.find(({ group }) => group === 'rollout')).toMatchObject({
    ...{ what: 'Rollout of 9.1.0 halted: 0 of 0 devices failed', severityId: 2, devices: [] },
  })
  expect((await asked()).attention.rollout).toBe(1)
  expect((await asked({}, pilot)).attention.rollout).toBe(0)
  expect((await asked({ customerId: harbour })).attention.rollout).toBe(0)
  await run('delete from client_rollout')
})

test('the sums close: every device with a problem is in one row of what is wrong with it', async () => {
  for (const [query, token] of [
    [{}, staff],
    [{ customerId: harbour }, staff],
    [{}, pilot],
  ] as const) {
    const { attention, counts, rows } = await asked(query, token)
    expect(attention.dark).toBe(counts.dark)
    const { all, excused, ...others } = attention
    expect(Object.values(others).reduce((sum, one) => sum + one, 0)).toBe(all)
    const sum = (isShown: (group: string) => boolean) =>
      rows.filter(({ group }) => isShown(group)).reduce((total, { deviceCount }) => total + deviceCount, 0)
    expect([sum((group) => group !== 'excused'), sum((group) => group === 'excused')]).toEqual([all, excused])
  }
})

test('fifty rows are told of at most, and all are counted', async () => {
  const crowd = await addCustomer(api.pool, 'Crowd')
  await run(
    `insert into device (guid, name, customer_id, model_id, status_id, iot_device_id)
     select gen_random_uuid(), 'Pier ' || n, $1, 1, 2, '' from generate_series(1, 60) n`,
    crowd,
  )
  await run(
    `update device_now n set light = 'unplanned', light_since = now(), customer_id = d.customer_id, wrong_kinds = 1,
       cause = jsonb_build_object('action', null, 'sentence', 'It is dark: reason ' || d.id), wrong_since = now() from device d where d.id = n.device_id and d.customer_id = $1`,
    crowd,
  )
  const found = await asked({ customerId: crowd })
  expect([found.rows.length, found.rowCount, found.devices, found.attention.dark]).toEqual([50, 60, 60, 60])
})
