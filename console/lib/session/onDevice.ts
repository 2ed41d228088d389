/**
 * A browser keeps sheets of devices and visits that are not sent yet for times without network. They belong to one
 * user: signing out, or another user who signs in, removes them.
 */
export const KEPT = 'wayside-visits'
export const KEPT_STORE = 'kept'
const OWNER_KEY = 'wayside.keptOf'
const UNSENT_KEY = 'wayside.unsentVisits'

/** What is not sent yet would be lost by signing out. */
export const unsentVisits = (): number => Number(localStorage.getItem(UNSENT_KEY) ?? 0)

export function noteUnsentVisits(count: number): void {
  if (count === 0) localStorage.removeItem(UNSENT_KEY)
  else localStorage.setItem(UNSENT_KEY, String(count))
}

/** Call it before anything is kept for this user. */
export async function keepFor(userId: number): Promise<void> {
  const owner = localStorage.getItem(OWNER_KEY)
  if (owner === String(userId)) return
  if (owner !== null) await removeKept()
  localStorage.setItem(OWNER_KEY, String(userId))
}

export async function removeKept(): Promise<void> {
  if (localStorage.getItem(OWNER_KEY) === null) return
  localStorage.removeItem(UNSENT_KEY)
  await Promise.all([clearDatabase(), window.caches?.delete(KEPT)])
  localStorage.removeItem(OWNER_KEY)
}

/** The database itself stays, because another tab may have it open. */
const clearDatabase = () =>
  new Promise<void>((resolve) => {
    const opening = indexedDB.open(KEPT)
    opening.onupgradeneeded = () => opening.result.createObjectStore(KEPT_STORE)
    opening.onerror = () => resolve()
    opening.onsuccess = () => {
      const database = opening.result
      const clearing = database.transaction(KEPT_STORE, 'readwrite')
      clearing.objectStore(KEPT_STORE).clear()
      clearing.oncomplete = clearing.onabort = () => {
        database.close()
        resolve()
      }
    }
  })
