import { createContext, use } from 'react'
import { chainOf } from '#console/deviceParts/linkLabels.ts'
import { useCall } from '#console/lib/call/useCall.ts'
import { getFeedChain } from '#contract/http/insight/feedChain.ts'
import type { FeedChain } from '#domain/darkness/feedChain.ts'
import type { DeviceId } from '#domain/ids.ts'

const NOTHING_KNOWN: FeedChain = { parts: [], uplink: [] }

export const OpenFeedChain = createContext<FeedChain>(NOTHING_KNOWN)

/** It works below `SetupPanels`; elsewhere no power wiring is known. */
export const useFeedChain = (): FeedChain => use(OpenFeedChain)

/** It returns undefined until the wiring is read, and an empty one where it cannot be. */
export function useReadFeedChain(deviceId: DeviceId): FeedChain | undefined {
  const { data, failureCount } = useCall(getFeedChain, { deviceId })
  if (data) return chainOf(data)
  return failureCount > 0 ? NOTHING_KNOWN : undefined
}
