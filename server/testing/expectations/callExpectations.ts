import type { CustomerId, DeviceId } from '#domain/ids.ts'
import { addDevice, PASSWORD, type StartedApi } from '#server/testing/callers.ts'
import { addMovedDevice } from '#server/testing/movedDevices.ts'
import { accountExpectations } from './accountExpectations.ts'
import { careExpectations } from './careExpectations.ts'
import { claimExpectations } from './claimExpectations.ts'
import { clientExpectations } from './clientExpectations.ts'
import { CANARY, type Expectation, OWN_CANARY, PERIOD, type Target } from './expectation.ts'
import { factorExpectations } from './factorExpectations.ts'
import { incidentExpectations } from './incidentExpectations.ts'
import { lightRuleExpectations } from './lightRuleExpectations.ts'
import { notifyingExpectations } from './notifyingExpectations.ts'
import { peopleExpectations } from './peopleExpectations.ts'
import { proofExpectations } from './proofExpectations.ts'
import { statementExpectations } from './statementExpectations.ts'
import { visitExpectations } from './visitExpectations.ts'

const NO_ALERT = { alertId: 2_000_000_000, conditionId: 2_000_000_000 }

/** The calls are about these; the test that makes the calls fills it. */
export const world = {
  alerts: {
    own: NO_ALERT,
    foreign: NO_ALERT,
    deleted: NO_ALERT,
    never: NO_ALERT,
    movedIn: NO_ALERT,
    movedAway: NO_ALERT,
  },
  maintenanceIds: { own: 0, foreign: 0, deleted: 0, never: 2_000_000_000, movedIn: 0, movedAway: 0 },
} as {
  api: StartedApi
  mover: string
  customers: Record<Target, CustomerId>
  devices: Record<Target, { id: DeviceId; guid: string }>
  alerts: Record<Target, typeof NO_ALERT>
  maintenanceIds: Record<Target, number>
}

export const ADMIN = 1
export const MANAGER = 2
const CREATOR = 3
export const ANALYST = 5
export const SEER = 8

/** A moved device is slow to make, so this one is separate and the other calls keep theirs. */
let toDelete = 0

const nothing = () => ({})
const LOCAL_PERIOD = { dateFrom: '2026-11-01', dateTo: '2026-11-07' }
/** Everybody with the right is told that the device is offline, and the audit row says so. */
const power = (more: Readonly<Record<string, number | boolean | string>> = {}): Expectation => ({
  allowed: [ADMIN, MANAGER],
  about: 'device',
  asked: (target) => ({ query: { deviceId: world.devices[target].id, ...more } }),
  refusal: 'device_offline',
})
const apply = (settings: Readonly<Record<string, unknown>>): Expectation => ({
  allowed: [ADMIN, MANAGER],
  about: 'device',
  asked: (target) => ({ method: 'POST', body: { deviceId: world.devices[target].id, ...settings } }),
})
const COLOURS = { dRedColorBalance: 50, dGreenColorBalance: 50, dBlueColorBalance: 50 }
export const EXPECTED: Readonly<Record<string, Expectation>> = {
  'App/Login': {
    allowed: 'everybody',
    asked: () => ({ method: 'POST', body: { username: 'function1@a.example', password: PASSWORD } }),
  },
  'App/Logout': { allowed: 'signedIn', asked: () => ({ method: 'POST' }) },
  'App/GetOfferedUsers': { allowed: 'everybody', asked: nothing },
  'App/GetClientAuthData': { allowed: 'signedIn', asked: nothing },
  'Customer/GetCustomerList': { allowed: 'signedIn', asked: nothing },
  'Country/GetCountryList': { allowed: 'signedIn', asked: nothing },
  'Device/GetDeviceModelLkpList': { allowed: 'signedIn', asked: nothing },
  'Device/GetDeviceStatusList': { allowed: 'signedIn', asked: nothing },
  'Device/GetConnectedStatusList': { allowed: 'signedIn', asked: nothing },
  'App/GetConsoleSettings': { allowed: 'signedIn', asked: nothing },
  'EventType/GetEventTypeList': { allowed: 'signedIn', asked: nothing },
  'Device/GetComponentModelList': { allowed: 'signedIn', asked: nothing },
  'Device/GetDeviceList': {
    allowed: [ADMIN, MANAGER, SEER, ANALYST],
    about: 'customer',
    asked: (target) => ({ query: { customerId: world.customers[target] } }),
  },
  'Device/GetDevicePins': {
    allowed: [ADMIN, MANAGER, SEER],
    about: 'customer',
    asked: (target) => ({ query: { customerId: world.customers[target] } }),
  },
  'Device/GetDevice': {
    allowed: [ADMIN, MANAGER, SEER],
    about: 'device',
    asked: (target) => ({ query: { guid: world.devices[target].guid } }),
  },
  'Device/CreateDevice': {
    allowed: [ADMIN, CREATOR],
    asked: () => ({ method: 'POST', body: { customerId: world.customers.own, modelId: 1, name: 'Added' } }),
  },
  'Release/GetInstallPackages': { allowed: [ADMIN, CREATOR], asked: () => ({}) },
  'Device/DownloadConfiguration': {
    allowed: [ADMIN, MANAGER],
    about: 'device',
    asked: (target) => ({ query: { id: world.devices[target].id } }),
  },
  'Device/SetDeviceDetails': {
    allowed: [ADMIN, MANAGER],
    about: 'device',
    asked: (target) => ({ method: 'POST', body: { id: world.devices[target].id, guid: world.devices.foreign.guid } }),
  },
  'Device/GetDeviceTagList': {
    allowed: [ADMIN, MANAGER, SEER],
    about: 'customer',
    asked: (target) => ({ query: { customerId: world.customers[target] } }),
  },
  'Device/GetClientVersionList': {
    allowed: [ADMIN, MANAGER, SEER],
    about: 'customer',
    asked: (target) => ({ query: { customerId: world.customers[target] } }),
  },
  'Device/GetDeviceListCounts': {
    allowed: [ADMIN, MANAGER, SEER],
    about: 'customer',
    asked: (target) => ({ query: { customerId: world.customers[target] } }),
  },
  'Device/ChangeDeviceTags': {
    allowed: [ADMIN, MANAGER],
    about: 'device',
    asked: (target) => ({ method: 'POST', body: { id: world.devices[target].id, add: ['Tagged'], remove: ['Gone'] } }),
  },
  'Device/SetDeviceStatus': {
    allowed: [ADMIN, MANAGER],
    about: 'device',
    asked: (target) => ({ query: { id: world.devices[target].id, statusId: 3 } }),
  },
  'Device/DelDevice': {
    allowed: [ADMIN, MANAGER],
    about: 'device',
    asked: (target) => ({ query: { id: target === 'movedIn' ? toDelete : world.devices[target].id } }),
    prepare: async (target) => {
      if (target === 'movedIn') toDelete = (await addMoved(target)).id
      if (target !== 'own' && target !== 'foreign') return
      const name = target === 'own' ? 'Own' : CANARY
      world.devices = {
        ...world.devices,
        [target]: await addDevice(world.api.pool, { name, customerId: world.customers[target] }),
      }
      await addParts(world.devices[target].id)
      await addReport(world.devices[target].id, target === 'foreign' ? CANARY : undefined)
    },
  },
  'Device/RenewDeviceKey': {
    allowed: [ADMIN, MANAGER],
    about: 'device',
    asked: (target) => ({ method: 'POST', body: { id: world.devices[target].id } }),
  },
  'Device/GetTimeZoneAt': {
    allowed: [ADMIN, MANAGER],
    asked: () => ({ query: { latitude: 50.08, longitude: 14.43 } }),
  },
  'Device/GetDeviceComponents': {
    allowed: [ADMIN, MANAGER, SEER],
    about: 'device',
    asked: (target) => ({ query: { deviceId: world.devices[target].id } }),
  },
  'Device/GetDeviceComponentsExt': {
    allowed: [ADMIN, MANAGER, SEER],
    about: 'device',
    asked: (target) => ({ query: { deviceId: world.devices[target].id } }),
  },
  'Device/SetDeviceComponents': {
    allowed: [ADMIN],
    about: 'device',
    // It names a component that was added and removed again before saving.
    asked: (target) => ({
      method: 'POST',
      body: [{ id: -1, deviceId: world.devices[target].id, modelId: 5, number: 1, removed: true }],
    }),
  },
  'Device/GetDeviceDrivers': {
    allowed: [ADMIN, MANAGER, SEER],
    about: 'device',
    asked: (target) => ({ query: { deviceId: world.devices[target].id } }),
  },
  'Device/SetDeviceDriver': {
    allowed: [ADMIN],
    about: 'device',
    asked: (target) => ({
      method: 'POST',
      body: { deviceId: world.devices[target].id, part: 'device', driver: null },
    }),
  },
  'Device/GetFeedChain': {
    allowed: [ADMIN, MANAGER, SEER],
    about: 'device',
    asked: (target) => ({ query: { deviceId: world.devices[target].id } }),
  },
  'Device/SetFeedChain': {
    allowed: [ADMIN],
    about: 'device',
    asked: (target) => ({
      method: 'POST',
      body: { deviceId: world.devices[target].id, feeds: { computer: 'mains' } },
    }),
  },
  'Country/GetHolidayList': { allowed: { staffWith: [ADMIN] }, asked: () => ({ query: { countryId: 1, year: 2027 } }) },
  'Country/SetHolidayList': {
    allowed: { staffWith: [ADMIN] },
    asked: () => ({ method: 'POST', body: { countryId: 1, year: 2027, rows: null } }),
  },
  'Device/UpsReboot': power(),
  'Device/UpsBatteryTest': power(),
  'Device/RestartComputer': power(),
  'Device/TestDeviceDriver': power({ part: 'ups' }),
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
    allowed: [ADMIN, MANAGER, SEER],
    about: 'device',
    asked: (target) => ({ query: { deviceId: world.devices[target].id } }),
  },
  'Device/ApplyDisplaySettings': apply({ ...COLOURS, dBrightness: 50, dBacklightLevel: 50, dGammaValue: 2.2 }),
  'Device/ApplyAmbientSensorSettings': apply({
    dBacklightAutomaticStatus: true,
    dMinBacklight: 10,
    dMaxBacklight: 90,
    dMinAmbientLight: 0,
    dMaxAmbientLight: 1000,
  }),
  'Device/ApplyBatteryTestSettings': apply({ schedule: { every: 'week', weekday: 0, from: '03:00', to: '04:00' } }),
  'Device/ApplyDataBudgetSettings': apply({ budget: { megabytes: 2000, billingDay: 15 } }),
  'Device/ApplyDayPlanSettings': apply({ workdays: [{ from: '22:00', backlightPercent: 70 }] }),
  'Device/ApplyTurnDisplayOffSettings': apply({ wdTimeOffFrom: '22:00', wdTimeOffTo: '06:00' }),
  'Device/GetDeviceLocalSettings': {
    allowed: [ADMIN, MANAGER, SEER],
    about: 'device',
    asked: (target) => ({ query: { deviceId: world.devices[target].id } }),
  },
  'Device/GetDeviceSettings': {
    allowed: [ADMIN, MANAGER, SEER],
    about: 'device',
    asked: (target) => ({ query: { deviceId: world.devices[target].id } }),
  },
  'Device/GetSettingChangeList': {
    allowed: [ADMIN, MANAGER, SEER],
    about: 'device',
    asked: (target) => ({ query: { deviceId: world.devices[target].id, section: 'display', number: 1 } }),
  },
  'Device/CompareDeviceSettings': {
    allowed: [ADMIN, MANAGER],
    about: 'device',
    // An own device stands beside it, so that a hidden one has to refuse the whole call.
    asked: (target) => ({ method: 'POST', body: { deviceIds: [world.devices.own.id, world.devices[target].id] } }),
  },
  'Device/GetDeviceEvTypeState': {
    allowed: [ADMIN, MANAGER, SEER],
    about: 'device',
    asked: (target) => ({ query: { deviceId: world.devices[target].id } }),
  },
  'Device/GetDeviceDashboardData': {
    allowed: [ADMIN, MANAGER, SEER],
    about: 'device',
    asked: (target) => ({ query: { deviceId: world.devices[target].id } }),
  },
  'Device/GetDeviceHealth': {
    allowed: [ADMIN, MANAGER, SEER],
    about: 'device',
    asked: (target) => ({ query: { deviceId: world.devices[target].id } }),
  },
  'Device/GetDeviceTimeline': {
    allowed: [ADMIN, MANAGER, SEER, ANALYST],
    about: 'device',
    asked: (target) => ({
      query: {
        deviceId: world.devices[target].id,
        dateFrom: '2026-07-01T00:00:00.000Z',
        dateTo: '2026-07-02T00:00:00.000Z',
      },
    }),
  },
  'Device/GetReadingLimits': {
    allowed: [ADMIN, MANAGER, SEER, ANALYST],
    about: 'device',
    asked: (target) => ({ query: { deviceId: world.devices[target].id } }),
  },
  'Device/GetSiteTimeline': {
    allowed: [ADMIN, MANAGER, SEER, ANALYST],
    about: 'device',
    asked: (target) => ({
      query: {
        deviceId: world.devices[target].id,
        dateFrom: '2026-07-01T00:00:00.000Z',
        dateTo: '2026-07-02T00:00:00.000Z',
      },
    }),
  },
  'Device/GetUnusualFields': {
    allowed: [ADMIN, MANAGER, SEER, ANALYST],
    about: 'device',
    asked: (target) => ({
      query: {
        deviceId: world.devices[target].id,
        dateFrom: '2026-07-01T00:00:00.000Z',
        dateTo: '2026-07-02T00:00:00.000Z',
      },
    }),
  },
  'Device/GetDeviceStateAt': {
    allowed: [ADMIN, MANAGER, SEER],
    about: 'device',
    asked: (target) => ({ query: { deviceId: world.devices[target].id, at: '2026-11-20T14:00:00Z' } }),
  },
  'Device/GetDarkness': {
    allowed: [ADMIN, MANAGER, SEER],
    about: 'device',
    asked: (target) => ({ query: { deviceId: world.devices[target].id } }),
  },
  'Device/GetDarkMinutes': {
    allowed: [ADMIN, MANAGER, SEER],
    about: 'device',
    asked: (target) => ({ query: { ...LOCAL_PERIOD, deviceId: world.devices[target].id } }),
  },
  'Device/GetPlannedDarkness': {
    allowed: [ADMIN, MANAGER, SEER, ANALYST],
    about: 'device',
    asked: (target) => ({ query: { ...LOCAL_PERIOD, deviceId: world.devices[target].id } }),
  },
  'Dashboard/GetAvailability': {
    allowed: [ADMIN, MANAGER, SEER],
    about: 'customer',
    asked: (target) => ({ query: { ...LOCAL_PERIOD, customerId: world.customers[target] } }),
  },
  'Device/GetDeviceById': {
    allowed: [ADMIN, MANAGER, SEER, ANALYST],
    about: 'device',
    asked: (target) => ({ query: { id: world.devices[target].id } }),
  },
  'Analytics/GetDeviceMeasurementList': {
    allowed: [ADMIN, ANALYST],
    about: 'device',
    asked: (target) => ({ query: { deviceId: world.devices[target].id } }),
  },
  'Analytics/GetAnalyticsDataTable': {
    allowed: [ADMIN, MANAGER, SEER, ANALYST],
    about: 'device',
    // An own device stands beside it, so that a hidden one has to refuse the whole call.
    asked: (target) => ({
      query: { ...PERIOD, devices: `${world.devices.own.id},${world.devices[target].id}`, measurements: 4101 },
    }),
  },
  'Analytics/GetAnalyticsColumns': {
    allowed: [ADMIN, MANAGER, SEER, ANALYST],
    about: 'device',
    asked: (target) => ({
      query: { ...PERIOD, devices: `${world.devices.own.id},${world.devices[target].id}`, measurements: 4101 },
    }),
  },
  'Analytics/GetReadings': {
    allowed: [ADMIN, MANAGER, SEER, ANALYST],
    about: 'device',
    asked: (target) => ({ query: { ...PERIOD, deviceId: world.devices[target].id, measurementId: 4101 } }),
  },
  'Device/GetPresentValues': {
    allowed: [ADMIN, MANAGER, SEER, ANALYST],
    about: 'device',
    // Among several, a device that is not theirs is only named as unknown (readings.test.ts).
    asked: (target) => ({ query: { devices: `${world.devices[target].id}`, fields: '4101' } }),
  },
  'Device/GetDeviceListFull': {
    allowed: [ADMIN, MANAGER, SEER, ANALYST],
    about: 'customer',
    asked: (target) => ({ query: { customerId: world.customers[target] } }),
  },
  'Device/GetDeviceEvTypeRawDataV2': {
    allowed: [ADMIN, MANAGER, SEER],
    about: 'device',
    asked: (target) => ({ query: { ...PERIOD, deviceId: world.devices[target].id, evTypeId: 4 } }),
  },
  'Device/GetDeviceEvTypeRawDataV2Full': {
    allowed: { labWith: [ADMIN, MANAGER] },
    about: 'device',
    asked: (target) => ({ query: { ...PERIOD, deviceId: world.devices[target].id, evTypeId: 4 } }),
  },
  'EventType/GetDeviceEvTypeMsgData': {
    allowed: [ADMIN, MANAGER, SEER],
    about: 'device',
    asked: (target) => ({ query: { ...PERIOD, deviceId: world.devices[target].id } }),
  },
  'EventType/GetDeviceEvTypeMsgDataFull': {
    allowed: { labWith: [ADMIN, MANAGER] },
    about: 'device',
    asked: (target) => ({ query: { ...PERIOD, deviceId: world.devices[target].id } }),
  },
  // Internal users get the roll-up alone, which needs no function (dashboard.test.ts).
  'Dashboard/GetDashboardTable': {
    allowed: [ADMIN, MANAGER, SEER],
    about: 'customer',
    asked: (target) => ({ query: { ...PERIOD, customerId: world.customers[target], table: 'OPENED_ALERTS' } }),
  },
  'Dashboard/GetWrongNow': {
    allowed: [ADMIN, MANAGER, SEER],
    about: 'customer',
    asked: (target) => ({ query: { customerId: world.customers[target] } }),
  },
  'Dashboard/GetDashboardValues': {
    allowed: [ADMIN, MANAGER, SEER],
    about: 'customer',
    asked: (target) => ({ query: { ...PERIOD, customerId: world.customers[target] } }),
  },
  'Dashboard/GetTileTrends': {
    allowed: [ADMIN, MANAGER, SEER],
    about: 'customer',
    asked: (target) => ({ query: { customerId: world.customers[target] } }),
  },
  ...careExpectations(() => world),
  ...claimExpectations(() => world),
  ...statementExpectations(() => world),
  ...proofExpectations(() => world),
  ...lightRuleExpectations(() => world),
  ...visitExpectations(() => world),
  ...incidentExpectations(() => world),
  ...notifyingExpectations(() => world),
  ...peopleExpectations(() => world),
  ...factorExpectations(() => world.api.pool),
  ...accountExpectations(() => world),
  ...clientExpectations(() => world),
  'Live/Watch': {
    allowed: [ADMIN, MANAGER, SEER, ANALYST],
    asked: () => ({ method: 'POST', body: { deviceIds: [], stateDeviceIds: [] } }),
  },
}

/** Adds a device that came from the other customer or went there, with what only its customer of then may read. */
export async function addMoved(target: 'movedIn' | 'movedAway') {
  const { api, mover, customers } = world
  const { own, foreign } = customers
  const device = await (target === 'movedIn'
    ? addMovedDevice(api, { mover, from: foreign, to: own, words: { before: CANARY, after: 'Moved in' } })
    : addMovedDevice(api, { mover, from: own, to: foreign, words: { before: OWN_CANARY, after: CANARY } }))
  await addReport(device.id)
  return device
}

/** Adds the parts that power calls name: a relay, a router with relay, a UPS. */
export async function addParts(deviceId: DeviceId) {
  await world.api.pool.query(
    `insert into device_component (device_id, component_model_id, category_id, number, label, label_reset,
       label_port1, label_port2, option_port1, option_port2)
     select $1, model, category, 1, 'Part', 'Reset', 'Port 1', 'Port 2', 'FULL', 'FULL'
     from (values (4, 3), (18, 14), (5, 4)) fitted (model, category)`,
    [deviceId],
  )
}

/** Adds a report whose text nobody but the other customer may read. */
export async function addReport(deviceId: DeviceId, text = 'Hello') {
  await world.api.pool.query(
    `insert into reading_display (device_id, number, device_dt, inserted, internal_temp, extra)
     values ($1, 1, now(), now(), 20, jsonb_build_object('note', $2::text))`,
    [deviceId, text],
  )
  await world.api.pool.query(
    `insert into device_message (device_id, at, hash, msg) values ($1, now(), sha256($2::text::bytea), $2)`,
    [deviceId, text],
  )
}
