import type { Socket } from 'node:net'
import { passTime } from '#testing/passTime.ts'
import { DatabaseProxy } from './DatabaseProxy.ts'

/** Nothing else in a call takes as long, so that waits for the database stand out. */
const ANSWER_AFTER_MS = 60

/**
 * Sits between a server and PostgreSQL and delays answers, so that it can count round trips in a row: questions that
 * were sent only after an answer had come, however many were sent at once.
 */
export class SlowDatabase extends DatabaseProxy {
  #isSlow = false
  /** Counts how many of the answered questions followed one another. */
  #answered = 0
  #asked = 0

  static start(url: string): Promise<SlowDatabase> {
    return new SlowDatabase(url).listen()
  }

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
