import L from 'leaflet'
import { useEffect, useRef } from 'react'
import { BaseMap } from '#console/ui/map/BaseMap.tsx'
import { DEFAULT_VIEW, DEVICE_ZOOM } from '#console/ui/map/mapViews.ts'
import './PositionPicker.css'

/** Both are WGS 84 degrees. */
export interface Position {
  readonly latitude: number
  readonly longitude: number
}

interface Props {
  readonly value: Position | undefined
  readonly onChange: (position: Position) => void
}

/** Five decimals are accurate to a metre. */
const DECIMALS = 5

const LABEL = 'Map of the position: click to set it, or move the map with the arrow keys and press Enter for its middle'

/** A click on a small map, dragging its pin, or the keyboard sets the position. */
export function PositionPicker(props: Props) {
  return (
    <BaseMap className="position-picker" label={LABEL}>
      {(map) => <Pin map={map} {...props} />}
    </BaseMap>
  )
}

function Pin({ map, value, onChange }: Props & { readonly map: L.Map }) {
  const change = useRef(onChange)
  useEffect(() => {
    change.current = onChange
  })

  useEffect(() => {
    const pick = (at: L.LatLng) => change.current(positionOf(at))
    const onClick = ({ latlng }: L.LeafletMouseEvent) => pick(latlng)
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || event.target !== map.getContainer()) return
      event.preventDefault()
      pick(map.getCenter())
    }
    map.on('click', onClick)
    map.getContainer().addEventListener('keydown', onKey)
    return () => {
      map.off('click', onClick)
      map.getContainer().removeEventListener('keydown', onKey)
    }
  }, [map])

  const latitude = value?.latitude
  const longitude = value?.longitude
  const isFirst = useRef(true)
  useEffect(() => {
    const wasFirst = isFirst.current
    isFirst.current = false
    if (latitude === undefined || longitude === undefined) {
      if (!wasFirst) return
      map.setView([DEFAULT_VIEW.latitude, DEFAULT_VIEW.longitude], DEFAULT_VIEW.zoom, { animate: false })
      return
    }
    const at = L.latLng(latitude, longitude)
    const pin = L.marker(at, { icon: pinIcon(), draggable: true, keyboard: false, autoPan: true }).addTo(map)
    pin.on('dragend', () => change.current(positionOf(pin.getLatLng())))
    if (wasFirst) map.setView(at, DEVICE_ZOOM, { animate: false })
    else if (!map.getBounds().contains(at)) map.panTo(at, { animate: false })
    return () => {
      pin.remove()
    }
  }, [map, latitude, longitude])

  return <span className="position-picker-middle" aria-hidden />
}

const SVG = 'http://www.w3.org/2000/svg'

function pinIcon(): L.DivIcon {
  const picture = document.createElementNS(SVG, 'svg')
  const shape = document.createElementNS(SVG, 'path')
  const hole = document.createElementNS(SVG, 'circle')
  for (const [name, value] of Object.entries({ viewBox: '0 0 24 32', width: 24, height: 32, 'aria-hidden': true })) {
    picture.setAttribute(name, String(value))
  }
  shape.setAttribute('d', 'M12 31C12 31 23 19 23 12A11 11 0 1 0 1 12C1 19 12 31 12 31Z')
  for (const [name, value] of Object.entries({ cx: 12, cy: 12, r: 4 })) hole.setAttribute(name, String(value))
  picture.append(shape, hole)
  return L.divIcon({
    className: 'position-pin',
    html: picture,
    iconSize: [24, 32],
    iconAnchor: [12, 31],
  })
}

/** A map that is panned around the world counts longitudes on, so they are wrapped. */
function positionOf(at: L.LatLng): Position {
  const { lat, lng } = at.wrap()
  return { latitude: rounded(Math.max(-90, Math.min(90, lat))), longitude: rounded(lng) }
}

const rounded = (degrees: number) => Number(degrees.toFixed(DECIMALS))
