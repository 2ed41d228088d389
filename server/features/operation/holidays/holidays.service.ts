import type { ReadBodyOf } from '#contract/call/call.ts'
import type { HolidayYear, setHolidays } from '#contract/http/operation/holidays.ts'
import type { CountryId } from '#domain/ids.ts'
import { notValid } from '#domain/validation/messages.ts'
import { defaultHolidays, type Holiday } from '#server/fleet/holidayDefaults.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { CallError, notFound } from '#server/http/call/callError.ts'
import type { Caller } from '#server/http/call/caller.ts'
import type { ChangeRecord } from '#server/http/call/route.ts'
import type { Country, HolidayStore } from './holidays.store.ts'

type RequestedYear = ReadBodyOf<typeof setHolidays>

export interface HolidayService {
  readonly get: (countryId: CountryId, year: number) => Promise<HolidayYear>
  readonly set: (asked: RequestedYear, caller: Caller, change: ChangeRecord) => Promise<HolidayYear>
}

/** Manages the holiday calendar: a library's, with the changes of staff admins (rules/devices 9). */
export function createHolidays(store: HolidayStore): HolidayService {
  async function countryOf(id: CountryId): Promise<Country> {
    const country = await store.findCountry(id)
    if (!country) throw notFound()
    return country
  }

  async function yearOf({ id, isoCode }: Country, year: number, transaction?: Tx): Promise<HolidayYear> {
    const edited = await store.edited(id, year, transaction)
    return { rows: [...(edited ?? (await defaultHolidays(isoCode, year)))], isEdited: edited !== undefined }
  }

  return {
    get: async (countryId, year) => yearOf(await countryOf(countryId), year),

    set: async ({ countryId, year, rows }, caller, change) => {
      change.about({ id: countryId })
      const country = await countryOf(countryId)
      change.about({ name: `${country.name} ${year}` })
      const holidays = rows === null ? undefined : sorted(rows, year)
      const after: HolidayYear = holidays
        ? { rows: [...holidays], isEdited: true }
        : { rows: [...(await defaultHolidays(country.isoCode, year))], isEdited: false }
      await store.transaction(async (transaction) => {
        await store.lock(countryId, transaction)
        const before = await yearOf(country, year, transaction)
        await store.replace({ countryId, year }, holidays, caller.userId, transaction)
        await change.done(transaction, { id: countryId, name: `${country.name} ${year}`, before, after })
      })
      return after
    },
  }
}

function sorted(rows: readonly Holiday[], year: number): readonly Holiday[] {
  const dates = new Set(rows.map(({ date }) => date))
  if (dates.size < rows.length || rows.some(({ date }) => !date.startsWith(`${year}-`))) {
    throw new CallError('invalid_request', notValid('date'))
  }
  return [...rows].sort((a, b) => a.date.localeCompare(b.date))
}
