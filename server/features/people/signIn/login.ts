import type { Db } from '#server/db/database.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { CallError } from '#server/http/call/callError.ts'
import type { ChangeRecord, Client } from '#server/http/call/route.ts'
import { passwordStampOf } from './browserCookie.ts'
import { type BrowserParts, browserCookieFor } from './knownBrowsers.ts'
import type { PasswordProof } from './PasswordProof.ts'
import type { FactorGiven, SecondFactor } from './secondFactor.ts'
import { aboutOf, beginSession, type SessionConfig, type StartedSession } from './sessionStart.ts'
import { findByUsername, type Proof, readAccountId, type UserRow } from './signIn.store.ts'

interface LoginParts extends BrowserParts {
  readonly db: Db
  readonly config: SessionConfig
  readonly passwords: PasswordProof
  readonly secondFactor: SecondFactor
}

/** @throws CallError `second_factor_required`, `factor_enrolment_required` for whoever needs more than a password */
export async function byPassword(
  parts: LoginParts,
  { username, password }: { readonly username: string; readonly password: string },
  client: Client,
  change: ChangeRecord,
): Promise<StartedSession> {
  const { db, secondFactor } = parts
  change.about({ name: username }, { username })
  const { browser } = client
  const attempt = { username, address: client.address, browser }
  const [{ forgive, passwordStamp, hasToUseProvider, ...proof }, accountId] = await Promise.all([
    parts.passwords.prove(attempt, password),
    readAccountId(db),
    parts.keys.newest(),
  ])
  const { user } = proof
  if (user.hasFactor && !hasToUseProvider) {
    change.about(...aboutOf(user))
    const asked = await secondFactor.begin(user.id, { passwordStamp, browser }, forgive)
    throw new CallError('second_factor_required', undefined, { secondFactor: asked })
  }
  if (user.isFactorOverdue && !hasToUseProvider) {
    change.about(...aboutOf(user))
    const asked = await secondFactor.beginEnrolment(user, { passwordStamp, browser }, forgive)
    throw new CallError('factor_enrolment_required', undefined, { secondFactor: asked })
  }
  const cookie = await browserCookieFor(parts, { username, passwordStamp, browser })
  try {
    if (hasToUseProvider) throw new CallError('provider_only')
    return await db.transaction().execute(async (transaction) => {
      const { answer, cookies } = await beginSession(transaction, parts.config, { proof, client, change, accountId })
      // Everybody behind one address shares a row of what is counted, so it is locked last.
      await forgive(transaction)
      return { answer, cookies: [...cookies, cookie] }
    })
  } catch (refusal) {
    // The password was right: this was no guess.
    if (refusal instanceof CallError) await db.transaction().execute(forgive)
    throw refusal
  }
}

/** Ends what `byPassword` refused with `second_factor_required`. */
export const bySecondFactor = (
  parts: LoginParts,
  { username, ...given }: FactorGiven & { readonly username: string },
  client: Client,
  change: ChangeRecord,
) =>
  enter(parts, { username, client, change }, (user, passwordStamp) =>
    parts.secondFactor.prove(user.id, { ...given, passwordStamp }),
  )

/** Ends what `byPassword` refused with `factor_enrolment_required`. */
export const byNewFactor = (
  parts: LoginParts,
  { username, ...given }: Readonly<Record<'username' | 'challenge' | 'code' | 'name', string>>,
  client: Client,
  change: ChangeRecord,
) =>
  enter(parts, { username, client, change }, (user, passwordStamp) =>
    parts.secondFactor.enrol(user.id, { ...given, passwordStamp }),
  )

interface Entering {
  readonly username: string
  readonly client: Client
  readonly change: ChangeRecord
}

/** The second half of a sign-in: what proves it is used up in the transaction that opens the session. */
async function enter<Taken>(
  parts: LoginParts,
  { username, client, change }: Entering,
  prove: (
    user: UserRow,
    passwordStamp: string,
  ) => Promise<{ readonly by: Proof['by']; readonly take: (transaction: Tx) => Promise<Taken> }>,
): Promise<StartedSession & { readonly taken: Taken }> {
  const { db } = parts
  change.about({ name: username }, { username })
  const [found, accountId] = await Promise.all([findByUsername(db, username), readAccountId(db), parts.keys.newest()])
  if (!found) throw new CallError('challenge_not_valid')
  const { passwordHash, hasToUseProvider, ...user } = found
  if (hasToUseProvider) throw new CallError('provider_only')
  const { by, take } = await prove(user, passwordStampOf(found))
  const provedUser = { ...user, hasFactor: true }
  const passwordStamp = passwordStampOf({ ...provedUser, passwordHash })
  const cookie = await browserCookieFor(parts, { username, passwordStamp, browser: client.browser })
  return db.transaction().execute(async (transaction) => {
    const taken = await take(transaction)
    const proof = { user: provedUser, by }
    const { answer, cookies } = await beginSession(transaction, parts.config, { proof, client, change, accountId })
    return { answer, cookies: [...cookies, cookie], taken }
  })
}
