import { z } from 'zod'
import { call } from '#contract/call/call.ts'
import { countryIdValue, nameValue } from '#contract/call/values.ts'

const year = z.int32().min(2000).max(2100)

/** A public holiday: on this day, the turn-off times of holidays hold. */
export const holiday = z.strictObject({ date: z.iso.date(), name: nameValue(200) })

export const holidayYear = z.object({
  /** Sorted by date; each date occurs once. */
  rows: z.array(holiday),
  /** True when somebody has edited this year; otherwise the holidays are the library's. */
  isEdited: z.boolean(),
})
export type HolidayYear = z.output<typeof holidayYear>

export const listHolidays = call({
  method: 'GET',
  path: 'Country/GetHolidayList',
  summary: 'Public holidays of a country in a year.',
  permission: 'staffAdmin',
  shows: ['Holiday calendar'],
  query: z.strictObject({ countryId: countryIdValue, year }),
  answer: holidayYear,
  errors: ['not_found'],
})

export const setHolidays = call({
  method: 'POST',
  path: 'Country/SetHolidayList',
  summary: 'Replace the public holidays of a country in a year, for every device there.',
  permission: 'staffAdmin',
  body: z.strictObject({
    countryId: countryIdValue,
    year,
    /** All holidays of the year; null discards every edit. */
    rows: z.array(holiday).max(366).nullable(),
  }),
  answer: holidayYear,
  errors: ['not_found'],
  changes: { action: 'Update', entity: 'Holiday calendar' },
  stepUp: 'always',
  largestBodyBytes: 256 * 1024,
})
