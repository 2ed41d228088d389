import type { WireFeedChain } from '#contract/http/insight/feedChain.ts'
import type { FeedChain } from '#domain/darkness/feedChain.ts'

export const chainOf = ({ parts, uplink }: WireFeedChain): FeedChain => ({
  parts: parts.map(({ key, kind, number, port, name, fedBy, defaultFedBy }) => ({
    ...{ key, kind, number, name, ...(port === undefined ? {} : { port }) },
    ...{ fedBy: fedBy ?? undefined, defaultFedBy: defaultFedBy ?? undefined },
  })),
  uplink,
})

export const factoryChainOf = (wire: WireFeedChain): FeedChain =>
  chainOf({ ...wire, parts: wire.parts.map((part) => ({ ...part, fedBy: part.defaultFedBy })) })
