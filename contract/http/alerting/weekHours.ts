import { z } from 'zod'
import { textValue } from '#contract/call/values.ts'
import { isTimeZone } from '#domain/units/timeZones.ts'

export const timeZoneValue = textValue(64).refine(isTimeZone, 'must be an IANA time zone')

/** `HH:mm` in local time of a zone. */
export const localTimeValue = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/)

export const weekHours = z.strictObject({
  /** The hours begin on these weekdays; 0 is Monday. */
  weekdays: z.array(z.int32().min(0).max(6)).min(1).max(7),
  from: localTimeValue,
  /** A time that is before `from` is on the next day; the same time means all day. */
  to: localTimeValue,
  timeZone: timeZoneValue,
})
