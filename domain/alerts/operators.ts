import type { AttributeTypeId } from '../catalogue/field.ts'
import { shortestReal } from '../units/numbers.ts'

/** The operators of conditions (rules/alerts 2), with the words of the lists. */
export const OPERATORS = [
  { id: 1, code: 'GT', name: 'greater than', sign: '>' },
  { id: 2, code: 'GTE', name: 'greater than or equal to', sign: '≥' },
  { id: 3, code: 'LT', name: 'less than', sign: '<' },
  { id: 4, code: 'LTE', name: 'less than or equal to', sign: '≤' },
  { id: 5, code: 'EQ', name: 'equal to', sign: '=' },
  { id: 6, code: 'NEQ', name: 'not equal to', sign: '≠' },
] as const
export type Operator = (typeof OPERATORS)[number]
export type OperatorCode = Operator['code']
export const OPERATOR_CODES: readonly OperatorCode[] = OPERATORS.map(({ code }) => code)

const byId = new Map<number, Operator>(OPERATORS.map((operator) => [operator.id, operator]))
const byCode = new Map<string, Operator>(OPERATORS.map((operator) => [operator.code, operator]))
export const operatorById = (id: number): Operator | undefined => byId.get(id)
export const operatorByCode = (code: string): Operator | undefined => byCode.get(code)

const NUMBER_TYPE: AttributeTypeId = 1
const DATE_TIME_TYPE: AttributeTypeId = 3

/** Numbers and moments have an order; texts and states can only be equal or not. */
export function operatorsFor(attributeTypeId: number): readonly Operator[] {
  const isOrdered = attributeTypeId === NUMBER_TYPE || attributeTypeId === DATE_TIME_TYPE
  return isOrdered ? OPERATORS : OPERATORS.filter(({ code }) => code === 'EQ' || code === 'NEQ')
}

/** The threshold is a number for number fields, and a text for all others. */
export type Threshold = number | string

/**
 * Whether a reading meets a condition. Fractions are stored as 4-byte reals, so both sides are rounded to one: "equals
 * 60.1" can be true. A text condition on a number compares its shortest decimal.
 */
export function meets(code: OperatorCode, reading: number | string, threshold: Threshold): boolean {
  if (typeof threshold === 'string' || typeof reading === 'string') {
    const isEqual = textOf(reading) === textOf(threshold)
    return code === 'EQ' ? isEqual : code === 'NEQ' ? !isEqual : false
  }
  const left = asStored(reading)
  const right = asStored(threshold)
  switch (code) {
    case 'GT':
      return left > right
    case 'GTE':
      return left >= right
    case 'LT':
      return left < right
    case 'LTE':
      return left <= right
    case 'EQ':
      return left === right
    case 'NEQ':
      return left !== right
  }
}

/** Whole numbers (states, counts, seconds) are stored as they are. */
export const asStored = (value: number): number => (Number.isInteger(value) ? value : Math.fround(value))

const textOf = (value: number | string): string => (typeof value === 'string' ? value : String(shortestReal(value)))
