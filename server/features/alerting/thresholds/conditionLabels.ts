import type { ReadBodyOf } from '#contract/call/call.ts'
import type { AlertCondition, setAlertCondition } from '#contract/http/alerting/thresholds.ts'
import { ALERT_ACTIONS, periodMsOf } from '#domain/alerts/alertLabels.ts'
import { fieldIdOfKind, MOST_CHANGE_MINUTES, USUAL_SEVERITY } from '#domain/alerts/conditionKinds.ts'
import { canBePaired } from '#domain/alerts/conditionParts.ts'
import { conditionReach, WIDEST_REACH } from '#domain/alerts/conditionReach.ts'
import { conditionText } from '#domain/alerts/conditionText.ts'
import { conditionTitle } from '#domain/alerts/conditionTitle.ts'
import { type OperatorCode, operatorByCode, operatorById, operatorsFor } from '#domain/alerts/operators.ts'
import type { AttributeTypeId } from '#domain/catalogue/field.ts'
import { type NumberedField, watchedFieldById } from '#domain/catalogue/fieldId.ts'
import type { FieldId } from '#domain/ids.ts'
import { notValid, required } from '#domain/validation/messages.ts'
import { CallError } from '#server/http/call/callError.ts'
import type { ConditionCounts } from './conditionCounts.store.ts'
import type { ConditionFields, StoredCondition } from './thresholds.store.ts'

export type RequestedCondition = ReadBodyOf<typeof setAlertCondition>
type Request = Omit<RequestedCondition, 'id'>

const NUMBER_TYPE: AttributeTypeId = 1
const TYPE_NAMES: Record<AttributeTypeId, string> = { 1: 'Number', 2: 'Text', 3: 'DateTime', 4: 'Lookup' }

const refused = (sentence: string) => new CallError('invalid_request', sentence)

/** Tells whether a condition can watch the field (rules/alerts 3). */
export const canBeWatched = ({ field }: NumberedField) => !field.hiddenFrom.includes('conditions')

/** Fields that a kind of condition does not use are stored as null. */
const NOTHING_MORE = {
  clearDec: null,
  minutes: null,
  joinedBy: null,
  secondFieldId: null,
  secondOperator: null,
  secondValueDec: null,
  secondValueText: null,
} as const

/**
 * Converts a requested condition to what is stored, without the fields that its kind does not use.
 * @throws CallError `invalid_request` with the sentence of rules/messages 1
 */
export function readConditionFields(asked: Request): ConditionFields {
  if (periodMsOf(asked.periodId) === undefined) throw refused(notValid('periodId'))
  if (!ALERT_ACTIONS.some(({ id }) => id === asked.actionTypeId)) throw refused(notValid('actionTypeId'))
  return {
    actionTypeId: asked.actionTypeId,
    severityId: asked.severityId ?? USUAL_SEVERITY,
    kind: asked.kind,
    isOff: asked.isOff,
    title: asked.title?.trim() || null,
    ...NOTHING_MORE,
    ...fieldsOfKind(asked),
  }
}

type OfKind = Pick<ConditionFields, 'fieldId' | 'operator' | 'valueDec' | 'valueText' | 'periodId'> &
  Partial<ConditionFields>

function fieldsOfKind(asked: Request): OfKind {
  const { kind, periodId } = asked
  const waiting = fieldIdOfKind(kind)
  if (waiting !== undefined) return { ...waits(asked), fieldId: waiting }
  if (kind === 'absent') return { ...waits(asked), fieldId: watched(asked.eventTypeFieldId, 'eventTypeFieldId').id }
  if (kind === 'change') {
    const numbered = watched(asked.eventTypeFieldId, 'eventTypeFieldId')
    if (numbered.field.attributeTypeId !== NUMBER_TYPE) throw refused(notValid('eventTypeFieldId'))
    if (typeof asked.valueDec !== 'number') throw refused(required('valueDec'))
    if (!(asked.valueDec >= 0)) throw refused(notValid('valueDec'))
    const minutes = minutesOf(asked)
    if (minutes > MOST_CHANGE_MINUTES) throw refused(notValid('minutes'))
    return { fieldId: numbered.id, operator: 'GT', valueDec: asked.valueDec, valueText: null, periodId: 1, minutes }
  }
  const first = comparison(asked.eventTypeFieldId, asked.operatorId, asked, FIRST_NAMES)
  if (kind === 'level') return { ...first, periodId, clearDec: clearLevel(asked, first) }
  if (!asked.joinedBy) throw refused(required('joinedBy'))
  const { secondFieldId, secondOperatorId, secondValueDec: valueDec, secondValueText: valueText } = asked
  const second = comparison(
    secondFieldId ?? undefined,
    secondOperatorId ?? undefined,
    { valueDec, valueText },
    SECOND_NAMES,
  )
  if (second.fieldId === first.fieldId) throw refused(notValid('secondFieldId'))
  if (!canBePaired(first.fieldId, second.fieldId))
    throw refused(`${notValid('secondFieldId')}: of two kinds of components one needs a number`)
  return {
    ...first,
    periodId,
    joinedBy: asked.joinedBy,
    secondFieldId: second.fieldId,
    secondOperator: second.operator,
    secondValueDec: second.valueDec,
    secondValueText: second.valueText,
  }
}

/** Stores the waiting time in minutes, so that alerts state what was requested. */
function waits(asked: Request) {
  const minutes = minutesOf(asked)
  return { operator: 'GTE' as OperatorCode, valueDec: minutes, valueText: null, periodId: 1, minutes }
}

function minutesOf({ minutes }: Request): number {
  if (typeof minutes !== 'number') throw refused(required('minutes'))
  return minutes
}

function watched(fieldId: FieldId | undefined, name: string): NumberedField {
  if (fieldId === undefined) throw refused(required(name))
  const numbered = watchedFieldById(fieldId)
  if (numbered === undefined || !canBeWatched(numbered)) throw refused(notValid(name))
  return numbered
}

const FIRST_NAMES = { field: 'eventTypeFieldId', operator: 'operatorId', dec: 'valueDec', text: 'valueText' }
const SECOND_NAMES = {
  field: 'secondFieldId',
  operator: 'secondOperatorId',
  dec: 'secondValueDec',
  text: 'secondValueText',
}

function comparison(
  fieldId: FieldId | undefined,
  operatorId: number | undefined,
  values: Pick<Request, 'valueDec' | 'valueText'>,
  names: typeof FIRST_NAMES,
) {
  const numbered = watched(fieldId, names.field)
  const { attributeTypeId } = numbered.field
  if (operatorId === undefined) throw refused(required(names.operator))
  const operator = operatorById(operatorId)
  if (operator === undefined || !operatorsFor(attributeTypeId).includes(operator))
    throw refused(notValid(names.operator))
  return { fieldId: numbered.id, operator: operator.code, ...valuesOf(values, attributeTypeId === NUMBER_TYPE, names) }
}

/** A number needs a value; a text field may be compared with an empty text. */
function valuesOf(
  { valueDec, valueText }: Pick<Request, 'valueDec' | 'valueText'>,
  isNumber: boolean,
  names: typeof FIRST_NAMES,
) {
  if (!isNumber) {
    if (typeof valueDec === 'number') throw refused(notValid(names.dec))
    return { valueDec: null, valueText: valueText ?? '' }
  }
  if (valueText) throw refused(notValid(names.text))
  if (typeof valueDec !== 'number') throw refused(required(names.dec))
  return { valueDec, valueText: null }
}

/**
 * The clear level must lie on the side of the value where the condition is not met, which needs an ordered operator.
 */
function clearLevel({ clearDec }: Request, first: Pick<ConditionFields, 'operator' | 'valueDec'>): number | null {
  if (clearDec == null) return null
  const { operator, valueDec } = first
  const isAbove = operator === 'GT' || operator === 'GTE'
  const isBelow = operator === 'LT' || operator === 'LTE'
  const fits = valueDec !== null && ((isAbove && clearDec <= valueDec) || (isBelow && clearDec >= valueDec))
  if (!fits) throw refused(notValid('clearDec'))
  return clearDec
}

export function judgedFields(fields: ConditionFields) {
  const { secondFieldId, secondOperator, secondValueDec, secondValueText } = fields
  const hasSecond = secondFieldId !== null && secondOperator !== null
  return {
    kind: fields.kind,
    first: { fieldId: fields.fieldId, operator: fields.operator, threshold: fields.valueDec ?? fields.valueText ?? '' },
    second: hasSecond
      ? { fieldId: secondFieldId, operator: secondOperator, threshold: secondValueDec ?? secondValueText ?? '' }
      : undefined,
    joinedBy: fields.joinedBy ?? undefined,
    clearLevel: fields.clearDec ?? undefined,
    minutes: fields.minutes ?? undefined,
  }
}

export function textOf(fields: ConditionFields): string {
  const { first, ...asked } = judgedFields(fields)
  return conditionText({ ...asked, ...first, periodId: fields.periodId })
}

const titledOf = (stored: ConditionFields) => stored.title ?? conditionTitle(textOf(stored))

/** Returns undefined for an unknown condition, such as one of a field that the catalogue no longer has. */
export function toCondition(
  stored: StoredCondition,
  placeName: string,
  counts: ConditionCounts,
): AlertCondition | undefined {
  const numbered = watchedFieldById(stored.fieldId)
  const operator = operatorByCode(stored.operator)
  if ((numbered === undefined && fieldIdOfKind(stored.kind) === undefined) || operator === undefined) return undefined
  const attributeTypeId = numbered?.field.attributeTypeId ?? NUMBER_TYPE
  const { tagKey: _, secondOperator, operator: __, fieldId, ...rest } = stored
  return {
    ...rest,
    eventTypeFieldId: fieldId,
    operatorId: operator.id,
    operatorCode: operator.code,
    operatorName: operator.name,
    fieldName: numbered?.name ?? textOf(stored),
    fieldType: TYPE_NAMES[attributeTypeId],
    fieldGroupId: numbered?.type.id ?? 0,
    attTypeId: attributeTypeId,
    conditionText: textOf(stored),
    shownTitle: titledOf(stored),
    placeName,
    allDevices: conditionReach(stored) === WIDEST_REACH,
    secondOperatorId: (secondOperator && operatorByCode(secondOperator)?.id) ?? null,
    ...counts,
  }
}
