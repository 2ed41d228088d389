import type pg from 'pg'
import type { Config } from './config.ts'
import { openDatabase } from './db/database.ts'
import { accountRoutes as routesOf } from './features/account/account.routes.ts'
import { createPasswordService } from './features/account/passwords.service.ts'
import { createPasswordStore } from './features/account/passwords.store.ts'
import { createSessionService } from './features/account/sessions.service.ts'
import { createSessionStore } from './features/account/sessions.store.ts'
import { auditLogRoutes } from './features/auditLog/auditLog.routes.ts'
import { createAuditLogStore } from './features/auditLog/auditLog.store.ts'
import { createAttemptStore } from './features/signIn/attempts.store.ts'
import { createBrowserKeys } from './features/signIn/browserKeys.store.ts'
import { whyGuessable } from './features/signIn/guessing.ts'
import { createKnownBrowsers, type KnownBrowsers } from './features/signIn/knownBrowsers.ts'
import { createPasswordProof } from './features/signIn/passwordProof.ts'
import { hashPassword } from './features/signIn/passwords.ts'
import { signInRoutes } from './features/signIn/signIn.routes.ts'
import { createSignInService, type SignInService } from './features/signIn/signIn.service.ts'
import { createSignInStore } from './features/signIn/signIn.store.ts'
import { tokenHash } from './features/signIn/tokens.ts'
import type { Route } from './http/route.ts'

export type AccountConfig = Pick<
  Config,
  'labUsers' | 'internalUsers' | 'sessionIdleHours' | 'sessionLongestHours' | 'publicUrl'
>

/** Who somebody is, and the calls about it: sign-in, passwords, sessions, the audit log. */
export function accountSide(
  pool: pg.Pool,
  { labUsers, internalUsers, sessionIdleHours: idleHours, sessionLongestHours: longestHours, publicUrl }: AccountConfig,
): {
  readonly signIn: SignInService
  readonly recogniseBrowser: KnownBrowsers['recognise']
  readonly routes: readonly Route[]
} {
  const db = openDatabase(pool)
  const store = createSignInStore(db, pool, { idleHours, longestHours })
  const attempts = createAttemptStore(db)
  const passwords = createPasswordProof({ store, attempts })
  const browsers = createKnownBrowsers({
    keys: createBrowserKeys(db),
    findByUsername: store.findByUsername,
    isSecure: publicUrl?.startsWith('https:') ?? false,
  })
  const signIn = createSignInService({ store, passwords, browsers, labUsers, internalUsers })
  const sessions = createSessionStore(db, { idleHours })
  const passwordService = createPasswordService({
    store: createPasswordStore(db),
    endSessions: (userId, allBut, transaction) => sessions.end(userId, { allBut }, transaction),
    hashPassword,
    whyGuessable,
    tokenHash,
    prove: passwords.prove,
    forgiveAccount: attempts.forgiveAccount,
  })
  return {
    signIn,
    recogniseBrowser: browsers.recognise,
    routes: [
      ...signInRoutes(signIn),
      ...routesOf(passwordService, createSessionService(sessions)),
      ...auditLogRoutes(createAuditLogStore(db)),
    ],
  }
}
