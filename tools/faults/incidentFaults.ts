import type { Fault } from './fault.ts'

const FOLD_TEST = 'server/incidents/foldDue.test.ts'
const CALLS_TEST = 'server/features/alerting/incidents/incidents.test.ts'

export const INCIDENT_FAULTS: readonly Fault[] = [
  {
    name: 'What becomes known later is not folded with what was near to it',
    file: 'server/incidents/foldDue.ts',
    replace: 'for (const id of await incidentsNear(statements, newsAmong(parts, stored))) touched.add(id)',
    by: 'await incidentsNear(statements, newsAmong(parts, stored))',
    foundBy: [{ file: FOLD_TEST, title: 'what a router takes with it' }],
  },
  {
    name: 'What follows while something is off is not its consequence',
    file: 'domain/incidents/foldLinks.ts',
    replace: 'if (cause.rank < rank) union.join(cause.index, index)',
    by: 'if (cause.rank < 0) union.join(cause.index, index)',
    foundBy: [{ file: FOLD_TEST, title: 'what a router takes with it' }],
  },
  {
    name: 'People of a customer change an incident that reaches beyond it',
    file: 'server/features/alerting/incidents/incidentChanges.ts',
    replace: "if (!toIncident(row, scope, now).isWhole) throw new CallError('incident_not_whole')",
    by: '',
    foundBy: [{ file: CALLS_TEST, title: 'reaches beyond a customer' }],
  },
  {
    name: 'What people split apart is folded together again',
    file: 'domain/incidents/foldIncidents.ts',
    replace: 'return withGroups(all, byOnset, found)',
    by: 'return found',
    foundBy: [{ file: CALLS_TEST, title: 'what is merged is one' }],
  },
  {
    name: 'A closed alert leaves its incident open',
    file: 'server/telemetry/alerts/closing.ts',
    replace: 'insert into incident_due (device_id, alert_id) select device_id, id from alert where id = any(${ids})',
    by: 'select 1',
    foundBy: [{ file: 'server/features/alerting/incidents/incidentLife.test.ts', title: 'closing or deleting' }],
  },
  {
    name: 'The last page of a list that has numbers alone leads on to one that is empty',
    file: 'console/router/pages.ts',
    replace: '- 1 + shownCount >= total',
    by: '- 1 + shownCount > total',
    foundBy: ['console/features/alerting/incidents/IncidentsScreen.test.tsx'],
  },
  {
    name: 'All alerts of an incident can be asked to be split off',
    file: 'console/features/alerting/incidents/page/IncidentAlerts.tsx',
    replace: ': ids.length >= incident.alertCount\n        ? incidentMessages.allSelected',
    by: ': ids.length > incident.alertCount\n        ? incidentMessages.allSelected',
    foundBy: ['console/features/alerting/incidents/page/IncidentScreen.test.tsx'],
  },
  {
    name: 'Alerts that somebody closed are closed again with their incident',
    file: 'console/features/alerting/incidents/page/openAlertsOf.ts',
    replace: '.filter(({ isOpen }) => isOpen)',
    by: '',
    foundBy: ['console/features/alerting/incidents/page/IncidentScreen.test.tsx'],
  },
  {
    name: 'Who sees a part of an incident is offered to change it',
    file: 'console/features/alerting/incidents/incidentLabels.ts',
    replace: 'if (!isWhole) {',
    by: 'if (!isWhole && mayChange) {',
    foundBy: ['console/features/alerting/incidents/page/IncidentScreen.test.tsx'],
  },
]
