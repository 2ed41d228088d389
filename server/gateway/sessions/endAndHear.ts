import type { Duplex } from 'node:stream'

/** A device that is still there answers faster than this. */
const ANSWERS_WITHIN_MS = 2_000

/** Closes our half, and calls back when the other side closes its own: only a living client does so at once. */
export function endAndHear(socket: Duplex, onAnswered: () => void): void {
  const timer = setTimeout(() => socket.destroy(), ANSWERS_WITHIN_MS)
  socket.once('close', () => clearTimeout(timer))
  socket.once('end', onAnswered)
  socket.end()
  // What the client sent before must be read, because its end comes after it.
  socket.resume()
}
