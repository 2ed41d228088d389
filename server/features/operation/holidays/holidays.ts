import type { Given } from '#server/features/feature.ts'
import { holidayRoutes } from './holidays.routes.ts'
import { createHolidays } from './holidays.service.ts'
import { createHolidayStore } from './holidays.store.ts'

export const holidaysFeature = ({ db }: Pick<Given, 'db'>) => ({
  routes: holidayRoutes(createHolidays(createHolidayStore(db))),
})
