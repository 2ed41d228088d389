import type { CatalogueField, FieldUnit } from './field.ts'

interface Noise {
  readonly absolute: number
  /** A share of the value. */
  readonly relative: number
}

const BY_UNIT: Readonly<Record<FieldUnit, Noise>> = {
  '°C': { absolute: 0.3, relative: 0 },
  '%': { absolute: 2, relative: 0 },
  rpm: { absolute: 40, relative: 0.04 },
  lux: { absolute: 5, relative: 0.05 },
  V: { absolute: 1.5, relative: 0 },
  dBm: { absolute: 3, relative: 0 },
  'kB/s': { absolute: 10, relative: 0.5 },
  MB: { absolute: 1, relative: 0 },
  fps: { absolute: 1, relative: 0 },
  s: { absolute: 0, relative: 0 },
  kWh: { absolute: 0.05, relative: 0 },
  W: { absolute: 5, relative: 0.05 },
}
const WITHOUT_UNIT: Noise = { absolute: 0, relative: 0 }
/** These sensors have more noise than is usual for their unit. */
const BY_NAME: Readonly<Record<string, Noise>> = {
  humidity: { absolute: 8, relative: 0 },
  cpu_load: { absolute: 8, relative: 0 },
  battery_charge: { absolute: 0.9, relative: 0 },
  battery_voltage: { absolute: 0.3, relative: 0 },
  disk_used: { absolute: 0.5, relative: 0 },
  cpu_temp: { absolute: 3, relative: 0 },
}

/** A sensor varies this much while nothing happens; a device reports only larger changes (docs/decisions/0164). */
export function noiseAround(field: Pick<CatalogueField, 'name' | 'unit'>, value: number): number {
  const { absolute, relative } = BY_NAME[field.name] ?? (field.unit ? BY_UNIT[field.unit] : WITHOUT_UNIT)
  return Math.max(absolute, relative * Math.abs(value))
}
