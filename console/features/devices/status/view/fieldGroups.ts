import type { DashboardItem } from '#contract/http/devices/status.ts'
import { EVENT_TYPES, eventTypeById } from '#domain/catalogue/eventTypes.ts'
import { groupTitle, numberedFieldById } from '#domain/catalogue/fieldId.ts'

export interface FieldGroup {
  readonly eventTypeId: number
  readonly name: string
}

/**
 * Raw data has four field groups for every device, and those that its own components report (rules/lists 9). The tiles
 * of a device show its components. A group that the address names is offered as well.
 */
export function fieldGroups(items: readonly DashboardItem[], asked: number): readonly FieldGroup[] {
  const ofComponents = new Set(items.map(({ field_id }) => numberedFieldById(field_id)?.type.id))
  const offered = EVENT_TYPES.filter(
    (type) => type.isAlwaysPickable || ofComponents.has(type.id) || type.id === asked,
  ).sort((a, b) => Number(b.isAlwaysPickable) - Number(a.isAlwaysPickable))
  const unknown = eventTypeById(asked) ? [] : [{ eventTypeId: asked, name: fieldGroupName(asked) }]
  return [...offered.map(({ id, group }) => ({ eventTypeId: Number(id), name: groupTitle(group) })), ...unknown]
}

export function fieldGroupName(eventTypeId: number): string {
  return groupTitle(eventTypeById(eventTypeId)?.group ?? `Field group ${eventTypeId}`)
}
