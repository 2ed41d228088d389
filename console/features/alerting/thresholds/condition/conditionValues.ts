import type { Draft, FieldErrors } from '#console/lib/form/formErrors.ts'
import type { AnswerOf, BodyOf } from '#contract/call/call.ts'
import type { AlertCondition, listConditionFields, setAlertCondition } from '#contract/http/alerting/thresholds.ts'
import {
  type ConditionKind,
  fieldIdOfKind,
  isClockKind,
  MOST_CHANGE_MINUTES,
  MOST_CONDITION_MINUTES,
  USUAL_SEVERITY,
} from '#domain/alerts/conditionKinds.ts'
import { conditionText } from '#domain/alerts/conditionText.ts'
import { type Operator, operatorById } from '#domain/alerts/operators.ts'
import type { SuggestedCondition } from '#domain/alerts/suggestedConditions.ts'
import type { FieldId } from '#domain/ids.ts'
import { notValid, required } from '#domain/validation/messages.ts'

export type ConditionField = AnswerOf<typeof listConditionFields>[number]
export type ConditionBody = BodyOf<typeof setAlertCondition>

/** Choices are the texts of their ids, because selects hold texts. */
export type ConditionValues = {
  readonly severityId: string
  readonly eventTypeFieldId: string | null
  readonly operatorId: string | null
  readonly valueDec: number | string
  readonly valueText: string
  readonly clearDec: number | string
  readonly joinedBy: string
  readonly secondFieldId: string | null
  readonly secondOperatorId: string | null
  readonly secondValueDec: number | string
  readonly secondValueText: string
  readonly minutes: number | string
  readonly periodId: string
  readonly actionTypeId: string
  readonly title: string
}

const NUMBER_TYPE = 1

export const isNumberField = (field: ConditionField | undefined) => field?.attTypeId === NUMBER_TYPE

const choiceOf = (id: number | null) => (id === null ? null : String(id))

/** A new condition has period 1 and action 1 (rules/alerts 4). */
const NEW: ConditionValues = {
  severityId: String(USUAL_SEVERITY),
  eventTypeFieldId: null,
  operatorId: null,
  valueDec: '',
  valueText: '',
  clearDec: '',
  joinedBy: 'and',
  secondFieldId: null,
  secondOperatorId: null,
  secondValueDec: '',
  secondValueText: '',
  minutes: '',
  periodId: '1',
  actionTypeId: '1',
  title: '',
}

export function valuesOf(condition: AlertCondition | undefined): ConditionValues {
  if (!condition) return NEW
  const hasField = fieldIdOfKind(condition.kind) === undefined
  return {
    severityId: String(condition.severityId),
    eventTypeFieldId: hasField ? String(condition.eventTypeFieldId) : null,
    operatorId: String(condition.operatorId),
    valueDec: condition.valueDec ?? '',
    valueText: condition.valueText ?? '',
    clearDec: condition.clearDec ?? '',
    joinedBy: condition.joinedBy ?? NEW.joinedBy,
    secondFieldId: choiceOf(condition.secondFieldId),
    secondOperatorId: choiceOf(condition.secondOperatorId),
    secondValueDec: condition.secondValueDec ?? '',
    secondValueText: condition.secondValueText ?? '',
    minutes: condition.minutes ?? '',
    periodId: String(condition.periodId),
    actionTypeId: String(condition.actionTypeId),
    title: condition.title ?? '',
  }
}

export function valuesOfSuggestion(suggested: SuggestedCondition): ConditionValues {
  const { kind, fieldId, operatorId, value, minutes, severityId } = suggested
  if (minutes !== null && isClockKind(kind)) return { ...NEW, severityId: String(severityId), minutes }
  return {
    ...NEW,
    severityId: String(severityId),
    eventTypeFieldId: String(fieldId),
    operatorId: String(operatorId),
    ...(typeof value === 'number' ? { valueDec: value } : { valueText: value }),
  }
}

const LABELS = {
  eventTypeFieldId: 'Field',
  operatorId: 'Operator',
  valueDec: 'Value',
  valueText: 'Value',
  clearDec: 'Clear level',
  joinedBy: 'Together',
  secondFieldId: 'Second field',
  secondOperatorId: 'Second operator',
  secondValueDec: 'Second value',
  secondValueText: 'Second value',
  minutes: 'Minutes',
  periodId: 'Period',
  severityId: 'Severity',
  actionTypeId: 'Action',
  title: 'Title',
} as const

export const labelsOf = (kind: ConditionKind): Readonly<Record<keyof ConditionValues, string>> =>
  kind === 'change' ? { ...LABELS, valueDec: 'By more than', minutes: 'Within minutes' } : LABELS

const COMPARES: readonly ConditionKind[] = ['level', 'pair']
export const compares = (kind: ConditionKind) => COMPARES.includes(kind)
export const hasMinutes = (kind: ConditionKind) => !compares(kind)
export const mostMinutes = (kind: ConditionKind) => (kind === 'change' ? MOST_CHANGE_MINUTES : MOST_CONDITION_MINUTES)

const numberOf = (choice: string | null) => (choice === null ? undefined : Number(choice))
const decOf = (typed: number | string) => (typed === '' ? null : Number(typed))

export function orderOf(operatorId: string | null): 'above' | 'below' | undefined {
  const code: Operator['code'] | undefined = operatorById(Number(operatorId))?.code
  if (code === 'GT' || code === 'GTE') return 'above'
  return code === 'LT' || code === 'LTE' ? 'below' : undefined
}

export interface FormFrame {
  readonly kind: ConditionKind
  readonly fieldOf: (id: string | null) => ConditionField | undefined
}

const mayClear = (values: ConditionValues, { kind, fieldOf }: FormFrame) =>
  kind === 'level' && isNumberField(fieldOf(values.eventTypeFieldId)) && orderOf(values.operatorId) !== undefined

export function wordsOf(values: ConditionValues, frame: FormFrame): Draft<typeof setAlertCondition> {
  const { kind, fieldOf } = frame
  const { valueText, secondValueText } = values
  const field = fieldOf(values.eventTypeFieldId)
  return {
    kind,
    severityId: Number(values.severityId),
    periodId: compares(kind) ? Number(values.periodId) : 1,
    actionTypeId: Number(values.actionTypeId),
    title: values.title.trim() || null,
    ...(fieldIdOfKind(kind) === undefined
      ? { eventTypeFieldId: numberOf(values.eventTypeFieldId) as FieldId | undefined }
      : {}),
    ...(compares(kind)
      ? {
          operatorId: numberOf(values.operatorId),
          ...(isNumberField(field) ? { valueDec: decOf(values.valueDec) } : { valueText }),
        }
      : {}),
    ...(mayClear(values, frame) && values.clearDec !== '' ? { clearDec: decOf(values.clearDec) } : {}),
    ...(kind === 'pair'
      ? {
          joinedBy: values.joinedBy === 'or' ? ('or' as const) : ('and' as const),
          secondFieldId: (numberOf(values.secondFieldId) ?? null) as FieldId | null,
          secondOperatorId: numberOf(values.secondOperatorId) ?? null,
          ...(isNumberField(fieldOf(values.secondFieldId))
            ? { secondValueDec: decOf(values.secondValueDec) }
            : { secondValueText }),
        }
      : {}),
    ...(kind === 'change' ? { valueDec: decOf(values.valueDec) } : {}),
    ...(hasMinutes(kind) ? { minutes: decOf(values.minutes) } : {}),
  }
}

type Errors = FieldErrors<ConditionValues>

export function faultsOf(values: ConditionValues, frame: FormFrame): Errors {
  const { kind, fieldOf } = frame
  const labels = labelsOf(kind)
  const errors: Errors = {}
  const need = (name: keyof ConditionValues) => {
    if (values[name] === null || values[name] === '') errors[name] = required(labels[name])
  }
  const field = fieldOf(values.eventTypeFieldId)
  if (fieldIdOfKind(kind) === undefined) need('eventTypeFieldId')
  if (compares(kind)) need('operatorId')
  if ((compares(kind) && isNumberField(field)) || kind === 'change') need('valueDec')
  if (hasMinutes(kind)) need('minutes')
  if (kind === 'change') {
    if (field && !isNumberField(field)) errors.eventTypeFieldId = notValid(labels.eventTypeFieldId)
    if (Number(values.valueDec) < 0) errors.valueDec = notValid(labels.valueDec)
    if (Number(values.minutes) > MOST_CHANGE_MINUTES) errors.minutes = notValid(labels.minutes)
  }
  if (kind === 'level' && mayClear(values, frame) && isWrongClear(values)) errors.clearDec = notValid(labels.clearDec)
  if (kind === 'pair') {
    need('secondFieldId')
    need('secondOperatorId')
    if (isNumberField(fieldOf(values.secondFieldId))) need('secondValueDec')
    if (values.secondFieldId !== null && values.secondFieldId === values.eventTypeFieldId)
      errors.secondFieldId = notValid(labels.secondFieldId)
  }
  return errors
}

/** The clear level must lie on the side of the value where the condition is not met. */
function isWrongClear({ operatorId, valueDec, clearDec }: ConditionValues): boolean {
  if (clearDec === '' || valueDec === '') return false
  return orderOf(operatorId) === 'above' ? Number(clearDec) > Number(valueDec) : Number(clearDec) < Number(valueDec)
}

/**
 * It words the condition as lists and mails will.
 *
 * @param body complete
 */
export function sentenceOf(body: ConditionBody): string {
  const kind = body.kind ?? 'level'
  return conditionText({
    kind,
    fieldId: (body.eventTypeFieldId ?? fieldIdOfKind(kind)) as FieldId,
    operator: operatorById(body.operatorId ?? 0)?.code ?? 'GT',
    threshold: body.valueDec ?? body.valueText ?? '',
    periodId: body.periodId ?? 1,
    clearLevel: body.clearDec ?? undefined,
    minutes: body.minutes ?? undefined,
    joinedBy: body.joinedBy ?? undefined,
    second:
      body.secondFieldId == null
        ? undefined
        : {
            fieldId: body.secondFieldId,
            operator: operatorById(body.secondOperatorId ?? 0)?.code ?? 'GT',
            threshold: body.secondValueDec ?? body.secondValueText ?? '',
          },
  })
}
