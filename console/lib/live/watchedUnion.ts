import { MOST_WATCHED_DEVICES, MOST_WATCHED_OVERVIEWS, MOST_WATCHED_STATES } from '#contract/http/live.ts'
import type { Watched } from './liveStream.ts'

/** It joins what screens and tabs watch: each device once, sorted, within the limits of the call. */
export function watchedUnion(all: Iterable<Watched>): Watched {
  const deviceIds = new Set<Watched['deviceIds'][number]>()
  const stateDeviceIds = new Set<Watched['deviceIds'][number]>()
  const overviews = new Set<NonNullable<Watched['overviews']>[number]>()
  for (const watched of all) {
    for (const customerId of watched.overviews ?? []) overviews.add(customerId)
    for (const id of watched.deviceIds) deviceIds.add(id)
    for (const id of watched.stateDeviceIds) stateDeviceIds.add(id)
  }
  const sorted = (ids: typeof deviceIds, most: number) => [...ids].slice(0, most).sort((a, b) => a - b)
  return {
    deviceIds: sorted(deviceIds, MOST_WATCHED_DEVICES),
    stateDeviceIds: sorted(stateDeviceIds, MOST_WATCHED_STATES),
    ...(overviews.size === 0
      ? {}
      : { overviews: [...overviews].slice(0, MOST_WATCHED_OVERVIEWS).sort((a, b) => a - b) }),
  }
}

export const watchesNothing = (watched: Watched) =>
  watched.deviceIds.length === 0 && watched.stateDeviceIds.length === 0 && watched.overviews === undefined

export const isSameWatched = (a: Watched, b: Watched) =>
  String(a.deviceIds) === String(b.deviceIds) &&
  String(a.stateDeviceIds) === String(b.stateDeviceIds) &&
  String(a.overviews) === String(b.overviews)
