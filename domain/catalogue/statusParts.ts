import type { FieldUnit } from './field.ts'
import type { NumberedField } from './fieldId.ts'

/**
 * Where a field stands on the status of a device: what is measured has a scale and a past, what was set and what a part
 * says of itself are lines.
 */
export type StatusPart = 'measured' | 'set' | 'told'

/** What an operator sets on a display; the backlight moves by itself and so is measured. */
const SETTINGS: ReadonlySet<string> = new Set([
  'brightness',
  'contrast',
  'gamma_value',
  'red_color_balance',
  'green_color_balance',
  'blue_color_balance',
  'backlight_automatic_status',
  'min_backlight',
  'max_backlight',
  'min_ambient_light',
  'max_ambient_light',
  'touch_matrix_status',
])

export function statusPart({ type, field }: NumberedField): StatusPart {
  if (type.topic === 'display' && SETTINGS.has(field.name)) return 'set'
  // A duration only ever grows or shrinks with the clock, and a button is pressed or not.
  if (!field.isMeasurement || field.display === 'duration' || field.icon === 'button') return 'told'
  return 'measured'
}

export interface JoinedFields {
  readonly label: string
  /** Of one component, in the order in which they are read. */
  readonly names: readonly string[]
  /** What stands between them. */
  readonly joint: '·' | '–'
}

/** Settings that are read together. */
export const JOINED_FIELDS: readonly JoinedFields[] = [
  { label: 'Red, green, blue', names: ['red_color_balance', 'green_color_balance', 'blue_color_balance'], joint: '·' },
  { label: 'Automatic backlight', names: ['min_backlight', 'max_backlight'], joint: '–' },
  { label: 'At ambient light', names: ['min_ambient_light', 'max_ambient_light'], joint: '–' },
]

/** The field that says what this one is to reach, such as the target of a fan: shown with it. */
export const targetName = (name: string): string => `${name}_target`

/**
 * The least that a small chart spans, in the unit of its values: what moves less is noise and looks like it. About what
 * sensors of this kind differ by while nothing happens, several times over.
 */
const LEAST_SPANS: Readonly<Record<FieldUnit, number>> = {
  '°C': 5,
  '%': 10,
  rpm: 200,
  lux: 200,
  V: 10,
  dBm: 15,
  'kB/s': 10,
  MB: 10,
  fps: 5,
  s: 60,
  kWh: 1,
  W: 50,
}
const LEAST_SPAN_OF_NUMBERS = 10

export const leastSpanOf = ({ field: { unit } }: NumberedField): number =>
  unit === undefined ? LEAST_SPAN_OF_NUMBERS : LEAST_SPANS[unit]
