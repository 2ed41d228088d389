import { setTimeout as sleep } from 'node:timers/promises'

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 2000

/**
 * Tries until it succeeds or is aborted, so that the truth is stored once the database is back.
 *
 * @returns the result of the work; undefined when it was aborted before
 */
export async function untilStored<Result>(
  work: () => Promise<Result>,
  { signal, onFailure }: { readonly signal: AbortSignal; readonly onFailure: (error: unknown) => void },
): Promise<Result | undefined> {
  for (let pauseMs = FIRST_PAUSE_MS; !signal.aborted; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      return await work()
    } catch (error) {
      onFailure(error)
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined)
    }
  }
  return undefined
}
