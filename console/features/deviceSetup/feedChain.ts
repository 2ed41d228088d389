import { createContext, use } from 'react'
import { chainOf } from '#console/lib/feedChain.ts'
import { useCall } from '#console/lib/useCall.ts'
import { getFeedChain } from '#contract/http/feedChain.ts'
import type { FeedChain } from '#domain/darkness/feedChain.ts'
import type { DeviceId } from '#domain/ids.ts'

const NOTHING_KNOWN: FeedChain = { parts: [], uplink: [] }

export const OpenFeedChain = createContext<FeedChain>(NOTHING_KNOWN)

/** Only below `SetupPanels`; elsewhere nothing is known to feed anything. */
export const useFeedChain = (): FeedChain => use(OpenFeedChain)

/** What feeds what in the device that is set up; until that is read, nothing is known to feed anything. */
export function useReadFeedChain(deviceId: DeviceId): FeedChain {
  const { data } = useCall(getFeedChain, { deviceId })
  return data ? chainOf(data) : NOTHING_KNOWN
}
