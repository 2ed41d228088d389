import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'

/** A process of its own that answers one message with one message. */
export class Worker {
  readonly #child: ChildProcess

  constructor(file: URL, execArgv: readonly string[] = []) {
    this.#child = fork(file, [], {
      execArgv: [...execArgv],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
  }

  async ask<Answer>(question: object): Promise<Answer> {
    this.#child.send(question)
    const ended = once(this.#child, 'exit').then(([code]) => {
      throw new Error(`A process of the benchmark ended with ${code}.`)
    })
    const [answer] = await Promise.race([once(this.#child, 'message'), ended])
    return answer as Answer
  }

  async end(): Promise<void> {
    this.#child.disconnect()
    await once(this.#child, 'exit')
  }
}

/** The other side: answers every message until the channel is closed. */
export function answerMessages<Question>(answer: (question: Question) => Promise<object>, end: () => Promise<void>) {
  process.on('message', (question: Question) => {
    answer(question).then(
      (reply) => process.send?.(reply),
      (error: unknown) => {
        console.error(error)
        process.exit(1)
      },
    )
  })
  process.once('disconnect', () => end().then(() => process.exit(0)))
  process.once('SIGINT', () => undefined)
}

/** Memory after everything that is not needed was thrown away; needs --expose-gc. */
export function settledMemoryBytes(): number {
  const { gc } = globalThis as { gc?: () => void }
  gc?.()
  gc?.()
  return process.memoryUsage().rss
}
