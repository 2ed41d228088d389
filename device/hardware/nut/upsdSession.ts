import { connect, type Socket } from 'node:net'
import { HardwareError } from '../hardware.ts'

/** A longer line, or more lines, does not come from upsd. */
const LONGEST_ANSWER_BYTES = 256 * 1024

export interface UpsdAddress {
  readonly host: string
  readonly port: number
  readonly username?: string | undefined
  readonly password?: string | undefined
}

/** An answer of `ERR` (RFC 9271 §5.3) with its word, such as `DATA-STALE`. */
export class UpsdRefusal extends Error {
  readonly word: string
  constructor(word: string) {
    super(`upsd answers ${word}`)
    this.word = word
  }
}

/** One connection to upsd, which answers lines in their order. */
export interface UpsdSession {
  /** Returns all lines of `LIST …`, without its BEGIN and END. */
  list(what: string): Promise<readonly (readonly string[])[]>
  /** Returns the one line that answers. */
  say(...words: readonly string[]): Promise<readonly string[]>
}

/** The quotes keep upsd from reading one word as two. */
const quoted = (word: string) => `"${word.replace(/[\\"]/g, '\\$&')}"`

/** Splits a line of upsd into words without their quotes. */
export function wordsOf(line: string): readonly string[] {
  return [...line.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g)].map(
    ([, inQuotes, plain]) => plain ?? inQuotes?.replace(/\\(.)/g, '$1') ?? '',
  )
}

/**
 * Opens a connection, logs in if there is a user, does the work and closes.
 *
 * @throws UpsdRefusal when upsd answers ERR, HardwareError in whole words when it cannot be reached
 */
export async function withUpsd<Result>(
  address: UpsdAddress,
  signal: AbortSignal,
  work: (session: UpsdSession) => Promise<Result>,
): Promise<Result> {
  const socket = connect({ host: address.host, port: address.port })
  const where = `${address.host}:${address.port}`
  const lines = linesOf(socket, where, signal)
  const session: UpsdSession = {
    async say(...words) {
      const [head = '', ...rest] = words
      socket.write(`${[head, ...rest.map(quoted)].join(' ')}\n`)
      return answer(await lines.next())
    },
    async list(what) {
      const [kind = '', ...rest] = what.split(' ')
      socket.write(`LIST ${[kind, ...rest.map(quoted)].join(' ')}\n`)
      if (answer(await lines.next())[0] !== 'BEGIN') throw new HardwareError(`What answers at ${where} is not upsd.`)
      const found: (readonly string[])[] = []
      for (;;) {
        const words = answer(await lines.next())
        if (words[0] === 'END') return found
        found.push(words)
      }
    },
  }
  try {
    if (address.username !== undefined) await session.say('USERNAME', address.username)
    if (address.password !== undefined) await session.say('PASSWORD', address.password)
    return await work(session)
  } finally {
    socket.destroy()
  }
}

function answer(line: string): readonly string[] {
  const words = wordsOf(line)
  if (words[0] === 'ERR') throw new UpsdRefusal(words[1] ?? 'ERR')
  return words
}

function linesOf(socket: Socket, where: string, signal: AbortSignal) {
  let text = ''
  let bytes = 0
  let failure: Error | undefined
  let waiter: { resolve: (line: string) => void; reject: (error: Error) => void } | undefined
  const serve = () => {
    const end = text.indexOf('\n')
    if (waiter === undefined || (end < 0 && failure === undefined)) return
    const { resolve, reject } = waiter
    waiter = undefined
    if (end < 0) return reject(failure as Error)
    const line = text.slice(0, end).replace(/\r$/, '')
    text = text.slice(end + 1)
    resolve(line)
  }
  const fail = (error: Error) => {
    failure ??= error
    serve()
  }
  socket.setEncoding('utf8')
  socket.on('data', (chunk: string) => {
    bytes += chunk.length
    text += chunk
    if (bytes > LONGEST_ANSWER_BYTES) {
      text = ''
      socket.destroy()
      fail(new HardwareError(`What answers at ${where} says more than upsd would.`))
    }
    serve()
  })
  socket.on('error', (error: NodeJS.ErrnoException) => fail(new HardwareError(connectionErrorText(where, error.code))))
  socket.on('close', () => fail(new HardwareError(`What answers at ${where} has closed the connection.`)))
  const abort = () => {
    socket.destroy()
    fail(new HardwareError(`Nothing answers at ${where} in time.`))
  }
  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort, { once: true })
  return {
    next: () =>
      new Promise<string>((resolve, reject) => {
        waiter = { resolve, reject }
        serve()
      }),
  }
}

function connectionErrorText(where: string, code = 'error'): string {
  const words: Record<string, string> = {
    ECONNREFUSED: `Nothing listens at ${where}.`,
    EHOSTUNREACH: `No way leads to ${where}.`,
    ENETUNREACH: `No way leads to ${where}.`,
    ETIMEDOUT: `Nothing answers at ${where} in time.`,
    ENOTFOUND: `Nobody knows the name in ${where}.`,
    EAI_AGAIN: `Nobody answers who would know the name in ${where}.`,
    ECONNRESET: `What answers at ${where} has closed the connection.`,
  }
  return words[code] ?? `${where} cannot be reached (${code}).`
}
