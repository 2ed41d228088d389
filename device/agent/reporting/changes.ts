import type { Reading } from '#device/hardware/readings.ts'
import type { EventType } from '#domain/catalogue/eventTypes.ts'
import type { CatalogueField } from '#domain/catalogue/field.ts'
import { noiseAround } from '#domain/catalogue/noise.ts'

const LIGHT_FIELDS: ReadonlySet<string> = new Set(['backlight_level', 'panel_light'])

function isChange(field: CatalogueField, value: number | string, reported: number | string | undefined): boolean {
  if (reported === undefined || typeof value !== typeof reported) return true
  if (typeof value !== 'number' || typeof reported !== 'number') return value !== reported
  // A duration grows steadily; if it goes back, something has restarted.
  if (field.display === 'duration') return field.name === 'uptime' && value < reported
  // The change between light and no light is reported however small it is, because dark minutes are counted from it.
  if (LIGHT_FIELDS.has(field.name) && value > 0 !== reported > 0) return true
  return Math.abs(value - reported) > noiseAround(field, reported)
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
