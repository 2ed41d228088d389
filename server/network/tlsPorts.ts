import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { createServer, type TLSSocket } from 'node:tls'
import { limitKeyOf, parseIpAddress } from '#domain/network/ipAddress.ts'
import { ConnectionQueue, type Entering } from './ConnectionQueue.ts'
import type { Certificate } from './certificate.ts'
import type { Clients } from './clients.ts'
import { expectProxyHeaders } from './proxyListener.ts'
import { SilentConnections } from './SilentConnections.ts'

const HANDSHAKE_WITHIN_MS = 10_000
const SWEEP_MS = 1000
/** Beyond it the system drops new connections, which retry after 1, 3 and 7 s; it may allow fewer. */
const BACKLOG = 4096
/** TLS 1.2 is limited to authenticated ciphers with forward secrecy; 1.3 has nothing else. */
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

export interface TlsPortsOptions {
  readonly certificate: Pick<Certificate, 'keyPair' | 'onRenewed'>
  readonly clients: Clients
  readonly host: string
  /** 0 takes any free port. */
  readonly port: number
  /** Each connection then begins with a PROXY header, before TLS. */
  readonly expectsProxyHeader: boolean
  /** ALPN protocols: a client that offers only others is refused. Without it ALPN is not answered. */
  readonly protocols?: readonly string[]
  /** True when a device has signed in from this address (`limitKeyOf`); those come first. */
  readonly isKnown?: (limitKey: string) => boolean
  /** Only tests set another value than the product's. */
  readonly handshakeWithinMs?: number
}

/** A port that speaks TLS; its connections are then handled like those of plain text. */
export interface TlsPorts {
  readonly port: number
  /** Admits nobody any more and ends pending handshakes; resolves when the admitted connections are gone too. */
  readonly close: () => Promise<void>
}

/** @param onConnection gets connections after the handshake; `clients` knows already who it is */
export async function openTlsPorts(
  options: TlsPortsOptions,
  onConnection: (socket: TLSSocket) => void,
): Promise<TlsPorts> {
  const { certificate, clients, host, port, protocols } = options
  const shaking = new Map<string, Shaking>()
  const queue = new ConnectionQueue(options.isKnown)
  const silent = new SilentConnections<Socket>(options.handshakeWithinMs ?? HANDSHAKE_WITHIN_MS, (raw) => raw.destroy())
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
  const listeners = server.listeners('connection')
  server.removeAllListeners('connection')
  // A handshake costs much more than a connection: silent ones get none, and the others take turns.
  server.on('connection', (raw: Socket) => {
    const key = keyOf(raw)
    const one = new Shaking(raw, clients.ofConnection(raw), () => {
      for (const listener of listeners) Reflect.apply(listener, server, [raw])
    })
    shaking.set(key, one)
    silent.awaitWord(raw, limitKeyOf(one.address), { onSpoken: () => queue.enter(one) })
    raw.once('close', () => {
      queue.leave(one)
      if (shaking.get(key) === one) shaking.delete(key)
    })
  })
  const sweeping = setInterval(() => silent.sweep(performance.now()), SWEEP_MS).unref()
  server.on('secureConnection', (socket) => {
    const key = keyOf(socket)
    const one = shaking.get(key)
    if (one === undefined) return void socket.destroy()
    shaking.delete(key)
    queue.leave(one)
    const { raw } = one
    socket.disableRenegotiation()
    const client = parseIpAddress(clients.ofConnection(raw))
    if (client !== undefined) clients.name(socket, client)
    onConnection(socket)
  })
  // Node.js only reports that a handshake took too long, and leaves the socket open.
  server.on('tlsClientError', (_error, socket) => socket.destroy())
  // It wraps the listeners above, so that they get a connection once its header is read.
  const endWaiting = options.expectsProxyHeader ? expectProxyHeaders(server, { clients }) : () => undefined
  server.listen({ host, port, backlog: BACKLOG })
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve))
      clearInterval(sweeping)
      endWaiting()
      for (const { raw } of shaking.values()) raw.destroy()
      await closed
    },
  }
}

class Shaking implements Entering {
  readonly raw: Socket
  readonly address: string
  /** A handshake may take long, on a bad line or on purpose. */
  readonly hasConnect = false
  readonly begin: () => void

  constructor(raw: Socket, address: string, begin: () => void) {
    this.raw = raw
    this.address = address
    this.begin = begin
  }

  close(): void {
    this.raw.destroy()
  }
}

/** No two open connections have the same key; TLS gives its connection another object, so that cannot be one. */
const keyOf = ({ remoteAddress, remotePort, localAddress }: Socket) => `${remoteAddress} ${remotePort} ${localAddress}`

const keyPairOf = ({ cert, key }: { readonly cert: string; readonly key: string }) => ({ cert, key })
