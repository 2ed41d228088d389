import { acknowledgeByLink, getLinkedIncident, listIncidentNotices } from '#contract/http/alerting/incidentNotices.ts'
import {
  acknowledgeIncident,
  getIncident,
  listIncidentAlerts,
  listIncidents,
  mergeIncidents,
  noteIncident,
  snoozeIncident,
  splitIncident,
} from '#contract/http/alerting/incidents.ts'
import { publicRoute, type Route, route } from '#server/http/call/route.ts'
import type { AcknowledgeLinks } from './acknowledgeByLink.service.ts'
import type { Incidents } from './incidents.service.ts'

export const incidentRoutes = (incidents: Incidents, links: AcknowledgeLinks): readonly Route[] => [
  route(listIncidents, ({ query, caller }) => incidents.list(query, caller)),
  route(getIncident, ({ query, caller }) => incidents.details(query.id, caller)),
  route(listIncidentAlerts, ({ query, caller }) => incidents.alerts(query, caller)),
  route(acknowledgeIncident, ({ body, caller, change }) => incidents.acknowledge(body, caller, change)),
  route(listIncidentNotices, ({ query, caller }) => incidents.notices(query.id, caller)),
  publicRoute(getLinkedIncident, ({ body }) => links.find(body.token)),
  publicRoute(acknowledgeByLink, ({ body, change }) => links.acknowledge(body.token, change)),
  route(noteIncident, ({ body, caller, change }) => incidents.note(body, caller, change)),
  route(snoozeIncident, ({ body, caller, change }) => incidents.snooze(body, caller, change)),
  route(mergeIncidents, ({ body, caller, change }) => incidents.merge(body, caller, change)),
  route(splitIncident, ({ body, caller, change }) => incidents.split(body, caller, change)),
]
