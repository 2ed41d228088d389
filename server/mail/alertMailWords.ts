import { operatorByCode } from '#domain/alerts/operators.ts'
import { showValue } from '#domain/catalogue/displayRules.ts'
import { numberedFieldById } from '#domain/catalogue/fieldId.ts'
import type { DeviceModelId } from '#domain/ids.ts'
import { isTimeZone } from '#domain/units/timeZones.ts'
import { wallClock } from '#domain/units/wallClock.ts'
import { CHART_WIDTH } from './chart/chartSvg.ts'
import { inOneLine, type Mail, PICTURE_ID } from './mailer.ts'
import { escaped, mailButton, mailFacts, mailPage, mailTitle } from './mailHtml.ts'

export interface MailedAlert {
  readonly id: number
  readonly deviceId: number
  readonly fieldId: number
  readonly deviceModelId: number
  readonly conditionText: string
  readonly deviceName: string
  readonly deviceAddress: string
  readonly customerName: string
  /** Of the recipient; of the device where they chose none. */
  readonly timeZone: string
  /** Device time of the reading that opened it. */
  readonly createdAt: Date
  /** Of that reading. */
  readonly metric: number | string | undefined
  readonly operatorCode: string
  readonly threshold: number | string | null
  /** The condition is the model's; null where nobody knows any more. */
  readonly isOfModel: boolean | null
  /** The condition is not met now. */
  readonly isOver: boolean
  /** Device time since when it is met, or not. */
  readonly stateSince: Date
  readonly activeCount: number
  readonly isClosed: boolean
  /** What this mail is to say: that it was opened, that it is over, or that it is met again. */
  readonly tells: AlertNews
}

export type AlertNews = 'opened' | 'over' | 'again'

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
 * @param hasPicture the mail brings its chart along
 */
export function alertMail(
  kind: AlertMailKind,
  alerts: readonly MailedAlert[],
  consoleUrl: string,
  hasPicture = false,
): Content {
  const [first] = alerts
  if (kind === 'alert' && first && alerts.length === 1) return singleMail(first, consoleUrl, hasPicture)
  return listMail(kind, alerts, consoleUrl)
}

const NEWS: Readonly<Record<AlertNews, string>> = { opened: '', over: 'Over: ', again: 'Again: ' }

function singleMail(alert: MailedAlert, consoleUrl: string, hasPicture: boolean): Content {
  const facts = factsOf(alert)
  const link = linkTo(alert, consoleUrl)
  const condition = `${NEWS[alert.tells]}${inOneLine(alert.conditionText)}`
  const title = `${inOneLine(alert.deviceName)}: ${inOneLine(comparison(alert))}`
  const picture = hasPicture
    ? `<p style="margin:16px 0 0"><img src="cid:${PICTURE_ID}" width="${CHART_WIDTH}" alt="${escaped(`Chart of the readings around it: ${title}`)}" style="display:block;width:100%;max-width:${CHART_WIDTH}px;height:auto;border:0"></p>`
    : ''
  return {
    subject: subject(`${NEWS[alert.tells]}${alert.deviceName}: ${alert.conditionText}`),
    text: [condition, '', ...facts.map(([name, value]) => `${name}: ${value}`), '', link, '', '-- ', WHY, ''].join(
      '\n',
    ),
    html: page(
      `${mailTitle(condition)}<p style="margin:0 0 14px;color:#526272">${escaped(title)}</p>` +
        `${mailFacts(facts)}${picture}${mailButton(link, 'Open the alert')}`,
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
      `${mailTitle(title)}<p style="margin:0 0 12px;color:#526272">${escaped(explained)}</p>` +
        `<ul style="margin:0;padding-left:18px">${lines
          .map(
            ({ text, link }) =>
              `<li style="margin:0 0 6px"><a href="${escaped(link)}" style="color:#00708f">${escaped(text)}</a></li>`,
          )
          .join('')}</ul><p>${escaped(rest)}</p>${mailButton(all, 'All alerts')}`,
    ),
  }
}

function factsOf(alert: MailedAlert): (readonly [string, string])[] {
  const { createdAt, stateSince, timeZone, isOver, isClosed, activeCount, isOfModel } = alert
  const since = localTime(createdAt, timeZone)
  const facts: [string, string | undefined][] = [
    ['Device', alert.deviceName],
    ['Address', alert.deviceAddress],
    ['Customer', alert.customerName],
    ['Value', alert.metric === undefined ? undefined : shownValue(alert)],
    ['Limit', shownLimit(alert)],
    ['Condition of', isOfModel === null ? undefined : isOfModel ? "the device's model" : 'this device alone'],
    ['Since', since],
    ['Met again', !isOver && activeCount > 1 ? localTime(stateSince, timeZone) : undefined],
    ['Over since', isOver ? localTime(stateSince, timeZone) : undefined],
    ['Met', activeCount > 1 ? `${activeCount} times` : undefined],
    ['Status', isClosed ? 'Closed meanwhile' : 'Opened'],
  ]
  return facts.map(([name, value]) => [name, inOneLine(value ?? '')] as const).filter(([, value]) => value !== '')
}

/** As the tile of the console writes it. */
function shownValue({ fieldId, deviceModelId, metric }: MailedAlert): string {
  const numbered = numberedFieldById(fieldId)
  if (!numbered) return String(metric)
  const { text, unit } = showValue(numbered, metric, deviceModelId as DeviceModelId)
  return unit ? `${text} ${unit}` : text
}

/** With its sign, e.g. `> 60 °C`. */
function shownLimit({ operatorCode, threshold, fieldId }: MailedAlert): string | undefined {
  if (threshold === null) return undefined
  const sign = operatorByCode(operatorCode)?.sign ?? operatorCode
  if (typeof threshold === 'string') return `${sign} "${threshold}"`
  const unit = numberedFieldById(fieldId)?.field.unit
  return `${sign} ${threshold}${unit ? ` ${unit}` : ''}`
}

/** The value against the limit: `61.2 °C, limit > 60 °C`. */
function comparison(alert: MailedAlert): string {
  const limit = shownLimit(alert)
  return [...(alert.metric === undefined ? [] : [shownValue(alert)]), ...(limit ? [`limit ${limit}`] : [])].join(', ')
}

const STATES: Readonly<Record<AlertNews, string>> = { opened: '', over: ' (over)', again: ' (met again)' }

const lineOf = ({ createdAt, timeZone, deviceName, conditionText, isClosed, tells }: MailedAlert) => ({
  text: inOneLine(
    `${localTime(createdAt, timeZone)}  ${deviceName}: ${conditionText}${isClosed ? ' (closed meanwhile)' : STATES[tells]}`,
  ),
})

const subject = (text: string) => {
  const line = inOneLine(text)
  return line.length > LONGEST_SUBJECT ? `${line.slice(0, LONGEST_SUBJECT).toWellFormed()}…` : line
}

const linkTo = ({ id }: MailedAlert, consoleUrl: string) =>
  `${consoleUrl}/alerts/alert-details?data=${encodeURIComponent(JSON.stringify({ id }))}`

/** As the console writes it, e.g. `23.11.26 13:34:05 (Europe/Prague)`; in UTC where nobody knows the zone. */
function localTime(at: Date, timeZone: string): string {
  const zone = isTimeZone(timeZone) ? timeZone : 'UTC'
  const { date, time } = wallClock(at, zone)
  const seconds = String(at.getUTCSeconds()).padStart(2, '0')
  return `${date.slice(8)}.${date.slice(5, 7)}.${date.slice(2, 4)} ${time}:${seconds} (${zone})`
}
