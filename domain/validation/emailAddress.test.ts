import { expect, test } from 'vitest'
import { EMAIL_ADDRESS } from './emailAddress.ts'

test.each([
  'user@example.com',
  "o'brien+alerts@mail.example.co.uk",
  'user@müller.de',
  'user@mu\u0308ller.de',
  'user@xn--mller-kva.de',
  'user@пример.рф',
  'user@xn--e1afmkfd.xn--p1ai',
  'user@例え.テスト',
])('%s is an address', (address) => {
  expect(EMAIL_ADDRESS.test(address)).toBe(true)
})

test.each([
  ...['müller@example.com', 'user@müller', 'user@-müller.de', 'user@mül ler.de', 'user@müller.de\n', 'user@müller..de'],
  ...[
    'user@müller.d',
    'user＠müller.de',
    'a@b@müller.de',
    'user@müller。de',
    'user@mü\u200bller.de',
    'user@mü\u202eller.de',
  ],
])('%j is none', (address) => {
  expect(EMAIL_ADDRESS.test(address)).toBe(false)
})
