import { groupTitle, measurementName, watchedFieldById } from '../catalogue/fieldId.ts'
import type { FieldId } from '../ids.ts'
import { UNKNOWN_TEXT } from '../units/numbers.ts'
import { ALERT_PERIODS } from './alertLabels.ts'
import type { ConditionKind } from './conditionKinds.ts'
import { type OperatorCode, operatorByCode, type Threshold } from './operators.ts'

/** A field compared with a value. */
export interface Comparison {
  readonly fieldId: FieldId
  readonly operator: OperatorCode
  readonly threshold: Threshold
}

export interface DescribedCondition extends Comparison {
  /** The kind is `level` when absent. */
  readonly kind?: ConditionKind
  readonly periodId: number
  /** A level is cleared beyond this. */
  readonly clearLevel?: number | undefined
  readonly second?: Comparison | undefined
  readonly joinedBy?: 'and' | 'or' | undefined
  readonly minutes?: number | undefined
}

/**
 * Returns a condition in words, e.g. `Display 2: Internal temperature (°C) > 60.5 for 15 minutes`, for two fields `UPS:
 * Status = "on battery" and Battery capacity (%) < 30`, for waiting kinds `Not reporting for 30 minutes`.
 */
export function conditionText(condition: DescribedCondition): string {
  const { kind = 'level', fieldId, threshold, periodId, second, joinedBy = 'and' } = condition
  const minutes = minutesText(condition.minutes)
  switch (kind) {
    case 'silent':
      return `Not reporting for ${minutes}`
    case 'dark':
      return `Dark against plan for ${minutes}`
    case 'absent':
      return `${fieldText(fieldId)} not reported for ${minutes}`
    case 'change':
      return `${fieldText(fieldId)} changes by more than ${threshold} within ${minutes}`
    case 'pair': {
      const other = second ? comparisonText(second, groupOf(fieldId)) : UNKNOWN_TEXT
      return `${comparisonText(condition)} ${joinedBy} ${other}${lastingText(periodId)}`
    }
    case 'level':
      return `${comparisonText(condition)}${lastingText(periodId)}${clearText(condition)}`
  }
}

const minutesText = (minutes: number | undefined): string =>
  minutes === undefined ? UNKNOWN_TEXT : minutes === 1 ? '1 minute' : `${minutes} minutes`

function lastingText(periodId: number): string {
  const period = ALERT_PERIODS.find(({ id }) => id === periodId)
  return period && period.minutes > 0 ? ` for ${period.name}` : ''
}

function clearText({ operator, clearLevel }: DescribedCondition): string {
  if (clearLevel === undefined) return ''
  return `, cleared at ${operator === 'LT' || operator === 'LTE' ? '>' : '<'} ${clearLevel}`
}

const groupOf = (fieldId: FieldId): string | undefined => watchedFieldById(fieldId)?.groupName

/**
 * Names a field for conditions, e.g. `Display 2: Internal temperature (°C)`, `Every display: Backlight level (%)`.
 *
 * @param known a group that was just named and is left out
 */
export function fieldText(fieldId: FieldId, known?: string): string {
  const numbered = watchedFieldById(fieldId)
  if (!numbered) return UNKNOWN_TEXT
  const name = measurementName(numbered)
  return numbered.groupName === known ? name : `${groupTitle(numbered.groupName)}: ${name}`
}

function comparisonText({ fieldId, operator, threshold }: Comparison, known?: string): string {
  const value = typeof threshold === 'string' ? `"${threshold}"` : String(threshold)
  return `${fieldText(fieldId, known)} ${operatorByCode(operator)?.sign ?? operator} ${value}`
}
