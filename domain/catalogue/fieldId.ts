import type { FieldId } from '../ids.ts'
import { EVENT_TYPES, type EventType, eventTypeById } from './eventTypes.ts'
import type { CatalogueField } from './field.ts'

/** One field of one numbered component of a device: "backlight level of display 2". */
export interface NumberedField {
  /** Event type × 1000 + component number × 100 + ordinal; stable, so it may be in stored rows and addresses. */
  readonly id: FieldId
  readonly type: EventType
  readonly number: number
  readonly field: CatalogueField
  /** The name in the flat status record, e.g. `d2_backlight_level`. */
  readonly wireName: string
  /** The name of its tile, e.g. `D2 Backlight level`. */
  readonly name: string
  /** The group of tiles and metrics, e.g. `Display 2`. */
  readonly groupName: string
}

/** Takes the place of a component number. */
export const EVERY_NUMBER = 0

function numberedName(name: string, number: number): string {
  return number === 1 ? name : `${name} ${number}`
}

/** Writes ECU and UPS in capitals, because they are abbreviations. The calls say Ecu and Ups (rules/display 14). */
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

const SEVERAL = EVENT_TYPES.filter(({ prefixes }) => prefixes.length > 1)

/**
 * The fields of every component of a type, whatever its number: "backlight level of every display". Only conditions use
 * them; no report contains them.
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

/** Finds a field of one component, or of every component of its type. */
export const watchedFieldById = (id: number): NumberedField | undefined => byId.get(id) ?? everyById.get(id)

/** Returns the field of each component for a field of every component; a field with a number returns itself. */
export function numberedFieldsOf(id: FieldId): readonly NumberedField[] {
  const every = everyById.get(id)
  if (every === undefined) return byId.has(id) ? [byId.get(id) as NumberedField] : []
  return every.type.prefixes.flatMap((_, index) => byId.get(id + (index + 1) * 100) ?? [])
}

/** Returns the fields of one component of a device; empty when there is no such type or number. */
export function fieldsOfComponent(eventTypeId: number, number: number): readonly NumberedField[] {
  const type = eventTypeById(eventTypeId)
  if (!type) return []
  return NUMBERED_FIELDS.filter((numbered) => numbered.type.id === type.id && numbered.number === number)
}

/** Lists of measurements show label and unit, such as `Fan 1 speed target (%)` (rules/analytics 2). */
export function measurementName(numbered: NumberedField): string {
  const { label, unit } = numbered.field
  return unit ? `${label} (${unit})` : label
}
