import type { Device } from '#contract/http/devices/devices.ts'
import type { DashboardItem } from '#contract/http/devices/status.ts'
import type { StateEvent } from '#contract/http/live.ts'
import { type ShownValue, showValue } from '#domain/catalogue/displayRules.ts'
import { groupTitle, numberedFieldById } from '#domain/catalogue/fieldId.ts'
import { OFFLINE_AFTER_MS } from '#domain/devices/presence.ts'
import type { AlertId, DeviceModelId, EventTypeId, FieldId } from '#domain/ids.ts'
import { UNKNOWN_TEXT } from '#domain/units/numbers.ts'

/** A tile needs nothing of its device that changes with a report. */
export type ShownDevice = Pick<Device, 'id' | 'guid' | 'name' | 'modelId'>

export interface Reading {
  readonly value: number | string
  readonly at: Date
  /** The time by the device's own clock, where `at` is the time of arrival. */
  readonly claimedAt?: Date
}

export interface TileMeasurement {
  readonly id: FieldId
  readonly name: string
  readonly eventTypeId: number
}

export interface Tile {
  readonly fieldId: FieldId
  readonly name: string
  readonly icon: string
  readonly alertId?: AlertId
  /** The worst severity of its active alerts. */
  readonly severityId?: number
  /** The measurement of analytics (rules/analytics 1). */
  readonly measurement?: TileMeasurement
  /** The event type of the reports that carry it; absent for a field that this console does not know. */
  readonly eventTypeId?: EventTypeId
  /** The hourly means of the last 24 hours, oldest first; absent where a field has no chart. */
  readonly hourlyMeans?: readonly (number | null)[]
  /** It is absent while nothing is known. */
  readonly reading?: Reading
}

export interface TileGroup {
  readonly name: string
  readonly anchor: string
  readonly tiles: readonly Tile[]
}

/** It holds the newest reading of each field that came live since the page was opened. */
export type LiveReadings = ReadonlyMap<FieldId, Reading>

export function tileOf(item: DashboardItem): Tile {
  const reading = readingOf(item)
  const measurement = measurementOf(item)
  const eventTypeId = numberedFieldById(item.field_id)?.type.id
  return {
    fieldId: item.field_id,
    name: item.field_name,
    icon: item.icon,
    ...(measurement && { measurement }),
    ...(eventTypeId === undefined ? {} : { eventTypeId }),
    ...(item.alert_id === null ? {} : { alertId: item.alert_id as AlertId }),
    ...(item.alert_severity_id === null ? {} : { severityId: item.alert_severity_id }),
    ...(hasChart(item) ? { hourlyMeans: item.data_points_24h } : {}),
    ...(reading && { reading }),
  }
}

/** Tiles can draw more than analytics offers of a model (rules/analytics 1): a kiosk's UPS has a past too. */
function hasChart({ measurement_id, data_points_24h }: DashboardItem): boolean {
  return measurement_id !== null || data_points_24h.some((mean) => mean !== null)
}

function measurementOf(item: DashboardItem): TileMeasurement | undefined {
  const { measurement_id: id, measurement_name: name, measurement_event_type_id: eventTypeId } = item
  return id === null || eventTypeId === null ? undefined : { id, name: name ?? item.field_name, eventTypeId }
}

function readingOf({ field_value: value, value_dt, claimed_dt }: DashboardItem): Reading | undefined {
  if (value === null || value_dt === null) return undefined
  return { value, at: new Date(value_dt), ...(claimed_dt && { claimedAt: new Date(claimed_dt) }) }
}

/** The order in which reports arrive never matters: an older reading does not replace a newer one. */
export function withLiveState(known: LiveReadings, event: StateEvent): LiveReadings {
  const newer = event.values
    .map(({ field_id, field_value, value_dt }) => [field_id, { value: field_value, at: new Date(value_dt) }] as const)
    .filter(([fieldId, reading]) => isNewer(reading, known.get(fieldId)))
  return newer.length === 0 ? known : new Map([...known, ...newer])
}

const loadedTiles = new WeakMap<DashboardItem, Tile>()
const movedTiles = new WeakMap<Tile, Tile>()

/** A tile whose value did not change stays the same object, so that it is not drawn again. */
function shownTile(item: DashboardItem, live: LiveReadings): Tile {
  const tile = kept(loadedTiles, item, tileOf)
  const reading = live.get(tile.fieldId)
  if (!reading || !isNewer(reading, tile.reading)) return tile
  const moved = movedTiles.get(tile)
  if (moved?.reading === reading) return moved
  const next = { ...tile, reading }
  movedTiles.set(tile, next)
  return next
}

function kept<Key extends object, Value>(known: WeakMap<Key, Value>, key: Key, make: (key: Key) => Value): Value {
  const value = known.get(key) ?? make(key)
  known.set(key, value)
  return value
}

/** The groups stand in the order of the server's tiles, which is that of the components. */
export function groupTiles(items: readonly DashboardItem[], live: LiveReadings): readonly TileGroup[] {
  const names = [...new Set(items.map((item) => item.group_name))]
  return names.map((name) => ({
    name: groupTitle(name),
    anchor: `group-${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`,
    tiles: items.filter((item) => item.group_name === name).map((item) => shownTile(item, live)),
  }))
}

/** The display rules of the catalogue apply; a field that this console does not know is written as it came. */
export function shownValueOf(tile: Tile, modelId: DeviceModelId): ShownValue {
  const numbered = numberedFieldById(tile.fieldId)
  if (numbered) return showValue(numbered, tile.reading?.value, modelId)
  if (tile.reading === undefined || tile.reading.value === '') return { text: UNKNOWN_TEXT, isKnown: false }
  return { text: String(tile.reading.value), isKnown: true }
}

/** A full report comes every period, so a value that two of them did not renew is no longer current. */
export function isStaleAt(at: Date, now: Date): boolean {
  return now.getTime() - at.getTime() > OFFLINE_AFTER_MS
}

function isNewer(reading: Reading, known: Reading | undefined): boolean {
  return known === undefined || reading.at.getTime() > known.at.getTime()
}
