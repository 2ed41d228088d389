import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/**
 * Spreads connections to one port over several servers by turns, as a TCP balancer does: to the next one where a server
 * takes none. It does not know that a server is about to stop.
 */
export class Balancer {
  readonly #server: Server
  readonly #targets: readonly number[]
  readonly #open = new Set<Socket>()
  #turn = 0

  /** @param targets ports of this machine */
  static async open(targets: readonly number[]): Promise<Balancer> {
    const balancer = new Balancer(targets)
    balancer.#server.listen(0, '127.0.0.1')
    await once(balancer.#server, 'listening')
    return balancer
  }

  private constructor(targets: readonly number[]) {
    this.#targets = targets
    this.#server = createServer({ noDelay: true, pauseOnConnect: true }, (socket) => {
      this.#hold(socket)
      this.#pass(socket, this.#turn++, targets.length)
    })
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  async close(): Promise<void> {
    for (const socket of this.#open) socket.destroy()
    this.#server.close()
    await once(this.#server, 'close')
  }

  #hold(socket: Socket): void {
    this.#open.add(socket)
    socket.on('error', () => undefined)
    socket.once('close', () => this.#open.delete(socket))
  }

  #pass(client: Socket, turn: number, triesLeft: number): void {
    const port = this.#targets[turn % this.#targets.length] as number
    const server = connect({ port, host: '127.0.0.1', noDelay: true })
    this.#hold(server)
    server.once('error', () => {
      if (client.destroyed) return
      if (triesLeft > 1) this.#pass(client, turn + 1, triesLeft - 1)
      else client.destroy()
    })
    server.once('connect', () => {
      if (client.destroyed) {
        server.destroy()
        return
      }
      client.once('close', () => server.destroy())
      server.once('close', () => client.destroy())
      server.removeAllListeners('error').on('error', () => client.destroy())
      client.pipe(server)
      server.pipe(client)
      client.resume()
    })
  }
}
