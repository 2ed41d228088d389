import { readSession } from '#console/lib/call/sessionStore.ts'
import { quiet } from '#console/lib/call/whenQuiet.ts'
import { KEPT, keepFor } from '#console/lib/session/onDevice.ts'
import { VISITS_WORKER } from './visitsWorker.ts'

/** The page of every address of visits is the same; its program finds what to show. */
const PAGE = '/visits'
const AGAIN_AFTER_MS = 5_000
const MOST_TRIES = 12

/**
 * Keeps the program of this page on this device, so that it opens without network. Browsers allow that only over HTTPS.
 */
export async function keepPages(tries = 1): Promise<void> {
  const session = readSession()
  if (session === undefined || !window.isSecureContext || !('serviceWorker' in navigator)) return
  await quiet()
  if (readSession()?.user.id !== session.user.id) return
  try {
    await keepFor(session.user.id)
    await navigator.serviceWorker.register(VISITS_WORKER, { updateViaCache: 'none' })
    const kept = await caches.open(KEPT)
    const loaded = performance
      .getEntriesByType('resource')
      .map(({ name }) => new URL(name))
      .filter(({ origin, pathname }) => origin === location.origin && isProgram(pathname))
      .map(({ pathname }) => pathname)
    await kept.add(PAGE)
    const known = new Set((await kept.keys()).map(({ url }) => new URL(url).pathname))
    await kept.addAll([...new Set(loaded)].filter((path) => !known.has(path)))
  } catch {
    // Whoever leaves for a place without network has been told nothing, so a server that is busy is asked again.
    if (tries < MOST_TRIES) setTimeout(() => void keepPages(tries + 1), AGAIN_AFTER_MS)
  }
}

const isProgram = (path: string) => path.startsWith('/assets/') || path === '/theme.js' || path === '/icon.svg'
