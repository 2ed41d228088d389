import { listHolidays, setHolidays } from '#contract/http/operation/holidays.ts'
import { type Route, route } from '#server/http/call/route.ts'
import type { HolidayService } from './holidays.service.ts'

export const holidayRoutes = (holidays: HolidayService): readonly Route[] => [
  route(listHolidays, ({ query }) => holidays.get(query.countryId, query.year)),
  route(setHolidays, ({ body, caller, change }) => holidays.set(body, caller, change)),
]
