import { createVisibleDevices } from '#server/fleet/visibleDevices.store.ts'
import { createJobRinger } from '#server/jobs/JobBells.ts'
import { MAILS_JOB } from '#server/mail/mailQueue.ts'
import type { Given } from '../feature.ts'
import { incidentRoutes } from './incidents.routes.ts'
import { createIncidents } from './incidents.service.ts'
import { createIncidentStore } from './incidents.store.ts'

/** What alerts have in common: who has it, what was done, who is told when. */
export const incidentsFeature = ({ pool, db, clock, live }: Pick<Given, 'pool' | 'db' | 'clock' | 'live'>) => ({
  routes: incidentRoutes(
    createIncidents({
      store: createIncidentStore(db),
      visibleDevices: createVisibleDevices(pool),
      now: clock.now,
      onAlerts: live.noteAlerts,
      onWoken: createJobRinger(pool, MAILS_JOB),
    }),
  ),
})
