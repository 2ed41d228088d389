import { useComputedColorScheme } from '@mantine/core'
import L from 'leaflet'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { drawWorldOutline } from './worldOutline.ts'
import './map.css'

/** P1 §9: a central European point at zoom 4. */
export const DEFAULT_VIEW = { latitude: 49.8, longitude: 15.5, zoom: 4 } as const
/** Beyond this the outlines say nothing any more. */
const LARGEST_ZOOM = 10
const SMALLEST_ZOOM = 2

interface BaseMapProps {
  /** What the map is for, and how it is used without a mouse. */
  readonly label: string
  readonly className?: string
  /** Layers of this map; drawn once it stands. */
  readonly children?: (map: L.Map) => ReactNode
}

/** The map under every map of the console: land and borders, pan and zoom by mouse, touch and keys. */
export function BaseMap({ label, className = '', children }: BaseMapProps) {
  const stage = useRef<HTMLDivElement>(null)
  const [map, setMap] = useState<L.Map>()
  const scheme = useComputedColorScheme('dark')

  useEffect(() => {
    if (!stage.current) return
    const made = makeMap(stage.current)
    setMap(made)
    const observer = new ResizeObserver(() => made.invalidateSize({ animate: false }))
    observer.observe(stage.current)
    return () => {
      observer.disconnect()
      setMap(undefined)
      made.remove()
    }
  }, [])

  const ground = useRef<L.LayerGroup>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours of the page change with the scheme
  useEffect(() => {
    if (!map) return
    const group = ground.current?.addTo(map) ?? L.layerGroup().addTo(map)
    ground.current = group
    void drawWorldOutline(map, group).catch(() => undefined)
    return () => {
      group.remove()
      ground.current = undefined
    }
  }, [map, scheme])

  return (
    <div className={`base-map ${className}`}>
      <div ref={stage} className="base-map-stage" role="application" aria-label={label} />
      {map && children?.(map)}
    </div>
  )
}

function makeMap(stage: HTMLDivElement): L.Map {
  const map = L.map(stage, {
    center: [DEFAULT_VIEW.latitude, DEFAULT_VIEW.longitude],
    zoom: DEFAULT_VIEW.zoom,
    minZoom: SMALLEST_ZOOM,
    maxZoom: LARGEST_ZOOM,
    worldCopyJump: true,
    attributionControl: false,
    zoomControl: false,
    // A page that is scrolled over the map should go on scrolling.
    scrollWheelZoom: false,
    zoomAnimation: !window.matchMedia('(prefers-reduced-motion: reduce)').matches,
  })
  L.control.zoom({ zoomInTitle: 'Zoom in', zoomOutTitle: 'Zoom out' }).addTo(map)
  return map
}
