import type { FieldUnit } from './field.ts'
import type { NumberedField } from './fieldId.ts'

/**
 * The section of the device's status that shows a field: measured values have a scale and a history, settings and a
 * part's own statements are lines.
 */
export type StatusPart = 'measured' | 'set' | 'told'

/** An operator sets these on a display; the backlight changes automatically and so counts as measured. */
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
  // A duration only changes with the clock, and a button is pressed or not, so neither needs a chart.
  if (!field.isMeasurement || field.display === 'duration' || field.icon === 'button') return 'told'
  return 'measured'
}

export interface JoinedFields {
  readonly label: string
  /** Fields of one component, in reading order. */
  readonly names: readonly string[]
  readonly joint: '·' | '–'
}

export const JOINED_FIELDS: readonly JoinedFields[] = [
  { label: 'Red, green, blue', names: ['red_color_balance', 'green_color_balance', 'blue_color_balance'], joint: '·' },
  { label: 'Automatic backlight', names: ['min_backlight', 'max_backlight'], joint: '–' },
  { label: 'At ambient light', names: ['min_ambient_light', 'max_ambient_light'], joint: '–' },
]

/** Returns the field with the target of this one, such as that of a fan: shown with it. */
export const targetName = (name: string): string => `${name}_target`

/**
 * A small chart spans at least this much, in the unit of its values, so that noise looks like noise. It is several
 * times the variation of such sensors while nothing happens.
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
