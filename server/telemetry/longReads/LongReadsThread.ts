import { Worker } from 'node:worker_threads'
import type { CodingName } from '#server/http/call/codings.ts'
import { compiledModules } from './compiledModules.ts'
import type { LongRead, LongReads } from './longReads.ts'
import type { Given, Request, Told } from './threadMessages.ts'

const PROGRAM = new URL('./longReadsWorker.ts', import.meta.url)
const ENDED_WHEN_IDLE_MS = 60_000
/** One read cannot use more, because only the next slices are read ahead. */
const CONNECTIONS = 3

interface Begun {
  readonly worker: Worker
  /** The callers that wait for a part, by the id of their read. */
  readonly waiting: Map<number, PromiseWithResolvers<Uint8Array | undefined>>
  ended?: unknown
}

export interface LongReadsDeps {
  readonly url: string
  /** Whether to take the application's role after connecting, for when only the owner's address is known. */
  readonly asApplication?: boolean
  readonly endedWhenIdleMs?: number
}

/** Runs long reads in their own thread, so that nothing waits for them (decision 248). It ends when idle. */
export class LongReadsThread implements LongReads {
  readonly #given: Given
  readonly #endedWhenIdleMs: number
  #begun: Begun | undefined
  #reads = 0
  #ids = 0
  #idle: NodeJS.Timeout | undefined

  constructor({ url, asApplication = false, endedWhenIdleMs = ENDED_WHEN_IDLE_MS }: LongReadsDeps) {
    this.#given = { url, asApplication, connections: CONNECTIONS }
    this.#endedWhenIdleMs = endedWhenIdleMs
  }

  readonly rawRows: LongReads['rawRows'] = (...asked) => this.#read('rawRows', ...asked)
  readonly seriesRows: LongReads['seriesRows'] = (...asked) => this.#read('seriesRows', ...asked)
  readonly seriesColumns: LongReads['seriesColumns'] = (...asked) => this.#read('seriesColumns', ...asked)

  /** Ends the thread. Reads under way fail; a later read starts it again. */
  async end(): Promise<void> {
    clearTimeout(this.#idle)
    const begun = this.#begun
    this.#begun = undefined
    await begun?.worker.terminate()
  }

  async *#read(read: LongRead, question: unknown, coding: CodingName | undefined): AsyncGenerator<Uint8Array, void> {
    clearTimeout(this.#idle)
    this.#begun ??= this.#begin()
    const begun = this.#begun
    const { worker, waiting } = begun
    const id = ++this.#ids
    this.#reads++
    const ask = (asked: Request) => worker.postMessage(asked)
    let isOver = false
    try {
      ask({ id, read, question, coding })
      for (;;) {
        isOver = true
        if (begun.ended !== undefined) throw begun.ended
        const answer = Promise.withResolvers<Uint8Array | undefined>()
        waiting.set(id, answer)
        ask({ id, step: 'next' })
        const part = await answer.promise
        if (part === undefined) return
        isOver = false
        yield part
      }
    } finally {
      if (!isOver) ask({ id, step: 'return' })
      if (--this.#reads === 0) this.#idle = setTimeout(() => void this.end(), this.#endedWhenIdleMs).unref()
    }
  }

  #begin(): Begun {
    const worker = new Worker(PROGRAM, { env: compiledModules(), workerData: this.#given })
    const begun: Begun = { worker, waiting: new Map() }
    worker.unref()
    worker.on('message', (told: Told) => {
      const answer = begun.waiting.get(told.id)
      begun.waiting.delete(told.id)
      if ('fault' in told) answer?.reject(Object.assign(new Error(told.fault.message), told.fault))
      else answer?.resolve(told.part)
    })
    let fault: unknown = new Error('The thread of long reads ended.')
    worker.once('error', (error) => {
      fault = error
    })
    worker.once('exit', () => {
      if (this.#begun === begun) this.#begun = undefined
      begun.ended = fault
      for (const { reject } of begun.waiting.values()) reject(fault)
    })
    return begun
  }
}
