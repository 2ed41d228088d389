import type { AnswerOf } from '#contract/call/call.ts'
import type {
  beginProviderSignIn,
  completeProviderSignIn,
  findSignInProvider,
} from '#contract/http/people/singleSignOn.ts'
import type { RoleId, UserId } from '#domain/ids.ts'
import { type Claims, mailDomainOf, mailOfClaims, roleByClaim } from '#domain/singleSignOn/roleByClaim.ts'
import type { Db } from '#server/db/database.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { CallError, notFound } from '#server/http/call/callError.ts'
import type { ChangeRecord, Client } from '#server/http/call/route.ts'
import { inOneLine } from '#server/mail/sending/mailer.ts'
import { endSessions, queuePeopleChange } from '#server/people/peopleChange.store.ts'
import type { SecretCipher } from '#server/secrets/SecretCipher.ts'
import { openAttempt, type SealKeys, sealAttempt } from './attemptSeal.ts'
import { takeAttempt } from './attemptTaking.store.ts'
import type { ProviderClient, SignedClaims } from './ProviderClient.ts'
import { ProviderFailure } from './ProviderFailure.ts'
import { findProvider, findProviderByDomain, type ProviderRow } from './providers.store.ts'
import {
  addPerson,
  findBySubject,
  findNamesake,
  hasRole,
  identify,
  type KnownPerson,
  setPersonsRole,
} from './signedInPeople.store.ts'

interface Started {
  readonly answer: AnswerOf<typeof completeProviderSignIn>
  readonly cookies: readonly string[]
}

export interface ProviderSignInParts {
  readonly db: Db
  readonly cipher: SecretCipher
  readonly openClient: () => Promise<ProviderClient>
  readonly keys: SealKeys
  readonly beginWithin: (
    transaction: Tx,
    proved: { readonly userId: UserId; readonly client: Client; readonly change: ChangeRecord },
  ) => Promise<Started>
  /** Returns the address where providers send people back; each provider has a part of its own. */
  readonly callback: () => string
}

const BEGIN_AGAIN =
  'This sign-in took too long, was used already, or began in another browser or at another provider. Please begin again.'

type Judged = { readonly refused: string } | { readonly started: Started }

export async function findFor(db: Db, username: string): Promise<AnswerOf<typeof findSignInProvider>> {
  const domain = mailDomainOf(username)
  return { provider: (domain === undefined ? undefined : await findProviderByDomain(db, domain)) ?? null }
}

export async function beginSignIn(
  parts: ProviderSignInParts,
  { providerId, username }: { readonly providerId: number; readonly username: string },
): Promise<AnswerOf<typeof beginProviderSignIn>> {
  const provider = await findProvider(parts.db, parts.cipher, providerId)
  if (!provider?.isOn) throw notFound()
  const loginHint = mailDomainOf(username) === undefined ? '' : username.trim()
  const client = await parts.openClient()
  const begun = client.begin(provider, { redirect: redirectOf(parts, provider), loginHint })
  const { address, ...attempt } = await begun.catch(asFailed)
  return { address, attempt: await sealAttempt(parts.keys, { providerId, ...attempt }) }
}

interface Returned {
  readonly attempt: string
  readonly redirectId: string
  readonly parameters: string
}

export async function completeSignIn(
  parts: ProviderSignInParts,
  { attempt: sealed, redirectId, parameters }: Returned,
  client: Client,
  change: ChangeRecord,
): Promise<Started> {
  const { db } = parts
  const { attempt, provider } = await begunAt(parts, sealed, redirectId)
  change.about({ name: provider.name, customerId: provider.customerId })
  const back = { redirect: redirectOf(parts, provider), parameters }
  const providerClient = await parts.openClient()
  const claims = await providerClient.claims(provider, attempt, back).catch(asFailed)
  const work = async (transaction: Tx): Promise<Judged> => {
    const userId = await judgePerson(transaction, provider, claims)
    if (typeof userId === 'string') return { refused: userId }
    change.about({ details: `By ${provider.name}.` })
    return { started: await parts.beginWithin(transaction, { userId, client, change }) }
  }
  const isPeopleChange = await changesPeople(db, provider, claims)
  const judged = await (isPeopleChange ? queuePeopleChange(db, work) : db.transaction().execute(work))
  // The refusal must not roll back the sessions that it ended.
  if ('refused' in judged) throw new CallError('provider_refused', judged.refused)
  return judged.started
}

const redirectOf = ({ callback }: ProviderSignInParts, { redirectId }: ProviderRow) => `${callback()}/${redirectId}`

/**
 * Opens the attempt for its one use. The browser has to come back on the address of the provider that it was sent to:
 * otherwise another provider's answer could be used for this attempt (RFC 9700, section 4.4).
 */
async function begunAt({ db, cipher, keys }: ProviderSignInParts, sealed: string, redirectId: string) {
  const attempt = await openAttempt(keys, sealed)
  const provider = attempt && (await findProvider(db, cipher, attempt.providerId))
  const isItsOwn = provider?.isOn && provider.redirectId === redirectId
  if (attempt && isItsOwn && (await takeAttempt(db, attempt.state))) return { attempt, provider }
  throw new CallError('challenge_not_valid', BEGIN_AGAIN)
}

/** Tells whether the sign-in changes people, and so has to wait for other such changes. */
async function changesPeople(db: Db, provider: ProviderRow, claims: SignedClaims): Promise<boolean> {
  const known = await findBySubject(db, { providerId: provider.id, subject: claims.sub })
  return known === undefined || known.roleId !== roleByClaim(claims, provider.roleClaim, provider.roleRules)
}

/** @returns a sentence when the person may not come in */
async function judgePerson(transaction: Tx, provider: ProviderRow, claims: SignedClaims): Promise<UserId | string> {
  const identity = { providerId: provider.id, subject: claims.sub }
  const roleId = roleByClaim(claims, provider.roleClaim, provider.roleRules)
  const known = await findBySubject(transaction, identity)
  if (roleId === undefined || !(await hasRole(transaction, roleId))) {
    if (known) await endSessions(transaction, { userId: known.id })
    return `${provider.name} knows you, but gives you no role here${known ? ' any more' : ''}. Ask whoever looks after it.`
  }
  if (known) {
    if (known.roleId !== roleId) await setPersonsRole(transaction, known.id, roleId)
    return known.id
  }
  const found = await newcomer(transaction, provider, claims, roleId)
  if (typeof found !== 'string') await identify(transaction, found, identity)
  return found
}

/** Finds or makes the account of a verified mail address for somebody who has not come by this provider before. */
async function newcomer(transaction: Tx, provider: ProviderRow, claims: SignedClaims, roleId: RoleId) {
  const mail = mailOfClaims(claims, provider)
  if ('refused' in mail) return whyNobody(mail.refused, provider.name)
  const namesake = await findNamesake(transaction, mail.mail)
  if (!namesake) {
    const { customerId } = provider
    return addPerson(transaction, { ...nameOf(claims), username: mail.mail, roleId, customerId })
  }
  if (!mayBecome(namesake, provider))
    return `The account ${mail.mail} belongs to somebody else than ${provider.name} says.`
  if (namesake.roleId !== roleId) await setPersonsRole(transaction, namesake.id, roleId)
  return namesake.id
}

function asFailed(fault: unknown): never {
  if (fault instanceof ProviderFailure) throw new CallError(fault.code, fault.message)
  throw fault
}

/** The account must be of the same customer and of no provider; this provider has verified the mail address. */
const mayBecome = (namesake: KnownPerson, provider: ProviderRow) =>
  namesake.providerId === null && namesake.customerId === provider.customerId

function whyNobody(reason: 'no-mail' | 'unverified' | 'other-domain', name: string): string {
  if (reason === 'no-mail') return `${name} says no mail address of yours, by which you would be known here.`
  if (reason === 'unverified') return `${name} has not verified your mail address. Ask whoever looks after it.`
  return `Your mail address is of no domain that ${name} signs in here.`
}

const LONGEST_NAME = 100

function nameOf(claims: Claims) {
  // A strange name must not prevent the sign-in, so it is cut and made one line of plain text.
  const text = (value: unknown) => (typeof value === 'string' ? inOneLine(value.slice(0, LONGEST_NAME)) : '')
  return { firstName: text(claims.given_name), lastName: text(claims.family_name) }
}
