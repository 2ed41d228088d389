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
  // The last part of the address to which the provider sends people back.
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

const placeOf = (id: number) => `sign_in_provider/${id}/client_secret`

const existing = (db: Db | Tx) => db.selectFrom('sign_in_provider').where('sign_in_provider.deleted_at', 'is', null)

export const listProviders = (db: Db) =>
  existing(db)
    .leftJoin('customer', 'customer.id', 'sign_in_provider.customer_id')
    .select(COLUMNS)
    .select([
      'customer.name as customerName',
      sql<number>`(select count(*)::int from sign_in_identity i join app_user u on u.id = i.user_id
        where i.provider_id = sign_in_provider.id and u.deleted_at is null)`.as('userCount'),
    ])
    .orderBy(sql`name_order(sign_in_provider.name)`)
    .orderBy('sign_in_provider.id')
    .execute()

export type ProviderRow = NonNullable<Awaited<ReturnType<typeof findProvider>>>

/** Finds a provider with its secret, which is empty when its encryption key is missing here. */
export async function findProvider(db: Db | Tx, cipher: SecretCipher, id: number) {
  const found = await existing(db)
    .select([...COLUMNS, 'client_secret as clientSecret'])
    .where('sign_in_provider.id', '=', id)
    .executeTakeFirst()
  return found && { ...found, clientSecret: cipher.tryDecrypt(found.clientSecret, placeOf(id)) ?? '' }
}

/** Finds the active provider of this domain. */
export const findProviderByDomain = (db: Db, domain: string) =>
  existing(db)
    .select(['sign_in_provider.id', 'sign_in_provider.name'])
    .where('is_on', '=', true)
    .where(sql<SqlBool>`${domain} = any(domains)`)
    .executeTakeFirst()

/** Finds which of these domains another provider has, and keeps others from changing providers until the commit. */
export async function lockDomains(
  transaction: Tx,
  domains: readonly string[],
  exceptId: number,
): Promise<readonly string[]> {
  await sql`lock table sign_in_provider in share row exclusive mode`.execute(transaction)
  const { rows } = await sql<{ domain: string }>`
    select distinct d as domain from sign_in_provider p, unnest(p.domains) d
    where p.deleted_at is null and p.id <> ${exceptId} and d = any(${[...domains]}::text[]) order by d`.execute(
    transaction,
  )
  return rows.map(({ domain }) => domain)
}

/**
 * Adds a provider, after `lockDomains`.
 * @returns its id; undefined when another provider has or had the address
 */
export async function addProvider(
  transaction: Tx,
  cipher: SecretCipher,
  provider: WrittenProvider,
  { secret, redirectId, by }: { readonly secret: string; readonly redirectId: string; readonly by: UserId },
): Promise<number | undefined> {
  const taken = transaction.selectFrom('sign_in_provider').select('id').where('redirect_id', '=', redirectId)
  if (await taken.executeTakeFirst()) return undefined
  const { id } = await transaction
    .insertInto('sign_in_provider')
    .values({ ...rowOf(provider), client_secret: '', redirect_id: redirectId, created_by: by })
    .returning('id')
    .executeTakeFirstOrThrow()
  const encrypted = { client_secret: cipher.encrypt(secret, placeOf(id)) }
  await transaction.updateTable('sign_in_provider').set(encrypted).where('id', '=', id).execute()
  return id
}

/** @param secret undefined keeps the stored one */
export async function changeProvider(
  transaction: Tx,
  cipher: SecretCipher,
  id: number,
  to: WrittenProvider,
  secret: string | undefined,
): Promise<void> {
  const encrypted = secret !== undefined && { client_secret: cipher.encrypt(secret, placeOf(id)) }
  await transaction
    .updateTable('sign_in_provider')
    .set({ ...rowOf(to), ...encrypted })
    .where('id', '=', id)
    .execute()
}

/** Removes the provider and ends the sessions that began through it. */
export async function removeProvider(transaction: Tx, id: number): Promise<void> {
  await transaction
    .updateTable('sign_in_provider')
    .set({ deleted_at: sql<Date>`now()`, client_secret: '' })
    .where('id', '=', id)
    .execute()
  await sql`update app_session s set expires_at = now() from sign_in_identity i
    where i.user_id = s.user_id and i.provider_id = ${id} and s.proved_by = 'singleSignOn' and s.expires_at > now()`.execute(
    transaction,
  )
}
