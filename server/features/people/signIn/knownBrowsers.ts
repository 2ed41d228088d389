import { randomBytes } from 'node:crypto'
import { isStillGood, passwordStampOf, readBrowserCookie, writeBrowserCookie } from './browserCookie.ts'
import type { BrowserKeys } from './browserKeys.store.ts'
import type { SignInStore } from './signIn.store.ts'

const BROWSER_ID_BYTES = 16

/**
 * Knows the browsers from which somebody has signed in before, so that their owners get in whatever strangers behind
 * the same address have used up. The cookie lifts limits for one name and proves nothing: the password is still needed.
 */
export interface KnownBrowsers {
  /**
   * @returns the id of the browser, if the owner of this name has signed in there by the present password, and by a
   * second factor where they have one
   */
  readonly recognise: (cookies: string | undefined, username: string) => Promise<string | undefined>
  /** Resolves when `cookieFor` has what it needs. Called during the proof, it makes nobody wait. */
  readonly ready: () => Promise<unknown>
  /** @returns a header `Set-Cookie` for the browser in which somebody signs in now */
  readonly cookieFor: (user: {
    readonly username: string
    readonly passwordStamp: string
    readonly browser: string | undefined
  }) => Promise<string>
}

export function createKnownBrowsers({
  keys,
  findByUsername,
  isSecure,
  now = Date.now,
}: {
  readonly keys: BrowserKeys
  readonly findByUsername: SignInStore['findByUsername']
  /** Browsers reach the server over HTTPS. */
  readonly isSecure: boolean
  readonly now?: () => number
}): KnownBrowsers {
  return {
    recognise: async (cookies, username) => {
      const shown = readBrowserCookie(cookies ?? '')
      if (!shown || !isStillGood(shown.letter, now())) return undefined
      const key = await keys.find(shown.letter.keyId)
      if (!key || !shown.isOf(username, key.secret)) return undefined
      const user = await findByUsername(username)
      const isCurrent = user?.passwordHash && passwordStampOf(user) === shown.letter.passwordStamp
      return isCurrent ? shown.letter.browserId : undefined
    },
    ready: () => keys.newest(),
    cookieFor: async ({ username, passwordStamp, browser }) => {
      const { id: keyId, secret } = await keys.newest()
      const browserId = browser ?? randomBytes(BROWSER_ID_BYTES).toString('base64url')
      const letter = { keyId, browserId, issuedAtSeconds: Math.floor(now() / 1000), passwordStamp }
      return writeBrowserCookie(letter, { username, secret, isSecure })
    },
  }
}
