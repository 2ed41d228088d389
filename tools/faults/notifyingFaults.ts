import type { Fault } from './fault.ts'

const QUEUE_TEST = 'server/notifications/noticeQueue.test.ts'
const OUTBOUND_TEST = 'server/outbound/outbound.test.ts'

/** These faults concern notifications of incidents, and calls of the server to others. */
const PAGES = ['server/features/alerting/statusPages/statusPages.test.ts'] as const
const MAILS = ['server/features/alerting/statusPages/subscriptions.test.ts'] as const
const INBOUND = ['server/features/alerting/incidents/acknowledgeByChannel.test.ts'] as const

export const NOTIFYING_FAULTS: readonly Fault[] = [
  {
    name: 'A name is as good as the best of its addresses',
    file: 'domain/network/outboundTarget.ts',
    replace: 'const wrong = read.find(',
    by: 'const wrong = read.slice(0, 1).find(',
    foundBy: ['domain/network/outboundTarget.test.ts'],
  },
  {
    name: 'The connection asks for the address once more',
    file: 'server/outbound/outbound.ts',
    replace: 'host: connectTo,',
    by: 'host: hostname,',
    foundBy: [{ file: OUTBOUND_TEST, title: 'a name is resolved once' }],
  },
  {
    name: 'An answer that leads elsewhere counts as one',
    file: 'server/outbound/outbound.ts',
    replace: 'status >= 300 && status < 400',
    by: 'status >= 300 && status < 300',
    foundBy: [{ file: OUTBOUND_TEST, title: 'no redirect is followed' }],
  },
  {
    name: 'What a setting allows is there for customers too',
    file: 'server/notifications/notifyOutside.ts',
    replace: 'onlyInternet: channel.customer_id !== null',
    by: 'onlyInternet: false',
    foundBy: ['server/features/alerting/notifications/channels.test.ts'],
  },
  {
    name: 'What the other side repeats of a secret is shown',
    file: 'server/notifications/notifyOutside.ts',
    replace: "(rest, one) => rest.replaceAll(one, '•••')",
    by: '(rest) => rest',
    foundBy: ['server/features/alerting/notifications/channels.test.ts'],
  },
  {
    name: 'Each try has a key of its own',
    file: 'server/notifications/adapters/webhookAdapter.ts',
    replace: 'const id = webhookIdOf(delivery)',
    by: 'const id = `${webhookIdOf(delivery)}${now.getTime()}`',
    foundBy: [{ file: QUEUE_TEST, title: 'who is away' }],
  },
  {
    name: 'A channel tells as much as comes',
    file: 'domain/notifications/channelBudget.ts',
    replace: 'const left = mostPerHour - within.length',
    by: 'const left = mostPerHour',
    foundBy: ['domain/notifications/channelBudget.test.ts'],
  },
  {
    name: 'Whoever is next is told although somebody has it',
    file: 'domain/notifications/routing.ts',
    replace: 'incident.acknowledgedBy !== undefined && dueMs > beganMs',
    by: 'incident.acknowledgedBy === null && dueMs > beganMs',
    foundBy: ['domain/notifications/routing.test.ts'],
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
    name: 'A name on a status page is HTML',
    file: 'server/notifications/pageFrame.ts',
    replace: "escaped(inOneLine(text).replaceAll(/[\\ufffe\\uffff]/g, ''))",
    by: 'inOneLine(text)',
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
    name: 'A secret address stands in the log',
    file: 'server/http/pages/openPages.ts',
    replace: 'return begins === undefined ? path : `${begins}…`',
    by: 'return path',
    foundBy: PAGES,
  },
  {
    name: 'Whoever knew a page is mailed its new address',
    file: 'server/features/alerting/statusPages/statusPages.ts',
    replace: 'if (isNewSecret) await endSubscriptions(transaction, customerId)',
    by: '',
    foundBy: MAILS,
  },
  {
    name: 'What another system sends twice is done twice',
    file: 'server/features/alerting/incidents/channelInbound.store.ts',
    replace: 'return rows.length === 1',
    by: 'return true',
    foundBy: INBOUND,
  },
  {
    name: 'A channel acknowledges what it did not tell of',
    file: 'server/features/alerting/incidents/channelInbound.store.ts',
    replace: 'where m.channel_id = $1 and m.told is not null',
    by: 'where $1::int > 0 and m.told is not null',
    foundBy: INBOUND,
  },
]
