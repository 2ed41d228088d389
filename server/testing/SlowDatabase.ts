import { connect, createServer, type Server, type Socket } from 'node:net'
import { passTime } from './passTime.ts'

/** Much longer than anything else that a call does, so that waits for the database stand out. */
const ANSWER_AFTER_MS = 60

/**
 * Stands between a server and PostgreSQL and lets answers wait, so that it can count how often somebody asked only after
 * an answer had come: round trips in a row, however many were asked at the same time.
 */
export class SlowDatabase {
  readonly #sockets = new Set<Socket>()
  readonly #server: Server
  readonly #target: { readonly path: string } | { readonly host: string; readonly port: number }
  #isSlow = false
  /** Of what was answered so far: how many questions stood behind one another. */
  #answered = 0
  #asked = 0

  private constructor(url: string) {
    const { hostname, port, searchParams } = new URL(url)
    const folder = searchParams.get('host')
    const number = Number(port || 5432)
    this.#target = folder === null ? { host: hostname, port: number } : { path: `${folder}/.s.PGSQL.${number}` }
    this.#server = createServer((socket) => this.#accept(socket))
  }

  static async start(url: string): Promise<SlowDatabase> {
    const slow = new SlowDatabase(url)
    await new Promise<void>((resolve) => slow.#server.listen(0, '127.0.0.1', resolve))
    return slow
  }

  /** The same database through this one. */
  through(url: string): string {
    const { port } = this.#server.address() as { port: number }
    const { username, password, pathname } = new URL(url)
    return `postgres://${username}:${password}@127.0.0.1:${port}${pathname}`
  }

  /** How many round trips this work made in a row. */
  async roundTripsOf(work: () => Promise<unknown>): Promise<number> {
    this.#answered = 0
    this.#asked = 0
    this.#isSlow = true
    await work()
    this.#isSlow = false
    return this.#asked
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #accept(near: Socket): void {
    const far = connect(this.#target)
    let depth = 0
    near.on('data', (chunk: Buffer) => {
      depth = this.#answered + 1
      this.#asked = Math.max(this.#asked, depth)
      far.write(chunk)
    })
    far.on('data', (chunk: Buffer) => {
      if (!this.#isSlow) return void near.write(chunk)
      const ofQuestion = depth
      void passTime(ANSWER_AFTER_MS, 'answers wait here, so that what was asked after them stands out').then(() => {
        this.#answered = Math.max(this.#answered, ofQuestion)
        near.write(chunk)
      })
    })
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        this.#sockets.delete(socket)
        other.destroy()
      })
    }
  }
}
