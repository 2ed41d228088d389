import { type SqlBool, sql } from 'kysely'
import type { CountryId, CustomerId, UserId } from '#domain/ids.ts'
import type { Db } from '#server/db/database.ts'
import { SEARCH_TEXTS_JOB } from '#server/fleet/searchTexts.ts'
import { countUpSettingsOf } from '#server/gateway/commands/settingsVersion.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { ringSql } from '#server/jobs/JobBells.ts'
import { endSessions } from '#server/people/peopleChange.store.ts'

export interface CustomerDetails {
  readonly name: string
  readonly countryId: CountryId | null
  readonly isActive: boolean
  readonly keptDays: number | null
}

const COLUMNS = { name: 'name', countryId: 'country_id', isActive: 'is_active', keptDays: 'kept_days' } as const

export const listCustomers = (db: Db) =>
  db
    .selectFrom('customer')
    .leftJoin('country', 'country.id', 'customer.country_id')
    .select([
      'customer.id',
      'customer.name',
      'customer.country_id as countryId',
      'country.name as countryName',
      'customer.is_active as isActive',
      'customer.kept_days as keptDays',
      'customer.created_at as createdAt',
      sql<number>`(select count(*)::int from device d
        where d.customer_id = customer.id and d.deleted_at is null)`.as('devices'),
      sql<number>`(select count(*)::int from app_user u
        where u.customer_id = customer.id and u.deleted_at is null and not u.is_disabled)`.as('activeUsers'),
    ])
    .orderBy(sql`name_order(customer.name)`)
    .orderBy('customer.id')
    .execute()

export const hasCountry = async (transaction: Tx, id: CountryId): Promise<boolean> =>
  (await transaction.selectFrom('country').select('id').where('id', '=', id).executeTakeFirst()) !== undefined

export async function isNameTaken(transaction: Tx, name: string, exceptId: number): Promise<boolean> {
  const found = await transaction
    .selectFrom('customer')
    .select('id')
    .where(sql<SqlBool>`lower(name) = lower(${name})`)
    .where(sql<SqlBool>`id <> ${exceptId}`)
    .executeTakeFirst()
  return found !== undefined
}

export const lockCustomer = (transaction: Tx, id: CustomerId): Promise<CustomerDetails | undefined> =>
  transaction
    .selectFrom('customer')
    .select(['name', 'country_id as countryId', 'is_active as isActive', 'kept_days as keptDays'])
    .where('id', '=', id)
    .modifyEnd(sql`for no key update`)
    .executeTakeFirst()

export async function addCustomer(transaction: Tx, customer: CustomerDetails, by: UserId): Promise<CustomerId> {
  const { id } = await transaction
    .insertInto('customer')
    .values({
      ...{ name: customer.name, country_id: customer.countryId, is_active: customer.isActive },
      ...{ kept_days: customer.keptDays, created_by: by },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function changeCustomer(
  transaction: Tx,
  id: CustomerId,
  changed: Partial<CustomerDetails>,
  by: UserId,
): Promise<void> {
  const names = Object.keys(changed) as (keyof CustomerDetails)[]
  if (names.length === 0) return
  await transaction
    .updateTable('customer')
    .set({
      ...Object.fromEntries(names.map((name) => [COLUMNS[name], changed[name]])),
      updated_at: sql<Date>`now()`,
      updated_by: by,
    })
    .where('id', '=', id)
    .execute()
  if (changed.name !== undefined) await forgetSearchTexts(id, transaction)
  if (changed.isActive === false) await endSessions(transaction, { customerId: id })
  if (changed.countryId !== undefined) await moveDevices(id, transaction)
}

/** Devices are found by their customer's name. There may be many, so a job folds their search texts again. */
async function forgetSearchTexts(id: CustomerId, transaction: Tx): Promise<void> {
  await sql`update device set search_text = null where customer_id = ${id} and deleted_at is null`.execute(transaction)
  await sql.raw(ringSql(SEARCH_TEXTS_JOB)).execute(transaction)
}

/**
 * Moves the devices of a customer to another country. A zone that nobody chose and no position implies becomes the
 * country's (rules/devices 8), and all devices keep its holidays (rules/devices 9).
 */
async function moveDevices(id: CustomerId, transaction: Tx): Promise<void> {
  await sql`update device set time_zone = coalesce(
      (select n.time_zone from customer c join country n on n.id = c.country_id where c.id = ${id}), 'UTC')
    where customer_id = ${id} and deleted_at is null and time_zone_is_assumed
      and (latitude is null or longitude is null)`.execute(transaction)
  await countUpSettingsOf(transaction, id)
}
