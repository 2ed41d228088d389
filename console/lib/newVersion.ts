import { hasUnsavedChanges } from '#console/router/leaveGuards.ts'

const RELOADED_FOR = 'wayside.reloadedFor'
const ENTRY = /<script\b[^>]*\btype="module"[^>]*\bsrc="([^"]+)"/

/**
 * The program that the server has now, where it is another one than runs here. After an upgrade the files of the one
 * before are gone, and what was not fetched yet cannot be fetched any more.
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
 * Reloads the page by itself where nobody loses anything by it: once for each version, since a page that reloads itself
 * again and again can never be used.
 *
 * @returns whether it does
 */
export function reloadOnceFor(version: string): boolean {
  const isInUse = hasUnsavedChanges() || document.querySelector('[role="dialog"]') !== null
  if (isInUse || sessionStorage.getItem(RELOADED_FOR) === version) return false
  sessionStorage.setItem(RELOADED_FOR, version)
  window.location.reload()
  return true
}
