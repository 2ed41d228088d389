import type { Duplex } from 'node:stream'

/** Longer than any way to a device that is still there takes. */
const ANSWERS_WITHIN_MS = 2_000

/**
 * Closes our half of a connection, and tells when the other side closes its own at once. A client that is alive does; one
 * whose network has gone away never hears of it.
 */
export function endAndHear(socket: Duplex, onAnswered: () => void): void {
  const timer = setTimeout(() => socket.destroy(), ANSWERS_WITHIN_MS)
  socket.once('close', () => clearTimeout(timer))
  socket.once('end', onAnswered)
  socket.end()
  // What it sent before is read away, because its end comes behind it.
  socket.resume()
}
