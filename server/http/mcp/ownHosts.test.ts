import { expect, test } from 'vitest'
import { refuseForeignHost } from './ownHosts.ts'

const OWN = 'https://wayside.example'
const asked = (host: string | undefined, origin?: string, localAddress = '192.0.2.7') =>
  refuseForeignHost({ headers: { ...(host !== undefined && { host }), ...(origin && { origin }) }, localAddress }, OWN)

test.each<[host: string, origin?: string | undefined, localAddress?: string]>([
  ['wayside.example'],
  ['WAYSIDE.example:8443'],
  ['wayside.example', 'https://wayside.example'],
  // This is a proxy on the same machine that does not pass the Host header on.
  ['127.0.0.1:8080', 'https://wayside.example'],
  ['localhost:8080', 'http://localhost:8080'],
  ['[::1]:8080'],
  // Here the request names the address of the machine.
  ['192.0.2.7:8080'],
  ['192.0.2.7:8080', undefined, '::ffff:192.0.2.7'],
  ['[2001:db8::7]:8080', undefined, '2001:db8::7'],
])('%s is an own address, from %s', (host, origin, localAddress) => {
  expect(() => asked(host, origin, localAddress)).not.toThrow()
})

test.each<[host: string | undefined, origin?: string]>([
  ['elsewhere.example'],
  ['elsewhere.example', 'http://elsewhere.example'],
  ['wayside.example.elsewhere.example'],
  ['localhost.elsewhere.example'],
  ['192.0.2.8:8080'],
  [''],
  [undefined],
  ['not a host'],
  ['wayside.example', 'https://elsewhere.example'],
  ['wayside.example', 'https://wayside.example.elsewhere.example'],
  ['wayside.example', 'null'],
  ['127.0.0.1:8080', 'http://192.0.2.66'],
])('%s is refused, from %s', (host, origin) => {
  expect(() => asked(host, origin)).toThrow(/is not an address of this server/)
})
