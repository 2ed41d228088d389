import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { createSerialQueue } from './serialQueue.ts'

interface IdleThread {
  readonly program: URL
  readonly givenUpAfterMs: number
  readonly endedWhenIdleMs: number
}

/**
 * Runs heavy work in a thread, one question after the other, so that the server can do everything else. The thread
 * starts with the first question and ends after a while without one, which frees its memory.
 *
 * @returns a function that asks it; it rejects when the thread fails, ends or takes too long, and the next question
 *   starts a new one
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
    // The thread needs no environment, and ours holds secrets.
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
