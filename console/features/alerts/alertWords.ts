import type { AlertDetails } from '#contract/http/alert.ts'
import { operatorByCode } from '#domain/alerts/operators.ts'
import { showValue } from '#domain/catalogue/displayRules.ts'
import { numberedFieldById } from '#domain/catalogue/fieldId.ts'
import { UNKNOWN_TEXT } from '#domain/units/numbers.ts'

/** What the reading was compared with. */
export function thresholdText({ operatorCode, value_dec, value_text, field_id }: AlertDetails): string {
  const sign = operatorByCode(operatorCode)?.sign ?? operatorCode
  if (value_dec === null) return `${sign} "${value_text ?? ''}"`
  const unit = numberedFieldById(field_id)?.field.unit
  return `${sign} ${value_dec}${unit ? ` ${unit}` : ''}`
}

/** The reading that opened it, as its tile would write it. */
export function metricText({ field_id, deviceModelId, metric_value_dec, metric_value_text }: AlertDetails): string {
  const value = metric_value_dec ?? metric_value_text ?? undefined
  const numbered = numberedFieldById(field_id)
  if (!numbered) return value === undefined ? UNKNOWN_TEXT : String(value)
  const { text, unit } = showValue(numbered, value, deviceModelId)
  return unit ? `${text} ${unit}` : text
}

/** Where its condition comes from. */
export function conditionOwnerText(isOfModel: boolean | null): string {
  if (isOfModel === null) return UNKNOWN_TEXT
  return isOfModel ? "The device's model" : 'This device alone'
}
