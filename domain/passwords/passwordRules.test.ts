import { expect, test } from 'vitest'
import { weaknessOf } from './passwordRules.ts'

test('a password has 15 to 128 characters, counted as people count them', () => {
  expect(weaknessOf('k7#Rw9!mLq2$Zx')).toMatch(/at least 15/)
  expect(weaknessOf('k7#Rw9!mLq2$ZxV')).toBeUndefined()
  expect(weaknessOf('🚲🌧️ über Brücken nach')).toBeUndefined()
  // 14 bicycles are 28 UTF-16 units.
  expect(weaknessOf('🚲'.repeat(14))).toMatch(/at least 15/)
  const long = Array.from({ length: 129 }, (_, n) => String.fromCodePoint(0x4e00 + ((n * 37) % 500)))
  expect(weaknessOf(long.join(''))).toMatch(/at most 128/)
  expect(weaknessOf(long.slice(1).join(''))).toBeUndefined()
})

test('there are no rules about which characters', () => {
  for (const password of [
    'green ladders sleep badly',
    'ŽLUŤOUČKÝ kůň úpěl',
    'éèàùçœæ ñß øå ðþ',
    '\t tab and spaces\t ',
  ]) {
    expect(weaknessOf(password)).toBeUndefined()
  }
})

test.each([
  'passwordpassword',
  'Password1234567',
  'P@ssw0rdP@ssw0rd',
  '123456789012345',
  '1234567890123456',
  'qwertyuiopasdfgh',
  'qwertyuiop12345',
  'qwertzuiopasdfghj',
  '1q2w3e4r5t6y7u8i',
  'aaaaaaaaaaaaaaa',
  'abcabcabcabcabc',
  'abcdefghijklmnop',
  'administrator123',
  'Administrator2026!',
  'Welcome1Welcome1',
  'letmeinletmein123',
  'iloveyouforever1',
  'changeme-changeme',
  'Summer2026Summer2026',
  'wayside-wayside-1',
  'asdfghjkl123456',
  '987654321098765',
  '!QAZ2wsx#EDC4rfv',
])('what is tried first is refused: %s', (password) => {
  expect(weaknessOf(password)).toMatch(/too common/)
})

test('a password does not contain the username or its part before the @', () => {
  expect(weaknessOf('my EVA.Novak 7 lamps', 'eva.novak@example.com')).toMatch(/username/)
  expect(weaknessOf('seven lamps at eva', 'eva@example.com')).toBeUndefined()
  expect(weaknessOf('so eva@example.com it is', 'eva@example.com')).toMatch(/username/)
})
