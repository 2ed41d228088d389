import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { limitKeyOf } from '#domain/network/ipAddress.ts'
import type { Clients } from '#server/network/clients.ts'
import { SilentConnections } from '#server/network/SilentConnections.ts'

/** Of the two seconds that a stop may take. */
const LAST_ANSWERS_MS = 1500

/**
 * Node lets a server that closes wait for browsers that have connected and ask nothing, and a minute for a connection
 * whose last answer ends only now.
 *
 * @returns to be called when it begins to close: ends what nobody uses, the others with their answer, and what is left
 *   soon after
 */
export function watchConnections(server: Server, clients: Clients): () => void {
  const open = new Set<Socket>()
  // Node ends those that are silent for half a minute. One that became a WebSocket has no request that tells of it.
  const silent = new SilentConnections<Socket>(Number.POSITIVE_INFINITY, (socket) => {
    if (socket.bytesRead === 0) socket.destroy()
  })
  let isEnding = false
  let endAll: NodeJS.Timeout | undefined
  // Those that came by TLS are told to it like its own, but its end is not theirs.
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
    // Idle for Node only after whoever hears of this end.
    response.once('close', () => isEnding && setImmediate(() => server.closeIdleConnections()))
  })
  return () => {
    isEnding = true
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
    server.closeIdleConnections()
    if (open.size > 0) endAll = setTimeout(() => server.closeAllConnections(), LAST_ANSWERS_MS)
  }
}
