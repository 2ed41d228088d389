import { queryClient } from '#console/lib/call/useCall.ts'

const LOOK_EVERY_MS = 100

/** It runs something once the page has its first answers, so that nothing is loaded before what one came for. */
export function whenQuiet(run: () => void): () => void {
  const looking = setInterval(() => {
    if (queryClient.isFetching() > 0) return
    clearInterval(looking)
    run()
  }, LOOK_EVERY_MS)
  return () => clearInterval(looking)
}
