import {
  ALERT_FILTERS,
  DEVICE_COLUMNS,
  DEVICE_FILTERS,
  DEVICE_SORT_COLUMNS,
  INCIDENT_STATES,
  USER_SORT_COLUMNS,
  WINDOW_STATES,
} from '#contract/call/listOptions.ts'
import type { AlertStatusId, ConditionStateId } from '#domain/alerts/alertLabels.ts'
import { STEPS_MINUTES } from '#domain/analytics/step.ts'
import type { AlertId, CustomerId, DeviceId, DeviceModelId, FieldId, IncidentId, UserId } from '#domain/ids.ts'
import { DEVICE_UPDATE_STATES } from '#domain/rollouts/states.ts'
import { MOST_CHOSEN_DEVICES } from '#domain/rollouts/wavePlan.ts'
import {
  either,
  type Fields,
  id,
  idList,
  instant,
  mapPlace,
  moment,
  month,
  off,
  on,
  oneOf,
  own,
  period,
  recordId,
  tagList,
  text,
  textUpTo,
  there,
  timeZone,
  uuid,
  versionFilter,
  weekHour,
  wordList,
} from './addressFields.ts'

/** Alerts and incidents have larger numbers than other records. */
const LARGEST_ALERT_ID = Number.MAX_SAFE_INTEGER

/** A position in a list is the page from 2, or its key where a number no longer reaches. */
const pages = (longestKey = 200) => ({ page: id<number>(), next: textUpTo(longestKey) })
/** The record whose dialog is open over its list. */
const shown = () => ({ shown: id<number>() })
/** Keys of lists that can be sorted by names contain the last row's name. */
const LONG_KEY = 4000

/** The filter bars of devices hold these, by the parameter names of the calls (rules/addresses 6). */
export const DEVICE_FIELDS = {
  customerId: id<CustomerId>(),
  search: text,
  place: text,
  deviceName: text,
  modelId: id<DeviceModelId>(),
  attrSerial: text,
  tags: tagList,
  clientVersion: versionFilter,
  statusId: id<number>(),
  connStatusId: oneOf([0, 1]),
  filter: oneOf(DEVICE_FILTERS),
  forMinutes: id<number>(),
  since: instant,
} satisfies Fields

const ALERT_LIST = {
  customerId: id<CustomerId>(),
  deviceId: id<DeviceId>(),
  /** Opened alerts are shown if it is absent (rules/lists 3), unless the tile's filter covers every status. */
  statusId: either(oneOf(['any']), id<AlertStatusId>()),
  conditionStateId: id<ConditionStateId>(),
  severityId: oneOf([1, 2, 3]),
  id: id<AlertId>(LARGEST_ALERT_ID),
  alertText: text,
  filter: oneOf(ALERT_FILTERS),
  maintenance: oneOf(['yes', 'no']),
  weekHour,
  timeZone,
  ...pages(),
} satisfies Fields

interface AnalysedMetric {
  readonly deviceId: DeviceId
  readonly metricId: FieldId
  readonly color?: string | undefined
  readonly yAxis?: 1 | 2 | undefined
  readonly isHidden?: true
  readonly deviceName?: string
  readonly metricName?: string | null
  readonly evTypeId?: number | null
}

/** The parameter `data` of Analytics is described in rules/addresses 7. */
export interface AnalyticsData {
  readonly metric: AnalysedMetric | readonly AnalysedMetric[]
  readonly dateFrom: string
  readonly dateTo: string
  readonly removeExisting: boolean
}

/** The map keeps its whole filter of devices in one parameter (rules/addresses 6). */
type MapFilter = { readonly [Name in keyof typeof DEVICE_FIELDS]?: unknown }

/**
 * It lists every address of the console with what it carries. `$name` is a part of the path; the fields stand behind
 * the question mark. Links and readers are checked against it, and `app/pages.tsx` says what each address shows. Names
 * never change, because bookmarks and links in mails contain them.
 */
export const ADDRESSES = {
  '/': {},
  '/login': { wanted: own<string>() },
  '/signed-in': {},
  '/signed-in/$redirectId': {},
  '/registration': {},
  '/reset-password': {},
  '/acknowledge': {},
  '/overview': { customerId: id<CustomerId>(), lightDays: id<number>(), kiosk: there },
  '/analytics': {
    data: own<AnalyticsData>(),
    step: oneOf(STEPS_MINUTES),
    autoScale: off,
    /** One or two metrics have their bands if it is absent (rules/analytics 15). */
    band: either(on, off),
    alerts: off,
    planned: off,
    limits: off,
    compare: oneOf(['week']),
    view: oneOf(['table']),
    zoom: text,
    lanes: id<DeviceId>(),
  },
  '/light-statements': {
    customerId: id<CustomerId>(),
    month,
    tag: textUpTo(40),
    place: text,
    deviceId: id<DeviceId>(),
    /** An issued statement; the present figures are shown if it is absent. */
    ...shown(),
  },
  '/proof-of-light': { deviceId: id<DeviceId>() },
  '/light-rules': {
    month,
    /** The rule set whose conflicts and months are shown; the first if it is absent. */
    ...shown(),
  },
  '/energy': {
    customerId: id<CustomerId>(),
    /** The present year if it is absent. */
    period,
    tag: textUpTo(40),
    place: text,
    deviceId: id<DeviceId>(),
  },
  '/panel-life': { customerId: id<CustomerId>(), tag: textUpTo(40), place: text, deviceId: id<DeviceId>() },
  '/devices': {
    ...DEVICE_FIELDS,
    sort: oneOf(DEVICE_SORT_COLUMNS),
    descending: on,
    columns: wordList(DEVICE_COLUMNS),
    density: oneOf(['compact']),
    /** Alone it opens the saved view; with other parameters it names the view that they began from. */
    view: id<number>(),
    ...pages(LONG_KEY),
  },
  '/claim': { code: textUpTo(20) },
  '/waiting-devices': {},
  '/devices/$guid': {},
  '/devices/$guid/details': {},
  '/devices/$guid/setup': {},
  '/devices/$guid/generic-setup': {},
  '/devices/$guid/status': {
    view: oneOf(['dashboard', 'raw', 'messages', 'timeline']),
    evTypeId: id<number>(),
    dateFrom: moment,
    dateTo: moment,
    text,
    fill: on,
    /** The Dashboard shows this moment; absent means now. */
    at: moment,
    site: on,
  },
  '/devices/$guid/device-components': {},
  '/devices/$guid/alerts': ALERT_LIST,
  '/devices/$guid/maintenance': {
    entry: either(oneOf(['new']), id<number>()),
    /** The plan of a visit that is open, and the incident that it is for. */
    visit: either(oneOf(['new']), id<number>()),
    incidentId: id<IncidentId>(LARGEST_ALERT_ID),
  },
  '/visits': { whose: oneOf(['all']), scan: on },
  '/visits/$guid': {},
  '/maintenance-windows': {
    state: oneOf(WINDOW_STATES),
    customerId: id<CustomerId>(),
    deviceId: id<DeviceId>(),
    ...shown(),
    ...pages(),
  },
  '/locations': { filter: own<MapFilter>(), at: mapPlace, view: id<number>() },
  '/alerts': ALERT_LIST,
  /** `at` is a time at which the alert was active; absent means the latest. */
  '/alerts/alert-details': { data: recordId<AlertId>(LARGEST_ALERT_ID), at: instant },
  '/incidents': {
    /** Active and resolved incidents that are not closed are shown if it is absent. */
    state: oneOf(INCIDENT_STATES),
    customerId: id<CustomerId>(),
    deviceId: id<DeviceId>(),
    severityId: oneOf([1, 2, 3]),
    text,
    taken: oneOf(['yes', 'no']),
    snoozed: oneOf(['yes', 'no']),
    dateFrom: instant,
    dateTo: instant,
    newFrom: instant,
    overFrom: instant,
    /** The incident that is shown beside the list; the first one if it is absent. */
    shown: id<IncidentId>(LARGEST_ALERT_ID),
    ...pages(),
  },
  '/incidents/incident': { data: recordId<IncidentId>(LARGEST_ALERT_ID), ...pages() },
  '/thresholds': {
    mode: oneOf(['all', 'device', 'model', 'customer', 'tag']),
    deviceId: id<DeviceId>(),
    modelId: id<DeviceModelId>(),
    customerId: id<CustomerId>(),
    tag: textUpTo(40),
    /** The event type of the fields; absent means all. */
    fieldGroupId: id<number>(),
  },
  '/users': {
    email: text,
    customerId: id<CustomerId>(),
    sort: oneOf(USER_SORT_COLUMNS),
    descending: on,
    ...pages(LONG_KEY),
  },
  '/users/user-details': { data: recordId<UserId>() },
  '/users/add-user': {},
  '/roles': { name: text, ...shown() },
  '/single-sign-on': shown(),
  '/customers': { name: text, ...shown() },
  '/notifications/channels': shown(),
  '/notifications/on-call': shown(),
  '/notifications/routes': shown(),
  '/status-pages': shown(),
  '/install': {},
  '/device-software/releases': {},
  '/device-software/rollouts': pages(),
  '/device-software/rollouts/new': { devices: idList<DeviceId>(MOST_CHOSEN_DEVICES) },
  '/device-software/rollouts/$updateId': { state: oneOf(DEVICE_UPDATE_STATES), wave: id<number>(), ...pages(LONG_KEY) },
  '/audit-log': {
    actionId: id<number>(),
    entityTypeId: id<number>(),
    entityId: id<number>(),
    bulkId: uuid,
    entityName: text,
    userId: id<UserId>(),
    details: text,
    changed: text,
    byOthers: on,
    dateFrom: instant,
    dateTo: instant,
    ...pages(),
  },
  '/system': {},
  '/licences': {},
  '/profile': {},
} satisfies Readonly<Record<`/${string}`, Fields>>
