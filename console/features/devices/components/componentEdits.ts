import type { BodyOf } from '#contract/call/call.ts'
import type { DeviceComponent, setDeviceComponents } from '#contract/http/devices/components.ts'
import { CATEGORY, categoryOfModel, newComponentTexts, normalComponent } from '#domain/components/componentFields.ts'
import { freeNumber } from '#domain/components/componentRules.ts'
import type { EditedComponent } from '#domain/components/deviceComponent.ts'
import type { DeviceId } from '#domain/ids.ts'

/** Edits stay in the form until they are saved (rules/components 10). */
export type Edits = readonly EditedComponent[]

export function editsOf(components: readonly DeviceComponent[]): Edits {
  return components.map(
    ({ id, modelId, number, label, labelReset, labelPort1, labelPort2, optionPort1, optionPort2, ...rest }) => ({
      ...{ id, modelId, number, label, labelReset, labelPort1, labelPort2, optionPort1, optionPort2 },
      ...{ als: rest.als, touchMatrix: rest.touchMatrix, jsonSettings: rest.jsonSettings, removed: rest.removed },
      ...{ isExpected: rest.isExpected, unusedPorts: rest.unusedPorts },
      ...{ batch: rest.batch, installedOn: rest.installedOn },
    }),
  )
}

export function newComponent(edits: Edits, modelId: number): EditedComponent {
  const category = categoryOfModel(modelId)
  const isDisplay = category?.id === CATEGORY.display
  return {
    id: Math.min(0, ...edits.map(({ id }) => id)) - 1,
    modelId,
    number: freeNumber(edits, modelId) ?? 1,
    label: '',
    ...newComponentTexts(category?.id ?? 0),
    als: isDisplay ? undefined : null,
    touchMatrix: isDisplay ? undefined : null,
    jsonSettings: null,
    removed: false,
  }
}

export function withChange(edits: Edits, id: number, change: Partial<EditedComponent>): Edits {
  return edits.map((component) => (component.id === id ? { ...component, ...change } : component))
}

/** A new component is dropped, a saved one is flagged for removal by the save (rules/components 10). */
export function withoutComponent(edits: Edits, id: number): Edits {
  return id < 0 ? edits.filter((component) => component.id !== id) : withChange(edits, id, { removed: true })
}

export function isChanged(before: Edits, after: Edits): boolean {
  return JSON.stringify(before) !== JSON.stringify(after)
}

export function changeCounts(before: Edits, after: Edits) {
  const saved = new Map(before.map((component) => [component.id, JSON.stringify(component)]))
  const kept = after.filter(({ removed, id }) => !removed && saved.has(id))
  return {
    added: after.filter(({ id }) => id < 0).length,
    changed: kept.filter((component) => saved.get(component.id) !== JSON.stringify(component)).length,
    removed: after.filter(({ removed }) => removed).length,
  }
}

export function saveBody(deviceId: DeviceId, edits: Edits): BodyOf<typeof setDeviceComponents> {
  return edits.map((component) => {
    const { als = null, touchMatrix = null, jsonSettings, unusedPorts, ...rest } = normalComponent(component)
    const ports = unusedPorts && { unusedPorts: [...unusedPorts] }
    return { ...rest, deviceId, als, touchMatrix, jsonSettings: jsonSettings && [...jsonSettings], ...ports }
  })
}
