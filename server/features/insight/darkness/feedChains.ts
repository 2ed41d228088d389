import type { ReadBodyOf } from '#contract/call/call.ts'
import type { setFeedChain, WireFeedChain } from '#contract/http/insight/feedChain.ts'
import { changedFeeds, feedsProblem, withFeeds } from '#domain/darkness/configuredFeeds.ts'
import { defaultFeedChain, type FeedChain } from '#domain/darkness/feedChain.ts'
import type { DeviceId } from '#domain/ids.ts'
import type { Db } from '#server/db/database.ts'
import type { Given } from '#server/features/feature.ts'
import { changeDevice } from '#server/fleet/changeDevice.ts'
import { findModelId, lockDevice } from '#server/fleet/existingDevices.store.ts'
import { CallError, notFound } from '#server/http/call/callError.ts'
import { type Caller, type Scope, scopeOf } from '#server/http/call/caller.ts'
import type { ChangeRecord } from '#server/http/call/route.ts'
import { chainComponents, listFeeds, replaceFeeds } from './feeds.store.ts'

/**
 * Reads the configured power wiring of a device within the scope.
 * @throws CallError `not_found`
 */
export const readFeedChain = async (db: Db, deviceId: DeviceId, scope: Scope): Promise<FeedChain> =>
  withFeeds(await factoryChain(db, deviceId, scope), await listFeeds(db, deviceId))

async function factoryChain(db: Db, deviceId: DeviceId, scope: Scope): Promise<FeedChain> {
  const [modelId, components] = await Promise.all([findModelId(db, deviceId, scope), chainComponents(db, deviceId)])
  if (modelId === undefined) throw notFound()
  return defaultFeedChain(modelId, components)
}

export async function changeFeedChain(
  { db, live }: Pick<Given, 'db' | 'live'>,
  { deviceId, feeds }: ReadBodyOf<typeof setFeedChain>,
  caller: Caller,
  change: ChangeRecord,
): Promise<WireFeedChain> {
  change.about({ id: deviceId })
  const chain = await factoryChain(db, deviceId, scopeOf(caller))
  const request = { id: deviceId, caller, change }
  const wired = await changeDevice(db, lockDevice, request, async (_device, transaction) => {
    const problem = feedsProblem(chain, feeds)
    if (problem) throw new CallError('invalid_feeds', problem)
    const [before, after] = [await listFeeds(transaction, deviceId), changedFeeds(chain, feeds)]
    await replaceFeeds(transaction, deviceId, after)
    return { audited: { before: { feeds: before }, after: { feeds: after } }, answer: withFeeds(chain, after) }
  })
  live.noteChanged(deviceId)
  return chainOnWire(wired)
}

export const chainOnWire = ({ parts, uplink }: FeedChain): WireFeedChain => ({
  parts: parts.map(({ key, kind, number, port, name, fedBy, defaultFedBy }) => ({
    ...{ key, kind, number, ...(port === undefined ? {} : { port }), name },
    ...{ fedBy: fedBy ?? null, defaultFedBy: defaultFedBy ?? null },
  })),
  uplink: [...uplink],
})
