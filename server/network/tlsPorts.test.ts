import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { connect as connectPlain } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls'
import { afterEach, expect, test } from 'vitest'
import { runFolder } from '#server/testing/database/freshDatabase.ts'
import { eventually } from '#server/testing/devices/gatewayFixture.ts'
import { headerV1, headerV2 } from '#server/testing/proxies.ts'
import { makeAuthority, makeCertificate } from '#testing/certificates.ts'
import { type KeyPair, openCertificate } from './certificate.ts'
import { createClients } from './clients.ts'
import { openTlsPorts, type TlsPorts, type TlsPortsOptions } from './tlsPorts.ts'

const authority = makeAuthority()
const [first, second] = [makeCertificate(authority), makeCertificate(authority)]
const doors: TlsPorts[] = []
const ours: TLSSocket[] = []
afterEach(async () => {
  for (const socket of ours.splice(0)) socket.destroy()
  await Promise.all(doors.splice(0).map((door) => door.close()))
})

/** Starts a server that sends back what it gets after the handshake. */
async function echoDoor(options: Partial<TlsPortsOptions> = {}) {
  const clients = createClients(['127.0.0.1'])
  const heardFrom: string[] = []
  const renewals: ((pair: KeyPair) => void)[] = []
  const certificate = {
    keyPair: () => first,
    onRenewed: (listener: (pair: KeyPair) => void) => void renewals.push(listener),
  }
  const shared = { certificate, clients, host: '127.0.0.1', port: 0, expectsProxyHeader: false }
  const door = await openTlsPorts({ ...shared, ...options }, (socket) => {
    heardFrom.push(clients.ofConnection(socket))
    socket.on('error', () => undefined)
    socket.pipe(socket)
  })
  doors.push(door)
  return { door, heardFrom, renew: (pair: KeyPair) => renewals[0]?.(pair) }
}

async function shake(port: number, options: ConnectionOptions = {}): Promise<TLSSocket> {
  const socket = connect({ host: '127.0.0.1', port, ca: authority.cert, ...options })
  ours.push(socket)
  await once(socket, 'secureConnect')
  return socket
}

async function echoed(socket: TLSSocket, text: string): Promise<string> {
  socket.write(text)
  const [answer] = (await once(socket, 'data')) as [Buffer]
  return String(answer)
}

const refused = (port: number, options: ConnectionOptions) =>
  shake(port, options).then(
    () => 'let in',
    (error: NodeJS.ErrnoException) => error.code,
  )

const fingerprint = (socket: TLSSocket) => socket.getPeerCertificate().fingerprint256

test('whoever knows the authority comes in, by TLS 1.3 and by 1.2, and others do not', async () => {
  const { door } = await echoDoor()
  const newest = await shake(door.port)
  expect([newest.getProtocol(), await echoed(newest, 'one')]).toEqual(['TLSv1.3', 'one'])
  const older = await shake(door.port, { maxVersion: 'TLSv1.2' })
  expect([older.getProtocol(), await echoed(older, 'two')]).toEqual(['TLSv1.2', 'two'])
  expect(older.getCipher().name).toMatch(/^ECDHE-.*(GCM|POLY1305)/)
  expect(await refused(door.port, { ca: makeAuthority().cert })).toBe('CERT_SIGNATURE_FAILURE')
})

test('neither older versions nor ciphers that keep no secret are spoken', async () => {
  const { door } = await echoDoor()
  const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' } as const
  expect(await refused(door.port, old)).toBe('ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION')
  const weak = { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES128-SHA' } as const
  expect(await refused(door.port, weak)).toBe('ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE')
})

test('a certificate of RSA will do as well', async () => {
  const pair = makeCertificate(authority, { kind: 'rsa' })
  const { door } = await echoDoor({ certificate: { keyPair: () => pair, onRenewed: () => undefined } })
  expect(await echoed(await shake(door.port, { maxVersion: 'TLSv1.2' }), 'rsa')).toBe('rsa')
})

test('after a renewal new connections get the new certificate, and open ones stay', async () => {
  const { door, renew } = await echoDoor()
  const before = await shake(door.port)
  renew(second)
  const after = await shake(door.port)
  expect(fingerprint(after)).not.toBe(fingerprint(before))
  // An earlier ticket does not bring the old certificate back.
  const resumed = await shake(door.port, { session: before.getSession() })
  expect(resumed.isSessionReused()).toBe(false)
  expect(await echoed(before, 'still here')).toBe('still here')
  expect(await echoed(after, 'too')).toBe('too')
})

test('files that are exchanged reach those who connect next', async () => {
  const folder = runFolder('exchanged')
  const files = { certFile: join(folder, 'cert.pem'), keyFile: join(folder, 'key.pem') }
  const write = ({ cert, key }: KeyPair) => {
    writeFileSync(files.certFile, cert)
    writeFileSync(files.keyFile, key)
  }
  write(first)
  const log = { info: () => undefined, warn: () => undefined }
  const certificate = await openCertificate({ ...files, log, now: () => new Date(), lookEveryMs: 5 })
  const { door } = await echoDoor({ certificate })
  const before = await shake(door.port)
  write(second)
  await eventually(
    async () => fingerprint(await shake(door.port)),
    (found) => found !== fingerprint(before),
  )
  expect(await echoed(before, 'still here')).toBe('still here')
  certificate.stop()
})

test.each([
  ['1', headerV1('198.51.100.7')],
  ['2', headerV2('198.51.100.7')],
])('a PROXY header of version %s stands in front of the handshake', async (_, header) => {
  const { door, heardFrom } = await echoDoor({ expectsProxyHeader: true })
  const raw = connectPlain({ port: door.port, host: '127.0.0.1' })
  raw.write(header)
  const socket = await shake(door.port, { socket: raw })
  expect(await echoed(socket, 'behind')).toBe('behind')
  expect(heardFrom).toEqual(['198.51.100.7'])
  // A connection without a header is closed.
  const bare = connect({ host: '127.0.0.1', port: door.port, ca: authority.cert })
  await new Promise((resolve) => bare.on('error', resolve))
  expect(heardFrom).toHaveLength(1)
})

test('who says no word of TLS is not let in, and nobody waits for a handshake for ever', async () => {
  const { door, heardFrom } = await echoDoor({ handshakeWithinMs: 50 })
  const plain = connectPlain({ port: door.port, host: '127.0.0.1' })
  plain.write('GET / HTTP/1.1\r\n\r\n')
  expect(String(await buffer(plain))).not.toContain('HTTP')
  const silent = connectPlain({ port: door.port, host: '127.0.0.1' })
  await once(silent, 'close')
  expect(heardFrom).toEqual([])
})

test('a door that closes ends who is shaking hands, and waits for those inside', async () => {
  const { door, heardFrom } = await echoDoor()
  const inside = await shake(door.port)
  const silent = connectPlain({ port: door.port, host: '127.0.0.1' })
  await once(silent, 'connect')
  await eventually(
    async () => heardFrom,
    (heard) => heard.length === 1,
  )
  let isClosed = false
  const closing = door.close().then(() => {
    isClosed = true
  })
  await once(silent, 'close')
  expect(await echoed(inside, 'last word')).toBe('last word')
  expect(isClosed).toBe(false)
  inside.destroy()
  await closing
  doors.splice(0)
})
