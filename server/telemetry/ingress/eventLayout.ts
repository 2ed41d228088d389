import { EVENT_TYPES, type EventType } from '#domain/catalogue/eventTypes.ts'
import type { CatalogueField } from '#domain/catalogue/field.ts'
import { quoted, readingsOf } from '#server/db/partitions/readingTables.ts'

/** What the hot path needs of an event type, worked out once from the catalogue. */
export interface EventLayout {
  readonly type: EventType
  /** What readers ask. */
  readonly table: string
  readonly fields: readonly CatalogueField[]
  /** Maps a wire name without prefix to its index in `fields`. */
  readonly indexByName: ReadonlyMap<string, number>
  readonly columns: readonly string[]
  /** Has every field absent. It is copied for each report. */
  readonly noNumbers: readonly number[]
  /** The beginning of each field's entry in the state document, like `"backlight_level":[`. */
  readonly stateKeys: readonly string[]
  readonly isMeasured: boolean
  /** The slot of component 1 among the components of a device. */
  readonly firstSlot: number
}

let slots = 0

function layoutOf(type: EventType): EventLayout {
  const firstSlot = slots
  slots += type.prefixes.length
  return {
    type,
    table: readingsOf(type),
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

export const SLOTS = slots

const byTypeId = new Map<number, EventLayout>(EVENT_LAYOUTS.map((layout) => [layout.type.id, layout]))

export function layoutByTypeId(eventTypeId: number): EventLayout | undefined {
  return byTypeId.get(eventTypeId)
}
