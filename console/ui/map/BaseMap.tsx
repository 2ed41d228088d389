import L from 'leaflet'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { messages } from '#console/lib/call/messages.ts'
import { useBaseMap } from './base/useBaseMap.ts'
import { DEFAULT_VIEW, type MapView } from './mapViews.ts'
import './map.css'
import './mapNote.css'

const SMALLEST_ZOOM = 2
/** Whole steps would show an area that must fit from up to twice as far as needed. */
const ZOOM_STEP = 0.25

interface BaseMapProps {
  readonly label: string
  readonly className?: string
  readonly view?: MapView
  /** The map fills its page, with nothing to scroll around it: the wheel zooms, and a scale is shown. */
  readonly isWholePage?: boolean
  readonly children?: (map: L.Map) => ReactNode
}

export function BaseMap({ label, className = '', view = DEFAULT_VIEW, isWholePage = false, children }: BaseMapProps) {
  const stage = useRef<HTMLDivElement>(null)
  const [map, setMap] = useState<L.Map>()
  const { attribution, hasTrouble } = useBaseMap(map)

  // biome-ignore lint/correctness/useExhaustiveDependencies: a map begins once, and then goes where it is moved
  useEffect(() => {
    if (!stage.current) return
    const made = makeMap(stage.current, view, isWholePage)
    setMap(made)
    const observer = new ResizeObserver(() => made.invalidateSize({ animate: false }))
    observer.observe(stage.current)
    return () => {
      observer.disconnect()
      setMap(undefined)
      made.remove()
    }
  }, [])

  return (
    <div className={`base-map ${className}`}>
      <div ref={stage} className="base-map-stage" role="application" aria-label={label} />
      {map && children?.(map)}
      {(attribution || hasTrouble) && (
        <p className="base-map-note" role={hasTrouble ? 'status' : undefined}>
          {hasTrouble ? messages.noMapTiles : attribution}
        </p>
      )}
    </div>
  )
}

function makeMap(stage: HTMLDivElement, { latitude, longitude, zoom }: MapView, isWholePage: boolean): L.Map {
  const map = L.map(stage, {
    center: [latitude, longitude],
    zoom,
    minZoom: SMALLEST_ZOOM,
    zoomSnap: ZOOM_STEP,
    worldCopyJump: true,
    attributionControl: false,
    zoomControl: false,
    // A page that is scrolled over the map should go on scrolling.
    scrollWheelZoom: isWholePage,
    zoomAnimation: !window.matchMedia('(prefers-reduced-motion: reduce)').matches,
  })
  // Leaflet's own signs are markup, which Trusted Types refuse (docs/decisions/0229).
  const signs = { zoomInText: '+', zoomOutText: '−' }
  L.control.zoom({ ...signs, zoomInTitle: 'Zoom in', zoomOutTitle: 'Zoom out' }).addTo(map)
  if (isWholePage) L.control.scale({ imperial: false }).addTo(map)
  return map
}
