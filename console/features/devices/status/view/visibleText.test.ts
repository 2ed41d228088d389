import { expect, test } from 'vitest'
import { visibleText } from './visibleText.ts'

test('ordinary text of any script stays as it is, with its lines and tabs', () => {
  const text = 'Fan 2:\t<b>0</b> rpm\nÚdržba 停止 مرحبا 👩‍👩‍👧'
  expect(visibleText(text)).toBe(text)
})

test('the line ends of other systems are line ends', () => {
  expect(visibleText('one\r\ntwo')).toBe('one\ntwo')
})

test.each([
  ['\u202Egnp.exe', '\\u202Egnp.exe'],
  ['a\u2066b\u2069', 'a\\u2066b\\u2069'],
  ['bell\u0007', 'bell\\u0007'],
  ['\u001b[31mred', '\\u001B[31mred'],
  ['over\rwritten', 'over\\u000Dwritten'],
  ['two\u2028lines', 'two\\u2028lines'],
])('what would disguise the rest of %j is written as its code', (text, shown) => {
  expect(visibleText(text)).toBe(shown)
})
