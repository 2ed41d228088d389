import type L from 'leaflet'
import { useEffect, useMemo, useRef } from 'react'
import { BaseMap, type MapView } from './BaseMap.tsx'
import type { MapArea, MapCell, MapPin } from './mapPin.ts'
import { clusterPins } from './pinClusters.ts'
import { createPinLayer, type PinLayer, viewOf } from './pinLayer.ts'
import './pins.css'

/** Where the map is told to go; a new object is a new wish. */
export type MapTarget = ({ readonly view: MapView } | { readonly area: MapArea }) & {
  /** Somebody asked for it. */
  readonly isByHand?: boolean
}

interface Props {
  readonly label: string
  readonly pins: readonly MapPin[]
  /** Devices that were counted together, beside the pins. */
  readonly cells: readonly MapCell[]
  /** Where the map begins. */
  readonly view: MapView
  readonly wish: MapTarget | undefined
  readonly onPin: (pin: MapPin) => void
  /** Devices so near to each other that no zoom tells them apart. */
  readonly onCrowd: (pins: readonly MapPin[]) => void
  /** At first, and whenever the map came to rest; `isByHand` where somebody moved it there. */
  readonly onMoved: (area: MapArea, view: MapView, isByHand: boolean) => void
}

/** A map full of devices: pins, and clusters where they would lie over each other. */
export function PinsMap({ label, view, ...others }: Props) {
  return (
    <BaseMap className="pins-map" label={label} view={view} isWholePage>
      {(map) => <Pins map={map} {...others} />}
    </BaseMap>
  )
}

type PinsProps = Omit<Props, 'label' | 'view'> & { readonly map: L.Map }

/** Room around what is to be seen whole, in pixels. */
const MARGIN: L.PointTuple = [48, 48]
/** What somebody does to a map, who moves it then. */
const BY_HAND = ['pointerdown', 'wheel', 'keydown']
/** One place seen whole should still show where it is. */
const CLOSEST_WHOLE_ZOOM = 12

function Pins({ map, pins, cells, wish, ...handlers }: PinsProps) {
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
    const tell = () => {
      const { lat, lng } = map.getCenter().wrap()
      latest.current.onMoved(viewOf(map), { latitude: lat, longitude: lng, zoom: map.getZoom() }, isByHand.current)
    }
    const takeHand = () => {
      isByHand.current = true
    }
    for (const name of BY_HAND) map.getContainer().addEventListener(name, takeHand)
    map.on('moveend resize', tell)
    tell()
    return () => {
      map.off('moveend resize', tell)
      made.remove()
    }
  }, [map])

  useEffect(() => layer.current?.show(clusters), [clusters])

  useEffect(() => {
    if (!wish) return
    isByHand.current = wish.isByHand ?? false
    if ('view' in wish) {
      const { latitude, longitude, zoom } = wish.view
      map.setView([latitude, longitude], zoom, { animate: false })
      return
    }
    const { west, south, east, north } = wish.area
    map.fitBounds(
      [
        [south, west],
        [north, east],
      ],
      { padding: MARGIN, maxZoom: CLOSEST_WHOLE_ZOOM, animate: false },
    )
  }, [map, wish])

  return null
}
