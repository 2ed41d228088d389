import type { AlertDetails } from '#contract/http/alerting/alerts.ts'
import { limitText } from '#domain/alerts/alertLimit.ts'
import { showValue } from '#domain/catalogue/displayRules.ts'
import { numberedFieldById } from '#domain/catalogue/fieldId.ts'
import { UNKNOWN_TEXT } from '#domain/units/numbers.ts'

export const thresholdText = ({ kind, field_id, operatorCode, value_dec, value_text, condition_text }: AlertDetails) =>
  limitText({
    kind,
    fieldId: field_id,
    operatorCode,
    threshold: value_dec ?? value_text ?? '',
    conditionText: condition_text,
  })

export function metricText({ field_id, deviceModelId, metric_value_dec, metric_value_text }: AlertDetails): string {
  const value = metric_value_dec ?? metric_value_text ?? undefined
  const numbered = numberedFieldById(field_id)
  if (!numbered) return value === undefined ? UNKNOWN_TEXT : String(value)
  const { text, unit } = showValue(numbered, value, deviceModelId)
  return unit ? `${text} ${unit}` : text
}
