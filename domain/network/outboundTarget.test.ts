import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatIpAddress, parseIpAddress } from './ipAddress.ts'
import {
  chooseOutboundAddress,
  faultOfOutboundAddress,
  isPublicAddress,
  type OutboundAllowance,
  readAllowance,
} from './outboundTarget.ts'

const allow = (...texts: string[]): OutboundAllowance[] =>
  texts.map((text) => {
    const read = readAllowance(text)
    if (read === undefined) throw new Error(text)
    return read
  })
/** Like the outbound client, it does not resolve a literal address. */
const choose = (address: string, resolved: readonly string[] = [], allowed: readonly OutboundAllowance[] = []) => {
  const url = new URL(address)
  const literal = url.hostname.replace(/^\[|\]$/g, '')
  return chooseOutboundAddress(url, parseIpAddress(literal) ? [literal] : resolved, allowed)
}

test.each([
  'https://127.0.0.1/',
  'https://127.1/',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0177.0.0.1/',
  'https://0x7f.1/',
  'https://0/',
  'https://[::1]/',
  'https://[::]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[::127.0.0.1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[2002:7f00:1::]/',
  'https://[2001:0:7f00:1::]/',
  'https://10.1.2.3/',
  'https://172.31.255.255/',
  'https://192.168.1.1/',
  'https://100.64.0.1/',
  'https://169.254.169.254/latest/meta-data/',
  'https://[fd00:ec2::254]/',
  'https://[fe80::1]/',
  'https://[fc00::1]/',
  'https://[ff02::1]/',
  'https://224.0.0.1/',
  'https://255.255.255.255/',
  'https://１２７.0.0.1/',
])('%s is refused, in whatever form it is written', (address) => {
  expect(choose(address)).toHaveProperty('refused')
})

test('a name is as good as the worst of its addresses', () => {
  expect(choose('https://hooks.example', ['93.184.215.14', '2606:2800:21f::1'])).toEqual({ connectTo: '93.184.215.14' })
  for (const inside of ['127.0.0.1', '::ffff:10.0.0.1', '169.254.169.254', 'fe80::1%eth0', 'nonsense'])
    expect(choose('https://hooks.example', ['93.184.215.14', inside])).toHaveProperty('refused')
  expect(choose('https://hooks.example')).toEqual({ refused: 'hooks.example has no address.' })
})

test('what is allowed by name is that name on that port, and a network whatever its names are', () => {
  const byName = allow('ntfy.lan:8080', 'hub.lan')
  expect(choose('http://ntfy.lan:8080/', ['10.0.0.5'], byName)).toEqual({ connectTo: '10.0.0.5' })
  expect(choose('http://NTFY.lan.:8080/', ['10.0.0.5'], byName)).toEqual({ connectTo: '10.0.0.5' })
  expect(choose('https://hub.lan:9443/', ['10.0.0.6'], byName)).toEqual({ connectTo: '10.0.0.6' })
  expect(choose('https://ntfy.lan/', ['10.0.0.5'], byName)).toHaveProperty('refused')
  expect(choose('https://evil-hub.lan/', ['10.0.0.5'], byName)).toHaveProperty('refused')
  const byNetwork = allow('10.0.0.0/24', '::1')
  expect(choose('http://ntfy.lan/', ['10.0.0.5'], byNetwork)).toEqual({ connectTo: '10.0.0.5' })
  expect(choose('https://[::1]/', [], byNetwork)).toEqual({ connectTo: '::1' })
  expect(choose('https://ntfy.lan/', ['10.0.1.5'], byNetwork)).toHaveProperty('refused')
  expect(choose('https://ntfy.lan/', ['10.0.0.5', '10.0.1.5'], byNetwork)).toHaveProperty('refused')
})

test('plain http goes only where a setting allows it', () => {
  expect(choose('http://hooks.example', ['93.184.215.14'])).toHaveProperty('refused')
  expect(choose('http://hooks.example', ['93.184.215.14'], allow('hooks.example'))).toHaveProperty('connectTo')
})

test.each([
  ['ftp://hooks.example', 'must begin with https://'],
  ['file:///etc/passwd', 'must begin with https://'],
  ['https://user@hooks.example', 'must hold neither a user name nor a password'],
  ['https://:secret@hooks.example', 'must hold neither a user name nor a password'],
  ['https://hooks.example/a?b', undefined],
])('%s: %s', (address, fault) => {
  expect(faultOfOutboundAddress(new URL(address))).toBe(fault)
})

test.each(['', '0.0.0.0/0', '10.0.0.1/8', 'a b', 'host:0', 'host:70000', 'https://host', '-host', 'host/path', '*'])(
  '"%s" allows nothing',
  (text) => {
    expect(readAllowance(text)).toBeUndefined()
  },
)

test('no address within a private network is public, mapped or not', () => {
  const within = (first: number, bits: number) =>
    fc.integer({ min: 0, max: 2 ** (32 - bits) - 1 }).map((rest) => BigInt(first) * 2n ** 24n + BigInt(rest))
  fc.assert(
    fc.property(fc.oneof(within(10, 8), within(127, 8), within(0, 8)), (value) => {
      const text = formatIpAddress({ bits: 32, value })
      for (const written of [text, `::ffff:${text}`]) {
        const address = parseIpAddress(written)
        expect(address && isPublicAddress(address)).toBe(false)
      }
    }),
  )
})
