import type { Socket } from 'node:net'
import { DatabaseProxy } from './DatabaseProxy.ts'

/** One connection to the database, with the name from its start-up packet. */
export interface Line {
  readonly name: string
  readonly sockets: readonly [Socket, Socket]
  isSwallowed: boolean
}

const DIRECTIONS = { asked: 0, answered: 1 } as const

/**
 * Sits between a server and PostgreSQL. A swallowed connection stays open and acknowledges TCP, but nothing comes out
 * at the other end: neither side can tell by its socket. New connections are passed on.
 */
export class SwallowingProxy extends DatabaseProxy {
  readonly #lines = new Set<Line>()
  #isFrozen: (name: string) => boolean = () => false
  #onRequested: ((chunk: Buffer, line: Line) => boolean) | undefined

  static start(url: string): Promise<SwallowingProxy> {
    return new SwallowingProxy(url).listen()
  }

  names(): readonly string[] {
    return [...this.#lines].map(({ name }) => name)
  }

  /** Swallows the present connections from now on. @returns how many there are */
  swallow(isMeant: (name: string) => boolean = () => true): number {
    const meant = [...this.#lines].filter(({ name }) => isMeant(name))
    for (const line of meant) line.isSwallowed = true
    return meant.length
  }

  /** Acts like a frozen database: connections are accepted and nothing ever comes back. */
  freeze(isMeant: (name: string) => boolean = () => true): void {
    this.#isFrozen = isMeant
    this.swallow(isMeant)
  }

  thaw(): void {
    this.#isFrozen = () => false
  }

  /** Calls `see` with every chunk after it was passed on to the database, until it returns true. */
  onRequested(see: (chunk: Buffer, line: Line) => boolean): void {
    this.#onRequested = see
  }

  protected accept(near: Socket): void {
    const far = this.connect()
    near.once('data', (startup: Buffer) => {
      const name = applicationName(startup)
      const line = { name, sockets: [near, far] as const, isSwallowed: this.#isFrozen(name) }
      this.#lines.add(line)
      if (!line.isSwallowed) far.write(startup)
      this.#pass(line, DIRECTIONS.asked)
      this.#pass(line, DIRECTIONS.answered)
    })
  }

  #pass(line: Line, direction: 0 | 1): void {
    const from = line.sockets[direction]
    const to = line.sockets[direction === 0 ? 1 : 0]
    from.on('data', (chunk: Buffer) => {
      if (line.isSwallowed) return
      // The chunk is written before the line may be swallowed: the statement arrives, its answer does not.
      to.write(chunk)
      if (direction === DIRECTIONS.asked && this.#onRequested?.(chunk, line)) this.#onRequested = undefined
    })
    from.on('close', () => {
      // A swallowed line does not pass the end on either.
      if (line.isSwallowed) return
      this.#lines.delete(line)
      to.destroy()
    })
  }
}

/** Reads it from the names and values after length and version of a start-up packet. */
function applicationName(startup: Buffer): string {
  const texts = startup.subarray(8).toString('utf8').split('\0')
  const index = texts.indexOf('application_name')
  return index < 0 ? '' : (texts[index + 1] ?? '')
}
