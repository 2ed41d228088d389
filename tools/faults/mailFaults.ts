import type { Fault } from './fault.ts'

/** Of what people are told by mail. */
export const MAIL_FAULTS: readonly Fault[] = [
  {
    name: 'Somebody whose role opens no alert is mailed a link to it',
    file: 'server/mail/alertNotices.ts',
    replace: "and f.function_id in (${FUNCTIONS_OF.deviceManagerOrAnalytics.join(', ')}))",
    by: ')',
    foundBy: [{ file: 'server/mail/alertMails.test.ts', title: 'whoever may not open the link' }],
  },
  {
    name: 'An alert that comes and goes is mailed each time',
    file: 'domain/notifications/turnRules.ts',
    replace: 'return waitMs > 0 ? { waitMs } : {',
    by: 'return {',
    foundBy: ['domain/notifications/turnRules.test.ts'],
  },
]
