import { hasUnsavedChanges } from '#console/router/leaveGuards.ts'

const RELOADED_FOR = 'wayside.reloadedFor'
const ENTRY = /<script\b[^>]*\btype="module"[^>]*\bsrc="([^"]+)"/

/**
 * It returns the server's version of the console if that differs from the running one. After an upgrade the previous
 * files are gone, so what was not loaded yet can no longer be loaded.
 *
 * @returns undefined where it is the same, or the server cannot be reached
 */
export async function findNewVersion(): Promise<string | undefined> {
  const running = document.querySelector('script[type="module"][src]')?.getAttribute('src')
  try {
    const answer = await fetch('/', { cache: 'no-store' })
    const found = answer.ok ? ENTRY.exec(await answer.text())?.[1] : undefined
    return found === running ? undefined : found
  } catch {
    return undefined
  }
}

/**
 * It reloads the page where nobody loses anything by it, and only once for each version, because a page that reloads
 * again and again can never be used.
 *
 * @returns whether it reloads
 */
export function reloadOnceFor(version: string): boolean {
  const isInUse = hasUnsavedChanges() || document.querySelector('[role="dialog"]') !== null
  if (isInUse || sessionStorage.getItem(RELOADED_FOR) === version) return false
  sessionStorage.setItem(RELOADED_FOR, version)
  window.location.reload()
  return true
}
