import { randomBytes } from 'node:crypto'
import type { Db } from '#server/db/database.ts'
import { isStillGood, passwordStampOf, readBrowserCookie, writeBrowserCookie } from './browserCookie.ts'
import type { BrowserKeys } from './browserKeys.store.ts'
import { findByUsername } from './signIn.store.ts'

const BROWSER_ID_BYTES = 16

export interface BrowserParts {
  readonly db: Db
  readonly keys: BrowserKeys
  /** Browsers reach the server over HTTPS. */
  readonly isSecure: boolean
  readonly now?: () => number
}

/**
 * Recognises the browsers from which somebody has signed in before, so that their owners get in whatever strangers
 * behind the same address have used up. The cookie lifts limits for one name and proves nothing: the password is still
 * needed.
 *
 * @returns the id of the browser, if the owner of this name has signed in there by the present password, and by a
 * second factor where they have one
 */
export async function recogniseBrowser(
  { db, keys, now = Date.now }: BrowserParts,
  cookies: string | undefined,
  username: string,
): Promise<string | undefined> {
  const shown = readBrowserCookie(cookies ?? '')
  if (!shown || !isStillGood(shown.letter, now())) return undefined
  const key = await keys.find(shown.letter.keyId)
  if (!key || !shown.isOf(username, key.secret)) return undefined
  const user = await findByUsername(db, username)
  const isCurrent = user?.passwordHash && passwordStampOf(user) === shown.letter.passwordStamp
  return isCurrent ? shown.letter.browserId : undefined
}

/**
 * Makes the header `Set-Cookie` for the browser in which somebody signs in now. Whoever reads the newest key during the
 * proof makes nobody wait here.
 */
export async function browserCookieFor(
  { keys, isSecure, now = Date.now }: BrowserParts,
  {
    username,
    passwordStamp,
    browser,
  }: { readonly username: string; readonly passwordStamp: string; readonly browser: string | undefined },
): Promise<string> {
  const { id: keyId, secret } = await keys.newest()
  const browserId = browser ?? randomBytes(BROWSER_ID_BYTES).toString('base64url')
  const letter = { keyId, browserId, issuedAtSeconds: Math.floor(now() / 1000), passwordStamp }
  return writeBrowserCookie(letter, { username, secret, isSecure })
}
