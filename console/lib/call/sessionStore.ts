import { Listeners } from '#console/lib/notice/Listeners.ts'
import type { SignedInUser } from '#contract/http/people/signedInUser.ts'

/** The browser keeps this of the signed-in user (rules/calls 16). */
export interface Session {
  readonly accessToken: string
  readonly user: SignedInUser
}

/** After `expired` the next sign-in leads back to the page where the session ended. */
export type SessionEnd = 'signedOut' | 'expired'

const STORAGE_KEY = 'wayside.session'

let stored = localStorage.getItem(STORAGE_KEY)
let session = parseSession(stored)
let lastEnd: SessionEnd | undefined
const listeners = new Listeners()

function parseSession(text: string | null): Session | undefined {
  if (text === null) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return isSession(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** It checks only the shape that the console relies on, because the server checks every right again on each call. */
function isSession(value: unknown): value is Session {
  if (typeof value !== 'object' || value === null) return false
  const { accessToken, user } = value as { accessToken?: unknown; user?: { roleFunctions?: unknown } }
  return typeof accessToken === 'string' && accessToken !== '' && Array.isArray(user?.roleFunctions)
}

export function readSession(): Session | undefined {
  return session
}

export function sessionEnd(): SessionEnd | undefined {
  return lastEnd
}

/** A later answer without a token leaves the stored one in place (rules/calls 4). */
export function keepSession(next: { readonly accessToken?: string; readonly user: SignedInUser }) {
  const accessToken = next.accessToken ?? session?.accessToken
  if (!accessToken) return
  const text = JSON.stringify({ accessToken, user: next.user })
  if (text === stored) return
  stored = text
  session = { accessToken, user: next.user }
  lastEnd = undefined
  localStorage.setItem(STORAGE_KEY, text)
  listeners.notify()
}

/** Only the session of `token`, if given, ends: an answer to an older session must not end a newer one. */
export function endSession(end: SessionEnd, token?: string) {
  if (!session || (token !== undefined && token !== session.accessToken)) return
  stored = null
  session = undefined
  lastEnd = end
  localStorage.removeItem(STORAGE_KEY)
  listeners.notify()
}

export const onSessionChange = listeners.subscribe

// All tabs of this browser sign in and out together; `key` is null when the storage was cleared.
window.addEventListener('storage', (event) => {
  if (event.key !== STORAGE_KEY && event.key !== null) return
  const text = localStorage.getItem(STORAGE_KEY)
  if (text === stored) return
  stored = text
  session = parseSession(text)
  lastEnd = session ? undefined : 'signedOut'
  listeners.notify()
})
