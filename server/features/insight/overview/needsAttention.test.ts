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
  sentence: 'Display 1 is dark: power switch 1 is off.',
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
const names = ({ rows }: WrongNow) => rows.map(({ deviceName }) => deviceName)

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

test('the worst comes first: by kind, then what is at stake, then the longest; each kind is counted', async () => {
  const found = await asked()
  expect(names(found)).toEqual(['Dark for long', 'Dark', 'Silent', 'Endangered', 'Warm', 'Asked', 'On battery'])
  expect(found.counts).toEqual({
    ...{ dark: 2, silent: 1, alerted: 3, unanswered: 1, onBattery: 2 },
    ...{ inMaintenance: 0, reportsRefused: 0, clockWrong: 0, restarting: 0, identityConflict: 0 },
  })
  expect(found.devices).toBe(7)
  const [long, dark, silent, , warm, command] = found.rows
  expect(long).toMatchObject({ customerName: 'Airport', kind: 'dark', also: ['onBattery'] })
  expect(Date.now() - Date.parse(long?.since ?? '')).toBeGreaterThan(8.9 * 3_600_000)
  expect(dark).toMatchObject({
    also: ['alerted'],
    cause: {
      finding: 'outletOff',
      link: 'outlet',
      sentence: CAUSE.sentence,
      section: 'Power switches',
      control: 'powerSwitch/1',
    },
    alert: { conditionText: 'Too warm 1' },
    activeAlerts: 2,
  })
  expect(silent).toMatchObject({ kind: 'silent', cause: null, alert: null, takenBy: '' })
  expect(warm).toMatchObject({ kind: 'alerted', alert: { conditionText: 'Too warm 1' }, activeAlerts: 2 })
  expect(command).toMatchObject({ since: at, unknownCommand: { name: 'powerSwitch.reset', args: { number: 2 }, at } })
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

test('a customer sees what is theirs, and Staff where staff took it', async () => {
  const [{ user_id: userId } = { user_id: 0 }] = await run(
    `update alert set acknowledged_at = now(), acknowledged_by = (select id from app_user where username = $2)
     where device_id = $1 returning acknowledged_by as user_id`,
    endangered,
    'staff@a.example',
  )
  expect(userId).toBeGreaterThan(0)
  const takenBy = ({ rows }: WrongNow) => rows.find(({ deviceId }) => deviceId === endangered)?.takenBy
  expect(takenBy(await asked())).toBe('staff@a.example')
  const own = await asked({}, pilot)
  expect(names(own)).toEqual(['Dark for long', 'Silent', 'Endangered'])
  expect(takenBy(own)).toBe('Staff')
  expect(await asked({ customerId: harbour })).toMatchObject({ devices: 4 })
  const foreign = await ask(api, 'Dashboard/GetWrongNow', { token: pilot, query: { customerId: harbour } })
  expect(foreign.statusCode).toBe(404)
})

test('fifty are told of at most, and all are counted', async () => {
  const crowd = await addCustomer(api.pool, 'Crowd')
  await run(
    `insert into device (guid, name, customer_id, model_id, status_id, iot_device_id)
     select gen_random_uuid(), 'Pier ' || n, $1, 1, 2, '' from generate_series(1, 60) n`,
    crowd,
  )
  await run(
    `update device_now n set light = 'unplanned', light_since = now(), customer_id = d.customer_id, wrong_kinds = 1,
       wrong_since = now() from device d where d.id = n.device_id and d.customer_id = $1`,
    crowd,
  )
  const found = await asked({ customerId: crowd })
  expect([found.rows.length, found.devices, found.counts.dark]).toEqual([50, 60, 60])
})
