import { execFile } from 'node:child_process'
import { close, constants, open } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { isatty, ReadStream } from 'node:tty'
import { promisify } from 'node:util'

export interface NetworkAddress {
  readonly host: string
  readonly port: number
}

/** A serial port of this computer: 8 data bits, no flow control. */
export interface SerialAddress {
  /** The path reads like `/dev/ttyUSB0`. */
  readonly path: string
  readonly baud: number
  readonly parity: 'none' | 'even' | 'odd'
  readonly stopBits: 1 | 2
}

export type LineAddress = NetworkAddress | SerialAddress

export const lineName = (address: LineAddress): string =>
  'path' in address
    ? address.path
    : `${address.host.includes(':') ? `[${address.host}]` : address.host}:${address.port}`

/** Opens a stream to and from an instrument. Rejects in the words of the system, or when the signal aborts it. */
export function openLine(address: LineAddress, signal: AbortSignal): Promise<Socket> {
  return 'path' in address ? openSerial(address, signal) : openNetwork(address, signal)
}

function openNetwork({ host, port }: NetworkAddress, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true, signal })
    socket.once('connect', () => {
      socket.off('error', reject)
      resolve(socket)
    })
    socket.once('error', reject)
  })
}

const PARITIES = { none: ['-parenb'], even: ['parenb', '-parodd'], odd: ['parenb', 'parodd'] } as const

/**
 * The launcher of a client cannot carry a native library, so `stty` of coreutils sets the port, and the streams of a
 * terminal carry the bytes without a thread for each port.
 */
async function openSerial({ path, baud, parity, stopBits }: SerialAddress, signal: AbortSignal): Promise<Socket> {
  // The flags skip waiting for a carrier, which three wires never have, and keep it from becoming our terminal.
  const file = await promisify(open)(path, constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK)
  try {
    if (!isatty(file)) throw new Error('it is no serial port')
    const stop = stopBits === 2 ? 'cstopb' : '-cstopb'
    const settings = [`${baud}`, 'cs8', stop, ...PARITIES[parity], 'clocal', '-crtscts', 'raw', '-echo']
    await promisify(execFile)('stty', ['-F', path, ...settings], { signal })
    return new ReadStream(file)
  } catch (error) {
    close(file)
    throw error
  }
}

export const lateText = (where: string) => `Nothing answers at ${where} in time.`

export function wordsOfFailure(
  where: string,
  { code, message }: NodeJS.ErrnoException,
  signal?: { readonly aborted: boolean },
): string {
  if (signal?.aborted) return lateText(where)
  const words: Record<string, string> = {
    ECONNREFUSED: `Nothing listens at ${where}.`,
    EHOSTUNREACH: `No way leads to ${where}.`,
    ENETUNREACH: `No way leads to ${where}.`,
    ETIMEDOUT: lateText(where),
    ENOTFOUND: `Nobody knows the name in ${where}.`,
    EAI_AGAIN: `Nobody answers who would know the name in ${where}.`,
    ECONNRESET: `What answers at ${where} has ended the connection.`,
    ENOENT: `There is no serial port ${where}.`,
    EACCES: `The client may not open ${where}.`,
  }
  return words[code ?? ''] ?? `${where} cannot be used (${code ?? message}).`
}
