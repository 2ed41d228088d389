import type { Server, Socket } from 'node:net'
import type { Clients } from './clients.ts'
import { readProxyHeader } from './proxyHeader.ts'

const HEADER_WITHIN_MS = 2000

export interface ProxyListenerOptions {
  readonly clients: Clients
  /** Other than the product's only in tests. */
  readonly headerWithinMs?: number
}

/**
 * From now on every connection of this server begins with a PROXY header of a trusted proxy, or is closed. Whoever
 * listened for connections gets them behind the header, with every byte that follows it unharmed, and finds whom it
 * named in `clients`.
 *
 * @returns ends the connections that still owe their header: nobody else knows them
 */
export function expectProxyHeaders(server: Server, options: ProxyListenerOptions): () => void {
  const { clients, headerWithinMs = HEADER_WITHIN_MS } = options
  const listeners = server.listeners('connection')
  const waiting = new Set<Socket>()
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket & { readonly encrypted?: true }) => {
    // Handed over by a port that speaks TLS, which has read a header in front of that where one is due there.
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
    // Only now: an error between the two would have nobody to hear it.
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
