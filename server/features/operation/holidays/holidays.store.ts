import { sql } from 'kysely'
import type { CountryId, UserId } from '#domain/ids.ts'
import { lockEachUntilCommit } from '#server/db/advisoryLocks.ts'
import type { Db } from '#server/db/database.ts'
import type { Holiday } from '#server/fleet/holidayDefaults.ts'
import { countUpSettingsIn } from '#server/gateway/commands/settingsVersion.ts'
import type { Tx } from '#server/http/call/audit.store.ts'

export interface Country {
  readonly id: CountryId
  readonly isoCode: string
  readonly name: string
}

export interface HolidayStore {
  readonly findCountry: (id: CountryId) => Promise<Country | undefined>
  /** Undefined for a year that nobody has edited. */
  readonly edited: (countryId: CountryId, year: number, transaction?: Tx) => Promise<readonly Holiday[] | undefined>
  readonly transaction: <Result>(work: (transaction: Tx) => Promise<Result>) => Promise<Result>
  /** Makes edits of one country run one after the other. */
  readonly lock: (countryId: CountryId, transaction: Tx) => Promise<void>
  /** Undefined takes the edit of a year back. The country's devices receive the holidays after the commit. */
  readonly replace: (
    year: { readonly countryId: CountryId; readonly year: number },
    holidays: readonly Holiday[] | undefined,
    by: UserId,
    transaction: Tx,
  ) => Promise<void>
}

export function createHolidayStore(db: Db): HolidayStore {
  return {
    findCountry: (id) =>
      db.selectFrom('country').select(['id', 'iso_code as isoCode', 'name']).where('id', '=', id).executeTakeFirst(),

    edited: async (countryId, year, transaction) => {
      const rows = await (transaction ?? db)
        .selectFrom('holiday_year as y')
        .leftJoin('holiday as h', (join) =>
          join.onRef('h.country_id', '=', 'y.country_id').onRef('h.year', '=', 'y.year'),
        )
        .select([sql<string | null>`to_char(h.date, 'YYYY-MM-DD')`.as('date'), 'h.name'])
        .where('y.country_id', '=', countryId)
        .where('y.year', '=', year)
        .orderBy('h.date')
        .execute()
      if (rows.length === 0) return undefined
      return rows.flatMap(({ date, name }) => (date === null || name === null ? [] : [{ date, name }]))
    },

    transaction: (work) => db.transaction().execute(work),

    lock: async (countryId, transaction) => {
      await sql`select ${sql.raw(lockEachUntilCommit('holidaysOfCountry', countryId))}`.execute(transaction)
    },

    replace: async ({ countryId, year }, holidays, by, transaction) => {
      await transaction
        .deleteFrom('holiday_year')
        .where('country_id', '=', countryId)
        .where('year', '=', year)
        .execute()
      if (holidays) {
        await transaction.insertInto('holiday_year').values({ country_id: countryId, year, edited_by: by }).execute()
        const rows = holidays.map(({ date, name }) => ({ country_id: countryId, year, date, name }))
        if (rows.length > 0) await transaction.insertInto('holiday').values(rows).execute()
      }
      await countUpSettingsIn(transaction, countryId)
    },
  }
}
