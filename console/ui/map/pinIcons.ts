import { type Health, healthOf } from '#domain/darkness/health.ts'
import { CONNECTION_STATUS, connectionStatusName, DEVICE_STATUS, deviceStatusName } from '#domain/devices/status.ts'
import { formatNumber } from '#domain/units/numbers.ts'
import type { MapPin } from './mapPin.ts'
import type { PinCluster } from './pinClusters.ts'

const SVG = 'http://www.w3.org/2000/svg'

/** Paired devices are drops, all others lozenges on a point, so that they differ without colour (rules/map 3). */
const DROP = 'M13 33C13 33 25 20.5 25 13A12 12 0 1 0 1 13C1 20.5 13 33 13 33Z'
const LOZENGE = 'M13 33L8.5 25H5A4 4 0 0 1 1 21V5A4 4 0 0 1 5 1H21A4 4 0 0 1 25 5V21A4 4 0 0 1 21 25H17.5Z'

const SIGNS: Readonly<Record<number, string>> = {
  // Pending is a ring of dashes.
  [DEVICE_STATUS.pending]:
    'M13 7A6 6 0 0 1 18 9.7M19 13A6 6 0 0 1 16 18.2M13 19A6 6 0 0 1 8 16.3M7 13A6 6 0 0 1 10 7.8',
  [DEVICE_STATUS.active]: 'M8 13.2L11.6 16.8L18.2 9.6',
  // Maintenance is a wrench.
  [DEVICE_STATUS.maintenance]: 'M8 18L14 12M13 9.5A4 4 0 0 0 17 14.6L19 11.6L16.6 11.4L16.4 8.6A4 4 0 0 0 13 9.5Z',
  [DEVICE_STATUS.deactivated]: 'M7.5 13A5.5 5.5 0 1 0 18.5 13A5.5 5.5 0 1 0 7.5 13M9.2 9.2L16.8 16.8',
  [DEVICE_STATUS.outOfOrder]: 'M8.5 8.5L17.5 17.5M17.5 8.5L8.5 17.5',
  // Updating is a turning arrow.
  [DEVICE_STATUS.updating]: 'M18.5 13A5.5 5.5 0 1 1 16.5 8.8M16.8 5.8V9.2H13.4',
}
const DARK_SIGN = 'M18 15.6A6 6 0 1 1 10.8 7.4A5 5 0 0 0 18 15.6Z'
const UNKNOWN_SIGN = 'M10.5 10.5A2.6 2.6 0 1 1 13 13.6V14.6M13 17.6V17.8'

const MOST_SHOWN_ALERTS = 99

export function pinName(pin: MapPin): string {
  const { name, statusId, connStatusId, activeAlerts, wrong, isOnBattery } = pin
  return [
    name,
    deviceStatusName(statusId),
    connectionStatusName(connStatusId),
    ...(wrong === 'dark' ? ['dark'] : wrong === 'silent' ? ['not reporting'] : []),
    ...(healthOf(pin) === 'maintained' ? ['in maintenance'] : []),
    ...(isOnBattery ? ['on battery'] : []),
    ...(activeAlerts > 0 ? [alertsText(activeAlerts)] : []),
  ].join(', ')
}

export function clusterName({ count, activeAlerts, healths }: PinCluster): string {
  return [
    count < 1000 ? `${count} devices` : `${shortCount(count)} devices (${formatNumber(count)})`,
    ...(healths.dark > 0 ? [`${healths.dark} dark`] : []),
    ...(healths.silent > 0 ? [`${healths.silent} not reporting`] : []),
    ...(activeAlerts > 0 ? [alertsText(activeAlerts)] : []),
  ].join(', ')
}

export const alertsText = (count: number) => (count === 1 ? '1 alert' : `${count} alerts`)

/** Shape and sign show the status, hollow while offline, and a badge the alerts; the marker has the name. */
export function pinPicture(pin: MapPin): HTMLElement {
  const { statusId, connStatusId, activeAlerts } = pin
  const health = healthOf(pin)
  const isDark = health === 'dark'
  const picture = document.createElement('span')
  picture.className = 'map-pin'
  picture.setAttribute('aria-hidden', 'true')
  picture.dataset.status = String(statusId)
  if (isDark) picture.dataset.dark = 'true'
  if (health === 'silent') picture.dataset.silent = 'true'
  if (health === 'maintained') picture.dataset.maintained = 'true'
  if (connStatusId !== CONNECTION_STATUS.online) picture.dataset.offline = 'true'
  const svg = document.createElementNS(SVG, 'svg')
  svg.setAttribute('viewBox', '0 0 26 34')
  svg.append(path(statusId === DEVICE_STATUS.active ? DROP : LOZENGE, 'map-pin-body'))
  svg.append(path(signOf(health, statusId), 'map-pin-sign'))
  picture.append(svg, ...badge(activeAlerts))
  return picture
}

function signOf(health: Health, statusId: number): string {
  if (health === 'dark') return DARK_SIGN
  return SIGNS[health === 'maintained' ? DEVICE_STATUS.maintenance : statusId] ?? UNKNOWN_SIGN
}

/** A screen reader would join number and badge to "31", so the marker carries the name. */
export function clusterPicture({ count, activeAlerts, healths }: PinCluster): HTMLElement {
  const picture = document.createElement('span')
  picture.className = 'map-cluster'
  picture.setAttribute('aria-hidden', 'true')
  const number = document.createElement('span')
  number.textContent = shortCount(count)
  picture.append(healthRing(healths, count), number, ...badge(activeAlerts))
  return picture
}

const IN_RING: readonly Health[] = ['dark', 'silent', 'warned', 'unknown', 'maintained', 'fine']
/** Each part takes at least this share of the ring, so that one dark device of a thousand is seen too. */
const SMALLEST_PART = 0.07
const RING = { viewBox: '0 0 36 36', middle: 18, radius: 16 }
const GAP = 1.5

function healthRing(healths: PinCluster['healths'], count: number): SVGSVGElement {
  const svg = document.createElementNS(SVG, 'svg')
  svg.setAttribute('viewBox', RING.viewBox)
  svg.setAttribute('class', 'map-ring')
  const present = IN_RING.filter((health) => healths[health] > 0)
  const sizes = present.map((health) => Math.max(SMALLEST_PART, healths[health] / count))
  const whole = sizes.reduce((sum, size) => sum + size, 0)
  const around = 2 * Math.PI * RING.radius
  const gap = present.length > 1 ? GAP : 0
  let at = 0
  for (const [index, health] of present.entries()) {
    const length = ((sizes[index] ?? 0) / whole) * around
    const part = document.createElementNS(SVG, 'circle')
    for (const name of ['cx', 'cy']) part.setAttribute(name, String(RING.middle))
    part.setAttribute('r', String(RING.radius))
    part.setAttribute('class', `map-ring-${health}`)
    part.setAttribute('stroke-dasharray', `${(length - gap).toFixed(2)} ${(around - length + gap).toFixed(2)}`)
    part.setAttribute('stroke-dashoffset', (-at - gap / 2).toFixed(2))
    svg.append(part)
    at += length
  }
  return svg
}

/** It returns 999, 1.2k, 12k or 120k, because a circle has little room. */
function shortCount(count: number): string {
  if (count < 1000) return String(count)
  const thousands = count / 1000
  return `${thousands < 10 ? Math.floor(thousands * 10) / 10 : Math.floor(thousands)}k`
}

/** A cluster of more devices is larger, and none is too small to be hit. */
export function clusterSizePx(count: number): number {
  return Math.round(32 + Math.min(24, 6 * Math.log10(count)))
}

/** The style draws the number: as text beside that of a cluster, "3" and "1" would read "31". */
function badge(activeAlerts: number): HTMLElement[] {
  if (activeAlerts === 0) return []
  const element = document.createElement('span')
  element.className = 'map-alerts'
  element.dataset.count = activeAlerts > MOST_SHOWN_ALERTS ? `${MOST_SHOWN_ALERTS}+` : String(activeAlerts)
  return [element]
}

function path(outline: string, className: string): SVGPathElement {
  const element = document.createElementNS(SVG, 'path')
  element.setAttribute('d', outline)
  element.setAttribute('class', className)
  return element
}
