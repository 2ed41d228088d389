import { z } from 'zod'
import { call, nothing } from '#contract/call/call.ts'
import {
  deviceIdValue,
  deviceModelIdValue,
  fieldIdValue,
  momentValue,
  namedValue,
  textValue,
} from '#contract/call/values.ts'
import { OPERATORS } from '#domain/alerts/operators.ts'

/** P2 §3 "Alert condition". Exactly one of deviceId and modelId is set. */
export const alertCondition = z.object({
  id: z.number().int(),
  eventTypeFieldId: fieldIdValue,
  operatorId: z.number().int(),
  operatorCode: z.string(),
  operatorName: z.string(),
  /** Number fields. */
  valueDec: z.number().nullable(),
  /** Other fields. */
  valueText: z.string().nullable(),
  periodId: z.number().int(),
  actionTypeId: z.number().int(),
  deviceId: deviceIdValue.nullable(),
  modelId: deviceModelIdValue.nullable(),
  fieldName: z.string(),
  fieldType: z.string(),
  fieldGroupId: z.number().int(),
  attTypeId: z.number().int(),
  conditionText: z.string(),
})
export type AlertCondition = z.output<typeof alertCondition>

export const listAlertConditions = call({
  method: 'GET',
  path: 'Alert/GetAlertConditionList',
  summary: 'Conditions the caller may see; of one device (with those of its model) or of one model when asked.',
  permission: 'admin',
  shows: ['Alert condition', 'Device'],
  query: z.strictObject({
    deviceId: deviceIdValue.optional(),
    modelId: deviceModelIdValue.optional(),
    /** Event type of the field. */
    fieldGroupId: z.int32().optional(),
  }),
  body: nothing,
  answer: z.array(alertCondition),
  errors: ['not_found'],
})

export const listOperators = call({
  method: 'GET',
  path: 'Alert/GetOperatorList',
  summary: 'Operators that fit an attribute type; all of them without one.',
  permission: 'signedIn',
  shows: [],
  query: z.strictObject({ attTypeId: z.int32().optional() }),
  body: nothing,
  answer: z.array(namedValue.extend({ code: z.string() })),
  errors: [],
})

export const listAlertPeriods = call({
  method: 'GET',
  path: 'Alert/GetAlertPeriodList',
  summary: 'How long a condition has to hold before it raises an alert.',
  permission: 'signedIn',
  shows: [],
  query: nothing,
  body: nothing,
  answer: z.array(namedValue.extend({ minutes: z.number().int() })),
  errors: [],
})

const editedCondition = z.strictObject({
  /** 0, negative or absent: a new one. */
  id: z.int32().default(0),
  eventTypeFieldId: fieldIdValue,
  operatorId: z.int32().min(1).max(OPERATORS.length),
  valueDec: z.number().nullable().optional(),
  valueText: textValue(256).nullable().optional(),
  periodId: z.int32().default(1),
  actionTypeId: z.int32().default(1),
  deviceId: deviceIdValue.nullable().optional(),
  modelId: deviceModelIdValue.nullable().optional(),
})

/** Read-only fields of a record that is sent back; ignored (decisions: Calls). */
const derived = alertCondition
  .pick({
    operatorCode: true,
    operatorName: true,
    fieldName: true,
    fieldType: true,
    fieldGroupId: true,
    attTypeId: true,
    conditionText: true,
  })
  .partial().shape

export const setAlertCondition = call({
  method: 'POST',
  path: 'Alert/SetAlertCondition',
  summary: 'Add or change a condition; it counts from the next reading. Of a whole model: staff admins only.',
  permission: 'admin',
  query: nothing,
  body: editedCondition.extend(derived),
  answer: alertCondition,
  errors: ['not_found'],
  changes: { action: 'Update', entity: 'Alert condition' },
})

export const deleteAlertCondition = call({
  method: 'GET',
  path: 'Alert/DelAlertCondition',
  summary: 'Remove a condition; its open alerts are closed with the resolution "Condition removed".',
  permission: 'admin',
  query: z.strictObject({ id: z.int32().positive() }),
  body: nothing,
  answer: z.literal(true),
  errors: ['not_found'],
  changes: { action: 'Delete', entity: 'Alert condition' },
})

export const listConditionFields = call({
  method: 'GET',
  path: 'EventType/GetDeviceEtFieldList',
  summary: 'Fields that a condition can watch, of a device or of a model.',
  permission: 'admin',
  shows: ['Device component'],
  query: z.strictObject({ deviceId: deviceIdValue.optional(), modelId: deviceModelIdValue.optional() }),
  body: nothing,
  answer: z.array(
    namedValue.extend({
      dbName: z.string(),
      attTypeId: z.number().int(),
      groupId: z.number().int(),
      groupName: z.string(),
      unit: z.string().nullable(),
    }),
  ),
  errors: ['not_found'],
})

export const PREVIEW_DAYS = [7, 30, 90] as const
const MOST_PREVIEWED_DEVICES = 50

/** What a condition would have done (issue: alerts), by the code that evaluates live readings. */
export const conditionPreview = z.object({
  /** Times the condition would have been met, in the last 7, 30 and 90 days; null where readings do not reach back. */
  counts: z.array(
    z.object({
      days: z.number().int(),
      timesMet: z.number().int(),
      activeMinutes: z.number(),
      deviceCount: z.number().int(),
    }),
  ),
  /** Devices on which it would have been met, most often first, at most 50. */
  devices: z.array(
    z.object({
      deviceId: deviceIdValue,
      deviceName: z.string(),
      timesMet: z.number().int(),
      activeMinutes: z.number(),
    }),
  ),
  /** Stretches in which it would have been met on the device that is drawn; null: it lasts. */
  stretches: z.array(z.object({ from: momentValue, to: momentValue.nullable() })),
  /** Devices of the model beyond those that were looked at. */
  skippedDeviceCount: z.number().int(),
  /** Oldest reading that was looked at; null when there is none. */
  since: momentValue.nullable(),
})
export type ConditionPreview = z.output<typeof conditionPreview>

export const previewAlertCondition = call({
  method: 'POST',
  path: 'Alert/PreviewAlertCondition',
  summary: `What a condition would have done over the stored readings, for at most ${MOST_PREVIEWED_DEVICES} devices. Changes nothing.`,
  permission: 'admin',
  shows: ['Alert condition'],
  query: nothing,
  body: editedCondition.extend({
    /** The longest of the periods that is wanted; shorter ones answer sooner. */
    days: z.union(PREVIEW_DAYS.map((days) => z.literal(days))).default(30),
  }),
  answer: conditionPreview,
  errors: ['not_found'],
})
