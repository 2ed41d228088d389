import type { ReadQueryOf } from '#contract/call/call.ts'
import type { exportMessages, exportRawData } from '#contract/http/devices/records.ts'
import { eventTypeById } from '#domain/catalogue/eventTypes.ts'
import { DAY_MS } from '#domain/units/time.ts'
import { notValid } from '#domain/validation/messages.ts'
import { CallError } from '#server/http/call/callError.ts'
import { type PageRequest, readPage } from '#server/http/reading/pages.ts'
import { justAfter, readPeriod } from '#server/http/reading/period.ts'
import type { MessagesQuestion } from '#server/telemetry/read/messages.ts'
import type { RawRowsQuestion } from '#server/telemetry/read/rawRows.ts'
import type { MessageKey, RawRowKey } from './pageKeys.ts'

const MOST_WITHOUT_PAGING = 1000
/** A period of "everything" is cut to what may be stored: whole months go, and nothing comes from further ahead. */
const MONTH_DAYS = 32
const FURTHEST_AHEAD_DAYS = 2

export function rawQuestion(query: ReadQueryOf<typeof exportRawData>, keptDays: number): RawRowsQuestion {
  const type = eventTypeById(query.evTypeId)
  if (!type) throw new CallError('invalid_request', notValid('evTypeId'))
  return { deviceId: query.deviceId, eventTypeId: type.id, ...storedPeriod(query, keptDays) }
}

export const messagesQuestion = (query: ReadQueryOf<typeof exportMessages>, keptDays: number): MessagesQuestion => ({
  deviceId: query.deviceId,
  ...storedPeriod(query, keptDays),
  text: query.text,
})

function storedPeriod(
  query: { readonly dateFrom: string; readonly dateTo: string },
  keptDays: number,
): { from: Date; to: Date } {
  const { from, to } = readPeriod(query)
  const now = Date.now()
  const earliest = now - (keptDays + MONTH_DAYS) * DAY_MS
  const latest = now + FURTHEST_AHEAD_DAYS * DAY_MS
  return {
    from: new Date(Math.max(from.getTime(), earliest)),
    to: new Date(Math.min(justAfter(to).getTime(), latest)),
  }
}

interface Pages<Stored, Key> {
  readonly read: (page: PageRequest<Key>) => Promise<readonly Stored[]>
  readonly count: () => Promise<number | null>
}

/** Answers a plain list of at most 1,000 rows, or a page with the key of the next where a page was asked for. */
export async function answered<Key extends RawRowKey | MessageKey, Stored extends { readonly key: Key }, Row>(
  asksPage: boolean,
  page: PageRequest<Key>,
  rowOf: (stored: Stored) => Row,
  { read, count }: Pages<Stored, Key>,
) {
  if (!asksPage) return (await read({ skip: 0, size: MOST_WITHOUT_PAGING })).map(rowOf)
  // Later pages take the total from the first one.
  const counted = page.after?.total === undefined ? count() : page.after.total
  const [{ rows, next }, total] = await Promise.all([
    readPage(page, read, async ({ key }) => ({ ...key, total: await counted })),
    counted,
  ])
  return { rows: rows.map(rowOf), total, next }
}
