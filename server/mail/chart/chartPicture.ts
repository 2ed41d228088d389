import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'

const GIVEN_UP_AFTER_MS = 5_000
/** Mails are rare, and what draws is given back. */
const ENDED_WHEN_IDLE_MS = 30_000
/** More is for no mail: whoever is on a phone waits for it. */
export const LARGEST_PICTURE_BYTES = 40 * 1024

let before: Promise<unknown> = Promise.resolve()
let thread: Worker | undefined
let idle: NodeJS.Timeout | undefined

/**
 * An SVG as PNG, drawn in a thread, one after the other. Loads what it needs when the first is asked for.
 *
 * @throws where it cannot be drawn here, or would be too large
 */
export function pngOf(svg: string): Promise<Buffer> {
  const mine = before.then(() => drawnByThread(svg))
  before = mine.catch(() => undefined)
  return mine
}

async function drawnByThread(svg: string): Promise<Buffer> {
  clearTimeout(idle)
  // Without our environment: it needs none, and there are secrets in it.
  thread ??= new Worker(new URL('./chartWorker.ts', import.meta.url), { env: {} })
  const asked = thread
  asked.ref()
  const answered = new AbortController()
  const { signal } = answered
  try {
    asked.postMessage(svg)
    const gone = once(asked, 'exit', { signal }).then(() => Promise.reject(new Error('The thread ended.')))
    const late = sleep(GIVEN_UP_AFTER_MS, undefined, { signal }).then(() =>
      Promise.reject(new Error('It took too long.')),
    )
    const [png] = await Promise.race([once(asked, 'message', { signal }), gone, late])
    const picture = Buffer.from(png as Uint8Array)
    if (picture.length > LARGEST_PICTURE_BYTES) throw new Error(`It has ${picture.length} bytes.`)
    return picture
  } catch (failure) {
    endThread()
    throw failure
  } finally {
    answered.abort()
    asked.unref()
    idle = setTimeout(endThread, ENDED_WHEN_IDLE_MS).unref()
  }
}

function endThread(): void {
  void thread?.terminate()
  thread = undefined
}
