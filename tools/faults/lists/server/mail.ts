import type { Fault } from '../fault.ts'

export const MAIL_FAULTS: readonly Fault[] = [
  {
    name: 'What was over before its snooze ended is mailed',
    file: 'server/mail/alerts/alertNotices.ts',
    replace: 'bool_or(m.device_id is not null or i.id is not null) as is_held',
    by: 'bool_or(m.device_id is not null) as is_held',
    foundBy: [{ file: 'server/mail/alerts/incidentMails.test.ts', title: 'what is over when its snooze ends' }],
  },
  {
    name: 'An alert that is raised under maintenance is mailed at once',
    file: 'server/mail/alerts/alertNotices.ts',
    replace: 'select device_id, alert_id, is_late from raised where is_held',
    by: 'select device_id, alert_id, is_late from raised where false',
    foundBy: [{ file: 'server/mail/maintenanceMails.test.ts', title: 'raised under maintenance' }],
  },
  {
    name: 'A mail counts devices of another customer',
    file: 'server/mail/alerts/incidentMailRows.ts',
    replace: 'const own = all.filter(({ is_told }) => is_told)',
    by: 'const own = all',
    foundBy: [{ file: 'server/mail/alerts/incidentMails.test.ts', title: 'reaches two customers' }],
  },
  {
    name: 'Somebody whose role opens no alert is mailed a link to it',
    file: 'server/mail/alerts/isNotified.ts',
    replace: "and f.function_id in (${FUNCTIONS_OF.seeDevicesOrAnalytics.join(', ')}))",
    by: ')',
    foundBy: [{ file: 'server/mail/alerts/alertMails.test.ts', title: 'whoever may not open the link' }],
  },
  {
    name: 'The job of mails does not know when the next try is due',
    file: 'server/mail/mailQueue.ts',
    replace: 'return await this.#nextDue()',
    by: 'return undefined',
    foundBy: ['server/mail/mailQueue.test.ts'],
  },
  {
    name: 'Two queues send a mail twice',
    file: 'server/mail/mailQueue.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a template
    replace: "      await connection.query(`select ${lockUntilCommit('mails')}`)\n",
    by: '',
    foundBy: [{ file: 'server/mail/mailQueue.test.ts', title: 'another waits for its turn' }],
  },
  {
    name: 'A mail server that is dead is asked by every mail, every second',
    file: 'server/mail/mailQueue.ts',
    replace: 'const atMost = isResting ? 0 : this.#restsUntil ? 1 : AT_ONCE',
    by: 'const atMost = this.#restsUntil && !isResting ? 1 : AT_ONCE',
    foundBy: [{ file: 'server/mail/mailQueue.test.ts', title: 'a mail server that is dead' }],
  },
]
