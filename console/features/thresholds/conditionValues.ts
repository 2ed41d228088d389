import type { Draft } from '#console/lib/form/formErrors.ts'
import type { AnswerOf, BodyOf } from '#contract/call/call.ts'
import type { AlertCondition, listConditionFields, setAlertCondition } from '#contract/http/alertConditions.ts'
import type { FieldId } from '#domain/ids.ts'
import type { ConditionOwner } from './useThresholdsAddress.ts'

export type ConditionField = AnswerOf<typeof listConditionFields>[number]
export type ConditionBody = BodyOf<typeof setAlertCondition>

/** The form as it is filled in; choices are the texts of their ids, because that is what selects hold. */
export type ConditionValues = {
  readonly eventTypeFieldId: string | null
  readonly operatorId: string | null
  readonly valueDec: number | string
  readonly valueText: string
  readonly periodId: string
  readonly actionTypeId: string
}

const NUMBER_TYPE = 1

export const isNumberField = (field: ConditionField | undefined) => field?.attTypeId === NUMBER_TYPE

/** P2 §9: period 1 and action 1 unless something else is chosen. */
export function valuesOf(condition: AlertCondition | undefined): ConditionValues {
  if (!condition) {
    return { eventTypeFieldId: null, operatorId: null, valueDec: '', valueText: '', periodId: '1', actionTypeId: '1' }
  }
  return {
    eventTypeFieldId: String(condition.eventTypeFieldId),
    operatorId: String(condition.operatorId),
    valueDec: condition.valueDec ?? '',
    valueText: condition.valueText ?? '',
    periodId: String(condition.periodId),
    actionTypeId: String(condition.actionTypeId),
  }
}

export const CONDITION_LABELS = {
  eventTypeFieldId: 'Field',
  operatorId: 'Operator',
  valueDec: 'Value',
  valueText: 'Value',
  periodId: 'Period',
  actionTypeId: 'Action',
} as const

const numberOf = (choice: string | null) => (choice === null ? undefined : Number(choice))

/** The condition as it is filled in now (P2 §5 "Condition"). */
export function contentOf(
  owner: ConditionOwner,
  id: number,
  values: ConditionValues,
  field: ConditionField | undefined,
): Draft<typeof setAlertCondition> {
  const { valueDec, valueText } = values
  const value = isNumberField(field) ? { valueDec: valueDec === '' ? null : Number(valueDec) } : { valueText }
  return {
    id,
    eventTypeFieldId: numberOf(values.eventTypeFieldId) as FieldId | undefined,
    operatorId: numberOf(values.operatorId),
    periodId: Number(values.periodId),
    actionTypeId: Number(values.actionTypeId),
    ...value,
    ...owner,
  }
}
