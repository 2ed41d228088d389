import { groupTitle, measurementName, numberedFieldById } from '../catalogue/fieldId.ts'
import { UNKNOWN_TEXT } from '../units/numbers.ts'
import { ALERT_PERIODS } from './alertWords.ts'
import { type OperatorCode, operatorByCode, type Threshold } from './operators.ts'

export interface DescribedCondition {
  readonly fieldId: number
  readonly operator: OperatorCode
  readonly threshold: Threshold
  readonly periodId: number
}

/** A condition in words, e.g. `Display 2: Internal temperature (°C) > 60.5 for 15 minutes`. */
export function conditionText({ fieldId, operator, threshold, periodId }: DescribedCondition): string {
  const numbered = numberedFieldById(fieldId)
  const field = numbered ? `${groupTitle(numbered.groupName)}: ${measurementName(numbered)}` : UNKNOWN_TEXT
  const value = typeof threshold === 'string' ? `"${threshold}"` : String(threshold)
  const period = ALERT_PERIODS.find(({ id }) => id === periodId)
  const lasting = period && period.minutes > 0 ? ` for ${period.name}` : ''
  return `${field} ${operatorByCode(operator)?.sign ?? operator} ${value}${lasting}`
}
