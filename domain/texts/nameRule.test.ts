import { expect, test } from 'vitest'
import { isOneLine, isVisibleOrEmpty } from './nameRule.ts'

test.each(['Totem 2', 'Äpfel', '電', '👩‍💻', 'نص', 'क्ष', 'a\u200bb', ''])('%j is seen', (text) => {
  expect(isVisibleOrEmpty(text)).toBe(true)
})

test.each(['\u200b', '\u3164', '\u115f\u1160', '\uffa0', '\u2800', ' \u200d ', '\u00ad', '\u{e0041}'])(
  '%j shows nothing',
  (text) => {
    expect(isVisibleOrEmpty(text)).toBe(false)
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
