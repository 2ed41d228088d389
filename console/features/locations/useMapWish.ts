import { useEffect, useRef, useState } from 'react'
import { DEVICE_ZOOM } from '#console/ui/map/BaseMap.tsx'
import type { MapArea, MapPin } from '#console/ui/map/mapPin.ts'
import type { MapWish } from '#console/ui/map/PinsMap.tsx'

/** How `filterKey` says that nothing is filtered. */
const NO_FILTER = '{}'

/** Everything that a filter takes in and that has a position. */
export interface WholeFleet {
  readonly count: number
  /** The only one, where there is one. */
  readonly only: MapPin | undefined
  /** Undefined for none. */
  readonly area: MapArea | undefined
}

interface Shown {
  /** Undefined while those of the filter are still on their way. */
  readonly whole: WholeFleet | undefined
  /** What they were asked by. */
  readonly filterKey: string
  readonly isInView: boolean
}

/**
 * Moves the map where a changed filter would leave nothing to see: to the only device (zoom 10, P1 §9), or to all of
 * them when none is in view. Otherwise it stays where it is. Without a filter any more, it shows all of them again.
 */
export function useMapWish({ whole, filterKey, isInView }: Shown) {
  const [wish, setWish] = useState<MapWish>()
  const settledFor = useRef<string>(undefined)

  useEffect(() => {
    if (!whole || settledFor.current === filterKey) return
    const isReset = settledFor.current !== undefined && filterKey === NO_FILTER
    settledFor.current = filterKey
    if (isReset || whole.count === 1 || !isInView) setWish(wholeOf(whole))
  }, [whole, filterKey, isInView])

  return { wish, showAll: (all: WholeFleet) => setWish(wholeOf(all)) }
}

function wholeOf({ only, area }: WholeFleet): MapWish | undefined {
  if (only) return { view: { ...placeOf(only), zoom: DEVICE_ZOOM } }
  return area && { area: { ...area } }
}

const placeOf = ({ latitude, longitude }: MapPin) => ({ latitude, longitude })
