import type { ReadQueryOf } from '#contract/call/call.ts'
import {
  exportMessages,
  exportRawData,
  listMessages,
  listRawData,
  type MessageRow,
} from '#contract/http/devices/records.ts'
import type { DeviceId } from '#domain/ids.ts'
import type { Given } from '#server/features/feature.ts'
import { requireVisible } from '#server/fleet/visibleDevices.store.ts'
import { type Caller, scopeOf } from '#server/http/call/caller.ts'
import { jsonTextRoute, route, rowsRoute } from '#server/http/call/route.ts'
import { askedPage, isPaged } from '#server/http/reading/pages.ts'
import { exportMessages as allMessages, readMessages, type StoredMessage } from '#server/telemetry/read/messages.ts'
import type { StoredReport } from '#server/telemetry/read/rawPage.ts'
import { readRawRows } from '#server/telemetry/read/rawRows.ts'
import { countMessages, countRawRows } from '#server/telemetry/read/recordCounts.ts'
import { readMessageKey, readRawRowKey } from './pageKeys.ts'
import { answered, messagesQuestion, rawQuestion } from './recordPages.ts'

type Deps = Pick<Given, 'pool' | 'longReads' | 'config'>

const PAGE_SIZE = 100

/** Answers what devices reported, row by row, and their messages. */
export function deviceRecordsFeature(deps: Deps) {
  const { pool, longReads } = deps
  const { closedDays } = deps.config
  const requireDevice = (deviceId: DeviceId, caller: Caller) => requireVisible(pool, scopeOf(caller), [deviceId])
  return {
    routes: [
      jsonTextRoute(listRawData, async ({ query, caller }) => {
        // The device is checked while its reports are read, and refused before they are answered.
        const [text] = await Promise.all([rawDataJson(deps, query), requireDevice(query.deviceId, caller)])
        return text
      }),
      rowsRoute(exportRawData, async ({ query, caller, coding }) => {
        const question = rawQuestion(query, closedDays)
        await requireDevice(query.deviceId, caller)
        return { parts: longReads.rawRows(question, coding), coding }
      }),
      route(listMessages, async ({ query, caller }) => {
        const [messages] = await Promise.all([messagesOf(deps, query), requireDevice(query.deviceId, caller)])
        return messages
      }),
      rowsRoute(exportMessages, async ({ query, caller }) => {
        const question = messagesQuestion(query, closedDays)
        await requireDevice(query.deviceId, caller)
        return inRows(allMessages(pool, question))
      }),
    ],
  }
}

async function rawDataJson(
  { pool, config }: Deps,
  { pageSize, next, ...query }: ReadQueryOf<typeof listRawData>,
): Promise<string> {
  const page = askedPage({ pageSize, next }, PAGE_SIZE, readRawRowKey)
  const question = rawQuestion(query, config.closedDays)
  const found = await answered(isPaged({ pageSize, next }), page, ({ json }: StoredReport) => json, {
    read: ({ after, size }) => readRawRows(pool, { ...question, after, limit: size }),
    count: () => countRawRows(pool, question),
  })
  if (Array.isArray(found)) return `[${found.join(',')}]`
  return `{"rows":[${found.rows.join(',')}],"total":${found.total},"next":${JSON.stringify(found.next)}}`
}

function messagesOf({ pool, config }: Deps, { pageSize, next, ...query }: ReadQueryOf<typeof listMessages>) {
  const page = askedPage({ pageSize, next }, PAGE_SIZE, readMessageKey)
  const question = messagesQuestion(query, config.closedDays)
  return answered(isPaged({ pageSize, next }), page, messageRow, {
    read: ({ after, size }) => readMessages(pool, { ...question, after, limit: size }),
    count: () => countMessages(pool, question),
  })
}

const messageRow = ({ at, insertedAt, msg }: StoredMessage): MessageRow => ({
  inserted: insertedAt.toISOString(),
  at: at.toISOString(),
  msg,
})

async function* inRows(messages: AsyncIterable<StoredMessage>): AsyncGenerator<MessageRow> {
  for await (const message of messages) yield messageRow(message)
}
