import { createHash, timingSafeEqual } from 'node:crypto'
import type { Client } from '#server/http/call/route.ts'
import { newToken, tokenHash } from './tokens.ts'

const PREFIX = 'wayside_half_'
/** Of the session's hash, in its name: servers behind other ports of one host share the cookies of a browser. */
const NAME_CHARACTERS = 16
/** Sessions that ended without a sign-out leave theirs behind: a header of cookies must not grow until it is refused. */
const MOST_HALVES = 8
const SECONDS_PER_HOUR = 3600

/** The half of a bound session that its browser keeps out of reach of scripts. */
export interface SessionBinding {
  /** What is kept of it. */
  readonly hash: Buffer
  /** Values of the header `Set-Cookie`: the half, and the end of halves that are too many. */
  readonly cookies: readonly string[]
}

/**
 * @param sessionHash of the token that the half belongs to
 * @returns undefined for a client that did not ask for it
 */
export function bindSession(
  sessionHash: Buffer,
  { binding }: Client,
  { longestHours, isReachedByTls }: { readonly longestHours: number; readonly isReachedByTls: boolean },
): SessionBinding | undefined {
  if (binding === undefined) return undefined
  // How the browser sees the page counts: it would not keep a secure cookie of a page that came by http.
  const isSecure = binding.origin === undefined ? isReachedByTls : binding.origin.startsWith('https:')
  const half = newToken()
  const kept = `${nameOf(sessionHash)}=${half}; Max-Age=${longestHours * SECONDS_PER_HOUR}${rulesOf(isSecure)}`
  // Browsers name older cookies first.
  const surplus = halvesIn(binding.cookies).slice(0, 1 - MOST_HALVES)
  return { hash: tokenHash(half), cookies: [...surplus.map((name) => ended(name, isSecure)), kept] }
}

/** Ends the half of a session in the browser that asks. */
export const unboundCookie = (sessionHash: Buffer): string => ended(nameOf(sessionHash), false)

/** Whether the header `Cookie` brings the half of this session. */
export function bringsHalf(cookies: string | undefined, sessionHash: Buffer, bindingHash: Buffer): boolean {
  const start = `${nameOf(sessionHash)}=`
  // A cookie that somebody set for a longer path or a wider domain may stand beside it.
  return parts(cookies).some(
    (part) => part.startsWith(start) && timingSafeEqual(tokenHash(part.slice(start.length)), bindingHash),
  )
}

const rulesOf = (isSecure: boolean) => `; Path=/api; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`
const ended = (name: string, isSecure: boolean) => `${name}=; Max-Age=0${rulesOf(isSecure)}`

const nameOf = (sessionHash: Buffer) =>
  `${PREFIX}${createHash('sha256').update(sessionHash).digest('base64url').slice(0, NAME_CHARACTERS)}`

const NAME = new RegExp(`^(${PREFIX}[\\w-]{${NAME_CHARACTERS}})=`)
const halvesIn = (cookies: string) => parts(cookies).flatMap((part) => NAME.exec(part)?.[1] ?? [])
const parts = (cookies: string | undefined) => (cookies ?? '').split(';').map((part) => part.trim())
