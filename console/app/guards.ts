import type { Session, SessionEnd } from '#console/lib/call/sessionStore.ts'
import { authorityOf } from '#console/lib/session/session.ts'
import { type Address, address } from '#console/router/addressText.ts'
import { homePath, isAllowed, type Permission } from '#domain/permissions/permissions.ts'

interface ToLogin {
  readonly to: '/login'
  readonly wanted?: string
}

/**
 * Everything but the public pages needs a signed-in user. The requested address is kept until after the sign-in, except
 * when somebody has just signed out: the next user starts at home (rules/addresses 1).
 */
export function detourOfVisitor(
  session: Session | undefined,
  end: SessionEnd | undefined,
  href: string,
): ToLogin | undefined {
  if (session) return undefined
  return end === 'signedOut' || href === '/' ? { to: '/login' } : { to: '/login', wanted: href }
}

export function detourOfSignedIn(session: Session | undefined, wanted: unknown): { readonly to: Address } | undefined {
  return session && { to: safeWanted(wanted) ?? address('/') }
}

/** It returns `undefined` for a user who may open no page. */
export function homeOf(session: Session): Address | undefined {
  const path = homePath(authorityOf(session.user))
  return path && address(path)
}

export function mayOpen(permission: Permission, session: Session): boolean {
  return isAllowed(permission, authorityOf(session.user))
}

const ANY_ORIGIN = 'http://console.invalid'

/** Anybody may have written the link, so only an address within this console passes, and never the login. */
export function safeWanted(wanted: unknown): Address | undefined {
  if (typeof wanted !== 'string' || !wanted.startsWith('/') || !URL.canParse(wanted, ANY_ORIGIN)) return undefined
  const { origin, pathname, search, hash } = new URL(wanted, ANY_ORIGIN)
  if (origin !== ANY_ORIGIN || pathname.startsWith('//') || pathname === '/login') return undefined
  return (pathname + search + hash) as Address
}
