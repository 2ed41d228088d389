import type { ReadQueryOf } from '#contract/call/call.ts'
import type {
  exportMessages,
  exportRawData,
  listMessages,
  listRawData,
  MessageRow,
} from '#contract/http/deviceRecords.ts'
import { eventTypeById } from '#domain/catalogue/eventTypes.ts'
import type { DeviceId, EventTypeId } from '#domain/ids.ts'
import { DAY_MS } from '#domain/units/time.ts'
import { notValid } from '#domain/validation/messages.ts'
import type { VisibleDevices } from '#server/fleet/visibleDevices.store.ts'
import { CallError } from '#server/http/call/callError.ts'
import { type Caller, scopeOf } from '#server/http/call/caller.ts'
import type { JsonRows } from '#server/http/call/route.ts'
import { justAfter, readPeriod } from '#server/http/reading/period.ts'
import type { StoredReport } from '#server/telemetry/read/rawRows.ts'
import { type MessageKey, type RawRowKey, readMessageKey, readRawRowKey, writeKey } from './pageKeys.ts'
import { messageRow, rawRowOf, type StoredMessage } from './rows.ts'

/** What is asked of one device; the end is excluded. */
export interface RecordsQuestion {
  readonly deviceId: DeviceId
  readonly from: Date
  readonly to: Date
}
export type RawQuestion = RecordsQuestion & { readonly eventTypeId: EventTypeId }
export type MessagesQuestion = RecordsQuestion & { readonly text?: string | undefined }
type PageOf<Key> = { readonly after: Key | undefined; readonly limit: number }

export interface DeviceRecordsNeeds {
  readonly visibleDevices: VisibleDevices
  /** Newest first. */
  readonly rawRows: (question: RawQuestion & PageOf<RawRowKey>) => Promise<readonly StoredReport[]>
  readonly allRawRows: (question: RawQuestion) => AsyncIterable<JsonRows>
  /** Exact to 10,000, null beyond. */
  readonly countRawRows: (question: RawQuestion) => Promise<number | null>
  readonly messages: (question: MessagesQuestion & PageOf<MessageKey>) => Promise<readonly StoredMessage[]>
  readonly allMessages: (question: MessagesQuestion) => AsyncIterable<StoredMessage>
  readonly countMessages: (question: MessagesQuestion) => Promise<number | null>
}

const MOST_WITHOUT_PAGING = 1000
const DEFAULT_PAGE_SIZE = 100
/** Nothing is kept for longer, nor stored from further ahead, so a period "of everything" ends soon. */
const LONGEST_KEPT_DAYS = 1_100
const FURTHEST_AHEAD_DAYS = 2

export type DeviceRecords = ReturnType<typeof createDeviceRecords>

export function createDeviceRecords(needs: DeviceRecordsNeeds) {
  const { visibleDevices } = needs

  async function rawQuestion(query: ReadQueryOf<typeof exportRawData>, caller: Caller): Promise<RawQuestion> {
    const period = storedPeriod(query)
    const type = eventTypeById(query.evTypeId)
    if (!type) throw new CallError('invalid_request', notValid('evTypeId'))
    await visibleDevices.require(scopeOf(caller), [query.deviceId])
    return { deviceId: query.deviceId, eventTypeId: type.id, ...period }
  }

  async function messagesQuestion(query: ReadQueryOf<typeof exportMessages>, caller: Caller) {
    const period = storedPeriod(query)
    await visibleDevices.require(scopeOf(caller), [query.deviceId])
    return { deviceId: query.deviceId, ...period, text: query.text }
  }

  return {
    listRawData: async ({ pageSize, next, ...query }: ReadQueryOf<typeof listRawData>, caller: Caller) => {
      const after = next === undefined ? undefined : readRawRowKey(next)
      const question = await rawQuestion(query, caller)
      return answered({ pageSize, next }, after?.total, rawRowOf(question.eventTypeId), {
        read: (limit) => needs.rawRows({ ...question, after, limit }),
        count: () => needs.countRawRows(question),
      })
    },

    exportRawData: async (
      query: ReadQueryOf<typeof exportRawData>,
      caller: Caller,
    ): Promise<AsyncIterable<JsonRows>> => {
      return needs.allRawRows(await rawQuestion(query, caller))
    },

    listMessages: async ({ pageSize, next, ...query }: ReadQueryOf<typeof listMessages>, caller: Caller) => {
      const after = next === undefined ? undefined : readMessageKey(next)
      const question = await messagesQuestion(query, caller)
      return answered({ pageSize, next }, after?.total, messageRow, {
        read: (limit) => needs.messages({ ...question, after, limit }),
        count: () => needs.countMessages(question),
      })
    },

    exportMessages: async (
      query: ReadQueryOf<typeof exportMessages>,
      caller: Caller,
    ): Promise<AsyncIterable<MessageRow>> => {
      return mapped(needs.allMessages(await messagesQuestion(query, caller)), messageRow)
    },
  }
}

function storedPeriod(query: { readonly dateFrom: string; readonly dateTo: string }): { from: Date; to: Date } {
  const { from, to } = readPeriod(query)
  const now = Date.now()
  const earliest = now - LONGEST_KEPT_DAYS * DAY_MS
  const latest = now + FURTHEST_AHEAD_DAYS * DAY_MS
  return {
    from: new Date(Math.max(from.getTime(), earliest)),
    to: new Date(Math.min(justAfter(to).getTime(), latest)),
  }
}

interface Pages<Stored> {
  readonly read: (limit: number) => Promise<readonly Stored[]>
  readonly count: () => Promise<number | null>
}

/** A list of at most 1,000, or a page with the key of the next where one was asked for. */
async function answered<Stored extends { readonly key: RawRowKey | MessageKey }, Row>(
  { pageSize, next }: { readonly pageSize: number | undefined; readonly next: string | undefined },
  /** As the first page counted it. */
  known: number | null | undefined,
  rowOf: (stored: Stored) => Row,
  { read, count }: Pages<Stored>,
) {
  if (pageSize === undefined && next === undefined) return (await read(MOST_WITHOUT_PAGING)).map(rowOf)
  const size = pageSize ?? DEFAULT_PAGE_SIZE
  // One more than asked tells whether there is a next page.
  const [found, total] = await Promise.all([read(size + 1), known === undefined ? count() : known])
  const shown = found.slice(0, size)
  const end = found.length > size ? shown.at(-1) : undefined
  return { rows: shown.map(rowOf), total, next: end ? writeKey({ ...end.key, total }) : null }
}

async function* mapped<From, To>(rows: AsyncIterable<From>, change: (row: From) => To): AsyncGenerator<To> {
  for await (const row of rows) yield change(row)
}
