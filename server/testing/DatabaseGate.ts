import { connect, createServer, type Server, type Socket } from 'node:net'

/** Stands between a server and PostgreSQL and can be shut: then connections break and new ones end at once. */
export class DatabaseGate {
  readonly #sockets = new Set<Socket>()
  readonly #server: Server
  readonly #target: { readonly path: string } | { readonly host: string; readonly port: number }
  #isShut = false
  #refused: (() => void) | undefined

  private constructor(url: string) {
    const { hostname, port, searchParams } = new URL(url)
    const folder = searchParams.get('host')
    const number = Number(port || 5432)
    this.#target = folder === null ? { host: hostname, port: number } : { path: `${folder}/.s.PGSQL.${number}` }
    this.#server = createServer((near) => this.#accept(near))
  }

  static async start(url: string): Promise<DatabaseGate> {
    const gate = new DatabaseGate(url)
    await new Promise<void>((resolve) => gate.#server.listen(0, '127.0.0.1', resolve))
    return gate
  }

  /** The same database through this gate. */
  through(url: string): string {
    const { port } = this.#server.address() as { port: number }
    const { username, password, pathname } = new URL(url)
    return `postgres://${username}:${password}@127.0.0.1:${port}${pathname}`
  }

  shut(): void {
    this.#isShut = true
    for (const socket of this.#sockets) socket.destroy()
  }

  open(): void {
    this.#isShut = false
  }

  /** Until somebody finds it shut the next time. */
  async nextRefusal(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#refused = resolve
    })
  }

  async stop(): Promise<void> {
    this.shut()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #accept(near: Socket): void {
    if (this.#isShut) {
      near.destroy()
      this.#refused?.()
      return
    }
    const far = connect(this.#target)
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(socket)
      socket.pipe(other)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        this.#sockets.delete(socket)
        other.destroy()
      })
    }
  }
}
