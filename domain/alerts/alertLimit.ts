import { watchedFieldById } from '../catalogue/fieldId.ts'
import type { FieldId } from '../ids.ts'
import { type ConditionKind, isClockField } from './conditionKinds.ts'
import { fieldText } from './conditionText.ts'
import { operatorByCode } from './operators.ts'

export interface AlertLimit {
  readonly kind: ConditionKind
  readonly fieldId: FieldId
  readonly operatorCode: string
  readonly threshold: number | string
  readonly conditionText: string
}

/**
 * Returns the limit of an alert, to stand behind the name of the field: `> 60 °C`, `= "on battery"`, `30 minutes`; for
 * other kinds in the condition's own words: `not reported for 30 minutes`, `> 60 and Humidity < 30`.
 */
export function limitText({ kind, fieldId, operatorCode, threshold, conditionText }: AlertLimit): string {
  if (isClockField(fieldId)) return threshold === 1 ? '1 minute' : `${threshold} minutes`
  if (kind !== 'level') {
    const field = `${fieldText(fieldId)} `
    return conditionText.startsWith(field) ? conditionText.slice(field.length) : conditionText
  }
  const sign = operatorByCode(operatorCode)?.sign ?? operatorCode
  if (typeof threshold === 'string') return `${sign} "${threshold}"`
  const unit = watchedFieldById(fieldId)?.field.unit
  return `${sign} ${threshold}${unit ? ` ${unit}` : ''}`
}

/** Returns where a chart of the field draws the limit; undefined if the limit is no value of the field. */
export function limitLevel({ kind, threshold }: Pick<AlertLimit, 'kind' | 'threshold'>): number | undefined {
  return (kind === 'level' || kind === 'pair') && typeof threshold === 'number' ? threshold : undefined
}
