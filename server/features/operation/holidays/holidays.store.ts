import { sql } from 'kysely'
import type { CountryId, UserId } from '#domain/ids.ts'
import { lockEachUntilCommit } from '#server/db/advisoryLocks.ts'
import type { Db } from '#server/db/database.ts'
import type { Holiday } from '#server/fleet/holidayDefaults.ts'
import { countUpSettingsIn } from '#server/gateway/commands/settingsVersion.ts'
import type { Tx } from '#server/http/call/audit.store.ts'

export const findCountry = (db: Db, id: CountryId) =>
  db.selectFrom('country').select(['id', 'iso_code as isoCode', 'name']).where('id', '=', id).executeTakeFirst()

/** Returns undefined for a year that nobody has edited. */
export async function editedHolidays(
  db: Db | Tx,
  countryId: CountryId,
  year: number,
): Promise<readonly Holiday[] | undefined> {
  const rows = await db
    .selectFrom('holiday_year as y')
    .leftJoin('holiday as h', (join) => join.onRef('h.country_id', '=', 'y.country_id').onRef('h.year', '=', 'y.year'))
    .select([sql<string | null>`to_char(h.date, 'YYYY-MM-DD')`.as('date'), 'h.name'])
    .where('y.country_id', '=', countryId)
    .where('y.year', '=', year)
    .orderBy('h.date')
    .execute()
  if (rows.length === 0) return undefined
  return rows.flatMap(({ date, name }) => (date === null || name === null ? [] : [{ date, name }]))
}

/** Makes edits of one country run one after the other. */
export async function lockHolidays(transaction: Tx, countryId: CountryId): Promise<void> {
  await sql`select ${sql.raw(lockEachUntilCommit('holidaysOfCountry', countryId))}`.execute(transaction)
}

/** Undefined takes the edit of a year back. The country's devices receive the holidays after the commit. */
export async function replaceHolidays(
  transaction: Tx,
  { countryId, year }: { readonly countryId: CountryId; readonly year: number },
  holidays: readonly Holiday[] | undefined,
  by: UserId,
): Promise<void> {
  await transaction.deleteFrom('holiday_year').where('country_id', '=', countryId).where('year', '=', year).execute()
  if (holidays) {
    await transaction.insertInto('holiday_year').values({ country_id: countryId, year, edited_by: by }).execute()
    const rows = holidays.map(({ date, name }) => ({ country_id: countryId, year, date, name }))
    if (rows.length > 0) await transaction.insertInto('holiday').values(rows).execute()
  }
  await countUpSettingsIn(transaction, countryId)
}
