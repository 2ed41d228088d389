import type { Fault } from './fault.ts'

export const MAIL_FAULTS: readonly Fault[] = [
  {
    name: 'Somebody whose role opens no alert is mailed a link to it',
    file: 'server/mail/alerts/isNotified.ts',
    replace: "and f.function_id in (${FUNCTIONS_OF.seeDevicesOrAnalytics.join(', ')}))",
    by: ')',
    foundBy: [{ file: 'server/mail/alerts/alertMails.test.ts', title: 'whoever may not open the link' }],
  },
  {
    name: 'An alert that comes and goes is mailed each time',
    file: 'domain/notifications/mailSchedule.ts',
    replace: 'return waitMs > 0 ? { waitMs } : {',
    by: 'return {',
    foundBy: ['domain/notifications/mailSchedule.test.ts'],
  },
  {
    name: 'Each alert of an incident is mailed by itself',
    file: 'domain/notifications/mailSchedule.ts',
    replace: 'if (last === undefined) return wasNamed',
    by: 'if (last === undefined || severityId > 0) return wasNamed',
    foundBy: ['domain/notifications/mailSchedule.test.ts'],
  },
  {
    name: 'The first devices of a network that goes away are mailed alone',
    file: 'domain/notifications/mailRules.ts',
    replace: 'export const SILENCE_WAITS_MS = MINUTE_MS',
    by: 'export const SILENCE_WAITS_MS = 0',
    foundBy: [{ file: 'server/mail/alerts/incidentMails.test.ts', title: 'a network that goes away' }],
  },
  {
    name: 'A mail counts devices of another customer',
    file: 'server/mail/alerts/incidentMailRows.ts',
    replace: 'const own = all.filter(({ is_told }) => is_told)',
    by: 'const own = all',
    foundBy: [{ file: 'server/mail/alerts/incidentMails.test.ts', title: 'reaches two customers' }],
  },
  {
    name: 'What was over before its snooze ended is mailed',
    file: 'server/mail/alerts/alertNotices.ts',
    replace: 'bool_or(m.device_id is not null or i.id is not null) as is_held',
    by: 'bool_or(m.device_id is not null) as is_held',
    foundBy: [{ file: 'server/mail/alerts/incidentMails.test.ts', title: 'what is over when its snooze ends' }],
  },
  {
    name: 'Who was told of an incident that is folded into another never hears of its end',
    file: 'server/incidents/incidentRows.ts',
    replace: '${from} where n.incident_id = moved.id`',
    by: '${from} where n.incident_id = 0`',
    foundBy: [{ file: 'server/mail/alerts/incidentMails.test.ts', title: 'who was told of two incidents' }],
  },
]
