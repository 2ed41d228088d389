import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { limitKeyOf } from '#domain/network/ipAddress.ts'
import type { Clients } from '#server/network/clients.ts'
import { SilentConnections } from '#server/network/SilentConnections.ts'

/** A stop may take two seconds in all. */
const LAST_ANSWERS_MS = 1500

/**
 * Lets a closing server end its connections. Node.js would wait for browsers that connected without asking anything,
 * and a minute for a connection whose last answer ends only now.
 * @returns a function to call when closing begins: it ends idle connections, the others after their answer, and the
 * rest soon after
 */
export function watchConnections(server: Server, clients: Clients): () => void {
  const open = new Set<Socket>()
  // Node.js ends connections that are silent for half a minute. A connection that became a WebSocket has no request, so
  // it is not watched.
  const silent = new SilentConnections<Socket>(Number.POSITIVE_INFINITY, (socket) => {
    if (socket.bytesRead === 0) socket.destroy()
  })
  let isEnding = false
  let endAll: NodeJS.Timeout | undefined
  // Connections over TLS are announced to this server too, but end on the TLS listener.
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    silent.add(socket, limitKeyOf(clients.ofConnection(socket)))
    socket.once('close', () => {
      open.delete(socket)
      silent.remove(socket)
      if (open.size === 0) clearTimeout(endAll)
    })
  })
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    silent.remove(socket)
    // Node.js counts the connection as idle only after the listeners of this event have run.
    response.once('close', () => isEnding && setImmediate(() => server.closeIdleConnections()))
  })
  return () => {
    isEnding = true
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
    server.closeIdleConnections()
    if (open.size > 0) endAll = setTimeout(() => server.closeAllConnections(), LAST_ANSWERS_MS)
  }
}
