import { isDeepStrictEqual } from 'node:util'
import type { ReadBodyOf } from '#contract/call/call.ts'
import type { setDeviceComponents } from '#contract/http/devices/components.ts'
import { categoryOfModel, normalComponent } from '#domain/components/componentFields.ts'
import { componentModelById } from '#domain/components/componentModels.ts'
import { componentProblem } from '#domain/components/componentRules.ts'
import type { DeviceId } from '#domain/ids.ts'
import { notValid } from '#domain/validation/messages.ts'
import type { Db } from '#server/db/database.ts'
import { changeDevice } from '#server/fleet/changeDevice.ts'
import { lockDevice } from '#server/fleet/existingDevices.store.ts'
import { CallError, notFound } from '#server/http/call/callError.ts'
import type { Caller } from '#server/http/call/caller.ts'
import type { ChangeRecord } from '#server/http/call/route.ts'
import { applyComponents, listComponents, type SavedComponent } from './components.store.ts'

type Request = ReadBodyOf<typeof setDeviceComponents>
type RequestedComponent = Request[number]

export function saveComponents(
  db: Db,
  asked: Request,
  caller: Caller,
  change: ChangeRecord,
): Promise<SavedComponent[]> {
  const id = asked[0]?.deviceId as DeviceId
  change.about({ id })
  if (asked.some(({ deviceId }) => deviceId !== id)) throw notFound()
  return changeDevice(db, lockDevice, { id, caller, change }, async (_device, transaction) => {
    const before = await listComponents(transaction, id)
    await applyComponents(transaction, id, changesOf(before, asked))
    const after = await listComponents(transaction, id)
    return { audited: { before: { components: before }, after: { components: after } }, answer: after }
  })
}

/**
 * Finds what a save does to the present components; those that it does not name stay.
 * @throws CallError `not_found` for a component of another device, `invalid_components` by rules/components 9
 */
function changesOf(before: readonly SavedComponent[], asked: Request) {
  const saved = new Map(before.map((component) => [component.id, component]))
  const known = asked.filter(({ id }) => id > 0)
  if (known.some(({ id }) => !saved.has(id))) throw notFound()
  const namedIds = new Set(known.map(({ id }) => id))
  if (namedIds.size < known.length) throw invalid(notValid('id'))
  const kept = asked.filter(({ removed }) => !removed)
  for (const component of kept) requireModel(component, saved.get(component.id)?.modelId)
  const untouched = before.filter(({ id }) => !namedIds.has(id)).map((component) => ({ ...component, removed: false }))
  const problem = componentProblem([...untouched, ...kept])
  if (problem) throw invalid(problem.text)
  const wanted = kept.map((component) => toSaved(component, saved.get(component.id)))
  return {
    removedIds: known.filter(({ removed }) => removed).map(({ id }) => id),
    changed: wanted.filter((component) => component.id > 0 && !isDeepStrictEqual(component, saved.get(component.id))),
    added: wanted.filter(({ id }) => id <= 0),
  }
}

const invalid = (sentence: string) => new CallError('invalid_components', sentence)

/**
 * A category that is sent must be the model's. A model that is no longer offered may stay, but cannot be chosen again.
 */
function requireModel({ modelId, categoryId }: RequestedComponent, modelIdBefore: number | undefined): void {
  const category = categoryOfModel(modelId)
  if (category && categoryId !== undefined && categoryId !== category.id) throw invalid(notValid('categoryId'))
  if (modelId !== modelIdBefore && componentModelById(modelId)?.isOffered === false) throw invalid(notValid('Model'))
}

function toSaved(asked: RequestedComponent, before: SavedComponent | undefined): SavedComponent {
  const { id, modelId, number, label, labelReset, labelPort1, labelPort2, optionPort1, optionPort2 } = asked
  const { als, touchMatrix, jsonSettings } = asked
  const { isExpected = before?.isExpected ?? false, unusedPorts = before?.unusedPorts ?? [] } = asked
  const { batch = before?.batch ?? '', installedOn = before?.installedOn ?? null } = asked
  const texts = { label, labelReset, labelPort1, labelPort2, optionPort1, optionPort2 }
  const kept = { isExpected, unusedPorts, batch, installedOn }
  return normalComponent({ id, modelId, number, ...texts, als, touchMatrix, jsonSettings, ...kept })
}
