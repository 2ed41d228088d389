import { useEffect, useRef, useState } from 'react'
import { DEVICE_ZOOM, type MapView } from '#console/ui/map/BaseMap.tsx'
import type { MapArea, MapPin } from '#console/ui/map/mapPin.ts'
import type { MapTarget } from '#console/ui/map/PinsMap.tsx'
import { placeText, viewOfPlace } from './mapView.ts'

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
  /** The place of the map as the address has it. */
  readonly at: string | undefined
  readonly setAt: (at: string | undefined) => void
}

/**
 * Moves the map where a changed filter would leave nothing to see (rules/map 5): to the only device, or to all of them
 * when none is in view. Otherwise it stays where it is. Without a filter any more, it shows all of them again.
 *
 * Where somebody moved it stands in the address, and whoever comes by such an address finds it there, whatever is to be
 * seen. Where it moved by itself does not: its filter says as much.
 */
export function useMapPosition({ whole, filterKey, isInView, at, setAt }: Shown) {
  const [wish, setDesiredSettings] = useState<MapTarget>()
  const writtenAt = useRef(at)
  const placedFor = useRef(at === undefined ? undefined : filterKey)
  const settledFor = useRef<string>(undefined)

  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each filter, by the address of that moment
  useEffect(() => {
    if (!whole || settledFor.current === filterKey) return
    const isFirst = settledFor.current === undefined
    const isReset = !isFirst && filterKey === NO_FILTER
    settledFor.current = filterKey
    if (placedFor.current === filterKey) {
      placedFor.current = undefined
      return
    }
    if (isReset || whole.count === 1 || !isInView) moveByItself(whole)
  }, [whole, filterKey, isInView])

  // Back, forward, or an address that was pasted into this tab.
  useEffect(() => {
    if (at === writtenAt.current) return
    writtenAt.current = at
    const view = viewOfPlace(at)
    if (view) setDesiredSettings({ view })
  }, [at])

  const moveByItself = (all: WholeFleet) => {
    setDesiredSettings(wholeOf(all))
    writtenAt.current = undefined
    if (at !== undefined) setAt(undefined)
  }
  return {
    wish,
    moveByItself,
    showAll: (all: WholeFleet) => {
      const next = wholeOf(all)
      if (next) setDesiredSettings({ ...next, isByHand: true })
    },
    movedByHand: (view: MapView) => {
      writtenAt.current = placeText(view)
      if (at !== writtenAt.current) setAt(writtenAt.current)
    },
  }
}

function wholeOf({ only, area }: WholeFleet): MapTarget | undefined {
  if (only) return { view: { ...placeOf(only), zoom: DEVICE_ZOOM } }
  return area && { area: { ...area } }
}

const placeOf = ({ latitude, longitude }: MapPin) => ({ latitude, longitude })
