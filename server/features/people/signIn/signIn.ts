import {
  getClientAuthData,
  getLastVisit,
  getOfferedUsers,
  login,
  loginNewFactor,
  loginSecondFactor,
  logout,
} from '#contract/http/people/signIn.ts'
import type { UserId } from '#domain/ids.ts'
import type { Db } from '#server/db/database.ts'
import type { Given } from '#server/features/feature.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { CallError } from '#server/http/call/callError.ts'
import type { Caller } from '#server/http/call/caller.ts'
import { type ChangeRecord, type Client, publicRoute, route } from '#server/http/call/route.ts'
import { isReachedByTls } from '#server/network/publicAddress.ts'
import { forgiveAccount } from './attempts.store.ts'
import { BrowserKeys } from './browserKeys.store.ts'
import { authenticate, describeCaller, reauthenticate } from './callerFinder.ts'
import { expiredSignInsJob } from './expiredSignIns.store.ts'
import { recogniseBrowser } from './knownBrowsers.ts'
import { byNewFactor, byPassword, bySecondFactor } from './login.ts'
import { PasswordProof } from './PasswordProof.ts'
import { whyGuessable } from './passwords/guessing.ts'
import { hashPassword } from './passwords/passwords.ts'
import type { SecondFactor } from './secondFactor.ts'
import { unboundCookie } from './sessionBinding.ts'
import { beginSession, type StartedSession } from './sessionStart.ts'
import { endSession, findById, findRoles, readAccountId } from './signIn.store.ts'
import { newApiToken, tokenHash } from './tokens.ts'
import { noteVisit } from './visits.store.ts'

interface ProvedUser {
  readonly userId: UserId
  readonly client: Client
  readonly change: ChangeRecord
}

type Deps = Pick<Given, 'db' | 'pool' | 'config' | 'clock' | 'offeredUsers'> & { readonly secondFactor: SecondFactor }

/** Finds out who somebody is, by password here or by another way that begins its session here. */
export function signInFeature({ db, pool, config, clock, offeredUsers = [], secondFactor }: Deps) {
  const keys = new BrowserKeys(db)
  const passwords = new PasswordProof(db)
  const parts = { db, pool, config, keys, isSecure: isReachedByTls(config), passwords, secondFactor }
  return {
    routes: [
      publicRoute(login, async ({ body, client, change, setHeader }) =>
        answered(await byPassword(parts, body, client, change), setHeader),
      ),
      publicRoute(loginSecondFactor, async ({ body, client, change, setHeader }) =>
        answered(await bySecondFactor(parts, body, client, change), setHeader),
      ),
      publicRoute(loginNewFactor, async ({ body, client, change, setHeader }) => {
        const started = await byNewFactor(parts, body, client, change)
        return { ...answered(started, setHeader), recoveryCodes: started.taken }
      }),
      publicRoute(getOfferedUsers, () => offered(db, offeredUsers)),
      route(logout, async ({ caller, change, setHeader }) => {
        for (const cookie of await signOut(db, caller, change)) setHeader('set-cookie', cookie)
        return {}
      }),
      route(getLastVisit, async ({ caller }) => ({
        before: (await noteVisit(db, caller.userId))?.toISOString() ?? null,
      })),
      route(getClientAuthData, ({ caller }) => describeCaller(parts, caller)),
    ],
    jobs: [clock.deleting(expiredSignInsJob)],
    authenticate: (token: string, client: Client, cookies: string | undefined) =>
      authenticate(parts, token, client, cookies),
    reauthenticate: (caller: Caller) => reauthenticate(parts, caller),
    recogniseBrowser: (cookies: string | undefined, username: string) => recogniseBrowser(parts, cookies, username),
    tokens: { newApiToken, tokenHash },
    /** Another way of signing in uses these; none of them asks for a password. */
    sessions: {
      keys,
      /** @throws CallError `provider_refused` for whoever may not sign in */
      beginWithin: async (transaction: Tx, { userId, client, change }: ProvedUser) => {
        const [user, accountId] = [await findById(transaction, userId), await readAccountId(db)]
        if (!user) throw new CallError('provider_refused')
        return beginSession(transaction, config, { proof: { user, by: 'singleSignOn' }, client, change, accountId })
      },
    },
    /** Whoever sets or asks for a password uses these. */
    passwords: {
      hashPassword,
      whyGuessable,
      tokenHash,
      prove: passwords.prove.bind(passwords),
      forgiveAccount,
    },
  }
}

type SetHeader = (name: string, value: string) => void

function answered({ answer, cookies }: StartedSession, setHeader: SetHeader): StartedSession['answer'] {
  for (const cookie of cookies) setHeader('set-cookie', cookie)
  return answer
}

/** Lists whom the sign-in page offers, in the order in which they were named. */
async function offered(db: Db, usernames: readonly string[]) {
  const found = usernames.length === 0 ? [] : await findRoles(db, usernames)
  const place = ({ username }: { readonly username: string }) => usernames.indexOf(username.toLowerCase())
  return found.toSorted((a, b) => place(a) - place(b))
}

/** @returns values of the header `Set-Cookie` */
const signOut = (
  db: Db,
  { sessionHash, userId: id, username: name, customerId }: Caller,
  change: ChangeRecord,
): Promise<readonly string[]> =>
  db.transaction().execute(async (transaction) => {
    const hash = Buffer.from(sessionHash, 'hex')
    const wasBound = await endSession(transaction, hash)
    await change.done(transaction, { id, name, customerId: customerId ?? null })
    return wasBound ? [unboundCookie(hash)] : []
  })
