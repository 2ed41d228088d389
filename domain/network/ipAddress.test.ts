import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  formatIpAddress,
  hasHostBits,
  isWithin,
  limitKeyOf,
  neighbourhoodOf,
  parseIpAddress,
  parseIpNetwork,
} from './ipAddress.ts'

const canonical = (text: string) => {
  const address = parseIpAddress(text)
  return address && formatIpAddress(address)
}
const contains = (network: string, address: string) => {
  const [parsedNetwork, parsedAddress] = [parseIpNetwork(network), parseIpAddress(address)]
  if (!parsedNetwork || !parsedAddress) throw new Error('not readable')
  return isWithin(parsedAddress, parsedNetwork)
}

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:c000:201', '192.0.2.1'],
  ['0:0:0:0:0:ffff:192.0.2.1', '192.0.2.1'],
  ['2001:DB8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
  ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
  ['::', '::'],
  ['::1', '::1'],
  ['fe80::1%eth0', 'fe80::1'],
  ['64:ff9b::192.0.2.1', '64:ff9b::c000:201'],
])('%s is the address %s', (text, expected) => {
  expect(canonical(text)).toBe(expected)
})

test.each([
  '',
  'unknown',
  '_hidden',
  '1.2.3',
  '1.2.3.4.5',
  '1.2.3.256',
  '01.2.3.4',
  '1.2.3.4:80',
  ' 1.2.3.4',
  '1.2.3.4\n',
  ':::',
  '1::2::3',
  '1:2:3:4:5:6:7',
  '1:2:3:4:5:6:7:8:9',
  '1:2:3:4:5:6:7:8::',
  '::12345',
  '1.2.3.4::',
  '::1.2.3.4:5',
  '[::1]',
  ':1:2:3:4:5:6:7',
  'g::1',
])('"%s" is no address', (text) => {
  expect(parseIpAddress(text)).toBeUndefined()
})

test('what was written is read again as the same address', () => {
  const ipv6 = fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }).filter((value) => value >> 32n !== 0xffffn)
  fc.assert(
    fc.property(ipv6, (value) => {
      expect(parseIpAddress(formatIpAddress({ bits: 128, value }))).toEqual({ bits: 128, value })
    }),
  )
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 32n - 1n }), (value) => {
      const text = formatIpAddress({ bits: 32, value })
      expect([parseIpAddress(text), parseIpAddress(`::ffff:${text}`)]).toEqual([
        { bits: 32, value },
        { bits: 32, value },
      ])
    }),
  )
})

test('any text is an address or none, never a fault', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'0123456789abf:./%') })), (text) => {
      const read = canonical(text)
      if (read !== undefined) expect(canonical(read)).toBe(read)
      parseIpNetwork(text)
    }),
  )
})

test('a network holds what begins with its bits, and nothing of the other kind', () => {
  expect([contains('10.0.0.0/8', '10.255.0.1'), contains('10.0.0.0/8', '11.0.0.1')]).toEqual([true, false])
  expect([contains('10.0.0.7', '10.0.0.7'), contains('10.0.0.7', '10.0.0.8')]).toEqual([true, false])
  expect([contains('2001:db8::/32', '2001:db8:ffff::1'), contains('2001:db8::/32', '2001:db9::1')]).toEqual([
    true,
    false,
  ])
  expect([contains('0.0.0.0/0', '1.2.3.4'), contains('0.0.0.0/0', '::1')]).toEqual([true, false])
  expect([contains('::/0', '::1'), contains('::/0', '::ffff:1.2.3.4')]).toEqual([true, false])
})

test.each([
  '10.0.0.0/33',
  '::/129',
  '10.0.0.0/',
  '10.0.0.0/-1',
  '10.0.0.0/8/8',
  '::ffff:10.0.0.0/104',
  'fe80::%a/64',
  'x',
])('%s is no network', (text) => {
  expect(parseIpNetwork(text)).toBeUndefined()
})

test('a network written with bits beyond its prefix is noticed', () => {
  const noticed = (text: string) => {
    const network = parseIpNetwork(text)
    return network && hasHostBits(network)
  }
  expect([noticed('10.0.0.1/8'), noticed('10.0.0.0/8'), noticed('10.0.0.1')]).toEqual([true, false, false])
})

test('a neighbourhood is the begin of an address', () => {
  expect([neighbourhoodOf('192.0.2.1'), neighbourhoodOf('::ffff:192.0.9.1')]).toEqual(['192.0.0.0/16', '192.0.0.0/16'])
  expect(neighbourhoodOf('2001:db8:1:2::3')).toBe('2001:db8::/32')
})

test('a limit knows IPv4 clients by their address and IPv6 clients by their /64', () => {
  expect([limitKeyOf('192.0.2.1'), limitKeyOf('::ffff:192.0.2.1')]).toEqual(['192.0.2.1', '192.0.2.1'])
  expect(limitKeyOf('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64')
  expect(limitKeyOf('2001:db8:1:2:ffff::')).toBe(limitKeyOf('2001:db8:1:2::9'))
  expect(limitKeyOf('2001:db8:1:3::')).not.toBe(limitKeyOf('2001:db8:1:2::'))
  expect(limitKeyOf('')).toBe('')
})
