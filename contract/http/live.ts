import { z } from 'zod'
import { call, nothing } from '#contract/call/call.ts'
import { customerFilterValue, deviceIdValue, fieldIdValue, momentValue } from '#contract/call/values.ts'
import { alertsEvent } from './alerting/alerts.ts'
import { deviceCommand } from './devices/commands.ts'
import { device } from './devices/devices.ts'
import { readingValue } from './devices/status.ts'
import { dashboardValue, openedAlertRow, wrongNow } from './insight/overview.ts'

export const MOST_WATCHED_DEVICES = 500
export const MOST_WATCHED_STATES = 20
export const MOST_WATCHED_OVERVIEWS = 5

/** The console subscribes to these. Devices that the caller may not see are silently left out. */
export const watch = call({
  method: 'POST',
  path: 'Live/Watch',
  summary: 'A stream of server-sent events about what is watched; ends when the session does.',
  permission: 'seeDevicesOrAnalytics',
  body: z.strictObject({
    /** The rows of lists: connection, status, last event, alerts. */
    deviceIds: z.array(deviceIdValue).max(MOST_WATCHED_DEVICES),
    stateDeviceIds: z.array(deviceIdValue).max(MOST_WATCHED_STATES),
    overviews: z.array(customerFilterValue).max(MOST_WATCHED_OVERVIEWS).optional(),
  }),
  answer: z.never(),
  errors: ['not_found'],
  answersWith: 'event-stream',
})

/** `event: device` */
export const deviceEvent = z.object({
  id: deviceIdValue,
  connStatusId: z.number().int(),
  statusId: z.number().int(),
  lastEvent: momentValue.nullable(),
  activeAlerts: z.number().int(),
  ...device.pick({
    worstAlert: true,
    clockErrorMs: true,
    refusedSince: true,
    identityConflictSince: true,
    light: true,
    lightSince: true,
    lightIsAtLeast: true,
    lightCause: true,
    isOnBattery: true,
    wrong: true,
    tags: true,
  }).shape,
})
export type DeviceEvent = z.output<typeof deviceEvent>

/** `event: state`: all known values of the device, so that the next event makes up for a lost one. */
export const stateEvent = z.object({
  deviceId: deviceIdValue,
  values: z.array(z.object({ field_id: fieldIdValue, field_value: readingValue, value_dt: momentValue })),
})
export type StateEvent = z.output<typeof stateEvent>

/** `event: commands`: newest commands and settings version, for devices whose readings are on the screen. */
export const commandsEvent = z.object({
  deviceId: deviceIdValue,
  /** The newest commands come first, up to 20. */
  commands: z.array(deviceCommand),
  /** Counts up with every change of desired or reported settings. */
  settingsVersion: z.number().int(),
})
export type CommandsEvent = z.output<typeof commandsEvent>

/** `event: overview`, when any of it changed: the answers of `GetDashboardValues` and the table `OPENED_ALERTS`. */
export const overviewEvent = z.object({
  customerId: customerFilterValue,
  values: z.array(dashboardValue),
  openedAlerts: z.array(openedAlertRow),
  wrongNow,
})
export type OverviewEvent = z.output<typeof overviewEvent>

/** The server ended a stream because its user, its address or the whole server had more streams than allowed. */
const streamEndReason = z.enum(['user_limit', 'address_limit', 'server_limit'])
export type StreamEndReason = z.output<typeof streamEndReason>

/** `event: ended`, the last one of a replaced stream. Opening it again at once would end another. */
export const endedEvent = z.object({ reason: streamEndReason })

/** Every event of the stream by its name. `ready` follows the opening at once, and `ping` keeps it alive. */
export const LIVE_EVENTS = {
  device: deviceEvent,
  state: stateEvent,
  commands: commandsEvent,
  /** Sent at once for watched devices. */
  alerts: alertsEvent,
  overview: overviewEvent,
  ended: endedEvent,
  ready: nothing,
  ping: nothing,
} as const
export const PING_EVERY_MS = 15_000
