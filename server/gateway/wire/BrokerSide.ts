import { Duplex } from 'node:stream'

/** What the broker takes for the socket of a device: it sees only the packets that the gateway leaves to it. */
export class BrokerSide extends Duplex {
  readonly #socket: Duplex
  readonly #onDestroyed: () => void

  constructor(socket: Duplex, onDestroyed: () => void) {
    super({ allowHalfOpen: false })
    this.#socket = socket
    this.#onDestroyed = onDestroyed
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#socket.write(chunk, done)
  }

  /** A packet comes in several small pieces; one write sends them all. */
  override _writev(chunks: { chunk: Buffer }[], done: (error?: Error | null) => void): void {
    this.#socket.write(Buffer.concat(chunks.map(({ chunk }) => chunk)), done)
  }

  override _destroy(_error: Error | null, done: (error?: Error | null) => void): void {
    this.#onDestroyed()
    done()
  }
}
