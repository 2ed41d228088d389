import { nameOf } from '#domain/alerts/alertLabels.ts'
import { SEVERITIES } from '#domain/alerts/conditionKinds.ts'
import type { IncidentId } from '#domain/ids.ts'
import { inOneLine } from '#server/mail/sending/mailer.ts'
import { localTime } from '#server/mail/sending/mailTime.ts'

/** What one reader may see of an incident now. Texts of others are in one line each. */
export interface IncidentMessage {
  readonly incidentId: IncidentId
  readonly title: string
  readonly state: 'active' | 'over' | 'closed'
  /** 1 critical, 2 warning, 3 information. */
  readonly severityId: number
  readonly causeText: string
  readonly deviceName: string
  readonly deviceAddress: string
  /** Empty when several customers are affected. */
  readonly customerName: string
  readonly deviceCount: number
  readonly placeCount: number
  readonly alertCount: number
  readonly activeCount: number
  /** The newest alerts come first, no more than a message names. */
  readonly alerts: readonly { readonly device: string; readonly text: string; readonly isActive: boolean }[]
  /** The reason for another message although the state is the same. */
  readonly news?: 'worse' | 'more' | 'still' | undefined
  readonly beganAt: Date
  readonly overAt: Date | undefined
  /** Undefined while nobody owns it. */
  readonly acknowledgedBy: string | undefined
  readonly timeZone: string
  /** A reader with the right opens it there. */
  readonly link: string
}

const counted = (count: number, one: string) => `${count.toLocaleString('en-US')} ${one}${count === 1 ? '' : 's'}`

const severityName = (severityId: number): string => nameOf(SEVERITIES, severityId)

const STATES = { active: '', over: 'Resolved: ', closed: 'Closed: ' } as const

const NEWS = { worse: 'Worse: ', more: 'More: ', still: 'Still active: ' } as const

/** Formats a headline, as in `Over: Critical: Am Ring 12: Router off`. */
export const headlineOf = ({ state, severityId, title, news }: IncidentMessage): string =>
  inOneLine(
    `${STATES[state] || (news ? NEWS[news] : '')}${severityId === 2 ? '' : `${severityName(severityId)}: `}${title}`,
  )

export function factsOf(message: IncidentMessage): readonly (readonly [name: string, value: string])[] {
  const { deviceName, causeText, deviceCount, placeCount, timeZone, beganAt, overAt, acknowledgedBy } = message
  const facts: (readonly [string, string | undefined])[] = [
    ['Severity', severityName(message.severityId)],
    ['Root cause', `${deviceName}: ${causeText}`],
    ['Customer', message.customerName],
    ['Affected devices', `${counted(deviceCount, 'device')} at ${counted(placeCount, 'place')}`],
    [
      'Active now',
      message.state === 'active' ? `${message.activeCount} of ${counted(message.alertCount, 'alert')}` : '',
    ],
    ['Since', localTime(beganAt, timeZone)],
    ['Resolved', overAt && localTime(overAt, timeZone)],
    ['Acknowledged by', acknowledgedBy],
    ['Alerts', message.alertCount > 1 ? alertsOf(message) : ''],
  ]
  return facts.map(([name, value]) => [name, inOneLine(value ?? '')] as const).filter(([, value]) => value !== '')
}

function alertsOf({ alerts, alertCount }: IncidentMessage): string {
  const listed = alerts.map(({ device, text, isActive }) => `${device}: ${text}${isActive ? '' : ' (resolved)'}`)
  const more = alertCount - alerts.length
  return [...listed, ...(more > 0 ? [`… and ${more.toLocaleString('en-US')} more`] : [])].join('; ')
}

export const plainTextOf = (message: IncidentMessage): string =>
  [...factsOf(message).map(([name, value]) => `${name}: ${value}`), message.link].join('\n')

const MOST_LISTED = 40

/** Says how many there are, and names the first of them. */
export function digestText(messages: readonly IncidentMessage[]): {
  readonly title: string
  readonly lines: readonly string[]
} {
  const worst = Math.min(...messages.map(({ severityId }) => severityId))
  const more = messages.length - MOST_LISTED
  const listed = messages
    .toSorted((one, other) => one.severityId - other.severityId || one.beganAt.getTime() - other.beganAt.getTime())
    .slice(0, MOST_LISTED)
  return {
    title: `${worst === 1 ? 'Critical: ' : ''}${counted(messages.length, 'incident')}`,
    lines: [...listed.map(headlineOf), ...(more > 0 ? [`… and ${more.toLocaleString('en-US')} more`] : [])],
  }
}

export const TEST_TITLE = 'Test from Wayside'
export const testText = (channelName: string): string =>
  inOneLine(`This is a test of the channel "${channelName}". Nothing is wrong.`)
