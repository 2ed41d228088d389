import { BlockList, isIP } from 'node:net'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isWithin, parseIpAddress, parseIpNetwork } from '#domain/network/ipAddress.ts'
import { createClients } from './clients.ts'

const clients = createClients(['10.0.0.0/8', '2001:db8::/32', '192.0.2.1'])
const clientOf = (peer: string | undefined, forwarded?: string | string[]) =>
  clients.ofRequest({
    socket: { remoteAddress: peer },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded as string },
  })

test.each<[string, string | undefined, string | undefined, string]>([
  ['the peer without a header', '198.51.100.7', undefined, '198.51.100.7'],
  ['the peer when it is no trusted proxy, whatever it claims', '198.51.100.7', '6.6.6.6', '198.51.100.7'],
  ['whom a trusted proxy names', '10.0.0.1', '198.51.100.7', '198.51.100.7'],
  ['whom a trusted proxy names through a dual-stack socket', '::ffff:10.0.0.1', '198.51.100.7', '198.51.100.7'],
  ['the first untrusted from the right', '10.0.0.1', '6.6.6.6, 198.51.100.7, 10.9.9.9', '198.51.100.7'],
  ['the first untrusted, though it claims to have been a proxy', '10.0.0.1', '10.1.1.1, 198.51.100.7', '198.51.100.7'],
  ['the outermost when all are trusted', '10.0.0.1', '10.0.0.3,10.0.0.2', '10.0.0.3'],
  ['the proxy itself when it names nobody', '10.0.0.1', undefined, '10.0.0.1'],
  ['the proxy that was told nonsense', '10.0.0.1', '6.6.6.6, unknown', '10.0.0.1'],
  ['the last that can be read', '10.0.0.1', '6.6.6.6, <script>, 10.0.0.2', '10.0.0.2'],
  ['an address with its port', '10.0.0.1', '198.51.100.7:4711', '198.51.100.7'],
  ['an IPv6 address with its port', '10.0.0.1', '[2001:DB9::0:7]:4711', '2001:db9::7'],
  ['an IPv6 address', '2001:db8::1', '2001:db9::7', '2001:db9::7'],
  ['a wrapped IPv4 address', '192.0.2.1', '::ffff:198.51.100.7', '198.51.100.7'],
  ['nobody when the connection is gone', undefined, '6.6.6.6', ''],
])('the client is %s', (_, peer, forwarded, expected) => {
  expect(clientOf(peer, forwarded)).toBe(expected)
})

test('several headers are read as one list', () => {
  expect(clientOf('10.0.0.1', ['6.6.6.6', '198.51.100.7', '10.0.0.2'])).toBe('198.51.100.7')
})

test('without trusted proxies no header is believed, not even from this machine', () => {
  const request = { socket: { remoteAddress: '127.0.0.1' }, headers: { 'x-forwarded-for': '6.6.6.6' } }
  expect(createClients().ofRequest(request)).toBe('127.0.0.1')
})

test('whoever stands left of an untrusted address changes nothing', () => {
  const anyHeader = fc.string({ unit: fc.constantFrom(...'0123456789abcdef.:,[] x') })
  fc.assert(
    fc.property(anyHeader, (claimed) => {
      expect(clientOf('10.0.0.1', `${claimed}, 198.51.100.7, 10.0.0.2`)).toBe('198.51.100.7')
      expect(clientOf('198.51.100.7', claimed)).toBe('198.51.100.7')
    }),
  )
})

test('addresses and networks are read as Node.js reads them', () => {
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), fc.string({ unit: fc.constantFrom(...'0123456789af:.') })), (text) => {
      expect(parseIpAddress(text) !== undefined).toBe(isIP(text) !== 0)
    }),
  )
  fc.assert(
    fc.property(fc.ipV4(), fc.integer({ min: 1, max: 32 }), fc.ipV4(), (network, prefixBits, address) => {
      const list = new BlockList()
      list.addSubnet(network, prefixBits, 'ipv4')
      const [parsedNetwork, parsedAddress] = [parseIpNetwork(`${network}/${prefixBits}`), parseIpAddress(address)]
      expect(parsedNetwork && parsedAddress && isWithin(parsedAddress, parsedNetwork)).toBe(list.check(address, 'ipv4'))
    }),
  )
})
