import { type SqlBool, sql } from 'kysely'
import type { CustomerId, UserId } from '#domain/ids.ts'
import type { RoleRule } from '#domain/singleSignOn/roleByClaim.ts'
import type { Db } from '#server/db/database.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import type { SecretCipher } from '#server/secrets/SecretCipher.ts'

export interface WrittenProvider {
  readonly name: string
  readonly issuer: string
  readonly clientId: string
  readonly customerId: CustomerId | null
  readonly domains: readonly string[]
  readonly roleClaim: string
  readonly roleRules: readonly RoleRule[]
  readonly trustsMail: boolean
  readonly isRequired: boolean
  readonly isOn: boolean
}

export interface ProviderRow extends WrittenProvider {
  readonly id: number
  /** The last part of the address to which the provider sends people back. */
  readonly redirectId: string
  readonly clientSecret: string
}

export interface ListedProvider extends WrittenProvider {
  readonly id: number
  readonly redirectId: string
  readonly customerName: string | null
  readonly userCount: number
}

export interface ProviderStore {
  readonly transaction: <Result>(work: (transaction: Tx) => Promise<Result>) => Promise<Result>
  readonly list: () => Promise<readonly ListedProvider[]>
  /** Finds a provider with its secret, which is empty when its encryption key is missing here. */
  readonly find: (id: number, transaction?: Tx) => Promise<ProviderRow | undefined>
  /** Finds the active provider of this domain. */
  readonly findByDomain: (domain: string) => Promise<{ readonly id: number; readonly name: string } | undefined>
  /** Finds which of these domains another provider has, and keeps others from changing providers until the commit. */
  readonly takenDomains: (domains: readonly string[], exceptId: number, transaction: Tx) => Promise<readonly string[]>
  readonly customerExists: (id: CustomerId, transaction: Tx) => Promise<boolean>
  /**
   * Adds a provider, after `takenDomains`.
   * @returns its id; undefined when another provider has or had the address
   */
  readonly add: (
    provider: WrittenProvider,
    kept: { readonly secret: string; readonly redirectId: string; readonly by: UserId },
    transaction: Tx,
  ) => Promise<number | undefined>
  /** @param secret undefined keeps the stored one */
  readonly change: (id: number, to: WrittenProvider, secret: string | undefined, transaction: Tx) => Promise<void>
  /** Removes the provider and ends the sessions that began through it. */
  readonly remove: (id: number, transaction: Tx) => Promise<void>
}

const COLUMNS = [
  'sign_in_provider.id',
  'sign_in_provider.name',
  'issuer',
  'client_id as clientId',
  'sign_in_provider.customer_id as customerId',
  'domains',
  'role_claim as roleClaim',
  'role_rules as roleRules',
  'trusts_mail as trustsMail',
  'is_required as isRequired',
  'is_on as isOn',
  'redirect_id as redirectId',
] as const

const rowOf = (provider: WrittenProvider) => ({
  name: provider.name,
  issuer: provider.issuer,
  client_id: provider.clientId,
  customer_id: provider.customerId,
  domains: [...provider.domains],
  role_claim: provider.roleClaim,
  role_rules: JSON.stringify(provider.roleRules),
  trusts_mail: provider.trustsMail,
  is_required: provider.isRequired,
  is_on: provider.isOn,
})

export function createProviderStore(db: Db, cipher: SecretCipher): ProviderStore {
  const encrypted = (secret: string, id: number) => cipher.encrypt(secret, `sign_in_provider/${id}/client_secret`)
  const existing = (at: Db | Tx = db) =>
    at.selectFrom('sign_in_provider').where('sign_in_provider.deleted_at', 'is', null)
  return {
    transaction: (work) => db.transaction().execute(work),

    list: () =>
      existing()
        .leftJoin('customer', 'customer.id', 'sign_in_provider.customer_id')
        .select(COLUMNS)
        .select([
          'customer.name as customerName',
          sql<number>`(select count(*)::int from sign_in_identity i join app_user u on u.id = i.user_id
            where i.provider_id = sign_in_provider.id and u.deleted_at is null)`.as('userCount'),
        ])
        .orderBy(sql`lower(sign_in_provider.name)`)
        .orderBy('sign_in_provider.id')
        .execute(),

    find: async (id, transaction) => {
      const found = await existing(transaction)
        .select([...COLUMNS, 'client_secret as clientSecret'])
        .where('sign_in_provider.id', '=', id)
        .executeTakeFirst()
      if (!found) return undefined
      const clientSecret = cipher.tryDecrypt(found.clientSecret, `sign_in_provider/${id}/client_secret`) ?? ''
      return { ...found, clientSecret }
    },

    findByDomain: (domain) =>
      existing()
        .select(['sign_in_provider.id', 'sign_in_provider.name'])
        .where('is_on', '=', true)
        .where(sql<SqlBool>`${domain} = any(domains)`)
        .executeTakeFirst(),

    takenDomains: async (domains, exceptId, transaction) => {
      await sql`lock table sign_in_provider in share row exclusive mode`.execute(transaction)
      const { rows } = await sql<{
        domain: string
      }>`select distinct d as domain from sign_in_provider p, unnest(p.domains) d
        where p.deleted_at is null and p.id <> ${exceptId} and d = any(${[...domains]}::text[]) order by d`.execute(
        transaction,
      )
      return rows.map(({ domain }) => domain)
    },

    customerExists: async (id, transaction) =>
      (await transaction.selectFrom('customer').select('id').where('id', '=', id).executeTakeFirst()) !== undefined,

    add: async (provider, { secret, redirectId, by }, transaction) => {
      const taken = transaction.selectFrom('sign_in_provider').select('id').where('redirect_id', '=', redirectId)
      if (await taken.executeTakeFirst()) return undefined
      const added = await transaction
        .insertInto('sign_in_provider')
        .values({ ...rowOf(provider), client_secret: '', redirect_id: redirectId, created_by: by })
        .returning('id')
        .executeTakeFirstOrThrow()
      await transaction
        .updateTable('sign_in_provider')
        .set({ client_secret: encrypted(secret, added.id) })
        .where('id', '=', added.id)
        .execute()
      return added.id
    },

    change: async (id, to, secret, transaction) => {
      await transaction
        .updateTable('sign_in_provider')
        .set({ ...rowOf(to), ...(secret !== undefined && { client_secret: encrypted(secret, id) }) })
        .where('id', '=', id)
        .execute()
    },

    remove: async (id, transaction) => {
      await transaction
        .updateTable('sign_in_provider')
        .set({ deleted_at: sql<Date>`now()`, client_secret: '' })
        .where('id', '=', id)
        .execute()
      await sql`update app_session s set expires_at = now() from sign_in_identity i
        where i.user_id = s.user_id and i.provider_id = ${id} and s.proved_by = 'singleSignOn' and s.expires_at > now()`.execute(
        transaction,
      )
    },
  }
}
