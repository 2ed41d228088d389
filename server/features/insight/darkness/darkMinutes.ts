import { darkDaysJob } from '#server/darkness/darkDays.ts'
import { darkRecountJob } from '#server/darkness/darkRecount.ts'
import { countDays, holidayReader, readDarkPlaces, touchedDates } from '#server/darkness/dayCounts.ts'
import { darkSumsJob } from '#server/darkness/sums/darkSumsJob.ts'
import type { Given } from '#server/features/feature.ts'
import { customerExists } from '#server/fleet/customerLookup.ts'
import { createVisibleDevices } from '#server/fleet/visibleDevices.store.ts'
import { darkMinutesRoutes } from './darkMinutes.routes.ts'
import { createDarkMinutes } from './darkMinutes.service.ts'
import { createDarkMinutesStore } from './darkMinutes.store.ts'
import { createFleetDarkness } from './fleetDarkness.store.ts'

type Deps = Pick<Given, 'db' | 'pool' | 'log' | 'clock'>

export function darkMinutesFeature({ db, pool, log, clock }: Deps) {
  const darkMinutes = createDarkMinutes({
    store: createDarkMinutesStore(pool),
    fleet: createFleetDarkness(pool),
    visibleDevices: createVisibleDevices(pool),
    customerExists: (id, scope) => customerExists(db, id, scope),
    place: async (deviceId) => (await readDarkPlaces(pool, [deviceId])).get(deviceId),
    holidays: ({ country }, first, last) => holidayReader(pool, first, last)(country),
    countDays: (place, dates, holidays, now) => countDays(pool, place, dates, holidays, now),
    touchedDates: ({ day, hours }, timeZone) => touchedDates(Date.parse(day), hours, timeZone),
  })
  return {
    routes: darkMinutesRoutes(darkMinutes),
    jobs: [clock.deleting(darkDaysJob), darkRecountJob(log), darkSumsJob()],
  }
}
