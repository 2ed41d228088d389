import { randomUUID } from 'node:crypto'
import type { ReadBodyOf } from '#contract/call/call.ts'
import type { SignInProvider, setSignInProvider } from '#contract/http/people/singleSignOn.ts'
import { faultOfOutboundAddress } from '#domain/network/outboundTarget.ts'
import { destinationOf } from '#domain/secrets/movedSecrets.ts'
import { mailDomainOf } from '#domain/singleSignOn/roleByClaim.ts'
import type { Db } from '#server/db/database.ts'
import { requireCustomer } from '#server/fleet/customerLookup.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { CallError } from '#server/http/call/callError.ts'
import { type Caller, scopeOf } from '#server/http/call/caller.ts'
import { foundRow } from '#server/http/call/changeSteps.store.ts'
import type { ChangeRecord } from '#server/http/call/route.ts'
import { refuseSecretMove } from '#server/http/call/secretMove.ts'
import type { SecretCipher } from '#server/secrets/SecretCipher.ts'
import type { ProviderClient, RequestedProvider } from './ProviderClient.ts'
import { ProviderFailure } from './ProviderFailure.ts'
import {
  addProvider,
  changeProvider,
  findProvider,
  listProviders,
  lockDomains,
  type ProviderRow,
  removeProvider,
  type WrittenProvider,
} from './providers.store.ts'

interface Parts {
  readonly db: Db
  readonly cipher: SecretCipher
  readonly openClient: () => Promise<ProviderClient>
}

type Request = ReadBodyOf<typeof setSignInProvider>

export const listForStaff = async (db: Db): Promise<SignInProvider[]> =>
  (await listProviders(db)).map(({ customerName, domains, roleRules, ...provider }) => ({
    ...provider,
    customerName: customerName ?? '',
    domains: [...domains],
    roleRules: [...roleRules],
  }))

/** Adds or edits a provider. One with another issuer or client is read first. */
export async function saveProvider(
  { db, cipher, openClient }: Parts,
  asked: Request,
  caller: Caller,
  change: ChangeRecord,
): Promise<number> {
  const { id, clientSecret, redirectId = randomUUID(), ...written } = asked
  change.about({ name: asked.name, ...(id > 0 && { id }) })
  const provider = { ...written, domains: [...new Set(asked.domains)] }
  const { customerId } = provider
  refuseUnusable(provider)
  const found = id > 0 ? await findForChange(db, cipher, asked, caller) : undefined
  const secret = clientSecret ?? found?.clientSecret
  if (!secret) throw new CallError('provider_not_usable', 'clientSecret is required.')
  const isNews = found?.issuer !== provider.issuer || found.clientId !== provider.clientId
  if (isNews) await readFromProvider(await openClient(), { ...provider, id, clientSecret: secret })
  return db.transaction().execute(async (transaction) => {
    await refuseTaken(transaction, provider.domains, id)
    if (customerId !== null) await requireCustomer(transaction, customerId, scopeOf(caller))
    // While the provider took its time to answer, somebody else may have given it another issuer and secret.
    const before = id > 0 ? await findForChange(transaction, cipher, asked, caller) : undefined
    const after = { ...provider, ...(clientSecret !== undefined && { clientSecret: 'replaced' }) }
    if (before) {
      await changeProvider(transaction, cipher, id, provider, clientSecret)
      await change.done(transaction, { customerId, before: shownOf(before), after })
      return id
    }
    const added = await addProvider(transaction, cipher, provider, { secret, redirectId, by: caller.userId })
    if (added === undefined) throw new CallError('provider_not_usable', 'redirectId is that of another provider.')
    await change.done(transaction, { id: added, customerId, details: 'Added', isNew: true, after })
    return added
  })
}

export async function deleteProvider({ db, cipher }: Parts, id: number, change: ChangeRecord): Promise<void> {
  change.about({ id })
  const found = await foundRow(findProvider(db, cipher, id))
  await db.transaction().execute(async (transaction) => {
    await removeProvider(transaction, id)
    await change.done(transaction, { name: found.name, customerId: found.customerId, before: shownOf(found) })
  })
}

/** The audit log shows all of a provider but its secret. */
function shownOf({ clientSecret: _, id: __, redirectId: ___, ...shown }: ProviderRow) {
  return shown
}

async function readFromProvider(client: ProviderClient, provider: RequestedProvider): Promise<void> {
  try {
    await client.look(provider)
  } catch (fault) {
    if (fault instanceof ProviderFailure) throw new CallError('provider_not_usable', fault.message)
    throw fault
  }
}

/** Finds a provider and refuses a change that would send its secret elsewhere. */
async function findForChange(
  db: Db | Tx,
  cipher: SecretCipher,
  { id, issuer, clientSecret }: Request,
  caller: Caller,
): Promise<ProviderRow> {
  const found = await foundRow(findProvider(db, cipher, id))
  refuseSecretMove(moveOf(found.issuer, issuer, clientSecret), caller)
  return found
}

const moveOf = (from: string, to: string, secret: string | undefined) => ({
  from: destinationOf(from),
  to: destinationOf(to),
  kept: ['clientSecret'],
  given: secret === undefined ? [] : ['clientSecret'],
})

async function refuseTaken(transaction: Tx, domains: readonly string[], exceptId: number): Promise<void> {
  const [taken] = await lockDomains(transaction, domains, exceptId)
  if (taken === undefined) return
  throw new CallError('provider_domain_taken', `Another identity provider has the domain ${taken} already.`)
}

function refuseUnusable({ issuer, domains }: WrittenProvider): void {
  const url = URL.canParse(issuer) ? new URL(issuer) : undefined
  const fault = url ? faultOfOutboundAddress(url) : 'must be an address that begins with https://'
  if (fault !== undefined) throw new CallError('provider_not_usable', `issuer ${fault}.`)
  if (url && (url.search !== '' || url.hash !== '')) {
    throw new CallError('provider_not_usable', 'issuer must have nothing behind a question mark or number sign.')
  }
  const wrong = domains.find((domain) => mailDomainOf(`somebody@${domain}`) !== domain)
  if (wrong !== undefined)
    throw new CallError('provider_not_usable', `domains: ${wrong} is no domain of mail addresses.`)
}
