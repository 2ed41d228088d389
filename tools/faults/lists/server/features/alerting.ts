import type { Fault } from '../../fault.ts'

const PAGES = ['server/features/alerting/statusPages/statusPages.test.ts'] as const

export const ALERTING_FAULTS: readonly Fault[] = [
  {
    name: 'A cell of the heat map opens an hour of the week in UTC',
    file: 'server/features/alerting/alerts/alertList.ts',
    replace: "lastYears(weekHour, query.timeZone ?? 'UTC', nowMs)",
    by: "lastYears(weekHour, 'UTC', nowMs)",
    foundBy: ['server/features/alerting/alerts/alertList.test.ts'],
  },
  {
    name: 'An alert whose words and device both have the text is counted twice',
    file: 'server/features/alerting/alerts/alertSearch.store.ts',
    replace: 'index > 0 && words.length > 0',
    by: 'index > 1 && words.length > 0',
    foundBy: ['server/features/alerting/alerts/alertSearch.test.ts'],
  },
  {
    name: 'A search finds alerts by the name that their device has with another customer',
    file: 'server/features/alerting/alerts/alertSearch.store.ts',
    replace: 'found.called.filter((id) => !moved.has(id))',
    by: 'found.called',
    foundBy: ['server/features/alerting/alerts/alertSearch.test.ts'],
  },
  {
    name: 'A link acknowledges for who may not acknowledge incidents any more',
    file: 'server/features/alerting/incidents/acknowledgeLinks.store.ts',
    replace: ' and ${sql.raw<SqlBool>(MAY_ACKNOWLEDGE_INCIDENTS)}',
    by: '',
    foundBy: [
      { file: 'server/features/alerting/notifications/notificationRoutes.test.ts', title: 'a link is none any more' },
    ],
  },
  {
    name: 'What another system sends twice is done twice',
    file: 'server/features/alerting/incidents/channelInbound.store.ts',
    replace: 'return rows.length === 1',
    by: 'return true',
    foundBy: ['server/features/alerting/incidents/acknowledgeByChannel.test.ts'],
  },
  {
    name: 'A channel acknowledges what it did not tell of',
    file: 'server/features/alerting/incidents/channelInbound.store.ts',
    replace: 'where m.channel_id = $1 and m.told is not null',
    by: 'where $1::int > 0 and m.told is not null',
    foundBy: ['server/features/alerting/incidents/acknowledgeByChannel.test.ts'],
  },
  {
    name: 'People of a customer change an incident that reaches beyond it',
    file: 'server/features/alerting/incidents/incidentChanges.ts',
    replace: "if (!toIncident(row, scope, now).isWhole) throw new CallError('incident_not_whole')",
    by: '',
    foundBy: [{ file: 'server/features/alerting/incidents/incidents.test.ts', title: 'reaches beyond a customer' }],
  },
  {
    name: 'People of a customer end maintenance of the staff',
    file: 'server/features/alerting/maintenanceWindows/windowChanges.ts',
    replace: "if (scope.kind === 'customer' && row.customer_id !== scope.customerId) throw new CallError('forbidden')",
    by: '',
    foundBy: [
      {
        file: 'server/features/alerting/maintenanceWindows/maintenanceWindows.test.ts',
        title: 'nothing of another leaks',
      },
    ],
  },
  {
    name: 'A status page counts the displays of other customers',
    file: 'server/features/alerting/statusPages/pageReading.store.ts',
    replace: 'on part.incident_id = s.incident_id and part.customer_id = ${page}.customer_id',
    by: 'on part.incident_id = s.incident_id',
    foundBy: [{ file: PAGES[0], title: 'each page counts its own' }],
  },
  {
    name: 'A status page shows maintenance of which the customer is not told',
    file: 'server/features/alerting/statusPages/pageReading.store.ts',
    replace: 'where w.tells_customer and w.ended_at is null',
    by: 'where w.ended_at is null',
    foundBy: PAGES,
  },
  {
    name: 'A rotated address of a status page leads somewhere while it is kept',
    file: 'server/features/alerting/statusPages/statusPages.ts',
    replace: '  deps.cache.clear()\n',
    by: '',
    foundBy: PAGES,
  },
  {
    name: 'Whoever knew a page is mailed its new address',
    file: 'server/features/alerting/statusPages/statusPages.ts',
    replace: 'if (isNewSecret) await endSubscriptions(transaction, customerId)',
    by: '',
    foundBy: ['server/features/alerting/statusPages/subscriptions.test.ts'],
  },
]
