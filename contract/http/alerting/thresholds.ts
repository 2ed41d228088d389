import { z } from 'zod'
import { call } from '#contract/call/call.ts'
import {
  customerIdValue,
  deviceIdValue,
  deviceModelIdValue,
  fieldIdValue,
  momentValue,
  namedValue,
  tagValue,
  textValue,
} from '#contract/call/values.ts'
import {
  CONDITION_KINDS,
  type ConditionKind,
  MOST_CONDITION_MINUTES,
  SEVERITIES,
} from '#domain/alerts/conditionKinds.ts'
import { OPERATORS } from '#domain/alerts/operators.ts'
import { SUGGESTED_CONDITION_KEYS } from '#domain/alerts/suggestedConditions.ts'
import { LONGEST_SENT_TAG } from '#domain/devices/tags.ts'

export const LONGEST_CONDITION_TITLE = 80

const conditionKind = z.enum(CONDITION_KINDS.map(({ kind }) => kind) as [ConditionKind, ...ConditionKind[]])
const joinedBy = z.enum(['and', 'or'])

/**
 * A condition of alerts (rules/alerts 1). It applies to a device, a model, a customer, a tag, or a tag of a customer;
 * if none of them is named, it applies to all devices (rules/alerts 5).
 */
export const alertCondition = z.object({
  id: z.number().int(),
  eventTypeFieldId: fieldIdValue,
  operatorId: z.number().int(),
  operatorCode: z.string(),
  operatorName: z.string(),
  /** The value of a number field. */
  valueDec: z.number().nullable(),
  /** The value of any other field. */
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
  /** The title that somebody gave it; null when it has the one made from its field and limit. */
  title: z.string().nullable(),
  /** The title in words: "Display too hot". */
  shownTitle: z.string(),
  kind: conditionKind,
  /** 1 critical, 2 warning, 3 information. */
  severityId: z.number().int(),
  /** The alert is cleared only below or above this value; null clears it as soon as `valueDec` is no longer met. */
  clearDec: z.number().nullable(),
  /** The time that the condition must last or, for a change, the time within which it must happen. */
  minutes: z.number().int().nullable(),
  /** Set when the condition compares two fields. */
  joinedBy: joinedBy.nullable(),
  secondFieldId: fieldIdValue.nullable(),
  secondOperatorId: z.number().int().nullable(),
  secondValueDec: z.number().nullable(),
  secondValueText: z.string().nullable(),
  /** The condition applies to all devices of this customer or, with a tag, to those that have it. */
  customerId: customerIdValue.nullable(),
  tag: z.string().nullable(),
  allDevices: z.boolean(),
  /** The name of what it applies to: a device, a model, a customer, `#tag`, `#tag of` a customer, or `All devices`. */
  placeName: z.string(),
  overridesId: z.number().int().nullable(),
  /** True when the wider condition is switched off on these devices. */
  isOff: z.boolean(),
  /** The number of devices within the caller's scope to which it applies, and of those on which others override it. */
  deviceCount: z.number().int(),
  overriddenCount: z.number().int(),
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
    fieldGroupId: z.int32().optional(),
    /** Selects conditions of a whole customer, a tag, or both. */
    customerId: customerIdValue.optional(),
    tag: textValue(LONGEST_SENT_TAG).optional(),
    overridesId: z.int32().optional(),
  }),
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
  answer: z.array(namedValue.extend({ code: z.string() })),
})

export const listAlertPeriods = call({
  method: 'GET',
  path: 'Alert/GetAlertPeriodList',
  summary: 'How long a condition has to hold before it raises an alert.',
  permission: 'signedIn',
  shows: [],
  answer: z.array(namedValue.extend({ minutes: z.number().int() })),
})

const editedCondition = z.strictObject({
  id: z.int32().default(0),
  /** Kinds that watch no field may leave it out. */
  eventTypeFieldId: fieldIdValue.optional(),
  operatorId: z.int32().min(1).max(OPERATORS.length).optional(),
  valueDec: z.number().nullable().optional(),
  valueText: textValue(256).nullable().optional(),
  periodId: z.int32().default(1),
  actionTypeId: z.int32().default(1),
  deviceId: deviceIdValue.nullable().optional(),
  modelId: deviceModelIdValue.nullable().optional(),
  kind: conditionKind.default('level'),
  severityId: z.int32().min(1).max(SEVERITIES.length).optional(),
  clearDec: z.number().nullable().optional(),
  minutes: z.int32().min(1).max(MOST_CONDITION_MINUTES).nullable().optional(),
  joinedBy: joinedBy.nullable().optional(),
  secondFieldId: fieldIdValue.nullable().optional(),
  secondOperatorId: z.int32().min(1).max(OPERATORS.length).nullable().optional(),
  secondValueDec: z.number().nullable().optional(),
  secondValueText: textValue(256).nullable().optional(),
  customerId: customerIdValue.nullable().optional(),
  tag: tagValue.nullable().optional(),
  /** The whole fleet must be named, because a forgotten device would otherwise create a condition for it. */
  allDevices: z.boolean().default(false),
  overridesId: z.int32().nullable().optional(),
  isOff: z.boolean().default(false),
  /** An empty title is the one made from the field and the limit. When it is left out, the condition keeps its own. */
  title: textValue(LONGEST_CONDITION_TITLE).nullable().optional(),
})

/** Read-only fields of a record that is sent back are ignored (rules/calls 6). */
const derived = alertCondition
  .pick({
    operatorCode: true,
    operatorName: true,
    fieldName: true,
    fieldType: true,
    fieldGroupId: true,
    attTypeId: true,
    conditionText: true,
    shownTitle: true,
    placeName: true,
    deviceCount: true,
    overriddenCount: true,
  })
  .partial().shape

export const setAlertCondition = call({
  method: 'POST',
  path: 'Alert/SetAlertCondition',
  summary:
    'Add or change a condition; it counts from the next reading. Of all devices, of a whole model, or of a tag of all customers: staff admins only.',
  permission: 'admin',
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
  answer: z.literal(true),
  errors: ['not_found'],
  changes: { action: 'Delete', entity: 'Alert condition' },
})

export const listConditionFields = call({
  method: 'GET',
  path: 'EventType/GetDeviceEtFieldList',
  summary: 'Fields that a condition can watch, of a device or of a model; of all models when neither is named.',
  permission: 'admin',
  shows: ['Device component'],
  query: z.strictObject({ deviceId: deviceIdValue.optional(), modelId: deviceModelIdValue.optional() }),
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

/** Shows what a condition would have done, by the code that evaluates live readings. */
export const conditionPreview = z.object({
  /** How often it would have been met in the last 7, 30 and 90 days; null where readings do not reach back. */
  counts: z.array(
    z.object({
      days: z.number().int(),
      timesMet: z.number().int(),
      activeMinutes: z.number(),
      deviceCount: z.number().int(),
    }),
  ),
  /** The devices on which it would have been met, most often first, up to 50. */
  devices: z.array(
    z.object({
      deviceId: deviceIdValue,
      deviceName: z.string(),
      timesMet: z.number().int(),
      activeMinutes: z.number(),
    }),
  ),
  /** The periods in which it would have been met on the device that the chart shows; null when it still lasts. */
  stretches: z.array(z.object({ from: momentValue, to: momentValue.nullable() })),
  /** The number of the model's devices that were not evaluated. */
  skippedDeviceCount: z.number().int(),
  /** The oldest reading that was evaluated; null when there is none. */
  since: momentValue.nullable(),
})
export type ConditionPreview = z.output<typeof conditionPreview>

export const previewAlertCondition = call({
  method: 'POST',
  path: 'Alert/PreviewAlertCondition',
  summary: `What a condition would have done over the stored readings, for at most ${MOST_PREVIEWED_DEVICES} devices. Changes nothing.`,
  permission: 'admin',
  shows: ['Alert condition'],
  body: editedCondition.extend({
    /** The longest period that the caller needs; shorter ones are answered sooner. */
    days: z.union(PREVIEW_DAYS.map((days) => z.literal(days))).default(30),
  }),
  answer: conditionPreview,
  errors: ['not_found'],
})

export const getDefaultConditions = call({
  method: 'GET',
  path: 'Alert/GetDefaultConditionList',
  summary:
    'Conditions for all devices that a new installation begins with, and whether they wait for an answer: an upgraded one is offered them once.',
  permission: 'admin',
  shows: ['Alert condition'],
  answer: z.object({
    /** True for staff admins, until one of them answers. */
    isOffered: z.boolean(),
    conditions: z.array(
      z.object({
        key: z.enum(SUGGESTED_CONDITION_KEYS),
        title: z.string(),
        conditionText: z.string(),
        severityId: z.number().int(),
        /** True when a condition of all devices or of a model already watches the same. */
        isWatched: z.boolean(),
      }),
    ),
  }),
})
export type DefaultConditions = z.output<typeof getDefaultConditions.answer>

export const answerDefaultConditions = call({
  method: 'POST',
  path: 'Alert/AnswerDefaultConditions',
  summary:
    'Add those of the offered conditions that are wanted, perhaps none: they are not offered again. Staff admins only.',
  permission: 'admin',
  body: z.strictObject({ keys: z.array(z.enum(SUGGESTED_CONDITION_KEYS)).max(SUGGESTED_CONDITION_KEYS.length) }),
  answer: z.array(z.number().int()),
  errors: ['not_found'],
  changes: { action: 'Update', entity: 'Alert condition' },
})
