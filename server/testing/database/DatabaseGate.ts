import type { Socket } from 'node:net'
import { DatabaseProxy } from './DatabaseProxy.ts'

/** Sits between a server and PostgreSQL and can be shut: then connections break and new ones end at once. */
export class DatabaseGate extends DatabaseProxy {
  #isShut = false
  #refused: (() => void) | undefined

  static start(url: string): Promise<DatabaseGate> {
    return new DatabaseGate(url).listen()
  }

  shut(): void {
    this.#isShut = true
    this.breakAll()
  }

  open(): void {
    this.#isShut = false
  }

  async nextRefusal(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#refused = resolve
    })
  }

  protected accept(near: Socket): void {
    if (this.#isShut) {
      near.destroy()
      this.#refused?.()
      return
    }
    const far = this.connect()
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      socket.pipe(other)
      socket.on('close', () => other.destroy())
    }
  }
}
