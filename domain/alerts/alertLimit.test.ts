import { expect, test } from 'vitest'
import type { FieldId } from '../ids.ts'
import { limitLevel, limitText } from './alertLimit.ts'
import { conditionText } from './conditionText.ts'

const HEAT = 4101 as FieldId
const HUMIDITY = 4104 as FieldId
const opened = (condition: Parameters<typeof conditionText>[0]) => ({
  kind: condition.kind ?? ('level' as const),
  fieldId: condition.fieldId,
  operatorCode: condition.operator,
  threshold: condition.threshold,
  conditionText: conditionText(condition),
})
const AT_ONCE = { periodId: 1, operator: 'GT' } as const

test.each([
  ['a value', { fieldId: HEAT, threshold: 60 }, '> 60 °C', 60],
  ['a value with a level of its own', { fieldId: HEAT, threshold: 60, clearLevel: 55 }, '> 60 °C', 60],
  ['a text', { fieldId: 5101 as FieldId, threshold: 'on battery', operator: 'EQ' }, '= "on battery"', undefined],
  ['no value', { kind: 'absent', fieldId: HEAT, threshold: 30, minutes: 30 }, 'not reported for 30 minutes', undefined],
  [
    'a change',
    { kind: 'change', fieldId: HEAT, threshold: 5, minutes: 10 },
    'changes by more than 5 within 10 minutes',
    undefined,
  ],
  [
    'two fields',
    {
      kind: 'pair',
      fieldId: HEAT,
      threshold: 60,
      second: { fieldId: HUMIDITY, operator: 'LT', threshold: 30 },
      joinedBy: 'and',
    },
    '> 60 and Humidity < 30',
    60,
  ],
  ['silence', { kind: 'silent', fieldId: 1 as FieldId, threshold: 30, minutes: 30 }, '30 minutes', undefined],
  ['darkness', { kind: 'dark', fieldId: 2 as FieldId, threshold: 1, minutes: 1 }, '1 minute', undefined],
] as const)('the limit of %s is in its own words, and a line only where it is a value', (_, asked, words, level) => {
  const limit = opened({ ...AT_ONCE, ...asked } as Parameters<typeof conditionText>[0])
  expect(limitText(limit)).toBe(words)
  expect(limitLevel(limit)).toBe(level)
})

test('a field that is called otherwise today leaves the words as they were', () => {
  const limit = { kind: 'absent' as const, fieldId: HEAT, operatorCode: 'GTE', threshold: 30 }
  expect(limitText({ ...limit, conditionText: 'Display: Heat not reported for 30 minutes' })).toBe(
    'Display: Heat not reported for 30 minutes',
  )
})
