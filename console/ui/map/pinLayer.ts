import L from 'leaflet'
import { PINS_SHOWN } from './base/mapObstacles.ts'
import { contains, type MapArea, type MapPin } from './mapPin.ts'
import { pinCard } from './pinCard.ts'
import type { PinCluster, PinClusters, Shown } from './pinClusters.ts'
import { clusterName, clusterPicture, clusterSizePx, pinName, pinPicture } from './pinIcons.ts'

/** This share of the view is drawn beyond each edge, so that it is there already when the map is moved. */
const DRAWN_BEYOND = 0.35

/** A click zooms in by this much where only the number of devices is known. */
const CLOSER_BY = 2

const PIN_SIZE_PX = { width: 26, height: 34 }

interface PinLayerEvents {
  readonly onPin: (pin: MapPin) => void
  readonly onCrowd: (pins: readonly MapPin[]) => void
}

export interface PinLayer {
  readonly show: (clusters: PinClusters) => void
  readonly remove: () => void
}

export function viewOf(map: L.Map, beyond = 0): MapArea {
  const bounds = map.getBounds().pad(beyond)
  return { west: bounds.getWest(), south: bounds.getSouth(), east: bounds.getEast(), north: bounds.getNorth() }
}

/**
 * It draws pins and clusters as elements of the page, but only those in or near the view: some hundred, however large
 * the fleet. Those that stay are kept when the map moves.
 */
export function createPinLayer(map: L.Map, { onPin, onCrowd }: PinLayerEvents): PinLayer {
  let clusters: PinClusters | undefined
  let drawn: MapArea | undefined
  let markers = new Map<string, L.Marker>()

  const draw = () => {
    if (!clusters) return
    drawn = viewOf(map, DRAWN_BEYOND)
    const next = new Map<string, L.Marker>()
    for (const shown of clusters.within(drawn, map.getZoom())) {
      const key = keyOf(shown)
      next.set(key, markers.get(key) ?? markerOf(shown).addTo(map))
    }
    for (const [key, marker] of markers) if (!next.has(key)) marker.remove()
    markers = next
    map.fire(PINS_SHOWN)
  }
  const drawWhatComes = () => {
    if (drawn && !contains(drawn, viewOf(map))) draw()
  }

  const markerOf = (shown: Shown) =>
    shown.kind === 'pin'
      ? withCard(named(pinMarker(shown.pin), pinName(shown.pin)), shown.pin, onPin)
      : named(clusterMarker(shown.cluster), clusterName(shown.cluster)).on('click', () => open(shown.cluster))

  const open = (cluster: PinCluster) => {
    if (!clusters) return
    const opensAt = clusters.opensAt(cluster)
    const crowd = opensAt > map.getMaxZoom() ? clusters.pinsOf(cluster) : []
    if (crowd.length > 0) return onCrowd(crowd)
    const zoom = opensAt > map.getZoom() ? opensAt : map.getZoom() + CLOSER_BY
    map.setView([cluster.latitude, cluster.longitude], Math.min(zoom, map.getMaxZoom()))
  }

  map.on('moveend', draw)
  map.on('move', drawWhatComes)
  return {
    show: (next) => {
      clusters = next
      draw()
    },
    remove: () => {
      map.off('moveend', draw)
      map.off('move', drawWhatComes)
      for (const marker of markers.values()) marker.remove()
      markers.clear()
    },
  }
}

/** The key holds everything that is drawn, so that a new status draws a new pin. */
function keyOf(shown: Shown): string {
  if (shown.kind === 'cluster') {
    const { latitude, longitude, count, activeAlerts, healths } = shown.cluster
    return `${latitude} ${longitude} ${count} ${activeAlerts} ${shown.cluster.clusterId} ${Object.values(healths).join()}`
  }
  return JSON.stringify(shown.pin)
}

function pinMarker(pin: MapPin): L.Marker {
  const { width, height } = PIN_SIZE_PX
  const icon = L.divIcon({
    className: 'map-item',
    html: pinPicture(pin),
    iconSize: [width, height],
    iconAnchor: [width / 2, height - 1],
  })
  return L.marker([pin.latitude, pin.longitude], { icon, keyboard: false, riseOnHover: true })
}

function clusterMarker(cluster: PinCluster): L.Marker {
  const size = clusterSizePx(cluster.count)
  const icon = L.divIcon({ className: 'map-item', html: clusterPicture(cluster), iconSize: [size, size] })
  return L.marker([cluster.latitude, cluster.longitude], { icon, keyboard: false, riseOnHover: true })
}

const CARD_OFFSET: L.PointTuple = [0, 6 - PIN_SIZE_PX.height]

/**
 * A card says how the device is while the mouse is over its pin, and a click opens the device. A finger cannot hover,
 * so a first tap shows the card and a second opens the device.
 */
function withCard(marker: L.Marker, pin: MapPin, onPin: (pin: MapPin) => void): L.Marker {
  let isFirstTouch = false
  marker.on('tooltipopen', ({ tooltip }: L.TooltipEvent) => keepOnMap(tooltip, marker))
  marker.bindTooltip(() => pinCard(pin), { direction: 'top', offset: CARD_OFFSET, opacity: 1, className: 'map-card' })
  marker.on('add', () => {
    marker.getElement()?.addEventListener('pointerdown', ({ pointerType }) => {
      isFirstTouch = pointerType === 'touch' && !marker.isTooltipOpen()
    })
  })
  return marker.on('click', () => {
    if (!isFirstTouch) onPin(pin)
  })
}

const CARD_MARGIN_PX = 8

/** A card above its pin would be cut off at the sides of the map; where there is no room above, it goes below. */
function keepOnMap(tooltip: L.Tooltip, marker: L.Marker) {
  const card = tooltip.getElement()
  const map = card?.closest('.leaflet-container')?.getBoundingClientRect()
  const pin = marker.getElement()?.getBoundingClientRect()
  if (!card || !map || !pin) return
  card.style.translate = ''
  const { left, right, top, height } = card.getBoundingClientRect()
  const toRight = Math.max(0, map.left + CARD_MARGIN_PX - left)
  const toLeft = Math.max(0, right - map.right + CARD_MARGIN_PX)
  const down = top < map.top ? height + pin.height + CARD_MARGIN_PX : 0
  card.style.translate = `${toRight - toLeft}px ${down}px`
}

/** Keyboard users take the list beside the map, because hundreds of pins have no visible order. */
function named(marker: L.Marker, name: string): L.Marker {
  return marker.on('add', () => {
    const element = marker.getElement()
    element?.setAttribute('role', 'button')
    element?.setAttribute('aria-label', name)
    element?.setAttribute('tabindex', '-1')
  })
}
