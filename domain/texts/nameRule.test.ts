import { expect, test } from 'vitest'
import { isOneLine, tidied } from './nameRule.ts'

test.each([
  'Totem 2',
  'Äpfel',
  '電',
  '👩‍💻',
  '❤️',
  '\u{1f3f4}\u{e0067}\u{e007f}',
  'نص',
  'ه\u200d',
  'क्ष',
  'a\u200bb',
  '',
])('%j is kept as it is', (text) => {
  expect(tidied(text)).toBe(text)
})

test.each([
  ' Mole 2 ',
  '\u200bMole 2\u200b',
  '\ufeff Mole 2\u2060\u200b\n',
  '\u3164Mole 2\u2800',
  'Mole 2\u200c\u00ad',
])('%j is kept without what shows nothing around it', (text) => {
  expect(tidied(text)).toBe('Mole 2')
})

test.each(['\u200b', '\u3164', '\u115f\u1160', '\uffa0', '\u2800', ' \u200d ', '\u00ad', '\u{e0041}'])(
  '%j shows nothing',
  (text) => {
    expect(tidied(text)).toBe('')
  },
)

test.each(['a\nb', 'a\rb', 'a\u2028b', 'a\u0085b', 'a\tb', '\u202egnp.exe', 'a\u2066b\u2069', 'a\u202ab\u202c'])(
  '%j is not one line that reads as it stands',
  (text) => {
    expect(isOneLine(text)).toBe(false)
  },
)

test.each(['a b', 'שלום\u200f', '\u061cنص', 'Zürich · 2'])('%j is one line', (text) => {
  expect(isOneLine(text)).toBe(true)
})
