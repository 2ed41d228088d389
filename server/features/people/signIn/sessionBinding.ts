import { createHash, timingSafeEqual } from 'node:crypto'
import type { Client } from '#server/http/call/route.ts'
import { newToken, tokenHash } from './tokens.ts'

const PREFIX = 'wayside_half_'
/** Servers on other ports of a host share a browser's cookies, so the name contains part of the session's hash. */
const NAME_CHARACTERS = 16
/**
 * Sessions that ended without a sign-out leave their cookies behind, and the header must not grow until it is refused.
 */
const MOST_COOKIES = 8
const SECONDS_PER_HOUR = 3600

/** The cookie of a bound session, which its browser keeps out of reach of scripts. */
export interface SessionBinding {
  /** The hash of the cookie, which the database keeps. */
  readonly hash: Buffer
  /** Values of the header `Set-Cookie`: the session cookie, and the end of surplus ones. */
  readonly cookies: readonly string[]
}

/**
 * @param sessionHash the hash of the token that the cookie belongs to
 * @returns undefined for a client that did not ask for it
 */
export function bindSession(
  sessionHash: Buffer,
  { binding }: Client,
  { longestHours, isReachedByTls }: { readonly longestHours: number; readonly isReachedByTls: boolean },
): SessionBinding | undefined {
  if (binding === undefined) return undefined
  // The page's own protocol counts: a browser would not keep a secure cookie of a page that came over HTTP.
  const isSecure = binding.origin === undefined ? isReachedByTls : binding.origin.startsWith('https:')
  const secret = newToken()
  const kept = `${nameOf(sessionHash)}=${secret}; Max-Age=${longestHours * SECONDS_PER_HOUR}${rulesOf(isSecure)}`
  // Browsers send older cookies first.
  const surplus = sessionCookiesIn(binding.cookies).slice(0, 1 - MOST_COOKIES)
  return { hash: tokenHash(secret), cookies: [...surplus.map((name) => ended(name, isSecure)), kept] }
}

/** Ends a session's cookie in the browser that asks. */
export const unboundCookie = (sessionHash: Buffer): string => ended(nameOf(sessionHash), false)

/** Tells whether the header `Cookie` brings the cookie of this session. */
export function bringsSessionCookie(cookies: string | undefined, sessionHash: Buffer, bindingHash: Buffer): boolean {
  const start = `${nameOf(sessionHash)}=`
  // Somebody may have set another cookie of this name for a longer path or a wider domain.
  return parts(cookies).some(
    (part) => part.startsWith(start) && timingSafeEqual(tokenHash(part.slice(start.length)), bindingHash),
  )
}

const rulesOf = (isSecure: boolean) => `; Path=/api; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`
const ended = (name: string, isSecure: boolean) => `${name}=; Max-Age=0${rulesOf(isSecure)}`

const nameOf = (sessionHash: Buffer) =>
  `${PREFIX}${createHash('sha256').update(sessionHash).digest('base64url').slice(0, NAME_CHARACTERS)}`

const NAME = new RegExp(`^(${PREFIX}[\\w-]{${NAME_CHARACTERS}})=`)
const sessionCookiesIn = (cookies: string) => parts(cookies).flatMap((part) => NAME.exec(part)?.[1] ?? [])
const parts = (cookies: string | undefined) => (cookies ?? '').split(';').map((part) => part.trim())
