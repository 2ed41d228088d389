import { expect, test } from 'vitest'
import { isIpAddressOrEmpty } from './ipAddressRule.ts'

test.each(['', '0.0.0.0', '10.20.30.40', '255.255.255.255', '1.2.3.4'])('%j is accepted', (text) => {
  expect(isIpAddressOrEmpty(text)).toBe(true)
})

test.each([
  '1.2.3.4\n',
  '\n1.2.3.4',
  ' 1.2.3.4',
  '256.1.1.1',
  '1.2.3',
  '1.2.3.4.5',
  '01.2.3.4',
  '1.2.3.-4',
  '::1',
  'a',
])('%j is not an address', (text) => {
  expect(isIpAddressOrEmpty(text)).toBe(false)
})
