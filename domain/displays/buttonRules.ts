import { meets, type OperatorCode } from '../alerts/operators.ts'

export const BUTTON_COUNT = 5
export const LONGEST_LOGICAL_NAME = 100

/** One rule of the button module (rules/setup 12). */
export interface ButtonRule {
  readonly number: number
  readonly active: boolean
  readonly operator: OperatorCode
  /** The id of the measurement (`domain/catalogue/fieldId.ts`); null while none is chosen. */
  readonly measurement: number | null
  readonly conditionValue: number
  readonly thenValue: number
  readonly elseValue: number
  readonly logicalName: string
}

/** A new rule compares by "greater than" and is inactive (rules/components 14). */
export function newButtonRule(number: number): ButtonRule {
  return {
    number,
    active: false,
    operator: 'GT',
    measurement: null,
    conditionValue: 0,
    thenValue: 0,
    elseValue: 0,
    logicalName: '',
  }
}

/**
 * Returns the value of one button: if measurement ⟨operator⟩ conditionValue then thenValue else elseValue. Undefined
 * while the rule is inactive or its measurement is unknown, so that nothing is reported.
 */
export function buttonValue(
  rule: ButtonRule,
  readingOf: (measurement: number) => number | undefined,
): number | undefined {
  if (!rule.active || rule.measurement === null) return undefined
  const reading = readingOf(rule.measurement)
  if (reading === undefined || Number.isNaN(reading)) return undefined
  return meets(rule.operator, reading, rule.conditionValue) ? rule.thenValue : rule.elseValue
}
