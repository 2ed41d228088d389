import { startOfViewersDay } from '#console/lib/time/viewerZone.ts'
import type { Given, ValuesOf, WrittenValues } from '#console/router/addressText.ts'
import { isReversed, REVERSED_PERIOD, unreadParameters } from '#console/router/unread.ts'
import { readAddress } from '#console/router/useAddress.ts'
import type { Period } from '#console/ui/filter/period.ts'
import { HOUR_MS, MINUTE_MS } from '#domain/units/time.ts'

/** The status of a device has these views (rules/lists 10). */
export const STATUS_VIEWS = [
  { value: 'dashboard', label: 'Dashboard' },
  { value: 'raw', label: 'Raw data' },
  { value: 'messages', label: 'Messages' },
  { value: 'timeline', label: 'Timeline' },
] as const
export type StatusView = (typeof STATUS_VIEWS)[number]['value']

const PATH = '/devices/$guid/status'
/** It is the event type Device (rules/lists 8). */
const DEFAULT_FIELD_GROUP = 3

/** The view chooses a period if the address names none. */
export interface StatusAddress {
  readonly view: StatusView
  readonly eventTypeId: number
  readonly period?: Period
  /** Messages must contain this text. */
  readonly text: string
  readonly isFilled?: boolean
  /** The timeline shows all devices of the site. */
  readonly isSite?: boolean
  /** The Dashboard shows this moment; absent means now. */
  readonly at?: Date | undefined
}

/** Anybody may have written an address, so an invalid value counts as absent. */
export function readStatusAddress(given: Given): StatusAddress {
  const {
    view = 'dashboard',
    evTypeId = DEFAULT_FIELD_GROUP,
    text = '',
    at,
    fill,
    site,
    ...period
  } = readAddress(PATH, given)
  return {
    view,
    eventTypeId: evTypeId,
    ...withPeriod(period),
    text,
    ...(at && { at }),
    ...(fill && { isFilled: true }),
    ...(site && { isSite: true }),
  }
}

function withPeriod({ dateFrom, dateTo }: Pick<ValuesOf<typeof PATH>, 'dateFrom' | 'dateTo'>) {
  return dateFrom && dateTo && dateFrom < dateTo ? { period: { from: dateFrom, to: dateTo } } : {}
}

/** It words the parts of the address that this page cannot read. */
export function unreadInStatus(given: Given): readonly string[] {
  if (isReversed(given)) return [REVERSED_PERIOD]
  const { dateFrom, dateTo, ...read } = readAddress(PATH, given)
  return unreadParameters(given, ['view', 'evTypeId', 'dateFrom', 'dateTo', 'at', 'fill', 'site'], {
    ...read,
    ...(withPeriod({ dateFrom, dateTo }).period ? { dateFrom, dateTo } : {}),
  })
}

/** A default value is absent from the address. */
export function writeStatusAddress({
  view,
  eventTypeId,
  period,
  text,
  isFilled,
  isSite,
  ...others
}: Partial<StatusAddress>): WrittenValues<typeof PATH> {
  return {
    ...(view === undefined ? {} : { view: view === 'dashboard' ? undefined : view }),
    ...(eventTypeId === undefined ? {} : { evTypeId: eventTypeId }),
    ...(period === undefined ? {} : { dateFrom: period.from.toISOString(), dateTo: period.to.toISOString() }),
    ...(text === undefined ? {} : { text: text === '' ? undefined : text }),
    ...(isFilled === undefined ? {} : { fill: isFilled || undefined }),
    ...(isSite === undefined ? {} : { site: isSite || undefined }),
    ...('at' in others ? { at: others.at?.toISOString() } : {}),
  }
}

/** The period reaches from one hour ago to the end of the viewer's today (rules/lists 8). */
export function recordsPeriodAt(now: Date): Period {
  const anHourAgoMs = Math.floor((now.getTime() - HOUR_MS) / MINUTE_MS) * MINUTE_MS
  return { from: new Date(anHourAgoMs), to: new Date(startOfViewersDay(now, 1).getTime() - 1) }
}
