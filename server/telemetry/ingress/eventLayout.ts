import { EVENT_TYPES, type EventType } from '#domain/catalogue/eventTypes.ts'
import type { CatalogueField } from '#domain/catalogue/field.ts'
import { quoted, readingTable } from '#server/db/readingTables.ts'

/** What the hot path needs of an event type, worked out once from the catalogue. */
export interface EventLayout {
  readonly type: EventType
  readonly table: string
  readonly fields: readonly CatalogueField[]
  /** Index into `fields` by wire name without prefix. */
  readonly indexByName: ReadonlyMap<string, number>
  readonly columns: readonly string[]
  /** All fields absent: copied for each report. */
  readonly noNumbers: readonly number[]
  /** Beginning of each field's entry in the state document: `"backlight_level":[`. */
  readonly stateKeys: readonly string[]
  readonly isMeasured: boolean
  /** Slot of component 1 in the tracks of a device. */
  readonly firstSlot: number
}

let slots = 0

function layoutOf(type: EventType): EventLayout {
  const firstSlot = slots
  slots += type.prefixes.length
  return {
    type,
    table: readingTable(type),
    fields: type.fields,
    indexByName: new Map(type.fields.map((field, index) => [field.name, index])),
    columns: type.fields.map((field) => quoted(field.name)),
    noNumbers: type.fields.map(() => Number.NaN),
    stateKeys: type.fields.map((field) => `${JSON.stringify(field.name)}:[`),
    isMeasured: type.fields.some(({ isMeasurement }) => isMeasurement),
    firstSlot,
  }
}

export const EVENT_LAYOUTS: readonly EventLayout[] = EVENT_TYPES.map(layoutOf)

/** Components that a device can have, over all event types. */
export const SLOTS = slots

const byTypeId = new Map<number, EventLayout>(EVENT_LAYOUTS.map((layout) => [layout.type.id, layout]))

export function layoutByTypeId(eventTypeId: number): EventLayout | undefined {
  return byTypeId.get(eventTypeId)
}
