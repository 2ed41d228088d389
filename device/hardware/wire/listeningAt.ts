import { connect } from 'node:net'
import type { Surroundings } from '../driver.ts'
import { askMany } from './askMany.ts'

const ANSWERS_WITHIN_MS = 700

/** A place where an instrument may be; the port is left out where it is the usual one. */
export type Listening = {
  readonly host: string
  readonly port?: number
}

/** Finds the hosts that accept a connection at the port of a protocol. Nothing is sent to them. */
export async function listeningAt(
  { hosts, portFor }: Surroundings,
  usualPort: number,
  signal: AbortSignal,
): Promise<readonly Listening[]> {
  const port = portFor?.(usualPort) ?? usualPort
  return askMany(hosts, signal, async (host) =>
    (await listens(host, port, signal)) ? { host, ...(port !== usualPort && { port }) } : undefined,
  )
}

function listens(host: string, port: number, signal: AbortSignal): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = connect({ host, port, signal, timeout: ANSWERS_WITHIN_MS })
  const end = (isListening: boolean) => {
    socket.destroy()
    resolve(isListening)
  }
  socket.once('connect', () => end(true))
  socket.once('timeout', () => end(false))
  socket.once('error', () => end(false))
  return promise
}
