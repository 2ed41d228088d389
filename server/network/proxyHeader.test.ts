import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatIpAddress } from '#domain/network/ipAddress.ts'
import { headerV1, headerV2, LOCAL_V2 } from '#server/testing/proxies.ts'
import { readProxyHeader } from './proxyHeader.ts'

const read = (bytes: Buffer | string) => {
  const header = readProxyHeader(Buffer.from(bytes as string, 'latin1'))
  if (header.kind !== 'read') return header.kind
  return [header.client && formatIpAddress(header.client), header.lengthBytes]
}

const SOURCES = [
  ['198.51.100.7', '198.51.100.7'],
  ['2001:db8::7', '2001:db8::7'],
  ['::ffff:198.51.100.7', '198.51.100.7'],
] as const

test.each(SOURCES)('both versions name the client %s', (source, client) => {
  const [line, binary] = [headerV1(source), headerV2(source)]
  expect(read(line)).toEqual([client, line.length])
  expect(read(binary)).toEqual([client, binary.length])
})

test('a header ends where it says, whatever follows and whatever is added in it', () => {
  const anyBytes = fc.uint8Array({ maxLength: 300 })
  fc.assert(
    fc.property(fc.constantFrom('198.51.100.7', '2001:db8::7'), anyBytes, anyBytes, (source, added, rest) => {
      const binary = headerV2(source, Buffer.from(added))
      expect(read(Buffer.concat([binary, rest]))).toEqual([source, binary.length])
      const line = headerV1(source)
      expect(read(Buffer.concat([line, rest]))).toEqual([source, line.length])
    }),
  )
})

test('every part of a header that is not whole is waited for', () => {
  for (const header of [headerV1('198.51.100.7'), headerV2('2001:db8::7', Buffer.alloc(20)), LOCAL_V2]) {
    for (let length = 0; length < header.length; length += 1)
      expect(read(header.subarray(0, length))).toBe('incomplete')
  }
})

test('a balancer that speaks for itself, or for somebody without an address, names nobody', () => {
  expect(read(LOCAL_V2)).toEqual([undefined, 16])
  // Whatever follows LOCAL is not read.
  const local = headerV2('198.51.100.7')
  local[12] = 0x20
  expect(read(local)).toEqual([undefined, local.length])
  expect(read('PROXY UNKNOWN\r\n')).toEqual([undefined, 15])
  expect(read('PROXY UNKNOWN ffff::1 ffff::2 1 2\r\nGET /')).toEqual([undefined, 35])
  const unspecified = Buffer.concat([LOCAL_V2.subarray(0, 12), Buffer.from([0x21, 0x00, 0, 3, 4, 0, 0])])
  expect(read(unspecified)).toEqual([undefined, 19])
})

test.each([
  ['another protocol', 'GET / HTTP/1.1\r\n'],
  ['a CONNECT of MQTT', '\x10\x20\x00\x04MQTT'],
  ['a greeting of TLS', '\x16\x03\x01\x02\x00'],
  ['small letters', 'proxy TCP4 1.1.1.1 2.2.2.2 1 2\r\n'],
  ['two blanks', 'PROXY  TCP4 1.1.1.1 2.2.2.2 1 2\r\n'],
  ['the wrong family', 'PROXY TCP6 1.1.1.1 2.2.2.2 1 2\r\n'],
  ['the other wrong family', 'PROXY TCP4 ::1 ::2 1 2\r\n'],
  ['half an address', 'PROXY TCP4 1.1.1 2.2.2.2 1 2\r\n'],
  ['no destination', 'PROXY TCP4 1.1.1.1 1 2\r\n'],
  ['a port that is none', 'PROXY TCP4 1.1.1.1 2.2.2.2 1 65536\r\n'],
  ['a port with leading zeros', 'PROXY TCP4 1.1.1.1 2.2.2.2 01 2\r\n'],
  ['UDP', 'PROXY UDP4 1.1.1.1 2.2.2.2 1 2\r\n'],
  ['a line without an end', `PROXY UNKNOWN ${'x'.repeat(200)}`],
  ['a line that ends too late', `PROXY UNKNOWN ${'x'.repeat(92)}\r\n`],
  ['a zone', 'PROXY TCP6 fe80::1%eth0 ::2 1 2\r\n'],
])('%s is no header', (_, text) => {
  expect(read(text)).toBe('malformed')
})

const changed = (at: number, value: number) => {
  const header = headerV2('198.51.100.7')
  header[at] = value
  return header
}

test.each([
  ['another version', changed(12, 0x11)],
  ['an unknown command', changed(12, 0x22)],
  ['an unknown family', changed(13, 0x41)],
  ['datagrams', changed(13, 0x12)],
  ['addresses that are too short', changed(15, 11)],
  ['IPv6 addresses that are too short', changed(13, 0x21)],
  ['a header beyond 4 kB', Buffer.concat([changed(14, 0x10), Buffer.alloc(5000)])],
])('%s in version 2 is no header', (_, bytes) => {
  expect(read(bytes)).toBe('malformed')
})

test('any bytes are a header, the beginning of one, or none; never a fault, and never waited for beyond 4 kB', () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.uint8Array({ maxLength: 200 }).map((rest) => Buffer.concat([Buffer.from('PROXY '), rest])),
    fc.uint8Array({ maxLength: 200 }).map((rest) => Buffer.concat([LOCAL_V2.subarray(0, 12), rest])),
  )
  fc.assert(
    fc.property(bytes, (some) => {
      expect(['incomplete', 'malformed', 'read']).toContain(readProxyHeader(Buffer.from(some)).kind)
      const long = readProxyHeader(Buffer.concat([some, Buffer.alloc(4096)]))
      expect(long.kind).not.toBe('incomplete')
    }),
    { numRuns: 2000 },
  )
})
