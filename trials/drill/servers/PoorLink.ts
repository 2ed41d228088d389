import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

export interface LinkQuality {
  /** Each way takes as long. */
  readonly delayMs: number
  /** The share of lost packets; a lost one is sent again later, and all behind it wait. */
  readonly lostShare: number
  readonly resentAfterMs: number
  /** Returns from 0 up to below 1. */
  readonly chance: () => number
}

/** Carries connections to one port of this machine over a slow link that loses packets, as TCP shows it. */
export class PoorLink {
  readonly #server: Server
  readonly #open = new Set<Socket>()

  static async open(port: number, quality: LinkQuality): Promise<PoorLink> {
    const link = new PoorLink(port, quality)
    link.#server.listen(0, '127.0.0.1')
    await once(link.#server, 'listening')
    return link
  }

  private constructor(port: number, quality: LinkQuality) {
    this.#server = createServer({ noDelay: true }, (near) => {
      const far = connect({ port, host: '127.0.0.1', noDelay: true })
      for (const socket of [near, far]) {
        this.#open.add(socket)
        socket.on('error', () => undefined)
        socket.once('close', () => {
          this.#open.delete(socket)
          near.destroy()
          far.destroy()
        })
      }
      carry(near, far, quality)
      carry(far, near, quality)
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
}

/** The order is kept: what follows a lost packet waits for it. */
function carry(from: Socket, to: Socket, { delayMs, lostShare, resentAfterMs, chance }: LinkQuality): void {
  let notBefore = 0
  from.on('data', (chunk: Buffer) => {
    const arrives = performance.now() + delayMs + (chance() < lostShare ? resentAfterMs : 0)
    notBefore = Math.max(notBefore, arrives)
    setTimeout(() => !to.destroyed && to.write(chunk), notBefore - performance.now())
  })
}
