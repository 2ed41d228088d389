/** A field of a report, independent of its component. */

/** Number 1, Text 2, DateTime 3, Lookup 4 (rules/display 16). */
export type AttributeTypeId = 1 | 2 | 3 | 4

export type FieldUnit = '°C' | '%' | 'rpm' | 'lux' | 'V' | 'dBm' | 'kB/s' | 'MB' | 'fps' | 's' | 'kWh' | 'W'

/** Selects how a value is formatted; `displayRules.ts` has the rules. */
export type DisplayRule =
  | 'number'
  | 'text'
  | 'duration'
  | 'backlightAutomation'
  | 'touchScreen'
  | 'upsStatus'
  | 'routerRelay'
  | 'liquid'
  | 'displaySource'
  | 'outOfOrderFlag'
  | 'onWhenOne'
  | 'openWhenOne'
  | 'onlineWhenOne'
  | 'yesWhenOne'

export type FieldIcon =
  | 'battery'
  | 'brightness'
  | 'button'
  | 'camera'
  | 'clock'
  | 'color'
  | 'contrast'
  | 'cpu'
  | 'disk'
  | 'door'
  | 'fan'
  | 'humidity'
  | 'light'
  | 'memory'
  | 'network'
  | 'plug'
  | 'relay'
  | 'signal'
  | 'source'
  | 'temperature'
  | 'touch'
  | 'version'
  | 'voltage'

/** Selects the storage: `real` is 4 bytes and rounds to about 7 digits; text is at most `MAXIMUM_TEXT_LENGTH`. */
export type FieldStorage = 'real' | 'integer' | 'text'

export const MAXIMUM_TEXT_LENGTH = 256

export interface CatalogueField<Name extends string = string, Storage extends FieldStorage = FieldStorage> {
  /** The position within its event type is part of stored ids, so it is never changed and never reused (1 to 99). */
  readonly ordinal: number
  /** The wire name without the prefix of its component, e.g. `backlight_level`; also the storage column. */
  readonly name: Name
  readonly label: string
  readonly unit?: FieldUnit
  readonly attributeTypeId: AttributeTypeId
  readonly storage: Storage
  /** Whether charts and sparklines can draw it. */
  readonly isMeasurement: boolean
  readonly display: DisplayRule
  readonly icon: FieldIcon
  /** Some fields are offered by no metric list (rules/analytics 1), some by no threshold (rules/alerts 3). */
  readonly hiddenFrom: readonly ('metrics' | 'conditions')[]
  /** Whether it has a tile; only programs read some fields, and only some sensors report others. */
  readonly tile: 'always' | 'once reported' | 'never'
}

type Shown = Partial<Pick<CatalogueField, 'hiddenFrom' | 'tile'>>

/** Describes a measured number that may have a fraction. */
export function measured<const Name extends string>(
  ordinal: number,
  name: Name,
  label: string,
  unit: FieldUnit | undefined,
  icon: FieldIcon,
  options: Shown & { readonly display?: DisplayRule } = {},
): CatalogueField<Name, 'real'> {
  return {
    ordinal,
    name,
    label,
    ...(unit ? { unit } : {}),
    attributeTypeId: 1,
    storage: 'real',
    isMeasurement: true,
    display: options.display ?? 'number',
    icon,
    hiddenFrom: options.hiddenFrom ?? [],
    tile: options.tile ?? 'always',
  }
}

/** Describes a whole number that can be drawn: counts, durations in seconds. */
export function counted<const Name extends string>(
  ordinal: number,
  name: Name,
  label: string,
  unit: FieldUnit | undefined,
  icon: FieldIcon,
  display: DisplayRule = 'number',
  shown: Shown = {},
): CatalogueField<Name, 'integer'> {
  return { ...measured(ordinal, name, label, unit, icon, { ...shown, display }), storage: 'integer' }
}

/** Describes a whole number that stands for a state and is formatted by its display rule. */
export function state<const Name extends string>(
  ordinal: number,
  name: Name,
  label: string,
  icon: FieldIcon,
  display: DisplayRule,
  options: Shown = {},
): CatalogueField<Name, 'integer'> {
  return {
    ordinal,
    name,
    label,
    attributeTypeId: 4,
    storage: 'integer',
    isMeasurement: false,
    display,
    icon,
    hiddenFrom: options.hiddenFrom ?? [],
    tile: options.tile ?? 'always',
  }
}

export function text<const Name extends string>(
  ordinal: number,
  name: Name,
  label: string,
  icon: FieldIcon,
  display: DisplayRule = 'text',
  options: Shown = {},
): CatalogueField<Name, 'text'> {
  return { ...state(ordinal, name, label, icon, display, options), attributeTypeId: 2, storage: 'text' }
}
