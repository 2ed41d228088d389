import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer as createSocketServer, type Socket } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, expect, test } from 'vitest'
import { makeAuthority, makeCertificate } from '#testing/certificates.ts'
import { createOutbound, type OutboundFailure } from './outbound.ts'

const closing: (() => void)[] = []
afterAll(() => {
  for (const close of closing) close()
})

async function listening(server: Pick<Server, 'listen' | 'address' | 'close' | 'once' | 'on'>): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => sockets.add(socket))
  server.listen(0, '127.0.0.1')
  await once(server as Server, 'listening')
  closing.push(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return (server.address() as AddressInfo).port
}

const answering = (answer: RequestListener) => listening(createServer(answer))
const inside = { allowed: ['127.0.0.1'], longestMs: 400 }
const failure = (promise: Promise<unknown>): Promise<OutboundFailure> =>
  promise.then(
    () => expect.fail('was answered'),
    (error: OutboundFailure) => error,
  )

test('a name is resolved once, and the connection goes there under that name', async () => {
  const seen: (string | undefined)[] = []
  const port = await answering(({ headers }, answer) => {
    seen.push(headers.host)
    answer.end('taken')
  })
  // The second lookup would lead elsewhere, as when a name is rebound between check and use.
  const addresses = [['127.0.0.1'], ['127.0.0.9']]
  const call = createOutbound({
    allowed: [`hooks.example:${port}`],
    resolve: async () => addresses.shift() ?? [],
  })
  expect(await call({ method: 'GET', url: `http://hooks.example:${port}/a` })).toMatchObject({
    status: 200,
    text: 'taken',
  })
  expect([seen, addresses]).toEqual([[`hooks.example:${port}`], [['127.0.0.9']]])
})

test('a certificate has to be of the name that was asked for, not of the address', async () => {
  const authority = makeAuthority()
  const before = getCACertificates('default')
  setDefaultCACertificates([...before, authority.cert])
  closing.push(() => setDefaultCACertificates(before))
  const names: (string | false | undefined)[] = []
  const port = await listening(
    createTlsServer(makeCertificate(authority, { hosts: ['hooks.example'] }), ({ socket }, answer) => {
      names.push((socket as { servername?: string }).servername)
      answer.end('taken')
    }),
  )
  const call = createOutbound({ allowed: ['127.0.0.1'], resolve: async () => ['127.0.0.1'] })
  expect((await call({ method: 'GET', url: `https://hooks.example:${port}/` })).text).toBe('taken')
  expect(names).toEqual(['hooks.example'])
  const wrong = await failure(call({ method: 'GET', url: `https://other.example:${port}/` }))
  expect(wrong).toMatchObject({ kind: 'unreachable', message: expect.stringContaining('ERR_TLS_CERT_ALTNAME_INVALID') })
})

test('what is not on the internet is not even connected to', async () => {
  let connections = 0
  const server = createServer((_, answer) => answer.end())
  server.on('connection', () => connections++)
  const port = await listening(server)
  const call = createOutbound({ allowed: [], resolve: async () => ['93.184.215.14', '127.0.0.1'] })
  for (const host of ['127.0.0.1', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]', 'hooks.example'])
    for (const scheme of ['http', 'https'])
      expect(await failure(call({ method: 'POST', url: `${scheme}://${host}:${port}/`, body: '{}' }))).toMatchObject({
        kind: 'refused',
      })
  const beyond = createOutbound({ allowed: ['127.0.0.1'] })
  const asked = { method: 'GET', url: `http://127.0.0.1:${port}/`, onlyInternet: true } as const
  expect(await failure(beyond(asked))).toMatchObject({ kind: 'refused' })
  expect(connections).toBe(0)
})

test('no redirect is followed, wherever it leads', async () => {
  let asked = 0
  const port = await answering((_, answer) => {
    asked++
    answer.writeHead(302, { Location: 'http://169.254.169.254/latest/meta-data/' }).end()
  })
  const refused = await failure(createOutbound(inside)({ method: 'POST', url: `http://127.0.0.1:${port}/`, body: 'x' }))
  expect(refused).toMatchObject({ kind: 'refused', message: expect.stringContaining('leads elsewhere') })
  expect(asked).toBe(1)
})

test('an endless answer is read to 64 kB, and one that trickles to the end of the time', async () => {
  const endless = await answering((_, answer) => {
    answer.on('error', () => undefined)
    const more = () => {
      while (answer.write('x'.repeat(16_384)));
    }
    answer.on('drain', more)
    more()
  })
  const call = createOutbound(inside)
  expect((await call({ method: 'GET', url: `http://127.0.0.1:${endless}/` })).text).toHaveLength(64 * 1024)
  const trickling = await answering((_, answer) => void answer.write('begun'))
  expect(await call({ method: 'GET', url: `http://127.0.0.1:${trickling}/` })).toMatchObject({
    status: 200,
    text: 'begun',
  })
})

test('who says nothing, or headers without end, is given up; who is gone was never reached', async () => {
  const silent = await answering(() => undefined)
  const bomb = await listening(
    createSocketServer((socket) => {
      socket.on('error', () => undefined)
      socket.write(`HTTP/1.1 200 OK\r\n${`X-More: ${'y'.repeat(1000)}\r\n`.repeat(100)}`)
    }) as never,
  )
  const noHttp = await listening(
    createSocketServer((socket) => socket.on('error', () => undefined).end('220 mail.example\r\n')) as never,
  )
  const call = createOutbound(inside)
  const asked = (port: number) =>
    failure(call({ method: 'POST', url: `http://127.0.0.1:${port}/token-of-ours`, body: 'x' }))
  const failures = [await asked(silent), await asked(bomb), await asked(noHttp), await asked(1)]
  expect(failures.map(({ kind }) => kind)).toEqual(['unanswered', 'unanswered', 'unanswered', 'unreachable'])
  expect(failures.map(({ message }) => message).join()).not.toContain('token-of-ours')
  const nowhere = createOutbound({ ...inside, resolve: () => new Promise(() => undefined) })
  expect(await failure(nowhere({ method: 'GET', url: 'https://hooks.example/' }))).toMatchObject({
    kind: 'unreachable',
  })
})
