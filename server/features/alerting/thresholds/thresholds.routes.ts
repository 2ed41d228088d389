import {
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
import { notValid } from '#domain/validation/messages.ts'
import { CallError, notFound } from '#server/http/call/callError.ts'
import { scopeOf } from '#server/http/call/caller.ts'
import { type Route, route } from '#server/http/call/route.ts'
import type { ConditionPreviews } from './conditionPreview.service.ts'
import type { createDefaultConditions } from './defaultConditions.ts'
import type { AlertConditions } from './thresholds.service.ts'
import type { AlertConditionStore } from './thresholds.store.ts'
import { fieldsOfAllModels, watchableFields } from './watchableFields.ts'

export interface AlertConditionRouteDeps {
  readonly conditions: AlertConditions
  readonly preview: ConditionPreviews
  readonly defaults: ReturnType<typeof createDefaultConditions>
  readonly store: Pick<AlertConditionStore, 'findDevice' | 'componentsOf'>
}

export const alertConditionRoutes = ({
  conditions,
  preview,
  defaults,
  store,
}: AlertConditionRouteDeps): readonly Route[] => [
  route(listAlertConditions, ({ query, caller }) => conditions.list(query, caller)),
  route(listOperators, ({ query: { attTypeId } }) =>
    (attTypeId === undefined ? OPERATORS : operatorsFor(attTypeId)).map(({ id, code, name }) => ({ id, code, name })),
  ),
  route(listAlertPeriods, () => ALERT_PERIODS.map(({ id, name, minutes }) => ({ id, name, minutes }))),
  route(setAlertCondition, ({ body, caller, change }) => conditions.set(body, caller, change)),
  route(deleteAlertCondition, ({ query, caller, change }) => conditions.remove(query.id, caller, change)),
  route(listConditionFields, async ({ query: { deviceId, modelId }, caller }) => {
    if (deviceId !== undefined) {
      const device = await store.findDevice(deviceId, scopeOf(caller))
      if (device === undefined) throw notFound()
      return watchableFields(device.modelId, await store.componentsOf(deviceId))
    }
    if (modelId === undefined) return fieldsOfAllModels()
    if (!DEVICE_MODELS.some(({ id }) => id === modelId)) throw new CallError('invalid_request', notValid('modelId'))
    return watchableFields(modelId)
  }),
  route(getDefaultConditions, ({ caller }) => defaults.list(caller)),
  route(answerDefaultConditions, ({ body, caller, change }) => defaults.answer(body.keys, caller, change)),
  route(previewAlertCondition, ({ body, caller }) => preview(body, caller)),
]
