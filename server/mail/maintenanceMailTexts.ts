import { inOneLine, type Mail } from './sending/mailer.ts'
import { escaped, mailButton, mailFacts, mailPage, mailTitle } from './sending/mailHtml.ts'
import { localTime } from './sending/mailTime.ts'

export interface MaintenanceNews {
  readonly to: string
  readonly tells: 'start' | 'end'
  readonly reason: string
  readonly fromAt: Date
  readonly toAt: Date
  /** The zone of the recipient, or of the maintenance where they chose none. */
  readonly timeZone: string
  readonly tag: string | null
  readonly customerName: string
  readonly devices: readonly string[]
}

const MOST_NAMED = 20
const LONGEST_SUBJECT = 180
const WHY =
  'You get this mail because alert e-mails are switched on for you. ' +
  'Notification settings in the user menu of the console switch them off.'

/**
 * Writes that maintenance has begun, or is over. Every text from outside is escaped.
 *
 * @param consoleUrl the console's address, from the configuration only
 */
export function maintenanceMail(news: MaintenanceNews, consoleUrl: string): Pick<Mail, 'subject' | 'text' | 'html'> {
  const { tells, devices, timeZone, fromAt, toAt } = news
  const about = aboutDevices(news)
  const isOver = tells === 'end'
  const title = isOver ? `Maintenance has ended: ${about}` : `Maintenance has begun: ${about}`
  const explained = isOver
    ? 'Alerts are mailed again.'
    : 'Alerts are recorded but not sent, and this time does not count towards availability.'
  const named = devices.slice(0, MOST_NAMED)
  const rest = devices.length > named.length ? `, and ${devices.length - named.length} more` : ''
  const facts = (
    [
      ['Reason', news.reason],
      ['From', localTime(fromAt, timeZone)],
      [isOver ? 'Until' : 'Planned until', localTime(toAt, timeZone)],
      ['Customer', news.customerName],
      [devices.length === 1 ? 'Device' : 'Devices', named.join(', ') + rest],
      ['Tag', news.tag ?? ''],
    ] as const
  )
    .map(([name, value]) => [name, inOneLine(value)] as const)
    .filter(([, value]) => value !== '')
  const link = `${consoleUrl}/maintenance-windows`
  const line = inOneLine(title)
  return {
    subject: line.length > LONGEST_SUBJECT ? `${line.slice(0, LONGEST_SUBJECT).toWellFormed()}…` : line,
    text: [
      line,
      explained,
      '',
      ...facts.map(([name, value]) => `${name}: ${value}`),
      '',
      link,
      '',
      '-- ',
      WHY,
      '',
    ].join('\n'),
    html: mailPage(
      `${mailTitle(line)}<p style="margin:0 0 14px;color:#526272">${escaped(explained)}</p>` +
        `${mailFacts(facts)}${mailButton(link, 'Maintenance windows')}`,
      WHY,
    ),
  }
}

const aboutDevices = ({ devices: [first = '', ...more] }: MaintenanceNews) =>
  more.length === 0 ? first : `${more.length + 1} devices`
