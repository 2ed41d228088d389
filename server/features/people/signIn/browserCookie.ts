import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

export const COOKIE_DAYS = 90
const NAME = 'wayside_browser'
/** Browsers send the cookie only with the calls of signing in and of passwords. */
const PATH = '/api/App'
const SECONDS_PER_DAY = 86_400

/** The content of a browser's cookie. It holds no name: the seal fits only the name that it was made for. */
export interface BrowserLetter {
  readonly keyId: number
  readonly browserId: string
  readonly issuedAtSeconds: number
  /**
   * The stamp of the password that was used. A changed password ends the cookie, and so does the first second factor.
   */
  readonly passwordStamp: string
}

interface SignsInBy {
  readonly passwordHash: string | null
  readonly hasFactor: boolean
}

/** Whoever knew only the password is no known browser once there is a second factor, so the stamp includes it. */
export const passwordStampOf = ({ passwordHash, hasFactor }: SignsInBy): string =>
  createHash('sha256')
    .update(`${passwordHash ?? ''}${hasFactor ? '\nand a second factor' : ''}`)
    .digest('base64url')
    .slice(0, 16)

function seal(letter: BrowserLetter, username: string, secret: Buffer): string {
  const sealed = [textOf(letter), username.trim().toLowerCase()].join('\n')
  return createHmac('sha256', secret).update(sealed).digest('base64url')
}

const textOf = ({ keyId, browserId, issuedAtSeconds, passwordStamp }: BrowserLetter) =>
  [keyId, browserId, issuedAtSeconds, passwordStamp].join('.')

export function writeBrowserCookie(
  letter: BrowserLetter,
  { username, secret, isSecure }: { username: string; secret: Buffer; isSecure: boolean },
): string {
  const value = `${textOf(letter)}.${seal(letter, username, secret)}`
  const lasts = COOKIE_DAYS * SECONDS_PER_DAY
  return `${NAME}=${value}; Path=${PATH}; Max-Age=${lasts}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`
}

const COOKIE = new RegExp(
  `(?:^|;\\s*)${NAME}=(\\d{1,9})\\.([\\w-]{22})\\.(\\d{1,12})\\.([\\w-]{16})\\.([\\w-]{43})(?:;|$)`,
)

/** @returns undefined when the header `Cookie` holds none that could be ours */
export function readBrowserCookie(
  cookies: string,
): { readonly letter: BrowserLetter; readonly isOf: (username: string, secret: Buffer) => boolean } | undefined {
  const [, keyId, browserId = '', issuedAt, passwordStamp = '', given = ''] = COOKIE.exec(cookies) ?? []
  if (keyId === undefined) return undefined
  const letter = { keyId: Number(keyId), browserId, issuedAtSeconds: Number(issuedAt), passwordStamp }
  const isOf = (username: string, secret: Buffer) =>
    timingSafeEqual(Buffer.from(seal(letter, username, secret)), Buffer.from(given))
  return { letter, isOf }
}

/** Tells whether the cookie is neither too old nor from the future. */
export function isStillGood({ issuedAtSeconds }: BrowserLetter, nowMs: number): boolean {
  const ageSeconds = nowMs / 1000 - issuedAtSeconds
  return ageSeconds >= -SECONDS_PER_DAY && ageSeconds <= COOKIE_DAYS * SECONDS_PER_DAY
}
