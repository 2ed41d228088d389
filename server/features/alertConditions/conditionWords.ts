import type { ReadBodyOf } from '#contract/call/call.ts'
import type { AlertCondition, setAlertCondition } from '#contract/http/alertConditions.ts'
import { ALERT_ACTIONS, periodMsOf } from '#domain/alerts/alertWords.ts'
import { conditionText } from '#domain/alerts/conditionText.ts'
import { operatorByCode, operatorById, operatorsFor } from '#domain/alerts/operators.ts'
import type { AttributeTypeId } from '#domain/catalogue/field.ts'
import { type NumberedField, numberedFieldById } from '#domain/catalogue/fieldId.ts'
import { notValid, required } from '#domain/validation/messages.ts'
import { CallError } from '#server/http/call/callError.ts'
import type { ConditionWords, StoredCondition } from './alertConditions.store.ts'

export type AskedCondition = ReadBodyOf<typeof setAlertCondition>

const NUMBER_TYPE: AttributeTypeId = 1
/** P2 §3. */
const TYPE_NAMES: Record<AttributeTypeId, string> = { 1: 'Number', 2: 'Text', 3: 'DateTime', 4: 'Lookup' }

const refused = (sentence: string) => new CallError('invalid_request', sentence)

/** Whether a condition can watch the field (P2 §5 "Condition"). */
export const canBeWatched = ({ field }: NumberedField) => !field.hiddenFrom.includes('conditions')

/**
 * What was asked, as it is stored.
 *
 * @throws CallError `invalid_request` with the sentence of P2 §5
 */
export function readWords(asked: Omit<AskedCondition, 'id'>): ConditionWords {
  const numbered = numberedFieldById(asked.eventTypeFieldId)
  if (numbered === undefined || !canBeWatched(numbered)) throw refused(notValid('eventTypeFieldId'))
  const { attributeTypeId } = numbered.field
  const operator = operatorById(asked.operatorId)
  if (operator === undefined || !operatorsFor(attributeTypeId).includes(operator)) throw refused(notValid('operatorId'))
  if (periodMsOf(asked.periodId) === undefined) throw refused(notValid('periodId'))
  if (!ALERT_ACTIONS.some(({ id }) => id === asked.actionTypeId)) throw refused(notValid('actionTypeId'))
  return {
    fieldId: numbered.id,
    operator: operator.code,
    ...valuesOf(asked, attributeTypeId === NUMBER_TYPE),
    periodId: asked.periodId,
    actionTypeId: asked.actionTypeId,
  }
}

/** Number fields have to have a value; other fields may be compared with an empty text. */
function valuesOf({ valueDec, valueText }: Omit<AskedCondition, 'id'>, isNumber: boolean) {
  if (!isNumber) {
    if (typeof valueDec === 'number') throw refused(notValid('valueDec'))
    return { valueDec: null, valueText: valueText ?? '' }
  }
  if (valueText) throw refused(notValid('valueText'))
  if (typeof valueDec !== 'number') throw refused(required('valueDec'))
  return { valueDec, valueText: null }
}

export const textOf = ({ fieldId, operator, valueDec, valueText, periodId }: ConditionWords): string =>
  conditionText({ fieldId, operator, threshold: valueDec ?? valueText ?? '', periodId })

/** Undefined for what this program does not know, such as a field that the catalogue no longer has. */
export function toCondition(stored: StoredCondition): AlertCondition | undefined {
  const numbered = numberedFieldById(stored.fieldId)
  const operator = operatorByCode(stored.operator)
  if (numbered === undefined || operator === undefined) return undefined
  const { attributeTypeId } = numbered.field
  return {
    id: stored.id,
    eventTypeFieldId: stored.fieldId,
    operatorId: operator.id,
    operatorCode: operator.code,
    operatorName: operator.name,
    valueDec: stored.valueDec,
    valueText: stored.valueText,
    periodId: stored.periodId,
    actionTypeId: stored.actionTypeId,
    deviceId: stored.deviceId,
    modelId: stored.modelId,
    fieldName: numbered.name,
    fieldType: TYPE_NAMES[attributeTypeId],
    fieldGroupId: numbered.type.id,
    attTypeId: attributeTypeId,
    conditionText: textOf(stored),
  }
}
