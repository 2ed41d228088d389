import type { Reading } from '#device/hardware/readings.ts'
import type { EventType } from '#domain/catalogue/eventTypes.ts'
import type { CatalogueField } from '#domain/catalogue/field.ts'
import { noiseAround } from '#domain/catalogue/noise.ts'

const LIGHT_FIELDS: ReadonlySet<string> = new Set(['backlight_level', 'panel_light'])

function isChange(field: CatalogueField, value: number | string, reported: number | string | undefined): boolean {
  if (reported === undefined || typeof value !== typeof reported) return true
  if (typeof value !== 'number' || typeof reported !== 'number') return value !== reported
  // A duration grows by itself; running backwards means that something was started anew.
  if (field.display === 'duration') return field.name === 'uptime' && value < reported
  // Light or no light, however little it is: dark minutes are counted from this.
  if (LIGHT_FIELDS.has(field.name) && value > 0 !== reported > 0) return true
  return Math.abs(value - reported) > noiseAround(field, reported)
}

/** What is known of the fields that the catalogue has; a driver's bad number is unknown, never sent. */
export function knownValues(type: EventType, reading: Reading): Record<string, number | string> {
  const values: Record<string, number | string> = {}
  for (const { name } of type.fields) {
    const value = reading[name]
    if (value === undefined || (typeof value === 'number' && !Number.isFinite(value))) continue
    values[name] = value
  }
  return values
}

/** What differs from the last report by more than the noise of its sensor. */
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
