import type { FieldId } from '../ids.ts'
import { EVENT_TYPES, type EventType, eventTypeById } from './eventTypes.ts'
import type { CatalogueField } from './field.ts'

/** One field of one numbered component of a device: "backlight level of display 2". */
export interface NumberedField {
  /** Event type × 1000 + component number × 100 + ordinal; stable, so it may stand in stored rows and addresses. */
  readonly id: FieldId
  readonly type: EventType
  /** Component number, from 1. */
  readonly number: number
  readonly field: CatalogueField
  /** Name in the flat status record, e.g. `d2_backlight_level`. */
  readonly wireName: string
  /** Name of its tile, e.g. `D2 Backlight level`. */
  readonly name: string
  /** Group of tiles and metrics, e.g. `Display 2`. */
  readonly groupName: string
}

/** Stands where a component number stands. */
export const EVERY_NUMBER = 0

function numberedName(name: string, number: number): string {
  return number === 1 ? name : `${name} ${number}`
}

/** People write ECU and UPS, which are abbreviations. The calls say Ecu and Ups (rules/display 14). */
export const groupTitle = (groupName: string): string =>
  groupName.replace(/\b(Ecu|Ups)\b/, (abbreviation) => abbreviation.toUpperCase())

function numberedField(type: EventType, number: number, field: CatalogueField): NumberedField {
  const shortPrefix = `${type.name.charAt(0)}${number} `
  return {
    id: (type.id * 1000 + number * 100 + field.ordinal) as FieldId,
    type,
    number,
    field,
    wireName: `${type.prefixes[number - 1]}${field.name}`,
    name: number === 1 ? field.label : `${shortPrefix}${field.label}`,
    groupName: numberedName(type.group, number),
  }
}

export const NUMBERED_FIELDS: readonly NumberedField[] = EVENT_TYPES.flatMap((type) =>
  type.prefixes.flatMap((_, index) => type.fields.map((field) => numberedField(type, index + 1, field))),
)

const byId = new Map<number, NumberedField>(NUMBERED_FIELDS.map((numbered) => [numbered.id, numbered]))

export function numberedFieldById(id: number): NumberedField | undefined {
  return byId.get(id)
}

/** Types of which a device may have several components. */
const SEVERAL = EVENT_TYPES.filter(({ prefixes }) => prefixes.length > 1)

/**
 * Fields of every component of a type, whatever its number: "backlight level of every display". Only conditions know them;
 * no report has them.
 */
export const EVERY_FIELDS: readonly NumberedField[] = SEVERAL.flatMap((type) =>
  type.fields.map((field) => ({
    id: (type.id * 1000 + field.ordinal) as FieldId,
    type,
    number: EVERY_NUMBER,
    field,
    wireName: `${type.prefixes[0]?.replace('_', '')}*_${field.name}`,
    name: field.label,
    groupName: `Every ${type.group === 'Ecu' ? type.group : type.group.toLowerCase()}`,
  })),
)

const everyById = new Map<number, NumberedField>(EVERY_FIELDS.map((every) => [every.id, every]))

/** A field of one component, or of every component of its type. */
export const watchedFieldById = (id: number): NumberedField | undefined => byId.get(id) ?? everyById.get(id)

/** The field of each component that a field of every component stands for; the field itself where it has a number. */
export function numberedFieldsOf(id: FieldId): readonly NumberedField[] {
  const every = everyById.get(id)
  if (every === undefined) return byId.has(id) ? [byId.get(id) as NumberedField] : []
  return every.type.prefixes.flatMap((_, index) => byId.get(id + (index + 1) * 100) ?? [])
}

/** The fields of one component of a device; empty when there is no such type or number. */
export function fieldsOfComponent(eventTypeId: number, number: number): readonly NumberedField[] {
  const type = eventTypeById(eventTypeId)
  if (!type) return []
  return NUMBERED_FIELDS.filter((numbered) => numbered.type.id === type.id && numbered.number === number)
}

/** The name in lists of measurements is label and unit, such as `Fan 1 speed target (%)` (rules/analytics 2). */
export function measurementName(numbered: NumberedField): string {
  const { label, unit } = numbered.field
  return unit ? `${label} (${unit})` : label
}
