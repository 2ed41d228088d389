import { expect, test } from 'vitest'
import { OPERATOR_CODES } from '../alerts/operators.ts'
import { type ButtonRule, buttonValue, newButtonRule } from './buttonRules.ts'

const RULE: ButtonRule = {
  ...newButtonRule(2),
  active: true,
  measurement: 4101,
  conditionValue: 60.1,
  thenValue: 7,
  elseValue: -7,
}
const valueAt = (reading: number | undefined, change: Partial<ButtonRule> = {}) =>
  buttonValue({ ...RULE, ...change }, (measurement) => (measurement === RULE.measurement ? reading : undefined))

test.each([
  ['NEQ', [7, -7, 7]],
  ['LT', [7, -7, -7]],
  ['LTE', [7, 7, -7]],
  ['EQ', [-7, 7, -7]],
  ['GT', [-7, -7, 7]],
  ['GTE', [-7, 7, 7]],
] as const)('%s decides below, at and above the value', (operator, expected) => {
  expect([60, 60.1, 60.2].map((reading) => valueAt(reading, { operator }))).toEqual(expected)
})

test('a reading that was kept in four bytes equals the number that was typed', () => {
  expect(Math.fround(60.1)).not.toBe(60.1)
  expect(valueAt(Math.fround(60.1), { operator: 'EQ' })).toBe(7)
  expect(valueAt(Math.fround(60.1), { operator: 'NEQ' })).toBe(-7)
  expect(valueAt(Math.fround(60.1), { operator: 'GTE' })).toBe(7)
  expect(valueAt(Math.fround(60.1), { operator: 'LTE' })).toBe(7)
})

test('what is unknown decides nothing', () => {
  for (const operator of OPERATOR_CODES) {
    expect(valueAt(undefined, { operator })).toBeUndefined()
    expect(valueAt(Number.NaN, { operator })).toBeUndefined()
    expect(valueAt(60, { operator, measurement: null })).toBeUndefined()
    expect(valueAt(60, { operator, active: false })).toBeUndefined()
  }
  expect(valueAt(0, { operator: 'LT' })).toBe(7)
})

test('a new rule is inactive and greater-than', () => {
  expect(newButtonRule(3)).toMatchObject({ number: 3, active: false, operator: 'GT', measurement: null })
})
