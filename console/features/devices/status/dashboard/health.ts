import { lightWord } from '#console/deviceParts/LightBadge.tsx'
import { type SeverityTone, severityTone } from '#console/ui/severityLook.ts'
import type { Device } from '#contract/http/devices/devices.ts'
import type { DeviceHealth } from '#contract/http/devices/status.ts'
import { headroom } from '#domain/alerts/limits.ts'
import { type NumberedField, numberedFieldById } from '#domain/catalogue/fieldId.ts'
import type { LightKind } from '#domain/darkness/minutes/darkMinutes.ts'
import { CONNECTION_STATUS, connectionStatusName } from '#domain/devices/status.ts'
import { formatDuration } from '#domain/units/durations.ts'
import { formatNumber, UNKNOWN_TEXT } from '#domain/units/numbers.ts'
import { type LimitsByField, severityBeyond, type TileLimit } from './tiles/limitLabels.ts'
import type { Tile } from './tiles/tiles.ts'

/** Only what has a severity is red or amber. */
export type Tone = 'ok' | 'off' | SeverityTone

export interface HealthFact {
  readonly tone: Tone
  readonly value: string
  readonly unit?: string
  readonly detail: string
  readonly more?: string
  readonly readAt?: Date | undefined
  readonly tile?: Tile
}

const NOTHING_KNOWN: HealthFact = { tone: 'off', value: UNKNOWN_TEXT, detail: '' }

const LIGHT_TONES: Record<LightKind, Tone> = {
  lit: 'ok',
  litInOffTime: 'off',
  planned: 'off',
  maintenance: 'off',
  unknown: 'off',
  unplanned: 'crit',
}

/**
 * The fact follows the verdict that "Why is it dark?" explains (docs/decisions/0165).
 *
 * @param maintenance until when it is under maintenance and why, in words
 */
export function lightFact(device: Pick<Device, 'light' | 'lightCause'>, maintenance?: string): HealthFact {
  if (device.light === null) return NOTHING_KNOWN
  if (device.light === 'maintenance') {
    const detail = maintenance ?? ''
    return { tone: 'off', value: lightWord(device), detail, more: detail }
  }
  const value = device.light === 'planned' ? 'Planned dark' : lightWord(device)
  const isFlawed = device.light === 'lit' && device.lightCause !== null
  const cause = device.lightCause ?? ''
  return { tone: isFlawed ? 'off' : LIGHT_TONES[device.light], value, detail: cause, more: cause }
}

interface Warmth {
  readonly tile: Tile
  readonly numbered: NumberedField
  readonly celsius: number
}

/**
 * It shows the hottest display, judged by its limits; one beyond its limit comes before a hotter one that is not.
 * Without any temperature inside a display it shows the one closest to its limit, else the warmest.
 */
export function heatFact(tiles: readonly Tile[], limits: LimitsByField): HealthFact {
  const warmths = tiles.flatMap((tile): Warmth[] => {
    const numbered = numberedFieldById(tile.fieldId)
    const celsius = tile.reading?.value
    return numbered?.field.unit === '°C' && typeof celsius === 'number' ? [{ tile, numbered, celsius }] : []
  })
  const inside = warmths.filter(
    ({ numbered }) => numbered.type.topic === 'display' && numbered.field.name === 'internal_temp',
  )
  const judged = (inside.length > 0 ? inside : warmths).map((warmth) => ({
    ...warmth,
    ...headroom(warmth.celsius, limits.get(warmth.tile.fieldId) ?? []),
    severityId: severityBeyond(warmth.tile, limits.get(warmth.tile.fieldId)),
  }))
  const byHeat = judged.toSorted((a, b) => Number(isOut(b)) - Number(isOut(a)) || b.celsius - a.celsius)
  const byRoom = judged.filter(({ room }) => room !== undefined).toSorted((a, b) => (a.room ?? 0) - (b.room ?? 0))
  const shown = inside.length > 0 ? byHeat[0] : (byRoom[0] ?? byHeat[0])
  if (!shown) return NOTHING_KNOWN
  const { limit, room } = shown
  if (limit === undefined || room === undefined) return { tone: 'off', ...written(shown), detail: shown.tile.name }
  return limitedHeat({ ...shown, limit, room })
}

const isOut = ({ severityId }: { readonly severityId: number | undefined }) => severityId !== undefined

function limitedHeat(
  warmth: Warmth & { readonly limit: TileLimit; readonly room: number; readonly severityId: number | undefined },
) {
  const { tile, room, limit, severityId } = warmth
  const distance = `${formatNumber(Math.abs(Math.round(room * 10) / 10))} °C`
  return {
    tone: severityId === undefined ? ('ok' as const) : severityTone(severityId),
    ...written(warmth),
    detail: `${distance} ${room < 0 ? 'above' : 'below'} the limit`,
    more: `${tile.name}. Alert: ${limit.text}`,
  }
}

const written = ({ tile, celsius }: Warmth) => ({
  value: formatNumber(celsius),
  unit: '°C',
  readAt: tile.reading?.at,
  tile,
})

const byName = (tiles: readonly Tile[], wireName: string) =>
  tiles.find(({ fieldId }) => numberedFieldById(fieldId)?.wireName === wireName)

/** It says whether the grid feeds the device, as "Why is it dark?" sees it, and how long its UPS would last. */
export function powerFact({ isOnBattery }: Pick<Device, 'isOnBattery'>, tiles: readonly Tile[]): HealthFact {
  const charge = byName(tiles, 'u_battery_charge')?.reading
  const runtime = byName(tiles, 'u_battery_runtime')?.reading
  const left = [
    ...(charge ? [`${formatNumber(Number(charge.value))} %`] : []),
    ...(runtime && Number(runtime.value) >= 0 ? [formatDuration(Number(runtime.value))] : []),
  ]
  const detail = left.length > 0 ? `UPS ${left.join(', ')}` : ''
  const readAt = (charge ?? runtime)?.at
  if (isOnBattery === null) return { ...NOTHING_KNOWN, detail, readAt }
  return { tone: isOnBattery ? 'warn' : 'ok', value: isOnBattery ? 'On battery' : 'Mains', detail, readAt }
}

export function networkFact(
  { connStatusId, wrong }: Pick<Device, 'connStatusId' | 'wrong'>,
  tiles: readonly Tile[],
): HealthFact {
  const offline = wrong === 'silent' ? 'crit' : 'off'
  return {
    tone: connStatusId === CONNECTION_STATUS.online ? 'ok' : offline,
    value: connectionStatusName(connStatusId),
    ...networkSaid(tiles),
  }
}

/** @param isOnline null where no connection is recorded for that time */
export function networkThenFact(isOnline: boolean | null, tiles: readonly Tile[]): HealthFact {
  if (isOnline === null) return { ...NOTHING_KNOWN, ...networkSaid(tiles) }
  return { tone: isOnline ? 'ok' : 'off', value: isOnline ? 'Connected' : 'Offline', ...networkSaid(tiles) }
}

function networkSaid(tiles: readonly Tile[]): Pick<HealthFact, 'detail' | 'more' | 'readAt'> {
  const signal = byName(tiles, 'signal_strength')?.reading
  const received = byName(tiles, 'network_received')?.reading
  const said = [
    ...(signal ? [`${formatNumber(Number(signal.value))} dBm`] : []),
    ...(received ? [`${formatNumber(Number(received.value))} kB/s`] : []),
  ]
  return {
    detail: said.join(', '),
    more: 'Signal strength and what it receives',
    readAt: (signal ?? received)?.at,
  }
}

/** @param health null if it could not be read */
export function alertsFact(
  health: Pick<DeviceHealth, 'alertsNow' | 'alertsSeverityId' | 'alertsOver'> | null,
): HealthFact {
  if (!health) return NOTHING_KNOWN
  const { alertsNow, alertsSeverityId, alertsOver } = health
  const noneOver = alertsNow > 0 ? 'no others open' : 'none open'
  return {
    tone: alertsSeverityId === null ? 'ok' : severityTone(alertsSeverityId),
    value: alertsNow > 0 ? `${alertsNow} active` : 'None',
    detail: alertsOver > 0 ? `${alertsOver} resolved, not closed` : noneOver,
  }
}

/** The time since the visit stands beside it and keeps growing. */
export function visitFact(health: Pick<DeviceHealth, 'lastVisit'> | null): HealthFact {
  if (!health) return NOTHING_KNOWN
  const { lastVisit } = health
  if (!lastVisit) return { ...NOTHING_KNOWN, detail: 'none recorded' }
  const what = [lastVisit.componentName, lastVisit.comment].filter(Boolean).join(': ')
  return { tone: 'off', value: '', detail: what, more: what }
}
