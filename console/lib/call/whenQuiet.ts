import { useEffect, useState } from 'react'
import { queryClient } from '#console/lib/call/useCall.ts'

const LOOK_EVERY_MS = 100
const MOST_LOOKS = 100
/** A page of which a part is not there yet has not asked for all that it needs. */
const STILL_LOADING = '#content .loading-skeleton, #content [role="status"][aria-label="Loading"]'

/**
 * It runs something once the page has its parts and its first answers, so that nothing is loaded before what one came for; or after
 * ten seconds, because an answer may never come.
 */
export function whenQuiet(run: () => void): () => void {
  let wasQuiet = false
  let looks = 0
  const looking = setInterval(() => {
    const isQuiet = queryClient.isFetching() === 0 && document.querySelector(STILL_LOADING) === null
    looks += 1
    // An answer may have just come that is about to ask for the next.
    if ((isQuiet && wasQuiet) || looks === MOST_LOOKS) {
      clearInterval(looking)
      run()
    }
    wasQuiet = isQuiet
  }, LOOK_EVERY_MS)
  return () => clearInterval(looking)
}

/** Parts that a page can be used without are loaded after this: `lazyPart(() => quiet().then(() => import(…)))`. */
export const quiet = () => new Promise<void>((resolve) => whenQuiet(resolve))

/** Whether the first page has its answers; what stands around all pages asks only then. */
export function useIsQuiet(): boolean {
  const [isQuiet, setIsQuiet] = useState(false)
  useEffect(() => whenQuiet(() => setIsQuiet(true)), [])
  return isQuiet
}
