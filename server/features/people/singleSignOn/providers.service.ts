import { randomUUID } from 'node:crypto'
import type { ReadBodyOf } from '#contract/call/call.ts'
import type { SignInProvider, setSignInProvider } from '#contract/http/people/singleSignOn.ts'
import { faultOfOutboundAddress } from '#domain/network/outboundTarget.ts'
import { destinationOf } from '#domain/secrets/movedSecrets.ts'
import { mailDomainOf } from '#domain/singleSignOn/roleByClaim.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { CallError, notFound } from '#server/http/call/callError.ts'
import type { Caller } from '#server/http/call/caller.ts'
import type { ChangeRecord } from '#server/http/call/route.ts'
import { refuseSecretMove } from '#server/http/call/secretMove.ts'
import { type ProviderClient, ProviderFailure, type RequestedProvider } from './providerClient.ts'
import type { ProviderRow, ProviderStore, WrittenProvider } from './providers.store.ts'

type Request = ReadBodyOf<typeof setSignInProvider>

export interface ProviderService {
  readonly list: () => Promise<SignInProvider[]>
  readonly set: (asked: Request, caller: Caller, change: ChangeRecord) => Promise<number>
  readonly remove: (id: number, change: ChangeRecord) => Promise<void>
}

export function createProviders({
  store,
  client,
}: {
  readonly store: ProviderStore
  readonly client: Pick<ProviderClient, 'look'>
}): ProviderService {
  async function looked(provider: RequestedProvider): Promise<void> {
    try {
      await client.look(provider)
    } catch (fault) {
      if (fault instanceof ProviderFailure) throw new CallError('provider_not_usable', fault.message)
      throw fault
    }
  }

  /** Finds a provider and refuses a change that would send its secret elsewhere. */
  async function kept({ id, issuer, clientSecret }: Request, caller: Caller, transaction?: Tx): Promise<ProviderRow> {
    const found = await store.find(id, transaction)
    if (!found) throw notFound()
    refuseSecretMove(moveOf(found.issuer, issuer, clientSecret), caller)
    return found
  }

  return {
    list: async () =>
      (await store.list()).map(({ customerName, domains, roleRules, ...provider }) => ({
        ...provider,
        customerName: customerName ?? '',
        domains: [...domains],
        roleRules: [...roleRules],
      })),

    set: async (asked, caller, change) => {
      const { id, clientSecret, redirectId = randomUUID(), ...written } = asked
      change.about({ name: asked.name, ...(id > 0 && { id }) })
      const provider = { ...written, domains: [...new Set(asked.domains)] }
      refuseUnusable(provider)
      const found = id > 0 ? await kept(asked, caller) : undefined
      const secret = clientSecret ?? found?.clientSecret
      if (!secret) throw new CallError('provider_not_usable', 'clientSecret is required.')
      const isNews = found?.issuer !== provider.issuer || found.clientId !== provider.clientId
      if (isNews) await looked({ ...provider, id, clientSecret: secret })
      return store.transaction(async (transaction) => {
        const [taken] = await store.takenDomains(provider.domains, id, transaction)
        if (taken !== undefined) {
          throw new CallError('provider_domain_taken', `Another identity provider has the domain ${taken} already.`)
        }
        if (provider.customerId !== null && !(await store.customerExists(provider.customerId, transaction))) {
          throw notFound()
        }
        // While the provider took its time to answer, somebody else may have given it another issuer and secret.
        const before = id > 0 ? await kept(asked, caller, transaction) : undefined
        const news = { ...provider, ...(clientSecret !== undefined && { clientSecret: 'replaced' }) }
        if (before) {
          await store.change(id, provider, clientSecret, transaction)
          const { clientSecret: _, id: __, redirectId: ___, ...was } = before
          await change.done(transaction, { customerId: provider.customerId, before: was, after: news })
          return id
        }
        const added = await store.add(provider, { secret, redirectId, by: caller.userId }, transaction)
        if (added === undefined) throw new CallError('provider_not_usable', 'redirectId is that of another provider.')
        const about = { id: added, customerId: provider.customerId, details: 'Added', isNew: true, after: news }
        await change.done(transaction, about)
        return added
      })
    },

    remove: async (id, change) => {
      change.about({ id })
      const found = await store.find(id)
      if (!found) throw notFound()
      const { clientSecret: _, id: __, redirectId: ___, ...before } = found
      await store.transaction(async (transaction) => {
        await store.remove(id, transaction)
        await change.done(transaction, { name: found.name, customerId: found.customerId, before })
      })
    },
  }
}

const moveOf = (from: string, to: string, secret: string | undefined) => ({
  from: destinationOf(from),
  to: destinationOf(to),
  kept: ['clientSecret'],
  given: secret === undefined ? [] : ['clientSecret'],
})

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
