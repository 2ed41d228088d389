import { expect, test } from 'vitest'
import { meets, OPERATORS, operatorsFor } from './operators.ts'

test.each([
  ['GT', 60.2, 60.1, true],
  ['GT', 60.1, 60.1, false],
  ['GTE', 60.1, 60.1, true],
  ['GTE', 60, 60.1, false],
  ['LT', 60, 60.1, true],
  ['LT', 60.1, 60.1, false],
  ['LTE', 60.1, 60.1, true],
  ['LTE', 60.2, 60.1, false],
  ['EQ', 60.1, 60.1, true],
  ['EQ', 60.2, 60.1, false],
  ['NEQ', 60.2, 60.1, true],
  ['NEQ', 60.1, 60.1, false],
] as const)('a reading is %s: %d against %d is %s', (code, reading, threshold, expected) => {
  expect(meets(code, reading, threshold)).toBe(expected)
})

test('a stored real equals the decimal that somebody typed', () => {
  expect(meets('EQ', Math.fround(60.1), 60.1)).toBe(true)
  expect(meets('GT', Math.fround(60.1), 60.1)).toBe(false)
  expect(meets('NEQ', Math.fround(0.7), 0.7)).toBe(false)
})

test('texts are equal or not, and have no order', () => {
  expect(meets('EQ', 'on battery', 'on battery')).toBe(true)
  expect(meets('EQ', 'On battery', 'on battery')).toBe(false)
  expect(meets('NEQ', 'on line', 'on battery')).toBe(true)
  for (const { code } of OPERATORS) {
    if (code !== 'EQ' && code !== 'NEQ') expect(meets(code, 'b', 'a')).toBe(false)
  }
})

test('a text threshold on a number means its shortest decimal', () => {
  expect(meets('EQ', Math.fround(60.1), '60.1')).toBe(true)
  expect(meets('EQ', 1, '1')).toBe(true)
  expect(meets('NEQ', 1, '0')).toBe(true)
})

test('only numbers and moments are offered an order', () => {
  expect(operatorsFor(1)).toHaveLength(6)
  expect(operatorsFor(3)).toHaveLength(6)
  expect(operatorsFor(2).map(({ code }) => code)).toEqual(['EQ', 'NEQ'])
  expect(operatorsFor(4).map(({ code }) => code)).toEqual(['EQ', 'NEQ'])
})
