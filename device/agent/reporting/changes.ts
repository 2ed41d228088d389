import type { Reading } from '#device/hardware/readings.ts'
import type { EventType } from '#domain/catalogue/eventTypes.ts'
import type { CatalogueField } from '#domain/catalogue/field.ts'
import { noiseAround } from '#domain/catalogue/noise.ts'

/**
 * These move all the time with what a device does. Between two full reports only a change by this much is news
 * (docs/decisions/0310); `factor` is how many times as much or as little that is.
 */
const RESTLESS_FIELDS: ReadonlyMap<string, { readonly atLeast: number; readonly factor: number }> = new Map([
  ['active_power', { atLeast: 20, factor: 1.25 }],
  ['network_received', { atLeast: 100, factor: 4 }],
  ['network_sent', { atLeast: 100, factor: 4 }],
  ['ambient_light', { atLeast: 50, factor: 1.25 }],
  ['exhaust_temp', { atLeast: 1, factor: 1 }],
])

const LIGHT_FIELDS: ReadonlySet<string> = new Set(['backlight_level', 'panel_light'])

function isChange(field: CatalogueField, value: number | string, reported: number | string | undefined): boolean {
  if (reported === undefined || typeof value !== typeof reported) return true
  if (typeof value !== 'number' || typeof reported !== 'number') return value !== reported
  // A duration grows steadily; if it goes back, something has restarted.
  if (field.display === 'duration') return field.name === 'uptime' && value < reported
  // The change between light and no light is reported however small it is, because dark minutes are counted from it.
  if (LIGHT_FIELDS.has(field.name) && value > 0 !== reported > 0) return true
  const difference = Math.abs(value - reported)
  const restless = RESTLESS_FIELDS.get(field.name)
  if (restless === undefined) return difference > noiseAround(field, reported)
  const [less, more] = value < reported ? [value, reported] : [reported, value]
  return difference > restless.atLeast && more > less * restless.factor
}

/** Returns the known values of the catalogue's fields; a driver's invalid number is unknown, never sent. */
export function knownValues(type: EventType, reading: Reading): Record<string, number | string> {
  const values: Record<string, number | string> = {}
  for (const { name } of type.fields) {
    const value = reading[name]
    if (value === undefined || (typeof value === 'number' && !Number.isFinite(value))) continue
    values[name] = value
  }
  return values
}

/** Returns the values that differ from the last report by more than the noise of their sensor. */
export function changedValues(
  type: EventType,
  values: Readonly<Record<string, number | string>>,
  reported: Readonly<Record<string, number | string>>,
): Record<string, number | string> {
  const changed: Record<string, number | string> = {}
  for (const field of type.fields) {
    const value = values[field.name]
    if (value !== undefined && isChange(field, value, reported[field.name])) changed[field.name] = value
  }
  return changed
}
