import { createContext, use } from 'react'
import { standardComponents } from '#domain/components/standardComponents.ts'
import { type ChainComponent, defaultFeedChain, type FeedChain } from '#domain/darkness/feedChain.ts'
import type { DeviceModelId } from '#domain/ids.ts'

/** What feeds what in the device that is set up: by its components, or by what its model is fitted with. */
export const feedChainOf = (modelId: DeviceModelId, components?: readonly ChainComponent[]): FeedChain =>
  defaultFeedChain(modelId, components ?? standardComponents(modelId))

export const OpenFeedChain = createContext<FeedChain>({ parts: [], uplink: [] })

/** Only below `SetupPanels`; elsewhere nothing is known to feed anything. */
export const useFeedChain = (): FeedChain => use(OpenFeedChain)
