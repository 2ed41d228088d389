import { WRONG_KINDS } from '#domain/darkness/wrongKinds.ts'

/** These words narrow and order lists. Addresses of the console carry them too, so no schema stands here. */

/** Totals are exact and rows have numbers up to here; beyond that only a key leads on (rules/calls 12). */
export const MOST_COUNTED_ROWS = 10_000

/** The tiles of the Overview use these words (rules/addresses 5), and the list shows what the tile counts. */
export const DEVICE_FILTERS = [
  'activeConnected',
  'pending',
  'maintenance',
  'outOfOrder',
  // These select Active devices that need attention, by kind and altogether.
  ...WRONG_KINDS,
  'wrong',
] as const
export type DeviceFilter = (typeof DEVICE_FILTERS)[number]

/** `now` is the worst first: as the Overview orders what needs attention. */
export const DEVICE_SORT_COLUMNS = ['model', 'name', 'address', 'now', 'status', 'connected', 'alerts'] as const
export type DeviceSortColumn = (typeof DEVICE_SORT_COLUMNS)[number]

/** The list of devices can show these columns; the console offers them in this order. */
export const DEVICE_COLUMNS = [
  'model',
  'name',
  'address',
  'now',
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

export const WINDOW_STATES = ['now', 'coming', 'past'] as const
export type WindowState = (typeof WINDOW_STATES)[number]

/**
 * An incident is `over` when none of its alerts is active but some are still open, and `closed` when all of them were
 * closed or raised again later.
 */
export const INCIDENT_STATES = ['active', 'over', 'closed'] as const
export type IncidentState = (typeof INCIDENT_STATES)[number]

/** The tile and the panel of the Overview use these words (rules/addresses 5). */
export const ALERT_FILTERS = ['last24h', 'opened'] as const
export type AlertFilter = (typeof ALERT_FILTERS)[number]

export const USER_SORT_COLUMNS = ['username', 'name', 'email', 'role', 'customer'] as const
export type UserSortColumn = (typeof USER_SORT_COLUMNS)[number]
