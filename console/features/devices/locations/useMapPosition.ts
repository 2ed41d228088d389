import { useEffect, useRef, useState } from 'react'
import type { MapArea, MapPin } from '#console/ui/map/mapPin.ts'
import { DEFAULT_VIEW, DEVICE_ZOOM, type MapView } from '#console/ui/map/mapViews.ts'
import type { MapTarget } from '#console/ui/map/PinsMap.tsx'
import { placeText, viewOfPlace } from './mapView.ts'

/** `filterKey` has this value when nothing is filtered. */
const NO_FILTER = '{}'

export interface WholeFleet {
  readonly count: number
  readonly only: MapPin | undefined
  readonly area: MapArea | undefined
}

interface Shown {
  readonly whole: WholeFleet | undefined
  readonly filterKey: string
  readonly isInView: boolean
  readonly at: string | undefined
  readonly setAt: (at: string | undefined) => void
}

/**
 * It moves the map where a changed filter would leave nothing to see (rules/map 5): to the only device, or to all of
 * them when none is in view, and to where the map begins when there is none at all. Otherwise the map stays. Removing the filter shows all devices again.
 *
 * A place that somebody moved the map to stands in the address, so that its link leads there, whatever is to be seen. A
 * move that the filter caused does not, because the filter says as much.
 */
export function useMapPosition({ whole, filterKey, isInView, at, setAt }: Shown) {
  const [target, setTarget] = useState<MapTarget>()
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

  // Back, forward and a pasted address change the place from outside.
  useEffect(() => {
    if (at === writtenAt.current) return
    writtenAt.current = at
    const view = viewOfPlace(at)
    if (view) setTarget({ view })
  }, [at])

  const moveByItself = (all: WholeFleet) => {
    setTarget(wholeOf(all) ?? { view: DEFAULT_VIEW })
    writtenAt.current = undefined
    if (at !== undefined) setAt(undefined)
  }
  return {
    target,
    moveByItself,
    showAll: (all: WholeFleet) => {
      const next = wholeOf(all)
      if (next) setTarget({ ...next, isByHand: true })
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
