import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as NonNullable<typeof globalThis.gc>

/** Answers every message in the worker until the channel is closed. */
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

/** Returns memory without what V8 keeps spare, so that the need of a connection or a call stands out. */
export function settledMemoryBytes(): number {
  collectGarbage({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  return process.memoryUsage().rss
}

/** Returns the memory in use; the rest is room that the process keeps. */
export function liveMemoryBytes(): number {
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** Returns the time of all threads of this process, since its start. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
