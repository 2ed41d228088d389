import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { createSerialQueue } from './serialQueue.ts'

interface IdleThread {
  /** Its program, which answers each message by one. */
  readonly program: URL
  readonly givenUpAfterMs: number
  readonly endedWhenIdleMs: number
}

/**
 * Work that would keep the server from everything else, done in a thread, one question after the other. The thread begins
 * with the first and is given back when nothing was asked for a while, with all the memory that it took.
 *
 * @returns asks it; rejects where the thread fails, ends or takes too long, and the next question begins a new one
 */
export function createIdleThread<Question, Answer>({ program, givenUpAfterMs, endedWhenIdleMs }: IdleThread) {
  const queue = createSerialQueue()
  let thread: Worker | undefined
  let idle: NodeJS.Timeout | undefined

  const end = () => {
    void thread?.terminate()
    thread = undefined
  }

  async function answered(question: Question): Promise<Answer> {
    clearTimeout(idle)
    // Without our environment: it needs none, and there are secrets in it.
    thread ??= new Worker(program, { env: {} })
    const asked = thread
    asked.ref()
    const over = new AbortController()
    const { signal } = over
    try {
      asked.postMessage(question)
      const gone = once(asked, 'exit', { signal }).then(() => Promise.reject(new Error('The thread ended.')))
      const late = sleep(givenUpAfterMs, undefined, { signal }).then(() =>
        Promise.reject(new Error('It took too long.')),
      )
      const [answer] = await Promise.race([once(asked, 'message', { signal }), gone, late])
      return answer as Answer
    } catch (failure) {
      end()
      throw failure
    } finally {
      over.abort()
      asked.unref()
      idle = setTimeout(end, endedWhenIdleMs).unref()
    }
  }

  return (question: Question): Promise<Answer> => queue(() => answered(question))
}
