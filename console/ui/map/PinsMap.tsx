import type L from 'leaflet'
import { useEffect, useMemo, useRef } from 'react'
import { BaseMap } from './BaseMap.tsx'
import type { MapArea, MapCell, MapPin } from './mapPin.ts'
import type { MapView } from './mapViews.ts'
import { clusterPins } from './pinClusters.ts'
import { createPinLayer, type PinLayer, viewOf } from './pinLayer.ts'
import './pins.css'

/** The map moves there; a new object is a new request. */
export type MapTarget = ({ readonly view: MapView } | { readonly area: MapArea }) & {
  readonly isByHand?: boolean
}

interface Props {
  readonly label: string
  readonly pins: readonly MapPin[]
  readonly cells: readonly MapCell[]
  readonly view: MapView
  readonly target: MapTarget | undefined
  readonly onPin: (pin: MapPin) => void
  readonly onCrowd: (pins: readonly MapPin[]) => void
  /** It is called at first, and whenever the map comes to rest; `isByHand` means that a user moved it. */
  readonly onMoved: (area: MapArea, view: MapView, isByHand: boolean) => void
}

/** It draws pins, and clusters where pins would cover each other. */
export function PinsMap({ label, view, ...others }: Props) {
  return (
    <BaseMap className="pins-map" label={label} view={view} isWholePage>
      {(map) => <Pins map={map} {...others} />}
    </BaseMap>
  )
}

type PinsProps = Omit<Props, 'label' | 'view'> & { readonly map: L.Map }

/** An area that must fit gets this margin in pixels. */
const MARGIN: L.PointTuple = [48, 48]
const BY_HAND = ['pointerdown', 'wheel', 'keydown']
/** A single place that is shown whole should still show its surroundings. */
const CLOSEST_WHOLE_ZOOM = 12

function Pins({ map, pins, cells, target, ...handlers }: PinsProps) {
  const latest = useRef(handlers)
  useEffect(() => {
    latest.current = handlers
  })
  const layer = useRef<PinLayer>(undefined)
  const isByHand = useRef(false)
  const clusters = useMemo(() => clusterPins(pins, cells), [pins, cells])

  useEffect(() => {
    const made = createPinLayer(map, {
      onPin: (pin) => latest.current.onPin(pin),
      onCrowd: (crowd) => latest.current.onCrowd(crowd),
    })
    layer.current = made
    const notify = () => {
      const { lat, lng } = map.getCenter().wrap()
      latest.current.onMoved(viewOf(map), { latitude: lat, longitude: lng, zoom: map.getZoom() }, isByHand.current)
    }
    const takeHand = () => {
      isByHand.current = true
    }
    for (const name of BY_HAND) map.getContainer().addEventListener(name, takeHand)
    map.on('moveend resize', notify)
    notify()
    return () => {
      map.off('moveend resize', notify)
      made.remove()
    }
  }, [map])

  useEffect(() => layer.current?.show(clusters), [clusters])

  useEffect(() => {
    if (!target) return
    isByHand.current = target.isByHand ?? false
    if ('view' in target) {
      const { latitude, longitude, zoom } = target.view
      map.setView([latitude, longitude], zoom, { animate: false })
      return
    }
    const { west, south, east, north } = target.area
    map.fitBounds(
      [
        [south, west],
        [north, east],
      ],
      { padding: MARGIN, maxZoom: CLOSEST_WHOLE_ZOOM, animate: false },
    )
  }, [map, target])

  return null
}
