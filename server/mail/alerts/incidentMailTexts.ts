import { nameOf } from '#domain/alerts/alertLabels.ts'
import { SEVERITIES, USUAL_SEVERITY } from '#domain/alerts/conditionKinds.ts'
import type { AlertId, DeviceId, IncidentId } from '#domain/ids.ts'
import { inOneLine } from '../sending/mailer.ts'
import { escaped, mailButton, mailFacts, mailTitle } from '../sending/mailHtml.ts'
import { localTime } from '../sending/mailTime.ts'
import type { AlertNews, MailedAlert } from './mailedAlert.ts'

export const MOST_CONSEQUENCES = 5

export interface MailedIncident {
  readonly id: IncidentId
  readonly title: string
  /** The alert that explains the others. */
  readonly cause: MailedAlert
  readonly causeText: string
  readonly alerts: readonly { readonly deviceId: DeviceId; readonly alertId: AlertId }[]
  /** Counts those that no mail to this reader has named. */
  readonly unnamedCount: number
  /** Names the first few other alerts, those that are new to the reader first. */
  readonly consequences: readonly string[]
  readonly alertCount: number
  readonly activeCount: number
  readonly deviceIds: ReadonlySet<DeviceId>
  readonly placeCount: number
  /** The severity of the worst alert: 1 critical, 2 warning, 3 information. */
  readonly severityId: number
  readonly beganAt: Date
  readonly isOver: boolean
  readonly overAt: Date | undefined
  /** All of its alerts are closed. */
  readonly isClosed: boolean
  /** It has no owner yet, and no part of it belongs to another customer. */
  readonly canBeAcknowledged: boolean
  readonly tells: AlertNews
}

/** An incident of one alert is written as that alert. */
export const isOfOne = ({ alertCount }: MailedIncident): boolean => alertCount === 1

export const NEWS: Readonly<Record<AlertNews, string>> = {
  opened: '',
  over: 'Resolved: ',
  again: 'Again: ',
  worse: 'Worse: ',
  more: 'More: ',
  still: 'Still active: ',
}

/** A severity other than the usual warning is named first. */
export const severityWord = (severityId: number): string =>
  severityId === USUAL_SEVERITY ? '' : `${nameOf(SEVERITIES, severityId)}: `

const counted = (count: number, one: string) => `${count.toLocaleString('en-US')} ${count === 1 ? one : `${one}s`}`

export const incidentLink = ({ id }: MailedIncident, consoleUrl: string): string =>
  `${consoleUrl}/incidents/incident?data=${encodeURIComponent(JSON.stringify({ id }))}`

export interface IncidentTexts {
  readonly subject: string
  readonly text: readonly string[]
  /** Every text from outside is escaped. */
  readonly html: string
}

/** Writes about an incident of several alerts, without why the mail came. */
export function incidentTexts(incident: MailedIncident, consoleUrl: string): IncidentTexts {
  const title = inOneLine(`${NEWS[incident.tells]}${severityWord(incident.severityId)}${incident.title}`)
  const together = `${counted(incident.alertCount, 'alert')} in one message.`
  const facts = factsOf(incident)
  const lines = incident.consequences.map(inOneLine)
  const more = incident.alertCount - 1 - lines.length
  const listed = [...lines, ...(more > 0 ? [`… and ${more.toLocaleString('en-US')} more`] : [])]
  const link = incidentLink(incident, consoleUrl)
  return {
    subject: title,
    text: [
      title,
      together,
      '',
      ...facts.map(([name, value]) => `${name}: ${value}`),
      '',
      'What came with it:',
      ...listed.map((line) => `  ${line}`),
      '',
      link,
    ],
    html:
      `${mailTitle(title)}<p style="margin:0 0 14px;color:#526272">${escaped(together)}</p>${mailFacts(facts)}` +
      `<p style="margin:14px 0 4px;color:#526272">What came with it</p><ul style="margin:0;padding-left:18px">${listed
        .map((line) => `<li style="margin:0 0 4px">${escaped(line)}</li>`)
        .join('')}</ul>${mailButton(link, 'Open the incident')}`,
  }
}

function factsOf(incident: MailedIncident): (readonly [string, string])[] {
  const { cause, causeText, activeCount, alertCount, deviceIds, placeCount, beganAt, overAt, isOver, isClosed } =
    incident
  const { timeZone } = cause
  const facts: (readonly [string, string | undefined])[] = [
    ['Severity', nameOf(SEVERITIES, incident.severityId)],
    ['Root cause', `${cause.deviceName}: ${causeText}`],
    ['Affected devices', `${counted(deviceIds.size, 'device')} at ${counted(placeCount, 'place')}`],
    ['Active now', isOver ? undefined : `${activeCount.toLocaleString('en-US')} of ${counted(alertCount, 'alert')}`],
    ['Since', localTime(beganAt, timeZone)],
    ['Resolved', overAt && localTime(overAt, timeZone)],
    ['Status', isClosed ? 'Closed meanwhile' : undefined],
  ]
  return facts.map(([name, value]) => [name, inOneLine(value ?? '')] as const).filter(([, value]) => value !== '')
}

export const incidentLine = (incident: MailedIncident): string => {
  const { beganAt, cause, title, severityId, isOver, isClosed, alertCount } = incident
  const state = isClosed ? ' (closed meanwhile)' : isOver ? ' (resolved)' : ''
  const count = counted(alertCount, 'alert')
  return inOneLine(`${localTime(beganAt, cause.timeZone)}  ${severityWord(severityId)}${title} (${count})${state}`)
}
