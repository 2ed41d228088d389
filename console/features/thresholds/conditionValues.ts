import type { AlertCondition, listConditionFields, setAlertCondition } from '#contract/http/alertConditions.ts'
import type { AnswerOf, BodyOf } from '#contract/http/call.ts'
import { notValid, required } from '#domain/validation/messages.ts'
import type { ConditionOwner } from './thresholdsAddress.ts'

export type ConditionField = AnswerOf<typeof listConditionFields>[number]
export type ConditionBody = BodyOf<typeof setAlertCondition>

/** The form as it is filled in; choices are the texts of their ids, because that is what selects hold. */
export interface ConditionValues {
  readonly fieldId: string | null
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
    return { fieldId: null, operatorId: null, valueDec: '', valueText: '', periodId: '1', actionTypeId: '1' }
  }
  return {
    fieldId: String(condition.eventTypeFieldId),
    operatorId: String(condition.operatorId),
    valueDec: condition.valueDec ?? '',
    valueText: condition.valueText ?? '',
    periodId: String(condition.periodId),
    actionTypeId: String(condition.actionTypeId),
  }
}

/** What is missing or wrong, by field (P2 §5 "Condition"). */
export function errorsOf(values: ConditionValues, field: ConditionField | undefined) {
  return {
    ...(values.fieldId === null ? { fieldId: required('Field') } : {}),
    ...(values.operatorId === null ? { operatorId: required('Operator') } : {}),
    ...(isNumberField(field) ? numberErrors(values) : {}),
  }
}

function numberErrors({ valueDec }: ConditionValues) {
  if (valueDec === '') return { valueDec: required('Value') }
  return Number.isFinite(Number(valueDec)) ? {} : { valueDec: notValid('Value') }
}

/** undefined while the form is not complete. */
export function bodyOf(
  owner: ConditionOwner,
  id: number,
  values: ConditionValues,
  field: ConditionField | undefined,
): ConditionBody | undefined {
  if (!field || Object.keys(errorsOf(values, field)).length > 0) return undefined
  const value = isNumberField(field) ? { valueDec: Number(values.valueDec) } : { valueText: values.valueText }
  return {
    id,
    eventTypeFieldId: field.id as ConditionBody['eventTypeFieldId'],
    operatorId: Number(values.operatorId),
    periodId: Number(values.periodId),
    actionTypeId: Number(values.actionTypeId),
    ...value,
    ...owner,
  }
}
