import type { Reading } from '#device/hardware/readings.ts'
import type { EventType } from '#domain/catalogue/eventTypes.ts'
import type { CatalogueField, FieldUnit } from '#domain/catalogue/field.ts'

interface DeadBand {
  readonly absolute: number
  /** Share of the value last reported. */
  readonly relative: number
}

const BY_UNIT: Readonly<Record<FieldUnit, DeadBand>> = {
  '°C': { absolute: 0.3, relative: 0 },
  '%': { absolute: 2, relative: 0 },
  rpm: { absolute: 40, relative: 0.04 },
  lux: { absolute: 5, relative: 0.05 },
  V: { absolute: 1.5, relative: 0 },
  dBm: { absolute: 3, relative: 0 },
  'kB/s': { absolute: 10, relative: 0.5 },
  fps: { absolute: 1, relative: 0 },
  s: { absolute: 0, relative: 0 },
}
const WITHOUT_UNIT: DeadBand = { absolute: 0, relative: 0 }
/** Sensors whose noise is larger than their unit lets expect. */
const BY_NAME: Readonly<Record<string, DeadBand>> = {
  humidity: { absolute: 8, relative: 0 },
  cpu_load: { absolute: 8, relative: 0 },
  battery_charge: { absolute: 0.9, relative: 0 },
  battery_voltage: { absolute: 0.3, relative: 0 },
  disk_used: { absolute: 0.5, relative: 0 },
  cpu_temp: { absolute: 3, relative: 0 },
}

function isChange(field: CatalogueField, value: number | string, reported: number | string | undefined): boolean {
  if (reported === undefined || typeof value !== typeof reported) return true
  if (typeof value !== 'number' || typeof reported !== 'number') return value !== reported
  // A duration grows by itself; running backwards means that something was started anew.
  if (field.display === 'duration') return field.name === 'uptime' && value < reported
  // Light or no light, however little it is: dark minutes are counted from this.
  if (field.name === 'backlight_level' && value > 0 !== reported > 0) return true
  const { absolute, relative } = BY_NAME[field.name] ?? (field.unit ? BY_UNIT[field.unit] : WITHOUT_UNIT)
  return Math.abs(value - reported) > Math.max(absolute, relative * Math.abs(reported))
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
