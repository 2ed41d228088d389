import { darkDaysJob } from '#server/darkness/darkDays.ts'
import { darkRecountJob } from '#server/darkness/darkRecount.ts'
import { countDays, holidayReader, readDarkPlaces, touchedDates } from '#server/darkness/dayCounts.ts'
import { darkSumsJob } from '#server/darkness/sums/darkSumsJob.ts'
import type { Given } from '#server/features/feature.ts'
import { createVisibleDevices } from '#server/fleet/visibleDevices.store.ts'
import { darkMinutesRoutes } from './darkMinutes.routes.ts'
import { createDarkMinutes, type DarkMinutesDeps } from './darkMinutes.service.ts'
import { createDarkMinutesStore } from './darkMinutes.store.ts'
import { createFleetDarkness } from './fleetDarkness.store.ts'

type Deps = Pick<Given, 'pool' | 'log' | 'clock'> & Pick<DarkMinutesDeps, 'customerExists'>

/** How long displays were dark. */
export function darkMinutesFeature({ pool, log, clock, customerExists }: Deps) {
  const darkMinutes = createDarkMinutes({
    store: createDarkMinutesStore(pool),
    fleet: createFleetDarkness(pool),
    visibleDevices: createVisibleDevices(pool),
    customerExists,
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
