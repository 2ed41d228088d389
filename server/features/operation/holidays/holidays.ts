import type { ReadBodyOf } from '#contract/call/call.ts'
import { type HolidayYear, listHolidays, setHolidays } from '#contract/http/operation/holidays.ts'
import type { CountryId } from '#domain/ids.ts'
import { notValid } from '#domain/validation/messages.ts'
import type { Db } from '#server/db/database.ts'
import type { Given } from '#server/features/feature.ts'
import { defaultHolidays, type Holiday } from '#server/fleet/holidayDefaults.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { CallError } from '#server/http/call/callError.ts'
import type { Caller } from '#server/http/call/caller.ts'
import { foundRow } from '#server/http/call/changeSteps.store.ts'
import { type ChangeRecord, route } from '#server/http/call/route.ts'
import { editedHolidays, findCountry, lockHolidays, replaceHolidays } from './holidays.store.ts'

/** Manages the holiday calendar: a library's, with the changes of staff admins (rules/devices 9). */
export const holidaysFeature = ({ db }: Pick<Given, 'db'>) => ({
  routes: [
    route(listHolidays, async ({ query: { countryId, year } }) => {
      const { isoCode } = await foundRow(findCountry(db, countryId))
      return holidaysOf(db, { countryId, isoCode, year })
    }),
    route(setHolidays, ({ body, caller, change }) => setYear(db, body, caller, change)),
  ],
})

interface CountryYear {
  readonly countryId: CountryId
  readonly isoCode: string
  readonly year: number
}

async function holidaysOf(db: Db | Tx, { countryId, isoCode, year }: CountryYear): Promise<HolidayYear> {
  const edited = await editedHolidays(db, countryId, year)
  return { rows: [...(edited ?? (await defaultHolidays(isoCode, year)))], isEdited: edited !== undefined }
}

async function setYear(
  db: Db,
  { countryId, year, rows }: ReadBodyOf<typeof setHolidays>,
  caller: Caller,
  change: ChangeRecord,
): Promise<HolidayYear> {
  change.about({ id: countryId })
  const { isoCode, name: countryName } = await foundRow(findCountry(db, countryId))
  const name = `${countryName} ${year}`
  change.about({ name })
  const holidays = rows === null ? undefined : sorted(rows, year)
  const after: HolidayYear = holidays
    ? { rows: [...holidays], isEdited: true }
    : { rows: [...(await defaultHolidays(isoCode, year))], isEdited: false }
  await db.transaction().execute(async (transaction) => {
    await lockHolidays(transaction, countryId)
    const before = await holidaysOf(transaction, { countryId, isoCode, year })
    await replaceHolidays(transaction, { countryId, year }, holidays, caller.userId)
    await change.done(transaction, { id: countryId, name, before, after })
  })
  return after
}

function sorted(rows: readonly Holiday[], year: number): readonly Holiday[] {
  const dates = new Set(rows.map(({ date }) => date))
  if (dates.size < rows.length || rows.some(({ date }) => !date.startsWith(`${year}-`))) {
    throw new CallError('invalid_request', notValid('date'))
  }
  return [...rows].sort((a, b) => a.date.localeCompare(b.date))
}
