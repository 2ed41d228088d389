import { randomUUID } from 'node:crypto'
import type { AnswerOf, ReadBodyOf } from '#contract/call/call.ts'
import {
  type Channel,
  deleteChannel,
  listChannels,
  listDeliveries,
  replayDelivery,
  rotateSigningKey,
  setChannel,
  setInbound,
  testChannel,
} from '#contract/http/alerting/channels.ts'
import { CallError, notFound } from '#server/http/call/callError.ts'
import { type Caller, scopeOf } from '#server/http/call/caller.ts'
import { type ChangeRecord, route } from '#server/http/call/route.ts'
import { awaitsRecipient } from '#server/notifications/channelRows.ts'
import {
  added,
  type ChannelDeps,
  changeChannelOf,
  changeInbound,
  edited,
  inboundAddress,
  replaceSigningKey,
} from './channelChanges.ts'
import {
  countTests,
  type ListedChannel,
  noteTest,
  readDeliveries,
  readListedChannels,
  removeChannel,
  sendAgain,
} from './channels.store.ts'
import { recipientPages } from './recipientPages.ts'
import { askRecipient } from './recipients.store.ts'

/** All channels of one customer, or of staff, share this limit. */
const MOST_TESTS_PER_MINUTE = 20

/** Manages the channels that deliver notifications. */
export const channelsFeature = (deps: ChannelDeps) => ({
  routes: [
    route(listChannels, ({ caller }) => list(deps, caller)),
    route(setChannel, ({ body, caller, change }) => {
      change.about({ name: body.name })
      return body.id > 0 ? edited(deps, body, caller, change) : added(deps, body, caller, change)
    }),
    route(deleteChannel, ({ body: { id }, caller, change }) =>
      changeChannelOf(deps, { id, caller, change }, async (transaction) => {
        await removeChannel(transaction, id)
        return { answer: {} }
      }),
    ),
    route(testChannel, ({ body, caller, change }) => test(deps, body.id, caller, change)),
    route(rotateSigningKey, ({ body, caller, change }) => replaceSigningKey(deps, body.id, caller, change)),
    route(setInbound, ({ body, caller, change }) => changeInbound(deps, body, caller, change)),
    route(listDeliveries, ({ query, caller }) => deliveries(deps, query.id, caller)),
    route(replayDelivery, ({ body, caller, change }) => replay(deps, body, caller, change)),
  ],
  openPages: recipientPages(deps),
})

async function list(deps: ChannelDeps, caller: Caller): Promise<Channel[]> {
  const rows = await readListedChannels(deps.db, scopeOf(caller))
  return rows.map((row) => toChannel(row, deps))
}

function toChannel(row: ListedChannel, deps: ChannelDeps): Channel {
  const { customerName, oldKeyUntil, lastAt, restsUntil, inboundGuid, inboundAt, inboundText, ...rest } = row
  const now = deps.clock.now()
  return {
    ...rest,
    customerName: customerName ?? '',
    oldKeyUntil: oldKeyUntil !== null && new Date(oldKeyUntil) > now ? oldKeyUntil : null,
    inbound:
      inboundGuid === null
        ? null
        : { address: inboundAddress(deps, inboundGuid), at: inboundAt?.toISOString() ?? null, text: inboundText },
    lastAt: lastAt?.toISOString() ?? null,
    restsUntil: restsUntil && restsUntil > now ? restsUntil.toISOString() : null,
  }
}

/** No transaction is held during the test; the audit row is written before, whatever the outcome. */
async function test(
  deps: ChannelDeps,
  id: number,
  caller: Caller,
  change: ChangeRecord,
): Promise<AnswerOf<typeof testChannel>> {
  const at = deps.clock.now()
  const channel = await changeChannelOf(deps, { id, caller, change }, async (transaction, found) => {
    if ((await countTests(transaction, found.customerId, at)) >= MOST_TESTS_PER_MINUTE)
      throw new CallError('too_many_requests')
    if (awaitsRecipient(found)) await askRecipient(transaction, found, at)
    return { answer: found, details: 'Test' }
  })
  const beganMs = performance.now()
  const result = await deps.notifyOutside(channel, { what: 'test', key: randomUUID(), channelName: channel.name }, at)
  const tookMs = Math.round(performance.now() - beganMs)
  await noteTest(deps.db, { channelId: id, result, at, tookMs })
  const { outcome, status, answer } = result
  const reason = 'reason' in outcome ? outcome.reason : ''
  return { isTaken: outcome.is === 'done', status: status ?? null, answer, reason, tookMs }
}

async function deliveries({ db }: ChannelDeps, id: number, caller: Caller): Promise<AnswerOf<typeof listDeliveries>> {
  const [found] = await readListedChannels(db, scopeOf(caller), id)
  if (!found) throw notFound()
  return readDeliveries(db, id)
}

const replay = (
  deps: ChannelDeps,
  { id, incidentId }: ReadBodyOf<typeof replayDelivery>,
  caller: Caller,
  change: ChangeRecord,
): Promise<Record<string, never>> =>
  changeChannelOf(deps, { id, caller, change }, async (transaction) => {
    if (!(await sendAgain(transaction, id, incidentId))) throw notFound()
    return { answer: {}, details: `Incident ${incidentId} sent again` }
  })
