import { expect, test } from 'vitest'
import { CODE_ALPHABET, codeOfBytes, formatClaimCode, readClaimCode } from './claimCode.ts'
import { isNamePattern, nameByPattern } from './namePattern.ts'

test('a code has eight of 32 letters, none of which looks like another', () => {
  expect(new Set(CODE_ALPHABET).size).toBe(32)
  expect(CODE_ALPHABET).not.toMatch(/[01OI]/)
  expect(codeOfBytes(Uint8Array.from([0, 31, 32, 255, 23, 24, 1, 2, 9]))).toBe('A9A9Z2BC')
})

test.each([
  ['abcd-efgh', 'ABCDEFGH'],
  [' AB CD efgh ', 'ABCDEFGH'],
  ['https://console.example/claim?code=ABCD-2345#x', 'ABCD2345'],
  ['ABCDEFG', undefined],
  ['ABCDEFG0', undefined],
  ['https://elsewhere.example/?q=ABCDEFGH', undefined],
  ['', undefined],
])('%s is read as %s', (text, code) => {
  expect(readClaimCode(text)).toBe(code)
})

test('a code is shown in two halves, and read from them', () => {
  expect(formatClaimCode('ABCD2345')).toBe('ABCD-2345')
  expect(readClaimCode(formatClaimCode('ABCD2345'))).toBe('ABCD2345')
})

test('names count, and take what the device says of itself', () => {
  const hardware = { serialNumbers: ['SN$&1', 'SN2'], macAddresses: ['02:00:00:00:00:01'] }
  expect(nameByPattern('Totem {nnn}', 7, hardware)).toBe('Totem 007')
  expect(nameByPattern('{serial} at {mac}, {n}', 12, hardware)).toBe('SN$&1 at 02:00:00:00:00:01, 12')
  expect(nameByPattern('{serial}', 1, { serialNumbers: [], macAddresses: [] })).toBe('')
  expect([isNamePattern('Totem {nn}'), isNamePattern('Totem'), isNamePattern('{name}')]).toEqual([true, false, false])
})
