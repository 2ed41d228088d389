import { WRONG_KINDS } from '#domain/darkness/wrongKinds.ts'

/** Words by which lists are narrowed and ordered. Addresses of the console carry them too, so no schema stands here. */

/** Totals are exact so far, and rows have numbers so far; behind them only a key leads on (rules/calls 12). */
export const MOST_COUNTED_ROWS = 10_000

/** The words of the tiles on the Overview (rules/addresses 5); the list shows what the tile counts. */
export const DEVICE_FILTERS = [
  'activeConnected',
  'pending',
  'maintenance',
  'outOfOrder',
  // What is wrong now: Active devices of each kind, and of any.
  ...WRONG_KINDS,
  'wrong',
] as const
export type DeviceFilter = (typeof DEVICE_FILTERS)[number]

export const DEVICE_SORT_COLUMNS = ['model', 'name', 'address', 'status', 'connected', 'alerts'] as const
export type DeviceSortColumn = (typeof DEVICE_SORT_COLUMNS)[number]

/** What the list of devices can show of each, in the order in which it is offered. */
export const DEVICE_COLUMNS = [
  'model',
  'name',
  'address',
  'light',
  'why',
  'status',
  'connected',
  'lastEvent',
  'alerts',
  'customer',
  'tags',
  'serial',
  'battery',
  'client',
  'timeZone',
  'description',
  'latitude',
  'longitude',
  'id',
] as const
export type DeviceColumn = (typeof DEVICE_COLUMNS)[number]

/** Of maintenance windows. */
export const WINDOW_STATES = ['now', 'coming', 'past'] as const
export type WindowState = (typeof WINDOW_STATES)[number]

/** `over`: none of its alerts is active, but some are open still; `closed`: all of them were closed, or raised again later. */
export const INCIDENT_STATES = ['active', 'over', 'closed'] as const
export type IncidentState = (typeof INCIDENT_STATES)[number]

/** The words of the tile and the panel of the Overview (rules/addresses 5). */
export const ALERT_FILTERS = ['last24h', 'opened'] as const
export type AlertFilter = (typeof ALERT_FILTERS)[number]

export const USER_SORT_COLUMNS = ['username', 'name', 'email', 'role', 'customer'] as const
export type UserSortColumn = (typeof USER_SORT_COLUMNS)[number]
