import { setTimeout as sleep } from 'node:timers/promises'

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 2000

/**
 * Tries until it succeeds or is told to stop, so that a database that was away ends up knowing the truth.
 *
 * @returns what the work answered; undefined when it was stopped before
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
