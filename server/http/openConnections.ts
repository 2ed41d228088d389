import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Of the two seconds that a stop may take. */
const LAST_ANSWERS_MS = 1500

/**
 * Node lets a server that closes wait for browsers that have connected and ask nothing, and a minute for a connection
 * whose last answer ends only now.
 *
 * @returns to be called when it begins to close: ends what nobody uses, the others with their answer, and what is left
 *   soon after
 */
export function watchConnections(server: Server): () => void {
  const open = new Set<Socket>()
  let isEnding = false
  let endAll: NodeJS.Timeout | undefined
  // Those that came by TLS are told to it like its own, but its end is not theirs.
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => {
      open.delete(socket)
      if (open.size === 0) clearTimeout(endAll)
    })
  })
  server.on('request', (_request, response: ServerResponse) => {
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
