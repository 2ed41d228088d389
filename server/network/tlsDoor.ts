import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { createServer, type TLSSocket } from 'node:tls'
import { parseIpAddress } from '#domain/network/ipAddress.ts'
import type { Certificate } from './certificate.ts'
import type { Clients } from './clients.ts'
import { expectProxyHeaders } from './proxyListener.ts'

const HANDSHAKE_WITHIN_MS = 10_000
/** Beyond it the system drops who connects, who tries again after 1, 3 and 7 s; it may allow fewer. */
const BACKLOG = 4096
/** Of TLS 1.2 only what is authenticated and keeps the past secret when a key is lost; 1.3 has nothing else. */
const CIPHERS = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
].join(':')
const STRENGTH = { minVersion: 'TLSv1.2', ciphers: CIPHERS } as const

export interface TlsDoorOptions {
  readonly certificate: Pick<Certificate, 'keyPair' | 'onRenewed'>
  readonly clients: Clients
  readonly host: string
  /** 0: any free one. */
  readonly port: number
  /** Whether each connection begins with a PROXY header, before it says anything of TLS. */
  readonly expectsProxyHeader: boolean
  /** Of ALPN; whoever offers only others is refused. Absent: whatever a client offers, it is not answered. */
  readonly protocols?: readonly string[]
  /** Other than the product's only in tests. */
  readonly handshakeWithinMs?: number
}

/** A port that speaks TLS; what comes through is a connection like those of plain text. */
export interface TlsDoor {
  readonly port: number
  /** Lets nobody in any more and ends who is still shaking hands; resolves when those who were let in are gone too. */
  readonly close: () => Promise<void>
}

/** @param onConnection gets who has shaken hands; `clients` knows already who it is */
export async function openTlsDoor(
  options: TlsDoorOptions,
  onConnection: (socket: TLSSocket) => void,
): Promise<TlsDoor> {
  const { certificate, clients, host, port, protocols } = options
  const shaking = new Map<string, Socket>()
  const server = createServer({
    ...STRENGTH,
    ...keyPairOf(certificate.keyPair()),
    ...(protocols && { ALPNProtocols: [...protocols] }),
    handshakeTimeout: options.handshakeWithinMs ?? HANDSHAKE_WITHIN_MS,
    // An acknowledgement that waits for another costs 40 ms.
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: 60_000,
  })
  certificate.onRenewed((pair) => server.setSecureContext({ ...STRENGTH, ...keyPairOf(pair) }))
  server.on('connection', (raw: Socket) => {
    const key = keyOf(raw)
    shaking.set(key, raw)
    raw.once('close', () => {
      if (shaking.get(key) === raw) shaking.delete(key)
    })
  })
  server.on('secureConnection', (socket) => {
    const key = keyOf(socket)
    const raw = shaking.get(key)
    // It is gone already.
    if (raw === undefined) return void socket.destroy()
    shaking.delete(key)
    socket.disableRenegotiation()
    const client = parseIpAddress(clients.ofConnection(raw))
    if (client !== undefined) clients.name(socket, client)
    onConnection(socket)
  })
  // Node.js only tells that a handshake took too long.
  server.on('tlsClientError', (_error, socket) => socket.destroy())
  // Behind the listeners above, so that they hear of a connection once its header is read.
  const endWaiting = options.expectsProxyHeader ? expectProxyHeaders(server, { clients }) : () => undefined
  server.listen({ host, port, backlog: BACKLOG })
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve))
      endWaiting()
      for (const raw of shaking.values()) raw.destroy()
      await closed
    },
  }
}

/** Of two connections that are open at the same time never the same; TLS gives its connection another object. */
const keyOf = ({ remoteAddress, remotePort, localAddress }: Socket) => `${remoteAddress} ${remotePort} ${localAddress}`

const keyPairOf = ({ cert, key }: { readonly cert: string; readonly key: string }) => ({ cert, key })
