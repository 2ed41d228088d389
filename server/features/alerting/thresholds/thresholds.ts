import type { ReadQueryOf } from '#contract/call/call.ts'
import {
  type AlertCondition,
  answerDefaultConditions,
  deleteAlertCondition,
  getDefaultConditions,
  listAlertConditions,
  listAlertPeriods,
  listConditionFields,
  listOperators,
  previewAlertCondition,
  setAlertCondition,
} from '#contract/http/alerting/thresholds.ts'
import { ALERT_PERIODS } from '#domain/alerts/alertLabels.ts'
import { OPERATORS, operatorsFor } from '#domain/alerts/operators.ts'
import { DEVICE_MODELS } from '#domain/devices/models.ts'
import { tagKey } from '#domain/devices/tags.ts'
import { notValid } from '#domain/validation/messages.ts'
import type { Given } from '#server/features/feature.ts'
import { CallError } from '#server/http/call/callError.ts'
import { type Caller, scopeOf } from '#server/http/call/caller.ts'
import { foundRow } from '#server/http/call/changeSteps.store.ts'
import { route } from '#server/http/call/route.ts'
import { removeCondition, setCondition } from './conditionChanges.ts'
import { countDevicesOf } from './conditionCounts.store.ts'
import { toCondition } from './conditionLabels.ts'
import { placeNameOf } from './conditionPlace.ts'
import { previewCondition } from './conditionPreview.ts'
import { addSuggested, listSuggested } from './defaultConditions.ts'
import { findPlacedDevice, readComponents, readConditions } from './thresholds.store.ts'
import { fieldsOfAllModels, watchableFields } from './watchableFields.ts'

/** Manages the conditions that raise alerts, which people know as thresholds. */
export const thresholdsFeature = (given: Pick<Given, 'pool' | 'db' | 'live' | 'clock'>) => ({
  routes: [
    route(listAlertConditions, ({ query, caller }) => list(given, query, caller)),
    route(listOperators, ({ query: { attTypeId } }) =>
      (attTypeId === undefined ? OPERATORS : operatorsFor(attTypeId)).map(({ id, code, name }) => ({ id, code, name })),
    ),
    route(listAlertPeriods, () => ALERT_PERIODS.map(({ id, name, minutes }) => ({ id, name, minutes }))),
    route(setAlertCondition, ({ body, caller, change }) => setCondition(given, body, caller, change)),
    route(deleteAlertCondition, ({ query, caller, change }) => removeCondition(given, query.id, caller, change)),
    route(listConditionFields, ({ query, caller }) => listFields(given, query, caller)),
    route(getDefaultConditions, ({ caller }) => listSuggested(given.db, scopeOf(caller))),
    route(answerDefaultConditions, ({ body, caller, change }) => addSuggested(given.db, body.keys, caller, change)),
    route(previewAlertCondition, ({ body, caller }) => previewCondition(given, body, caller)),
  ],
})

async function list(
  { db }: Pick<Given, 'db'>,
  { fieldGroupId, tag, ...of }: ReadQueryOf<typeof listAlertConditions>,
  caller: Caller,
): Promise<AlertCondition[]> {
  const scope = scopeOf(caller)
  if (of.deviceId !== undefined) await foundRow(findPlacedDevice(db, of.deviceId, scope))
  const stored = await readConditions(db, scope, { ...of, tagKey: tag === undefined ? undefined : tagKey(tag) })
  const countOf = await countDevicesOf(db, scope, stored)
  return stored
    .flatMap(
      ({ deviceName, customerName, ...condition }) =>
        toCondition(condition, placeNameOf({ deviceName, customerName, ...condition }), countOf(condition)) ?? [],
    )
    .filter((condition) => fieldGroupId === undefined || condition.fieldGroupId === fieldGroupId)
}

async function listFields(
  { db }: Pick<Given, 'db'>,
  { deviceId, modelId }: ReadQueryOf<typeof listConditionFields>,
  caller: Caller,
) {
  if (deviceId !== undefined) {
    const device = await foundRow(findPlacedDevice(db, deviceId, scopeOf(caller)))
    return watchableFields(device.modelId, await readComponents(db, deviceId))
  }
  if (modelId === undefined) return fieldsOfAllModels()
  if (!DEVICE_MODELS.some(({ id }) => id === modelId)) throw new CallError('invalid_request', notValid('modelId'))
  return watchableFields(modelId)
}
