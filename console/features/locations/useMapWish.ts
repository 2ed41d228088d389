import { useEffect, useRef, useState } from 'react'
import { DEVICE_ZOOM } from '#console/ui/map/BaseMap.tsx'
import { areaOf, type MapArea, type MapPin, pinsWithin } from '#console/ui/map/mapPin.ts'
import type { MapWish } from '#console/ui/map/PinsMap.tsx'

/** How `filterKey` says that nothing is filtered. */
const NO_FILTER = '{}'

interface Shown {
  /** Undefined while those of the filter are still on their way. */
  readonly pins: readonly MapPin[] | undefined
  /** What they were asked by. */
  readonly filterKey: string
  readonly area: MapArea | undefined
}

/**
 * Moves the map where a changed filter would leave nothing to see: to the only device (zoom 10, P1 §9), or to all of
 * them when none is in view. Otherwise it stays where it is. Without a filter any more, it shows all of them again.
 */
export function useMapWish({ pins, filterKey, area }: Shown) {
  const [wish, setWish] = useState<MapWish>()
  const settledFor = useRef<string>(undefined)

  useEffect(() => {
    if (!pins || !area || settledFor.current === filterKey) return
    const isReset = settledFor.current !== undefined && filterKey === NO_FILTER
    settledFor.current = filterKey
    if (isReset || pins.length === 1 || pinsWithin(pins, area).length === 0) setWish(wholeOf(pins))
  }, [pins, filterKey, area])

  return { wish, showAll: (all: readonly MapPin[]) => setWish(wholeOf(all)) }
}

function wholeOf(pins: readonly MapPin[]): MapWish | undefined {
  const [only] = pins
  if (only && pins.length === 1) return { view: { ...placeOf(only), zoom: DEVICE_ZOOM } }
  const area = areaOf(pins)
  return area && { area }
}

const placeOf = ({ latitude, longitude }: MapPin) => ({ latitude, longitude })
