import { isTimeZone } from '#domain/units/timeZones.ts'
import { wallClock } from '#domain/units/wallClock.ts'
import { inOneLine, type Mail } from './mailer.ts'
import { escaped, mailPage } from './mailHtml.ts'

export interface MailedAlert {
  readonly id: number
  readonly conditionText: string
  readonly deviceName: string
  readonly deviceAddress: string
  readonly customerName: string
  readonly timeZone: string
  /** Device time of the reading that opened it. */
  readonly createdAt: Date
  readonly metric: number | string | undefined
  readonly isClosed: boolean
}

export type AlertMailKind = 'alert' | 'digest' | 'late'

type Content = Pick<Mail, 'subject' | 'text' | 'html'>

const LONGEST_SUBJECT = 180
const MOST_LISTED = 100
const WHY =
  'You get this mail because alert e-mails are switched on for you. ' +
  'Notification settings in the user menu of the console switch them off.'

const page = (body: string) => mailPage(body, WHY)

/**
 * A mail about alerts: one by itself, or a list of many. Every text from outside is escaped.
 *
 * @param consoleUrl where people reach the console, from the configuration only: a Host header is anybody's
 */
export function alertMail(kind: AlertMailKind, alerts: readonly MailedAlert[], consoleUrl: string): Content {
  const [first] = alerts
  if (kind === 'alert' && first) return singleMail(first, consoleUrl)
  return listMail(kind, alerts, consoleUrl)
}

function singleMail(alert: MailedAlert, consoleUrl: string): Content {
  const rows = factsOf(alert)
  const link = linkTo(alert, consoleUrl)
  const condition = inOneLine(alert.conditionText)
  return {
    subject: subject(`${alert.deviceName}: ${alert.conditionText}`),
    text: [condition, '', ...rows.map(([name, value]) => `${name}: ${value}`), '', link, '', '-- ', WHY, ''].join('\n'),
    html: page(
      `<h2>${escaped(condition)}</h2><table>${rows
        .map(([name, value]) => `<tr><td>${escaped(name)}</td><td>${escaped(value)}</td></tr>`)
        .join('')}</table><p><a href="${escaped(link)}">Open the alert</a></p>`,
    ),
  }
}

function listMail(kind: AlertMailKind, alerts: readonly MailedAlert[], consoleUrl: string): Content {
  const sorted = [...alerts].sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime())
  const listed = sorted.slice(0, MOST_LISTED)
  const count = `${alerts.length} ${alerts.length === 1 ? 'alert' : 'alerts'}`
  const devices = new Set(alerts.map(({ deviceName }) => deviceName)).size
  const of = `${count} of ${devices} ${devices === 1 ? 'device' : 'devices'}`
  const title = kind === 'late' ? `${of} found late` : of
  const explained =
    kind === 'late'
      ? 'These were found more than 15 minutes after they happened, when readings of that time came in.'
      : 'So many came within a short time that they are told in one mail.'
  const rest = alerts.length > listed.length ? `… and ${alerts.length - listed.length} more` : ''
  const all = `${consoleUrl}/alerts`
  const lines = listed.map((alert) => ({ ...lineOf(alert), link: linkTo(alert, consoleUrl) }))
  return {
    subject: subject(title),
    text: [
      title,
      explained,
      '',
      ...lines.flatMap(({ text, link }) => [text, `  ${link}`]),
      rest,
      '',
      all,
      '',
      '-- ',
      WHY,
      '',
    ].join('\n'),
    html: page(
      `<h2>${escaped(title)}</h2><p>${escaped(explained)}</p><ul>${lines
        .map(({ text, link }) => `<li><a href="${escaped(link)}">${escaped(text)}</a></li>`)
        .join('')}</ul><p>${escaped(rest)}</p><p><a href="${escaped(all)}">All alerts</a></p>`,
    ),
  }
}

function factsOf(alert: MailedAlert): (readonly [string, string])[] {
  const facts: [string, string | undefined][] = [
    ['Device', alert.deviceName],
    ['Address', alert.deviceAddress],
    ['Customer', alert.customerName],
    ['Value', alert.metric === undefined ? undefined : String(alert.metric)],
    ['Since', localTime(alert.createdAt, alert.timeZone)],
    ['Status', alert.isClosed ? 'Closed meanwhile' : 'Opened'],
  ]
  return facts.map(([name, value]) => [name, inOneLine(value ?? '')] as const).filter(([, value]) => value !== '')
}

const lineOf = ({ createdAt, timeZone, deviceName, conditionText, isClosed }: MailedAlert) => ({
  text: inOneLine(
    `${localTime(createdAt, timeZone)}  ${deviceName}: ${conditionText}${isClosed ? ' (closed meanwhile)' : ''}`,
  ),
})

const subject = (text: string) => {
  const line = inOneLine(text)
  return line.length > LONGEST_SUBJECT ? `${line.slice(0, LONGEST_SUBJECT).toWellFormed()}…` : line
}

const linkTo = ({ id }: MailedAlert, consoleUrl: string) =>
  `${consoleUrl}/alerts/alert-details?data=${encodeURIComponent(JSON.stringify({ id }))}`

/** As the clock on site shows it; in UTC where nobody knows the zone. */
function localTime(at: Date, timeZone: string): string {
  const zone = isTimeZone(timeZone) ? timeZone : 'UTC'
  const { date, time } = wallClock(at, zone)
  return `${date} ${time} (${zone})`
}
