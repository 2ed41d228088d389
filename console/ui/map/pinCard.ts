import { serverNowMs } from '#console/lib/call/serverClock.ts'
import type { LightKind } from '#domain/darkness/minutes/darkMinutes.ts'
import { connectionStatusName, deviceStatusName } from '#domain/devices/status.ts'
import { formatDuration } from '#domain/units/durations.ts'
import { SECOND_MS } from '#domain/units/time.ts'
import type { MapPin } from './mapPin.ts'
import { alertsText } from './pinIcons.ts'

const LIGHT_WORDS: Readonly<Record<LightKind, string>> = {
  unplanned: 'Dark, not planned',
  litInOffTime: 'Lit in off times',
  unknown: 'Light unknown',
  planned: 'Dark as planned',
  maintenance: 'In maintenance',
  lit: 'Lit',
}

const lasting = (since: string) => formatDuration(Math.max(0, (serverNowMs() - Date.parse(since)) / SECOND_MS))

export function pinCard(pin: MapPin): HTMLElement {
  const { name, statusId, connStatusId, silentSince, isOnBattery, activeAlerts } = pin
  const card = document.createElement('div')
  const silence = silentSince ? `, not reporting for ${lasting(silentSince)}` : ''
  card.append(
    line('map-card-name', name),
    line('', `${deviceStatusName(statusId)} · ${connectionStatusName(connStatusId)}${silence}`),
    ...lightLines(pin),
  )
  if (isOnBattery) card.append(line('map-card-warn', 'On battery'))
  if (activeAlerts > 0) card.append(line('map-card-crit', `${alertsText(activeAlerts)}`))
  return card
}

function lightLines({ light, lightSince, lightIsAtLeast, cause }: MapPin): HTMLElement[] {
  if (light === null) return []
  const since = lightSince ? `, for ${lightIsAtLeast ? 'at least ' : ''}${lasting(lightSince)}` : ''
  const words = line(light === 'unplanned' ? 'map-card-crit' : '', `${LIGHT_WORDS[light]}${since}`)
  return cause ? [words, line('map-card-why', cause)] : [words]
}

function line(className: string, text: string): HTMLElement {
  const element = document.createElement('p')
  element.className = className
  element.textContent = text
  return element
}
