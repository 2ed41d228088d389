import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ERRORS, type ErrorCode } from '#contract/errors.ts'
import { CALLS } from '#contract/http/table.ts'
import type { CustomerId, DeviceId, UserId } from '#domain/ids.ts'
import type { FunctionId } from '#domain/permissions/functions.ts'
import {
  type Asked,
  addCustomer,
  addDevice,
  addUser,
  ask,
  countAuditRows,
  openSession,
  PASSWORD,
  type StartedApi,
  startApi,
} from '#server/testing/callers.ts'

/** Which functions may make a call, by hand and not from the contract: the two must agree. */
type Allowed =
  | 'everybody'
  | 'signedIn'
  | 'internal'
  | { readonly labWith: readonly FunctionId[] }
  | { readonly staffWith: readonly FunctionId[] }
  | readonly FunctionId[]
type Target = 'own' | 'foreign' | 'deleted' | 'never'

interface Expectation {
  readonly allowed: Allowed
  /** What the call is about; without it there is nothing to be foreign. */
  readonly about?: 'device' | 'customer'
  readonly asked: (target: Target) => Asked
  /** What everybody who may make the call is refused with: here no device is connected. */
  readonly refusal?: ErrorCode
  /** Before each use, for a call that leaves nothing for the next. */
  readonly prepare?: (target: Target) => Promise<void>
}

const ADMIN = 1
const MANAGER = 2
const CREATOR = 3
const ANALYST = 5

const nothing = () => ({})
/** The last day, in which every device has a report and a message. */
const PERIOD = {
  dateFrom: new Date(Date.now() - 86_400_000).toISOString(),
  dateTo: new Date(Date.now() + 3_600_000).toISOString(),
}
/** Everybody who may do it is told that the device is offline, and it is audited as that. */
const power = (more: Readonly<Record<string, number | boolean>> = {}): Expectation => ({
  allowed: [ADMIN, MANAGER],
  about: 'device',
  asked: (target) => ({ query: { deviceId: devices[target].id, ...more } }),
  refusal: 'device_offline',
})
const apply = (settings: Readonly<Record<string, number | boolean | string>>): Expectation => ({
  allowed: [ADMIN, MANAGER],
  about: 'device',
  asked: (target) => ({ method: 'POST', body: { deviceId: devices[target].id, ...settings } }),
})
const COLOURS = { dRedColorBalance: 50, dGreenColorBalance: 50, dBlueColorBalance: 50 }
const EXPECTED: Readonly<Record<string, Expectation>> = {
  'App/Login': {
    allowed: 'everybody',
    asked: () => ({ method: 'POST', body: { username: 'function1@a.example', password: PASSWORD } }),
  },
  'App/Logout': { allowed: 'signedIn', asked: () => ({ method: 'POST' }) },
  'App/GetClientAuthData': { allowed: 'signedIn', asked: nothing },
  'Customer/GetCustomerList': { allowed: 'signedIn', asked: nothing },
  'Country/GetCountryList': { allowed: 'signedIn', asked: nothing },
  'Device/GetDeviceModelLkpList': { allowed: 'signedIn', asked: nothing },
  'Device/GetDeviceStatusList': { allowed: 'signedIn', asked: nothing },
  'Device/GetConnectedStatusList': { allowed: 'signedIn', asked: nothing },
  'EventType/GetEventTypeList': { allowed: 'signedIn', asked: nothing },
  'Device/GetComponentModelList': { allowed: 'signedIn', asked: nothing },
  'Device/GetDeviceList': {
    allowed: [ADMIN, MANAGER, ANALYST],
    about: 'customer',
    asked: (target) => ({ query: { customerId: customers[target] } }),
  },
  'Device/GetDevice': {
    allowed: [ADMIN, MANAGER],
    about: 'device',
    asked: (target) => ({ query: { guid: devices[target].guid } }),
  },
  'Device/CreateDevice': {
    allowed: [ADMIN, CREATOR],
    asked: () => ({ method: 'POST', body: { customerId: customers.own, modelId: 1, name: 'Added' } }),
  },
  'Device/DownloadConfiguration': {
    allowed: [ADMIN, MANAGER],
    about: 'device',
    asked: (target) => ({ query: { id: devices[target].id } }),
  },
  'Device/SetDeviceDetails': {
    allowed: [ADMIN, MANAGER],
    about: 'device',
    asked: (target) => ({ method: 'POST', body: { id: devices[target].id, guid: devices.foreign.guid } }),
  },
  'Device/SetDeviceStatus': {
    allowed: [ADMIN, MANAGER],
    about: 'device',
    asked: (target) => ({ query: { id: devices[target].id, statusId: 3 } }),
  },
  'Device/DelDevice': {
    allowed: [ADMIN, MANAGER],
    about: 'device',
    asked: (target) => ({ query: { id: devices[target].id } }),
    prepare: async (target) => {
      if (target !== 'own' && target !== 'foreign') return
      const name = target === 'own' ? 'Own' : CANARY
      devices = { ...devices, [target]: await addDevice(api.pool, { name, customerId: customers[target] }) }
      await addReport(devices[target].id)
    },
  },
  'Device/RenewDeviceKey': {
    allowed: [ADMIN, MANAGER],
    about: 'device',
    asked: (target) => ({ method: 'POST', body: { id: devices[target].id } }),
  },
  'Device/GetTimeZoneAt': {
    allowed: [ADMIN, MANAGER],
    asked: () => ({ query: { latitude: 50.08, longitude: 14.43 } }),
  },
  'Device/GetDeviceComponents': {
    allowed: [ADMIN, MANAGER],
    about: 'device',
    asked: (target) => ({ query: { deviceId: devices[target].id } }),
  },
  'Device/GetDeviceComponentsExt': {
    allowed: [ADMIN, MANAGER],
    about: 'device',
    asked: (target) => ({ query: { deviceId: devices[target].id } }),
  },
  'Device/SetDeviceComponents': {
    allowed: [ADMIN],
    about: 'device',
    // One that was added and taken away again before it was saved.
    asked: (target) => ({
      method: 'POST',
      body: [{ id: -1, deviceId: devices[target].id, modelId: 5, number: 1, removed: true }],
    }),
  },
  'Country/GetHolidayList': { allowed: { staffWith: [ADMIN] }, asked: () => ({ query: { countryId: 1, year: 2027 } }) },
  'Country/SetHolidayList': {
    allowed: { staffWith: [ADMIN] },
    asked: () => ({ method: 'POST', body: { countryId: 1, year: 2027, rows: null } }),
  },
  'Device/UpsReboot': power(),
  'Device/UpsShutdown': power(),
  'Device/UpsGroup1Reset': power(),
  'Device/UpsGroup2Reset': power(),
  'Device/Router1Reset': power(),
  'Device/Router2Reset': power(),
  'Device/PowerSwitch1TurnOn': power(),
  'Device/PowerSwitch1TurnOff': power(),
  'Device/PowerSwitch1Reset': power(),
  'Device/PowerSwitch2TurnOn': power(),
  'Device/PowerSwitch2TurnOff': power(),
  'Device/PowerSwitch2Reset': power(),
  'Device/ResetNetworkRouterWithRelay': power({ number: 1 }),
  'Device/ResetNetworkRouterWithRelayPort': power({ number: 1 }),
  'Device/SetNetworkRouterWithRelayOnOff': power({ number: 1, on: true }),
  'Device/ResetNetworkRelay': power({ number: 1, port: 2 }),
  'Device/SetNetworkRelayOnOff': power({ number: 1, port: 2, on: false }),
  'Device/GetDeviceCommandList': {
    allowed: [ADMIN, MANAGER],
    about: 'device',
    asked: (target) => ({ query: { deviceId: devices[target].id } }),
  },
  'Device/ApplyDisplaySettings': apply({ ...COLOURS, dBrightness: 50, dBacklightLevel: 50, dGammaValue: 2.2 }),
  'Device/ApplyAmbientSensorSettings': apply({
    dBacklightAutomaticStatus: true,
    dMinBacklight: 10,
    dMaxBacklight: 90,
    dMinAmbientLight: 0,
    dMaxAmbientLight: 1000,
  }),
  'Device/ApplyTurnDisplayOffSettings': apply({ wdTimeOffFrom: '22:00', wdTimeOffTo: '06:00' }),
  'Device/GetDeviceLocalSettings': {
    allowed: [ADMIN, MANAGER],
    about: 'device',
    asked: (target) => ({ query: { deviceId: devices[target].id } }),
  },
  'Device/GetDeviceSettings': {
    allowed: [ADMIN, MANAGER],
    about: 'device',
    asked: (target) => ({ query: { deviceId: devices[target].id } }),
  },
  'Device/CompareDeviceSettings': {
    allowed: [ADMIN, MANAGER],
    about: 'device',
    // Beside an own device, so that one that may not be seen has to refuse the whole call.
    asked: (target) => ({ method: 'POST', body: { deviceIds: [devices.own.id, devices[target].id] } }),
  },
  'Device/GetDeviceEvTypeState': {
    allowed: [ADMIN, MANAGER],
    about: 'device',
    asked: (target) => ({ query: { deviceId: devices[target].id } }),
  },
  'Device/GetDeviceDashboardData': {
    allowed: [ADMIN, MANAGER],
    about: 'device',
    asked: (target) => ({ query: { deviceId: devices[target].id } }),
  },
  'Device/GetDeviceById': {
    allowed: [ADMIN, MANAGER, ANALYST],
    about: 'device',
    asked: (target) => ({ query: { id: devices[target].id } }),
  },
  'Analytics/GetDeviceMeasurementList': {
    allowed: [ADMIN, ANALYST],
    about: 'device',
    asked: (target) => ({ query: { deviceId: devices[target].id } }),
  },
  'Analytics/GetAnalyticsDataTable': {
    allowed: [ADMIN, MANAGER, ANALYST],
    about: 'device',
    // Beside an own device, so that one that may not be seen has to refuse the whole call.
    asked: (target) => ({
      query: { ...PERIOD, devices: `${devices.own.id},${devices[target].id}`, measurements: 4101 },
    }),
  },
  'Device/GetDeviceEvTypeRawDataV2': {
    allowed: [ADMIN, MANAGER],
    about: 'device',
    asked: (target) => ({ query: { ...PERIOD, deviceId: devices[target].id, evTypeId: 4 } }),
  },
  'Device/GetDeviceEvTypeRawDataV2Full': {
    allowed: { labWith: [ADMIN, MANAGER] },
    about: 'device',
    asked: (target) => ({ query: { ...PERIOD, deviceId: devices[target].id, evTypeId: 4 } }),
  },
  'EventType/GetDeviceEvTypeMsgData': {
    allowed: [ADMIN, MANAGER],
    about: 'device',
    asked: (target) => ({ query: { ...PERIOD, deviceId: devices[target].id } }),
  },
  'EventType/GetDeviceEvTypeMsgDataFull': {
    allowed: { labWith: [ADMIN, MANAGER] },
    about: 'device',
    asked: (target) => ({ query: { ...PERIOD, deviceId: devices[target].id } }),
  },
  'Dashboard/GetDashboardTable': {
    allowed: 'internal',
    about: 'customer',
    asked: (target) => ({
      query: { customerId: customers[target], dateFrom: '2000-01-01', dateTo: '2999-12-31', table: 'ETL_DB_INFO' },
    }),
  },
  'Live/Watch': {
    allowed: [ADMIN, MANAGER, ANALYST],
    asked: () => ({ method: 'POST', body: { deviceIds: [], stateDeviceIds: [] } }),
  },
}

const FUNCTIONS: readonly FunctionId[] = [1, 2, 3, 5, 7]
const CANARY = 'canary of the other customer'

let api: StartedApi
let customers: Record<Target, CustomerId>
let devices: Record<Target, { id: DeviceId; guid: string }>

interface Principal {
  readonly name: string
  readonly functions: readonly FunctionId[]
  readonly isCustomer: boolean
  readonly isDead: boolean
  readonly isLab: boolean
  readonly isInternal: boolean
  readonly token: () => Promise<string | undefined>
}
const principals: Principal[] = []

interface PrincipalToAdd {
  readonly functions: readonly FunctionId[]
  readonly isLab?: boolean
  readonly isInternal?: boolean
}

async function addPrincipals(customerId: CustomerId | undefined) {
  const place = customerId === undefined ? 'staff' : 'a'
  const kinds: readonly PrincipalToAdd[] = [
    ...[...FUNCTIONS.map((one) => [one]), [], [...FUNCTIONS]].map((functions) => ({ functions })),
    ...[[ADMIN], [MANAGER], [ANALYST], []].map((functions) => ({ functions: functions as FunctionId[], isLab: true })),
    ...[[ADMIN], []].map((functions) => ({ functions: functions as FunctionId[], isInternal: true })),
  ]
  for (const { functions, isLab = false, isInternal = false } of kinds) {
    const flags = `${isLab ? 'lab-' : ''}${isInternal ? 'internal-' : ''}`
    const name = `${flags}function${functions.join('-') || 'less'}@${place}.example`
    const userId = await addUser(api.pool, {
      username: name,
      functions,
      isLab,
      ...(customerId === undefined ? {} : { customerId }),
    })
    const token = () => openSession(api.pool, userId)
    principals.push({ name, functions, isCustomer: customerId !== undefined, isDead: false, isLab, isInternal, token })
  }
}

const DEAD = { functions: [], isCustomer: false, isDead: true, isLab: false, isInternal: false }

async function addDead(name: string, kill: (userId: UserId) => Promise<unknown>) {
  const userId = await addUser(api.pool, { username: `${name}@a.example`, functions: [...FUNCTIONS] })
  const token = async () => {
    const opened = await openSession(api.pool, userId)
    await kill(userId)
    return opened
  }
  principals.push({ ...DEAD, name, token })
}

/** What the other customer's device said is what nobody else may read. */
async function addReport(deviceId: DeviceId) {
  const text = deviceId === devices.foreign.id ? CANARY : 'Hello'
  await api.pool.query(
    `insert into reading_display (device_id, number, device_dt, inserted, internal_temp, extra)
     values ($1, 1, now(), now(), 20, jsonb_build_object('note', $2::text))`,
    [deviceId, text],
  )
  await api.pool.query(
    `insert into device_message (device_id, at, hash, msg) values ($1, now(), sha256($2::text::bytea), $2)`,
    [deviceId, text],
  )
}

beforeAll(async () => {
  const internalUsers = ['staff', 'a'].flatMap((place) => [
    `internal-function1@${place}.example`,
    `internal-functionless@${place}.example`,
  ])
  api = await startApi({ internalUsers })
  const { pool } = api
  const [own, foreign] = [await addCustomer(pool, 'Ours'), await addCustomer(pool, CANARY)]
  customers = { own, foreign, deleted: 2_000_000_000 as CustomerId, never: 2_000_000_001 as CustomerId }
  devices = {
    own: await addDevice(pool, { name: 'Own', customerId: own }),
    foreign: await addDevice(pool, { name: CANARY, customerId: foreign, address: CANARY, attrSerial: CANARY }),
    deleted: await addDevice(pool, { name: 'Deleted', customerId: own }),
    never: { id: 2_000_000_000 as DeviceId, guid: randomUUID() },
  }
  for (const { id } of [devices.own, devices.foreign, devices.deleted]) await addReport(id)
  await pool.query('update device set deleted_at = now() where id = $1', [devices.deleted.id])
  await addPrincipals(undefined)
  await addPrincipals(own)
  principals.push({ ...DEAD, name: 'nobody', token: async () => undefined })
  principals.push({ ...DEAD, name: 'a made-up token', token: async () => 'A'.repeat(43) })
  const update = (sql: string) => (userId: UserId) => pool.query(sql, [userId])
  await addDead('disabled', update('update app_user set is_disabled = true where id = $1'))
  await addDead('deleted', update('update app_user set deleted_at = now() where id = $1'))
  await addDead(
    'roleless',
    update('update app_role set deleted_at = now() where id = (select role_id from app_user where id = $1)'),
  )
  await addDead('expired', update('update app_session set expires_at = now() where user_id = $1'))
  await addDead('idle', update(`update app_session set last_used_at = now() - interval '13 hours' where user_id = $1`))
})
afterAll(() => api.stop())

function isAllowed(allowed: Exclude<Allowed, 'everybody'>, principal: Principal): boolean {
  const { functions, isLab, isInternal, isCustomer } = principal
  if (allowed === 'signedIn') return true
  if (allowed === 'internal') return isInternal
  if ('labWith' in allowed) return isLab && functions.some((one) => allowed.labWith.includes(one))
  if ('staffWith' in allowed) return !isCustomer && functions.some((one) => allowed.staffWith.includes(one))
  return functions.some((one) => allowed.includes(one))
}

function expectedStatus({ allowed, about, refusal }: Expectation, principal: Principal, target: Target): number {
  if (allowed === 'everybody') return 200
  if (principal.isDead) return 401
  if (!isAllowed(allowed, principal)) return 403
  const found = refusal ? ERRORS[refusal].status : 200
  if (about === undefined || target === 'own') return found
  return target === 'foreign' && !principal.isCustomer ? found : 404
}

/** Everything of the other customer, and of nobody in particular, that no refused call may change. */
async function foreignRows(): Promise<string> {
  const { rows } = await api.pool.query(
    `select md5(string_agg(t::text, '|' order by t::text)) as hash from (
       select d::text from device d where customer_id = $1
       union all select k::text from device_credential k where device_id = $2
       union all select o::text from device_component o where device_id = $2
       union all select s::text from device_setting s where device_id = $2
       union all select m::text from device_command m where device_id = $2
       union all select e::text from device_deletion e where device_id = $2
       union all select c::text from customer c where id = $1) t`,
    [customers.foreign, devices.foreign.id],
  )
  return rows[0].hash
}

test('every call has an expectation, and nothing else has one', () => {
  expect(Object.keys(EXPECTED).sort()).toEqual(CALLS.map(({ path }) => path).sort())
})

test.each(CALLS.map(({ path }) => path))(
  '%s answers every caller as expected, with one audit row per change',
  async (path) => {
    const expectation = EXPECTED[path]
    const call = CALLS.find((entry) => entry.path === path)
    if (!expectation || !call) throw new Error(`${path} has no expectation`)
    const targets: readonly Target[] = expectation.about ? ['own', 'foreign', 'deleted', 'never'] : ['own']
    const wrong: unknown[] = []

    for (const principal of principals) {
      const refusals = new Set<string>()
      for (const target of targets) {
        const token = await principal.token()
        await expectation.prepare?.(target)
        const rowsBefore = await countAuditRows(api.pool)
        const hashBefore = principal.isCustomer || principal.isDead ? await foreignRows() : ''
        const answer = await ask(api, path, { token, ...expectation.asked(target) })
        const rows = (await countAuditRows(api.pool)) - rowsBefore
        const hashAfter = principal.isCustomer || principal.isDead ? await foreignRows() : ''
        const wanted = expectedStatus(expectation, principal, target)
        const { date: _, ...headers } = answer.headers
        if (answer.statusCode === 404) refusals.add(JSON.stringify([headers, answer.body]))
        const leaks = (principal.isCustomer || principal.isDead) && answer.body.includes(CANARY)
        const found = { status: answer.statusCode, rows, leaks, isUntouched: hashBefore === hashAfter }
        const should = { status: wanted, rows: call.changes ? 1 : 0, leaks: false, isUntouched: true }
        if (JSON.stringify(found) !== JSON.stringify(should))
          wrong.push({ principal: principal.name, target, found, should })
        if (call.changes) {
          const { rows: newest } = await api.pool.query('select call, outcome from audit_log order by id desc limit 1')
          const outcome = wanted === 200 ? 'done' : answer.json().code
          if (newest[0].call !== path || newest[0].outcome !== outcome)
            wrong.push({ principal: principal.name, newest })
        }
      }
      if (refusals.size > 1) wrong.push({ principal: principal.name, differentRefusals: [...refusals] })
    }
    expect(wrong).toEqual([])
  },
  120_000,
)

test('a customer user who creates a device for another customer gets it for their own', async () => {
  const creator = principals.find(({ name }) => name === 'function3@a.example')
  const body = { customerId: customers.foreign, modelId: 1, name: 'Mine after all' }
  const answer = await ask(api, 'Device/CreateDevice', { token: await creator?.token(), method: 'POST', body })
  expect(answer.json()).toMatchObject({ customerId: customers.own, statusId: 1 })
})

test('a customer user finds only the own customer among the customers, and only own devices in the list', async () => {
  const admin = principals.find(({ name }) => name === 'function1@a.example')
  const token = await admin?.token()
  expect((await ask(api, 'Customer/GetCustomerList', { token })).json()).toEqual([{ id: customers.own, name: 'Ours' }])
  const listed = (await ask(api, 'Device/GetDeviceList', { token })).json() as { customerId: number }[]
  expect(new Set(listed.map(({ customerId }) => customerId))).toEqual(new Set([customers.own]))
})

test('the application can neither change nor delete an audit row', async () => {
  await expect(api.pool.query(`update audit_log set details = ''`)).rejects.toMatchObject({ code: '42501' })
  await expect(api.pool.query('delete from audit_log')).rejects.toMatchObject({ code: '42501' })
  await expect(api.pool.query('truncate audit_log')).rejects.toMatchObject({ code: '42501' })
})
