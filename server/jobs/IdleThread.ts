import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { createSerialQueue } from './serialQueue.ts'

interface IdleThreadOptions {
  readonly program: URL
  readonly givenUpAfterMs: number
  readonly endedWhenIdleMs: number
}

/**
 * Runs heavy work in a thread, one question after the other, so that the server can do everything else. The thread
 * starts with the first question and ends after a while without one, which frees its memory.
 */
export class IdleThread<Question, Answer> {
  readonly #options: IdleThreadOptions
  readonly #queue = createSerialQueue()
  #thread: Worker | undefined
  #idle: NodeJS.Timeout | undefined

  constructor(options: IdleThreadOptions) {
    this.#options = options
  }

  /** Rejects when the thread fails, ends or takes too long; the next question then starts a new one. */
  ask(question: Question): Promise<Answer> {
    return this.#queue(() => this.#answered(question))
  }

  async #answered(question: Question): Promise<Answer> {
    clearTimeout(this.#idle)
    // The thread needs no environment, and ours holds secrets.
    this.#thread ??= new Worker(this.#options.program, { env: {} })
    const asked = this.#thread
    asked.ref()
    const over = new AbortController()
    const { signal } = over
    try {
      asked.postMessage(question)
      const gone = once(asked, 'exit', { signal }).then(() => Promise.reject(new Error('The thread ended.')))
      const late = sleep(this.#options.givenUpAfterMs, undefined, { signal }).then(() =>
        Promise.reject(new Error('It took too long.')),
      )
      const [answer] = await Promise.race([once(asked, 'message', { signal }), gone, late])
      return answer as Answer
    } catch (failure) {
      this.#end()
      throw failure
    } finally {
      over.abort()
      asked.unref()
      this.#idle = setTimeout(() => this.#end(), this.#options.endedWhenIdleMs).unref()
    }
  }

  #end(): void {
    void this.#thread?.terminate()
    this.#thread = undefined
  }
}
