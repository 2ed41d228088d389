import { z } from 'zod'
import type { Search } from '#console/lib/address.ts'
import { isReversed, REVERSED_PERIOD, unreadParameters } from '#console/lib/unreadAddress.ts'
import { startOfViewersDay } from '#console/lib/viewerZone.ts'
import type { Period } from '#console/ui/period.ts'

/** P2 §2 "Device status panel". */
export const STATUS_VIEWS = [
  { value: 'dashboard', label: 'Dashboard' },
  { value: 'raw', label: 'Raw data' },
  { value: 'messages', label: 'Messages' },
] as const
export type StatusView = (typeof STATUS_VIEWS)[number]['value']

/** P2 §9: event type 3. */
const DEFAULT_FIELD_GROUP = 3
const LONGEST_SEARCH_TEXT = 200
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** What the address says; a period that it does not say is for the view to choose. */
export interface StatusAddress {
  readonly view: StatusView
  /** Event type of the raw data. */
  readonly eventTypeId: number
  readonly period?: Period
  /** Contained in the messages. */
  readonly text: string
}

const momentText = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()])
  .transform((text) => new Date(text))
  .pipe(z.date().min(new Date('2000-01-01T00:00:00Z')).max(new Date('2100-01-01T00:00:00Z')))

const periodParameters = z
  .object({ dateFrom: momentText, dateTo: momentText })
  .refine(({ dateFrom, dateTo }) => dateFrom < dateTo)

/** Anybody may have written an address: what makes no sense in it counts as absent. */
export function readStatusAddress(search: Search): StatusAddress {
  const period = periodParameters.safeParse(search)
  const eventTypeId = z.coerce.number().int().positive().max(1_000_000).safeParse(search.evTypeId)
  return {
    view: STATUS_VIEWS.find(({ value }) => value === search.view)?.value ?? 'dashboard',
    eventTypeId: eventTypeId.success ? eventTypeId.data : DEFAULT_FIELD_GROUP,
    ...(period.success ? { period: { from: period.data.dateFrom, to: period.data.dateTo } } : {}),
    text: ['string', 'number', 'boolean'].includes(typeof search.text) ? searchText(String(search.text)) : '',
  }
}

/** What the address gave and this page cannot read, in words. */
export function unreadInStatus(search: Search): readonly string[] {
  if (isReversed(search)) return [REVERSED_PERIOD]
  const { period } = readStatusAddress(search)
  const read = {
    ...(z.coerce.number().int().positive().safeParse(search.evTypeId).success ? { evTypeId: search.evTypeId } : {}),
    ...(period ? { dateFrom: period.from, dateTo: period.to } : {}),
    view: STATUS_VIEWS.find(({ value }) => value === search.view)?.value,
  }
  return unreadParameters(search, ['view', 'evTypeId', 'dateFrom', 'dateTo'], read)
}

/** Within what the call takes: no NUL, and no character that the cut has left half of. */
function searchText(text: string): string {
  return text.replaceAll('\0', '').slice(0, LONGEST_SEARCH_TEXT).toWellFormed()
}

/** Parameters of the address for what changes; what is as usual is absent. */
export function writeStatusAddress({ view, eventTypeId, period, text }: Partial<StatusAddress>): Search {
  return {
    ...(view === undefined ? {} : { view: view === 'dashboard' ? undefined : view }),
    ...(eventTypeId === undefined ? {} : { evTypeId: eventTypeId }),
    ...(period === undefined ? {} : { dateFrom: period.from.toISOString(), dateTo: period.to.toISOString() }),
    ...(text === undefined ? {} : { text: text === '' ? undefined : text }),
  }
}

/** P2 §9: from one hour ago to the end of today, which is the viewer's. */
export function recordsPeriodAt(now: Date): Period {
  const anHourAgoMs = Math.floor((now.getTime() - HOUR_MS) / MINUTE_MS) * MINUTE_MS
  return { from: new Date(anHourAgoMs), to: new Date(startOfViewersDay(now, 1).getTime() - 1) }
}
