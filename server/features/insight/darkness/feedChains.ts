import { getFeedChain, setFeedChain, type WireFeedChain } from '#contract/http/insight/feedChain.ts'
import { changedFeeds, feedsProblem, withFeeds } from '#domain/darkness/configuredFeeds.ts'
import { defaultFeedChain, type FeedChain } from '#domain/darkness/feedChain.ts'
import type { DeviceId } from '#domain/ids.ts'
import type { lockDevice } from '#server/fleet/existingDevices.store.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { CallError, notFound } from '#server/http/call/callError.ts'
import { type Scope, scopeOf } from '#server/http/call/caller.ts'
import { type Route, route } from '#server/http/call/route.ts'
import type { DarknessStore } from './darkness.store.ts'
import type { FeedStore } from './feeds.store.ts'

export interface FeedChainDeps {
  readonly store: DarknessStore
  readonly feeds: FeedStore
  readonly lockDevice: typeof lockDevice
  readonly onChanged: (deviceId: DeviceId) => void
  readonly transaction: <Result>(work: (transaction: Tx) => Promise<Result>) => Promise<Result>
}

type ChainDeps = Pick<FeedChainDeps, 'store' | 'feeds'>

/**
 * Reads the configured power wiring of a device within the scope.
 * @throws CallError `not_found`
 */
export const createFeedChains = (deps: ChainDeps) => {
  const factoryChain = createFactoryChains(deps)
  return async (deviceId: DeviceId, scope: Scope): Promise<FeedChain> =>
    withFeeds(await factoryChain(deviceId, scope), await deps.feeds.list(deviceId))
}

const createFactoryChains =
  ({ store, feeds }: ChainDeps) =>
  async (deviceId: DeviceId, scope: Scope): Promise<FeedChain> => {
    const [modelId, components] = await Promise.all([store.modelOf(deviceId, scope), feeds.components(deviceId)])
    if (modelId === undefined) throw notFound()
    return defaultFeedChain(modelId, components)
  }

export function feedChainRoutes({ store, feeds, lockDevice, onChanged, transaction }: FeedChainDeps): readonly Route[] {
  const factoryChain = createFactoryChains({ store, feeds })
  const chainOf = createFeedChains({ store, feeds })

  return [
    route(getFeedChain, async ({ query: { deviceId }, caller }) => {
      return onWire(await chainOf(deviceId, scopeOf(caller)))
    }),

    route(setFeedChain, async ({ body, caller, change }) => {
      const { deviceId } = body
      change.about({ id: deviceId })
      const chain = await factoryChain(deviceId, scopeOf(caller))
      const wired = await transaction(async (tx) => {
        const device = await lockDevice(tx, deviceId, scopeOf(caller))
        if (!device) throw notFound()
        change.about({ name: device.name })
        const problem = feedsProblem(chain, body.feeds)
        if (problem) throw new CallError('invalid_feeds', problem)
        const [before, after] = [await feeds.list(deviceId, tx), changedFeeds(chain, body.feeds)]
        await feeds.replace(deviceId, after, tx)
        const thing = { id: deviceId, name: device.name, customerId: device.customerId }
        await change.done(tx, { ...thing, before: { feeds: before }, after: { feeds: after } })
        return onWire(withFeeds(chain, after))
      })
      onChanged(deviceId)
      return wired
    }),
  ]
}

const onWire = ({ parts, uplink }: FeedChain): WireFeedChain => ({
  parts: parts.map(({ key, kind, number, port, name, fedBy, defaultFedBy }) => ({
    ...{ key, kind, number, ...(port === undefined ? {} : { port }), name },
    ...{ fedBy: fedBy ?? null, defaultFedBy: defaultFedBy ?? null },
  })),
  uplink: [...uplink],
})
