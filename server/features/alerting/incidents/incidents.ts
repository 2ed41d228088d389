import type { Given } from '#server/features/feature.ts'
import { createVisibleDevices } from '#server/fleet/visibleDevices.store.ts'
import { createJobRinger } from '#server/jobs/JobBells.ts'
import { MAILS_JOB } from '#server/mail/mailQueue.ts'
import { createAcknowledgeByChannel } from './acknowledgeByChannel.service.ts'
import { createAcknowledgeByLink } from './acknowledgeByLink.service.ts'
import { createAcknowledgeLinkStore } from './acknowledgeLinks.store.ts'
import { createChannelInboundStore } from './channelInbound.store.ts'
import { incidentRoutes } from './incidents.routes.ts'
import { createIncidents } from './incidents.service.ts'
import { createIncidentStore } from './incidents.store.ts'

export function incidentsFeature({
  pool,
  db,
  clock,
  live,
  cipher,
}: Pick<Given, 'pool' | 'db' | 'clock' | 'live' | 'cipher'>) {
  const store = createIncidentStore(db)
  const incidents = createIncidents({
    store,
    visibleDevices: createVisibleDevices(pool),
    now: clock.now,
    onAlerts: live.noteAlerts,
    onWoken: createJobRinger(pool, MAILS_JOB),
  })
  const links = createAcknowledgeByLink({
    links: createAcknowledgeLinkStore(db),
    now: clock.now,
    find: store.find,
    acknowledge: incidents.acknowledge,
  })
  const inbound = createAcknowledgeByChannel({
    inbound: createChannelInboundStore(db, cipher),
    acknowledgeAs: incidents.acknowledgeAs,
    now: clock.now,
  })
  return { routes: incidentRoutes(incidents, links), openPages: [inbound] }
}
