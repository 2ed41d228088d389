import { expect, test } from 'vitest'
import { originText, originWord } from './alertOrigin.ts'

test.each([
  [{ of: 'device' }, 'this device', 'own'],
  [{ of: 'model' }, 'model', 'model'],
  [{ of: 'customer', customerName: 'City of Prague' }, 'customer City of Prague', 'customer'],
  [{ of: 'tag', tag: 'sunny' }, '#sunny', '#sunny'],
  [{ of: 'tag', tag: 'sunny', customerName: 'City of Prague' }, '#sunny of City of Prague', '#sunny'],
] as const)('the condition of %o is named', (origin, text, word) => {
  const whole = { customerName: '', tag: '', ...origin }
  expect([originText(whole), originWord(whole)]).toEqual([text, word])
})

test('a condition of which there is no row is of nobody that is known', () => {
  expect([originText(null), originWord(null)]).toEqual(['–', ''])
})
