import { nameOf } from '#domain/alerts/alertLabels.ts'
import { limitText } from '#domain/alerts/alertLimit.ts'
import { originText } from '#domain/alerts/alertOrigin.ts'
import { SEVERITIES } from '#domain/alerts/conditionKinds.ts'
import { showValue } from '#domain/catalogue/displayRules.ts'
import { numberedFieldById } from '#domain/catalogue/fieldId.ts'
import { toShownAddress } from '#domain/devices/site.ts'
import type { DeviceModelId, FieldId } from '#domain/ids.ts'
import { CHART_WIDTH } from '../chart/chartSvg.ts'
import { inOneLine, type Mail, PICTURE_ID } from '../sending/mailer.ts'
import { escaped, mailButton, mailFacts, mailPage, mailTitle } from '../sending/mailHtml.ts'
import { localTime } from '../sending/mailTime.ts'
import {
  incidentLine,
  incidentLink,
  incidentTexts,
  isOfOne,
  type MailedIncident,
  NEWS,
  severityWord,
} from './incidentMailTexts.ts'
import type { AlertNews, MailedAlert } from './mailedAlert.ts'

export type AlertMailKind = 'alert' | 'digest' | 'late'

type Content = Pick<Mail, 'subject' | 'text' | 'html'>

const LONGEST_SUBJECT = 180
const MOST_LISTED = 100
const WHY =
  'You get this mail because alert e-mails are switched on for you. ' +
  'Notification settings in the user menu of the console switch them off.'

const WHY_ON_CALL = 'You get this mail because you are on call.'

/** Describes how a mail is written, beside what it says. */
export interface MailForm {
  /** The console's address comes from the configuration only: anybody can send a Host header. */
  readonly consoleUrl: string
  readonly hasPicture?: boolean
  readonly isOnCall?: boolean
  /** The link acknowledges for its reader alone. */
  readonly acknowledgeLink?: string | undefined
}

const whyOf = ({ isOnCall }: MailForm) => (isOnCall ? WHY_ON_CALL : WHY)
const acknowledgeButton = ({ acknowledgeLink: link }: MailForm) => (link ? mailButton(link, 'Acknowledge') : '')
const endOf = (form: MailForm): readonly string[] => [
  ...(form.acknowledgeLink ? [`Acknowledge: ${form.acknowledgeLink}`] : []),
  '',
  '-- ',
  whyOf(form),
  '',
]

/** Writes a mail about one incident, or a list of many. Every text from outside is escaped. */
export function alertMail(kind: AlertMailKind, incidents: readonly MailedIncident[], form: MailForm): Content {
  const [first] = incidents
  if (kind !== 'alert' || !first || incidents.length > 1) return listMail(kind, incidents, form)
  if (isOfOne(first)) return singleMail({ ...first.cause, tells: first.tells }, form)
  const words = incidentTexts(first, form.consoleUrl)
  return {
    subject: subject(words.subject),
    text: [...words.text, ...endOf(form)].join('\n'),
    html: mailPage(words.html + acknowledgeButton(form), whyOf(form)),
  }
}

type ToldAlert = MailedAlert & { readonly tells: AlertNews }

function singleMail(alert: ToldAlert, form: MailForm): Content {
  const { consoleUrl, hasPicture } = form
  const facts = factsOf(alert)
  const link = linkTo(alert, consoleUrl)
  const heading = `${NEWS[alert.tells]}${severityWord(alert.severityId)}${inOneLine(alert.title)}`
  const condition = `${inOneLine(alert.deviceName)}: ${inOneLine(alert.conditionText)}`
  const picture = hasPicture
    ? `<p style="margin:16px 0 0"><img src="cid:${PICTURE_ID}" width="${CHART_WIDTH}" alt="${escaped(`Chart of the readings around it: ${condition}`)}" style="display:block;width:100%;max-width:${CHART_WIDTH}px;height:auto;border:0"></p>`
    : ''
  return {
    subject: subject(`${NEWS[alert.tells]}${severityWord(alert.severityId)}${alert.deviceName}: ${alert.title}`),
    text: [heading, condition, '', ...facts.map(([name, value]) => `${name}: ${value}`), '', link, ...endOf(form)].join(
      '\n',
    ),
    html: mailPage(
      `${mailTitle(heading)}<p style="margin:0 0 14px;color:#526272">${escaped(condition)}</p>` +
        `${mailFacts(facts)}${picture}${mailButton(link, 'Open the alert')}${acknowledgeButton(form)}`,
      whyOf(form),
    ),
  }
}

function listMail(kind: AlertMailKind, incidents: readonly MailedIncident[], form: MailForm): Content {
  const { consoleUrl } = form
  const sorted = incidents.toSorted((a, b) => a.cause.createdAt.getTime() - b.cause.createdAt.getTime())
  const listed = sorted.slice(0, MOST_LISTED)
  const alerts = incidents.reduce((sum, { alertCount }) => sum + alertCount, 0)
  const count = `${alerts} ${alerts === 1 ? 'alert' : 'alerts'}`
  const devices = incidents.reduce((all, { deviceIds }) => all.union(deviceIds), new Set<number>()).size
  const of = `${count} of ${devices} ${devices === 1 ? 'device' : 'devices'}`
  const title = kind === 'late' ? `${of} found late` : of
  const explained =
    kind === 'late'
      ? 'These were found more than 15 minutes after they happened, when readings of that time came in.'
      : 'So many came within a short time that they are sent in one e-mail.'
  const rest = incidents.length > listed.length ? `… and ${incidents.length - listed.length} more` : ''
  const all = `${consoleUrl}/alerts`
  const lines = listed.map((incident) =>
    isOfOne(incident)
      ? { text: lineOf({ ...incident.cause, tells: incident.tells }), link: linkTo(incident.cause, consoleUrl) }
      : { text: incidentLine(incident), link: incidentLink(incident, consoleUrl) },
  )
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
      ...endOf(form),
    ].join('\n'),
    html: mailPage(
      `${mailTitle(title)}<p style="margin:0 0 12px;color:#526272">${escaped(explained)}</p>` +
        `<ul style="margin:0;padding-left:18px">${lines
          .map(
            ({ text, link }) =>
              `<li style="margin:0 0 6px"><a href="${escaped(link)}" style="color:#00708f">${escaped(text)}</a></li>`,
          )
          .join('')}</ul><p>${escaped(rest)}</p>${mailButton(all, 'All alerts')}`,
      whyOf(form),
    ),
  }
}

function factsOf(alert: MailedAlert): (readonly [string, string])[] {
  const { createdAt, stateSince, timeZone, isOver, isClosed, activeCount, origin } = alert
  const since = localTime(createdAt, timeZone)
  const facts: [string, string | undefined][] = [
    ['Severity', nameOf(SEVERITIES, alert.severityId)],
    ['Device', alert.deviceName],
    ['Address', toShownAddress(alert.deviceAddress)],
    ['Customer', alert.customerName],
    ['Value', alert.metric === undefined ? undefined : shownValue(alert)],
    ['Limit', shownLimit(alert)],
    ['Defined by', origin ? originText(origin) : undefined],
    ['Since', since],
    ['Raised again', !isOver && activeCount > 1 ? localTime(stateSince, timeZone) : undefined],
    ['Resolved', isOver ? localTime(stateSince, timeZone) : undefined],
    ['Met', activeCount > 1 ? `${activeCount} times` : undefined],
    ['Raised under', alert.maintenanceReason === null ? undefined : `maintenance (${alert.maintenanceReason})`],
    ['Status', isClosed ? 'Closed meanwhile' : 'Opened'],
  ]
  return facts.map(([name, value]) => [name, inOneLine(value ?? '')] as const).filter(([, value]) => value !== '')
}

/** Formats the value as the tile of the console does. */
function shownValue({ fieldId, deviceModelId, metric }: MailedAlert): string {
  const numbered = numberedFieldById(fieldId)
  if (!numbered) return String(metric)
  const { text, unit } = showValue(numbered, metric, deviceModelId as DeviceModelId)
  return unit ? `${text} ${unit}` : text
}

function shownLimit(alert: MailedAlert): string | undefined {
  if (alert.threshold === null) return undefined
  return limitText({ ...alert, fieldId: alert.fieldId as FieldId, threshold: alert.threshold })
}

const STATES: Readonly<Record<AlertNews, string>> = {
  opened: '',
  over: ' (resolved)',
  again: ' (met again)',
  worse: '',
  more: '',
  still: ' (still active)',
}

const lineOf = (alert: ToldAlert): string => {
  const { createdAt, timeZone, deviceName, title, isClosed, tells, maintenanceReason } = alert
  const state = isClosed ? ' (closed meanwhile)' : STATES[tells]
  const raised = maintenanceReason === null ? '' : ' (raised under maintenance)'
  const what = `${severityWord(alert.severityId)}${deviceName}: ${title}`
  return inOneLine(`${localTime(createdAt, timeZone)}  ${what}${state}${raised}`)
}

const subject = (text: string) => {
  const line = inOneLine(text)
  return line.length > LONGEST_SUBJECT ? `${line.slice(0, LONGEST_SUBJECT).toWellFormed()}…` : line
}

const linkTo = ({ id }: MailedAlert, consoleUrl: string) =>
  `${consoleUrl}/alerts/alert-details?data=${encodeURIComponent(JSON.stringify({ id }))}`
