import type { Session, SessionEnd } from '#console/lib/call/sessionStore.ts'
import { authorityOf } from '#console/lib/session/session.ts'
import { type Address, address } from '#console/router/addressText.ts'
import { homePath, isAllowed, type Permission } from '#domain/permissions/permissions.ts'

/** Where to go instead of the address asked for. */
interface ToLogin {
  readonly to: '/login'
  readonly wanted?: string
}

/**
 * Everything but the public pages needs a signed-in user. The address asked for is kept for after the sign-in, except by
 * somebody who has just signed out: whoever comes next starts at home (rules/addresses 1).
 */
export function detourOfVisitor(
  session: Session | undefined,
  end: SessionEnd | undefined,
  href: string,
): ToLogin | undefined {
  if (session) return undefined
  return end === 'signedOut' || href === '/' ? { to: '/login' } : { to: '/login', wanted: href }
}

/** Somebody who is signed in has no business on the login page. */
export function detourOfSignedIn(session: Session | undefined, wanted: unknown): { readonly to: Address } | undefined {
  return session && { to: safeWanted(wanted) ?? address('/') }
}

/** The home of this user; `undefined` for those who may open nothing. */
export function homeOf(session: Session): Address | undefined {
  const path = homePath(authorityOf(session.user))
  return path && address(path)
}

export function mayOpen(permission: Permission, session: Session): boolean {
  return isAllowed(permission, authorityOf(session.user))
}

const ANY_ORIGIN = 'http://console.invalid'

/** An address within this console, from a link that anybody may have written; never another site, never the login. */
export function safeWanted(wanted: unknown): Address | undefined {
  if (typeof wanted !== 'string' || !wanted.startsWith('/') || !URL.canParse(wanted, ANY_ORIGIN)) return undefined
  const { origin, pathname, search, hash } = new URL(wanted, ANY_ORIGIN)
  if (origin !== ANY_ORIGIN || pathname.startsWith('//') || pathname === '/login') return undefined
  return (pathname + search + hash) as Address
}
