import type { ReadQueryOf } from '#contract/call/call.ts'
import type {
  exportMessages,
  exportRawData,
  listMessages,
  listRawData,
  MessageRow,
} from '#contract/http/devices/records.ts'
import { eventTypeById } from '#domain/catalogue/eventTypes.ts'
import type { DeviceId, EventTypeId } from '#domain/ids.ts'
import { DAY_MS } from '#domain/units/time.ts'
import { notValid } from '#domain/validation/messages.ts'
import type { VisibleDevices } from '#server/fleet/visibleDevices.store.ts'
import { CallError } from '#server/http/call/callError.ts'
import { type Caller, scopeOf } from '#server/http/call/caller.ts'
import type { CodingName } from '#server/http/call/codings.ts'
import type { MadeApart } from '#server/http/call/route.ts'
import { askedPage, isPaged, type PageRequest, readPage } from '#server/http/reading/pages.ts'
import { justAfter, readPeriod } from '#server/http/reading/period.ts'
import type { LongReads } from '#server/telemetry/longReads/longReads.ts'
import type { StoredReport } from '#server/telemetry/read/rawRows.ts'
import { type MessageKey, type RawRowKey, readMessageKey, readRawRowKey } from './pageKeys.ts'
import { messageRow, type StoredMessage } from './rows.ts'

/** A period of one device; its end is excluded. */
export interface RecordsQuestion {
  readonly deviceId: DeviceId
  readonly from: Date
  readonly to: Date
}
export type RawQuestion = RecordsQuestion & { readonly eventTypeId: EventTypeId }
export type MessagesQuestion = RecordsQuestion & { readonly text?: string | undefined }
type PageOf<Key> = { readonly after: Key | undefined; readonly limit: number }

export interface DeviceRecordsDeps {
  readonly visibleDevices: VisibleDevices
  readonly rawRows: (question: RawQuestion & PageOf<RawRowKey>) => Promise<readonly StoredReport[]>
  readonly allRawRows: LongReads['rawRows']
  /** The count is exact up to 10,000 and null beyond. */
  readonly countRawRows: (question: RawQuestion) => Promise<number | null>
  readonly messages: (question: MessagesQuestion & PageOf<MessageKey>) => Promise<readonly StoredMessage[]>
  readonly allMessages: (question: MessagesQuestion) => AsyncIterable<StoredMessage>
  readonly countMessages: (question: MessagesQuestion) => Promise<number | null>
}

const MOST_WITHOUT_PAGING = 1000
const PAGE_SIZE = 100
/** Nothing is kept longer, or stored from further ahead, so a period of "everything" is cut to this. */
const LONGEST_KEPT_DAYS = 1_100
const FURTHEST_AHEAD_DAYS = 2

export type DeviceRecords = ReturnType<typeof createDeviceRecords>

export function createDeviceRecords(deps: DeviceRecordsDeps) {
  const { visibleDevices } = deps

  const requireVisible = ({ deviceId }: RecordsQuestion, caller: Caller) =>
    visibleDevices.require(scopeOf(caller), [deviceId])

  /** Checks that the device is visible while its reports are read, and refuses before they are answered. */
  async function ofVisible<Answer>(question: RecordsQuestion, caller: Caller, answer: Promise<Answer>) {
    const [read] = await Promise.all([answer, requireVisible(question, caller)])
    return read
  }

  return {
    /** Answers with JSON text. */
    listRawData: async ({ pageSize, next, ...query }: ReadQueryOf<typeof listRawData>, caller: Caller) => {
      const page = askedPage({ pageSize, next }, PAGE_SIZE, readRawRowKey)
      const question = rawQuestion(query)
      const rows = answered(isPaged({ pageSize, next }), page, ({ json }: StoredReport) => json, {
        read: ({ after, size }) => deps.rawRows({ ...question, after, limit: size }),
        count: () => deps.countRawRows(question),
      })
      const found = await ofVisible(question, caller, rows)
      if (Array.isArray(found)) return `[${found.join(',')}]`
      return `{"rows":[${found.rows.join(',')}],"total":${found.total},"next":${JSON.stringify(found.next)}}`
    },

    exportRawData: async (
      query: ReadQueryOf<typeof exportRawData>,
      caller: Caller,
      coding: CodingName | undefined,
    ): Promise<MadeApart> => {
      const question = rawQuestion(query)
      await requireVisible(question, caller)
      return { parts: deps.allRawRows(question, coding), coding }
    },

    listMessages: async ({ pageSize, next, ...query }: ReadQueryOf<typeof listMessages>, caller: Caller) => {
      const page = askedPage({ pageSize, next }, PAGE_SIZE, readMessageKey)
      const question = messagesQuestion(query)
      const rows = answered(isPaged({ pageSize, next }), page, messageRow, {
        read: ({ after, size }) => deps.messages({ ...question, after, limit: size }),
        count: () => deps.countMessages(question),
      })
      return ofVisible(question, caller, rows)
    },

    exportMessages: async (
      query: ReadQueryOf<typeof exportMessages>,
      caller: Caller,
    ): Promise<AsyncIterable<MessageRow>> => {
      const question = messagesQuestion(query)
      await requireVisible(question, caller)
      return mapped(deps.allMessages(question), messageRow)
    },
  }
}

function rawQuestion(query: ReadQueryOf<typeof exportRawData>): RawQuestion {
  const type = eventTypeById(query.evTypeId)
  if (!type) throw new CallError('invalid_request', notValid('evTypeId'))
  return { deviceId: query.deviceId, eventTypeId: type.id, ...storedPeriod(query) }
}

const messagesQuestion = (query: ReadQueryOf<typeof exportMessages>): MessagesQuestion => ({
  deviceId: query.deviceId,
  ...storedPeriod(query),
  text: query.text,
})

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

interface Pages<Stored, Key> {
  readonly read: (page: PageRequest<Key>) => Promise<readonly Stored[]>
  readonly count: () => Promise<number | null>
}

/** Answers a plain list of at most 1,000 rows, or a page with the key of the next where a page was asked for. */
async function answered<Key extends RawRowKey | MessageKey, Stored extends { readonly key: Key }, Row>(
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

async function* mapped<From, To>(rows: AsyncIterable<From>, change: (row: From) => To): AsyncGenerator<To> {
  for await (const row of rows) yield change(row)
}
