import type { Server, Socket } from 'node:net'
import type { Clients } from './clients.ts'
import { readProxyHeader } from './proxyHeader.ts'

const HEADER_WITHIN_MS = 2000

export interface ProxyListenerOptions {
  readonly clients: Clients
  /** Only tests set another value than the product's. */
  readonly headerWithinMs?: number
}

/**
 * Requires a PROXY header of a trusted proxy on every connection of this server, and closes others. The server's
 * listeners get connections behind the header, with every byte that follows it, and find the client in `clients`.
 *
 * @returns a function that ends connections that still owe their header: nobody else knows them
 */
export function expectProxyHeaders(server: Server, options: ProxyListenerOptions): () => void {
  const { clients, headerWithinMs = HEADER_WITHIN_MS } = options
  const listeners = server.listeners('connection')
  const waiting = new Set<Socket>()
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket & { readonly encrypted?: true }) => {
    // A TLS port hands this over, and has read a header in front of it where one is due.
    if (socket.encrypted) {
      for (const listener of listeners) Reflect.apply(listener, server, [socket])
      return
    }
    if (!clients.isFromProxy(socket)) {
      socket.destroy()
      return
    }
    waiting.add(socket)
    awaitHeader(socket, clients, headerWithinMs, (hasHeader) => {
      waiting.delete(socket)
      if (hasHeader) for (const listener of listeners) Reflect.apply(listener, server, [socket])
      else socket.destroy()
    })
  })
  return () => {
    for (const socket of waiting) socket.destroy()
  }
}

function awaitHeader(socket: Socket, clients: Clients, withinMs: number, onEnd: (hasHeader: boolean) => void): void {
  let bytes = Buffer.alloc(0)
  const end = (hasHeader: boolean) => {
    clearTimeout(timer)
    socket.off('readable', read).off('end', giveUp).off('close', giveUp)
    onEnd(hasHeader)
    // The listener goes only now: an error in between would be unhandled.
    socket.off('error', giveUp)
  }
  const giveUp = () => end(false)
  const read = () => {
    for (let chunk = socket.read(); chunk !== null; chunk = socket.read()) bytes = Buffer.concat([bytes, chunk])
    if (bytes.length === 0) return
    const header = readProxyHeader(bytes)
    if (header.kind === 'incomplete') return
    if (header.kind === 'malformed') return giveUp()
    if (header.client) clients.name(socket, header.client)
    if (bytes.length > header.lengthBytes) socket.unshift(bytes.subarray(header.lengthBytes))
    end(true)
  }
  const timer = setTimeout(giveUp, withinMs)
  socket.on('readable', read).on('end', giveUp).on('close', giveUp).on('error', giveUp)
}
