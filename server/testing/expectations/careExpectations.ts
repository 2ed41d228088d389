import type pg from 'pg'
import type { CustomerId, DeviceId } from '#domain/ids.ts'
import { CANARY, type Expectation, PERIOD, type Target } from './expectation.ts'

interface World {
  readonly api: { readonly pool: pg.Pool }
  readonly customers: Record<Target, CustomerId>
  readonly devices: Record<Target, { readonly id: DeviceId }>
  alerts: Record<Target, { readonly alertId: number; readonly conditionId: number }>
  readonly maintenanceIds: Record<Target, number>
}

const ADMIN = 1
const MANAGER = 2
const SEER = 8
const ANALYST = 5

const WARM = { eventTypeFieldId: 4101, operatorId: 1, valueDec: 10 }

const nothing = () => ({})
let viewNumber = 0

const isTheirs = (target: Target) => target === 'foreign' || target === 'movedAway'

/** Expectations about alerts, conditions, mail recipients, and maintenance. */
export function careExpectations(world: () => World): Readonly<Record<string, Expectation>> {
  async function openAlert(target: Target) {
    if (target === 'never') return
    const { rows } = await world().api.pool.query(
      `with made as (
         insert into alert_condition (device_id, field_id, operator_code, value_dec)
         values ($1, 4101, 'GT', 10) returning id, device_id),
       opened as (
         insert into alert (device_id, condition_id, created_at, found_at, field_id, operator_code, value_dec, period_id,
           action_type_id, condition_text, metric_value_dec, state_since)
         select device_id, id, now(), now(), 4101, 'GT', 10, 1, 1, $2, 20, now() from made returning id, condition_id)
       insert into alert_state (device_id, condition_id, revision, version, last_at, alert, is_suppressed, open_alert_id)
       select $1, condition_id, 1, 1, now(), 1, false, id from opened
       returning open_alert_id as "alertId", condition_id as "conditionId"`,
      [world().devices[target].id, isTheirs(target) ? CANARY : 'Warm'],
    )
    world().alerts = { ...world().alerts, [target]: rows[0] }
  }

  /** Adds another entry, because a use may have removed the last one. */
  async function addMaintenance(target: Target) {
    if (target === 'never') return
    const { rows } = await world().api.pool.query(
      `insert into maintenance_entry (device_id, start_at, action_comment) values ($1, now(), $2) returning id`,
      [world().devices[target].id, isTheirs(target) ? CANARY : 'Replaced the fan'],
    )
    world().maintenanceIds[target] = rows[0].id
  }

  return {
    ...maintenanceCalls(world, addMaintenance),
    ...maintenanceWindowCalls(world),
    ...viewCalls(world),
    ...alertCalls(world, openAlert),
    ...conditionCalls(world, openAlert),
  }
}

/** Expectations about maintenance and the recipients of alert mails. */
function maintenanceCalls(
  world: () => World,
  addMaintenance: (target: Target) => Promise<void>,
): Readonly<Record<string, Expectation>> {
  return {
    'DeviceMaintenance/GetMaintenanceActionList': { allowed: 'signedIn', asked: nothing },
    'DeviceMaintenance/GetMaintenanceReasonList': { allowed: 'signedIn', asked: nothing },
    'DeviceMaintenance/GetMaintenanceResolutionList': { allowed: 'signedIn', asked: nothing },
    'DeviceMaintenance/GetMaintenanceDeviceComponentList': {
      allowed: [ADMIN, MANAGER],
      about: 'device',
      asked: (target) => ({ query: { deviceId: world().devices[target].id } }),
    },
    'DeviceMaintenance/GetDeviceMaintenanceList': {
      allowed: [ADMIN, MANAGER, SEER],
      about: 'device',
      asked: (target) => ({ query: { deviceId: world().devices[target].id } }),
    },
    'DeviceMaintenance/GetMaintenanceElsewhereList': {
      allowed: [ADMIN, MANAGER, SEER],
      about: 'device',
      asked: (target) => ({ query: { deviceId: world().devices[target].id } }),
    },
    'DeviceMaintenance/GetDeviceMaintenance': {
      allowed: [ADMIN, MANAGER, SEER],
      about: 'device',
      asked: (target) => ({ query: { id: world().maintenanceIds[target] } }),
      prepare: addMaintenance,
    },
    'DeviceMaintenance/SetDeviceMaintenance': {
      allowed: [ADMIN, MANAGER],
      about: 'device',
      asked: (target) => ({
        method: 'POST',
        body: { deviceId: world().devices[target].id, startDt: PERIOD.dateFrom, actionComment: 'Cleaned the glass' },
      }),
    },
    'DeviceMaintenance/DelDeviceMaintenance': {
      allowed: [ADMIN, MANAGER],
      about: 'device',
      asked: (target) => ({ query: { id: world().maintenanceIds[target] } }),
      prepare: addMaintenance,
    },
    'App/GetNotificationSettings': { allowed: 'signedIn', asked: nothing },
    'App/SetNotificationSettings': {
      allowed: 'signedIn',
      asked: () => ({ method: 'POST', body: { isEmailOn: true } }),
    },
  }
}

function maintenanceWindowCalls(world: () => World): Readonly<Record<string, Expectation>> {
  let windowId = 0
  const schedule = { kind: 'once', minutes: 120 }
  /** Adds another window, because a use may have ended the last; it begins tomorrow, or is under way. */
  const addWindow = (begun: boolean) => async (target: Target) => {
    windowId = 2_000_000_000
    if (target === 'never') return
    const { rows } = await world().api.pool.query(
      `with made as (
         insert into maintenance_window (target_kind, customer_id, target_device_id, reason, from_at, to_at, ends_at,
           time_zone, username, planned_to)
         select 'device', case when $2 then $3::integer else $4::integer end, $1, $5,
           now() + case when $6 then interval '-1 hour' else interval '1 day' end, now() + interval '2 days',
           now() + interval '2 days', 'UTC', 'somebody', 'infinity' returning id, from_at, to_at)
       insert into maintenance_occurrence (window_id, from_at, to_at) select id, from_at, to_at from made returning window_id`,
      [
        world().devices[target].id,
        target === 'own' || target === 'movedIn',
        world().customers.own,
        world().customers.foreign,
        isTheirs(target) ? CANARY : 'Repair',
        begun,
      ],
    )
    windowId = rows[0].window_id
  }
  return {
    'MaintenanceWindow/GetMaintenanceWindowList': {
      allowed: [ADMIN, MANAGER, SEER],
      about: 'device',
      asked: (target) => ({ query: { deviceId: world().devices[target].id } }),
      prepare: addWindow(false),
    },
    'MaintenanceWindow/PreviewMaintenanceWindow': {
      allowed: [ADMIN, MANAGER],
      about: 'device',
      asked: (target) => ({
        method: 'POST',
        body: { target: { kind: 'device', deviceId: world().devices[target].id }, schedule },
      }),
    },
    'MaintenanceWindow/CreateMaintenanceWindow': {
      allowed: [ADMIN, MANAGER],
      about: 'device',
      asked: (target) => ({
        method: 'POST',
        body: { target: { kind: 'device', deviceId: world().devices[target].id }, schedule, reason: 'Repair' },
      }),
    },
    'MaintenanceWindow/ChangeMaintenanceWindow': {
      allowed: [ADMIN, MANAGER],
      about: 'device',
      asked: () => ({ method: 'POST', body: { id: windowId, schedule, reason: 'Another reason' } }),
      prepare: addWindow(false),
    },
    'MaintenanceWindow/EndMaintenanceWindow': {
      allowed: [ADMIN, MANAGER],
      about: 'device',
      asked: () => ({ method: 'POST', body: { id: windowId } }),
      prepare: addWindow(true),
    },
    'MaintenanceWindow/DelMaintenanceWindow': {
      allowed: [ADMIN, MANAGER],
      about: 'device',
      asked: () => ({ method: 'POST', body: { id: windowId } }),
      prepare: addWindow(false),
    },
  }
}

const viewCalls = (world: () => World): Readonly<Record<string, Expectation>> => ({
  'View/GetViewList': { allowed: [ADMIN, MANAGER, SEER], asked: () => ({ query: { page: 'devices' } }) },
  'View/SetView': {
    allowed: [ADMIN, MANAGER],
    about: 'customer',
    asked: (target) => ({
      method: 'POST',
      body: {
        page: 'devices',
        name: `View ${viewNumber++}`,
        content: { filter: { customerId: world().customers[target] } },
      },
    }),
  },
  'View/DelView': {
    allowed: [ADMIN, MANAGER],
    asked: () => ({ method: 'POST', body: { id: 2_000_000_000 } }),
    refusal: 'not_found',
  },
  'View/SetDefaultView': {
    allowed: [ADMIN, MANAGER],
    asked: () => ({ method: 'POST', body: { page: 'devices', id: null } }),
  },
})

/** Expectations about open alerts and what is done with them. */
function alertCalls(
  world: () => World,
  openAlert: (target: Target) => Promise<void>,
): Readonly<Record<string, Expectation>> {
  return {
    'Alert/GetAlertList': {
      allowed: [ADMIN, MANAGER, SEER],
      about: 'device',
      asked: (target) => ({ query: { deviceId: world().devices[target].id, pageSize: 10 } }),
      prepare: openAlert,
    },
    'Alert/GetAlertDetails': {
      allowed: [ADMIN, MANAGER, SEER, ANALYST],
      about: 'device',
      asked: (target) => ({ query: { id: world().alerts[target].alertId } }),
      prepare: openAlert,
    },
    'Alert/GetAlertHistory': {
      allowed: [ADMIN, MANAGER, SEER, ANALYST],
      about: 'device',
      asked: (target) => ({ query: { id: world().alerts[target].alertId } }),
      prepare: openAlert,
    },
    'Alert/GetAlertCloseResolutionList': { allowed: 'signedIn', asked: nothing },
    'Alert/CloseAlerts': {
      allowed: [ADMIN, MANAGER],
      about: 'device',
      // An own alert stands beside it, so that a hidden one has to refuse the whole call.
      asked: (target) => ({
        method: 'POST',
        body: { idList: [world().alerts.own.alertId, world().alerts[target].alertId], resolutionId: 1 },
      }),
      prepare: async (target) => {
        await openAlert('own')
        if (target !== 'own') await openAlert(target)
      },
    },
    'Alert/AcknowledgeAlert': {
      allowed: [ADMIN, MANAGER],
      about: 'device',
      asked: (target) => ({ method: 'POST', body: { id: world().alerts[target].alertId, note: 'Mine' } }),
      prepare: openAlert,
    },
    'Analytics/GetAnalyticsAlerts': {
      allowed: [ADMIN, ANALYST],
      about: 'device',
      asked: (target) => ({ query: { ...PERIOD, deviceId: world().devices[target].id, measurementId: 4101 } }),
      prepare: openAlert,
    },
  }
}

function conditionCalls(
  world: () => World,
  openAlert: (target: Target) => Promise<void>,
): Readonly<Record<string, Expectation>> {
  return {
    'Alert/GetAlertConditionList': {
      allowed: [ADMIN],
      about: 'device',
      asked: (target) => ({ query: { deviceId: world().devices[target].id } }),
      prepare: openAlert,
    },
    'Alert/GetOperatorList': { allowed: 'signedIn', asked: () => ({ query: { attTypeId: 2 } }) },
    'Alert/GetAlertPeriodList': { allowed: 'signedIn', asked: nothing },
    'Alert/SetAlertCondition': {
      allowed: [ADMIN],
      about: 'device',
      asked: (target) => ({ method: 'POST', body: { deviceId: world().devices[target].id, ...WARM } }),
    },
    'Alert/DelAlertCondition': {
      allowed: [ADMIN],
      about: 'device',
      asked: (target) => ({ query: { id: world().alerts[target].conditionId } }),
      prepare: openAlert,
    },
    'Alert/GetDefaultConditionList': { allowed: [ADMIN], asked: nothing },
    'Alert/AnswerDefaultConditions': {
      allowed: { staffWith: [ADMIN] },
      asked: () => ({ method: 'POST', body: { keys: [] } }),
      prepare: async () => {
        await world().api.pool.query(
          `insert into default_conditions (state) values ('offered') on conflict (is_only) do update set state = 'offered'`,
        )
      },
    },
    'EventType/GetDeviceEtFieldList': {
      allowed: [ADMIN],
      about: 'device',
      asked: (target) => ({ query: { deviceId: world().devices[target].id } }),
    },
    'Alert/PreviewAlertCondition': {
      allowed: [ADMIN],
      about: 'device',
      asked: (target) => ({ method: 'POST', body: { deviceId: world().devices[target].id, ...WARM } }),
    },
  }
}
