import { connect, createServer, type Server, type Socket } from 'node:net'

/** Sits between a server and PostgreSQL; each subclass decides what passes, and how. */
export abstract class DatabaseProxy {
  readonly #sockets = new Set<Socket>()
  readonly #server: Server
  readonly #target: { readonly path: string } | { readonly host: string; readonly port: number }

  protected constructor(url: string) {
    const { hostname, port, searchParams } = new URL(url)
    const folder = searchParams.get('host')
    const number = Number(port || 5432)
    this.#target = folder === null ? { host: hostname, port: number } : { path: `${folder}/.s.PGSQL.${number}` }
    this.#server = createServer((near) => this.accept(this.#kept(near)))
  }

  protected abstract accept(near: Socket): void

  protected connect(): Socket {
    return this.#kept(connect(this.#target))
  }

  protected async listen(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return this
  }

  /** Returns the address of the same database through this proxy. */
  through(url: string): string {
    const { port } = this.#server.address() as { port: number }
    const { username, password, pathname } = new URL(url)
    return `postgres://${username}:${password}@127.0.0.1:${port}${pathname}`
  }

  protected breakAll(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  async stop(): Promise<void> {
    this.breakAll()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #kept(socket: Socket): Socket {
    this.#sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => this.#sockets.delete(socket))
    return socket
  }
}
