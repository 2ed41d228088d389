import type { Socket } from 'node:net'
import { passTime } from '../passTime.ts'
import { DatabaseProxy } from './DatabaseProxy.ts'

/** Much longer than anything else that a call does, so that waits for the database stand out. */
const ANSWER_AFTER_MS = 60

/**
 * Stands between a server and PostgreSQL and lets answers wait, so that it can count how often somebody asked only after
 * an answer had come: round trips in a row, however many were asked at the same time.
 */
export class SlowDatabase extends DatabaseProxy {
  #isSlow = false
  /** Of what was answered so far: how many questions stood behind one another. */
  #answered = 0
  #asked = 0

  static start(url: string): Promise<SlowDatabase> {
    return new SlowDatabase(url).listen()
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

  protected accept(near: Socket): void {
    const far = this.connect()
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
    near.on('close', () => far.destroy())
    far.on('close', () => near.destroy())
  }
}
