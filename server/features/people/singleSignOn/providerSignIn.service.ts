import type { AnswerOf } from '#contract/call/call.ts'
import type {
  beginProviderSignIn,
  completeProviderSignIn,
  findSignInProvider,
} from '#contract/http/people/singleSignOn.ts'
import type { RoleId, UserId } from '#domain/ids.ts'
import { type Claims, mailDomainOf, mailOfClaims, roleByClaim } from '#domain/singleSignOn/roleByClaim.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { CallError, notFound } from '#server/http/call/callError.ts'
import type { ChangeRecord, Client } from '#server/http/call/route.ts'
import { inOneLine } from '#server/mail/sending/mailer.ts'
import { endSessions } from '#server/people/peopleChange.store.ts'
import type { Attempt, AttemptSeal } from './attemptSeal.ts'
import type { TakeAttempt } from './attemptTaking.store.ts'
import { type ProviderClient, ProviderFailure } from './providerClient.ts'
import type { ProviderRow, ProviderStore } from './providers.store.ts'
import type { KnownPerson, PeopleStore } from './signedInPeople.store.ts'

type InTransaction = <Result>(work: (transaction: Tx) => Promise<Result>) => Promise<Result>

export interface Started {
  readonly answer: AnswerOf<typeof completeProviderSignIn>
  readonly cookies: readonly string[]
}

export interface ProviderSignInDeps {
  readonly providers: Pick<ProviderStore, 'find' | 'findByDomain' | 'transaction'>
  readonly people: PeopleStore
  readonly client: Pick<ProviderClient, 'begin' | 'claims'>
  readonly attempts: AttemptSeal
  readonly takeAttempt: TakeAttempt
  /** Runs changes of people one after the other. */
  readonly inTurn: InTransaction
  readonly beginWithin: (
    transaction: Tx,
    proved: { readonly userId: UserId; readonly client: Client; readonly change: ChangeRecord },
  ) => Promise<Started>
  /** Returns the address where providers send people back; each provider has a part of its own. */
  readonly callback: () => string
}

export interface ProviderSignIn {
  readonly find: (username: string) => Promise<AnswerOf<typeof findSignInProvider>>
  readonly begin: (asked: {
    readonly providerId: number
    readonly username: string
  }) => Promise<AnswerOf<typeof beginProviderSignIn>>
  readonly complete: (
    given: { readonly attempt: string; readonly redirectId: string; readonly parameters: string },
    client: Client,
    change: ChangeRecord,
  ) => Promise<Started>
}

const BEGIN_AGAIN =
  'This sign-in took too long, was used already, or began in another browser or at another provider. Please begin again.'

type SignedClaims = Claims & { readonly sub: string }
type Judged = { readonly refused: string } | { readonly started: Started }

export function createProviderSignIn(deps: ProviderSignInDeps): ProviderSignIn {
  const { providers, people, client } = deps

  async function usable(id: number): Promise<ProviderRow> {
    const provider = await providers.find(id)
    if (!provider?.isOn) throw notFound()
    return provider
  }

  const redirectOf = ({ redirectId }: ProviderRow) => `${deps.callback()}/${redirectId}`

  /**
   * Opens the attempt for its one use. The browser has to come back on the address of the provider that it was sent to:
   * otherwise another provider's answer could be used for this attempt (RFC 9700, section 4.4).
   */
  async function begunAt(sealed: string, redirectId: string): Promise<{ attempt: Attempt; provider: ProviderRow }> {
    const attempt = await deps.attempts.open(sealed)
    const provider = attempt && (await providers.find(attempt.providerId))
    const isItsOwn = provider?.isOn && provider.redirectId === redirectId
    if (attempt && isItsOwn && (await deps.takeAttempt(attempt.state))) return { attempt, provider }
    throw new CallError('challenge_not_valid', BEGIN_AGAIN)
  }

  /** @returns a sentence when the person may not come in */
  async function person(provider: ProviderRow, claims: SignedClaims, transaction: Tx): Promise<UserId | string> {
    const roleId = roleByClaim(claims, provider.roleClaim, provider.roleRules)
    const known = await people.bySubject(provider.id, claims.sub, transaction)
    const roleName = roleId === undefined ? undefined : await people.roleName(roleId, transaction)
    if (roleId === undefined || roleName === undefined) {
      if (known) await endSessions(transaction, { userId: known.id })
      return `${provider.name} knows you, but gives you no role here${known ? ' any more' : ''}. Ask whoever looks after it.`
    }
    if (known) {
      if (known.roleId !== roleId) await people.setRole(known.id, roleId, transaction)
      return known.id
    }
    const found = await newcomer(provider, claims, roleId, transaction)
    if (typeof found !== 'string') {
      await people.identify(found, { providerId: provider.id, subject: claims.sub }, transaction)
    }
    return found
  }

  /** Finds or makes the account of a verified mail address for somebody who has not come by this provider before. */
  async function newcomer(provider: ProviderRow, claims: SignedClaims, roleId: RoleId, transaction: Tx) {
    const mail = mailOfClaims(claims, provider)
    if ('refused' in mail) return whyNobody(mail.refused, provider.name)
    const namesake = await people.byUsername(mail.mail, transaction)
    if (!namesake) {
      const { customerId } = provider
      return people.add({ ...nameOf(claims), username: mail.mail, roleId, customerId }, transaction)
    }
    if (!mayBecome(namesake, provider))
      return `The account ${mail.mail} belongs to somebody else than ${provider.name} says.`
    if (namesake.roleId !== roleId) await people.setRole(namesake.id, roleId, transaction)
    return namesake.id
  }

  /** Tells whether the sign-in changes people, and so has to wait for other such changes. */
  async function changesPeople(provider: ProviderRow, claims: SignedClaims): Promise<boolean> {
    const known = await people.bySubject(provider.id, claims.sub)
    return known === undefined || known.roleId !== roleByClaim(claims, provider.roleClaim, provider.roleRules)
  }

  return {
    find: async (username) => {
      const domain = mailDomainOf(username)
      return { provider: (domain === undefined ? undefined : await providers.findByDomain(domain)) ?? null }
    },

    begin: async ({ providerId, username }) => {
      const provider = await usable(providerId)
      const loginHint = mailDomainOf(username) === undefined ? '' : username.trim()
      const begun = client.begin(provider, { redirect: redirectOf(provider), loginHint })
      const { address, ...attempt } = await begun.catch(asFailed)
      return { address, attempt: await deps.attempts.seal({ providerId, ...attempt }) }
    },

    complete: async ({ attempt: sealed, redirectId, parameters }, from, change) => {
      const { attempt, provider } = await begunAt(sealed, redirectId)
      change.about({ name: provider.name, customerId: provider.customerId })
      const back = { redirect: redirectOf(provider), parameters }
      const claims = await client.claims(provider, attempt, back).catch(asFailed)
      const inTransaction = (await changesPeople(provider, claims)) ? deps.inTurn : providers.transaction
      const judged = await inTransaction(async (transaction): Promise<Judged> => {
        const userId = await person(provider, claims, transaction)
        if (typeof userId === 'string') return { refused: userId }
        change.about({ details: `By ${provider.name}.` })
        return { started: await deps.beginWithin(transaction, { userId, client: from, change }) }
      })
      // The refusal must not roll back the sessions that it ended.
      if ('refused' in judged) throw new CallError('provider_refused', judged.refused)
      return judged.started
    },
  }
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
