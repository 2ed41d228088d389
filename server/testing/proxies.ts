import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net'

const BINARY_BEGIN = Buffer.from('0d0a0d0a000d0a515549540a', 'hex')

/** Returns the header of version 1 with which a balancer hands a connection on. */
export function headerV1(source: string): Buffer {
  const [family, destination] = source.includes(':') ? ['TCP6', '::1'] : ['TCP4', '127.0.0.1']
  return Buffer.from(`PROXY ${family} ${source} ${destination} 40000 443\r\n`)
}

export function headerV2(source: string, added: Buffer = Buffer.alloc(0)): Buffer {
  const isIpv6 = source.includes(':')
  const [from, to] = isIpv6
    ? [bytesOfIpv6(source), bytesOfIpv6('::1')]
    : [bytesOfIpv4(source), bytesOfIpv4('127.0.0.1')]
  const body = Buffer.concat([from, to, Buffer.from([0x9c, 0x40, 0x01, 0xbb]), added])
  const head = Buffer.from([0x21, isIpv6 ? 0x21 : 0x11, body.length >> 8, body.length & 0xff])
  return Buffer.concat([BINARY_BEGIN, head, body])
}

/** A balancer sends this for its own health checks. */
export const LOCAL_V2 = Buffer.concat([BINARY_BEGIN, Buffer.from([0x20, 0, 0, 0])])

const bytesOfIpv4 = (text: string) => Buffer.from(text.split('.').map(Number))

function bytesOfIpv6(text: string): Buffer {
  if (text.includes('.')) {
    return Buffer.concat([
      Buffer.alloc(10),
      Buffer.from([0xff, 0xff]),
      bytesOfIpv4(text.slice(text.lastIndexOf(':') + 1)),
    ])
  }
  const [head = '', tail = ''] = text.split('::')
  const groups = (half: string) => (half === '' ? [] : half.split(':').map((group) => Number.parseInt(group, 16)))
  const [before, after] = [groups(head), groups(tail)]
  const all = [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after]
  return Buffer.from(all.flatMap((group) => [group >> 8, group & 0xff]))
}

export interface RunningProxy {
  readonly port: number
  readonly stop: () => Promise<void>
}

/** Starts a balancer that passes bytes on, after a header that names the client of each connection. */
export async function startBalancer(
  targetPort: number,
  headerOf: (connection: number) => Buffer,
): Promise<RunningProxy> {
  const sockets = new Set<Socket>()
  let connections = 0
  const server = createTcpServer((client) => {
    const target = connect(targetPort, '127.0.0.1')
    for (const socket of [client, target]) {
      sockets.add(socket)
      socket.on('error', () => undefined).on('close', () => [client, target].map((end) => end.destroy()))
    }
    target.write(headerOf(connections++))
    client.pipe(target).pipe(client)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    stop: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/**
 * Starts a reverse proxy that adds the client to `X-Forwarded-For`. Everybody in a test comes from this machine, so the
 * client's address is what it writes into `x-test-client`.
 */
export async function startReverseProxy(targetPort: number): Promise<RunningProxy> {
  const server = createServer((incoming, answer) => {
    const { 'x-test-client': heard = '127.0.0.1', ...headers } = incoming.headers
    const forwarded = [headers['x-forwarded-for'], heard].filter((part) => part !== undefined).join(', ')
    const onwards = request({
      port: targetPort,
      host: '127.0.0.1',
      path: incoming.url,
      method: incoming.method,
      headers: { ...headers, 'x-forwarded-for': forwarded },
    })
    onwards.on('response', (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(answer)
    })
    onwards.on('error', () => answer.destroy())
    incoming.pipe(onwards)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    stop: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
