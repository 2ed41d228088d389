import { Fragment, type ReactNode } from 'react'
import { AlertSeverityBadge, AlertStatusBadge, ConditionStateBadge } from '#console/alertParts/AlertBadges.tsx'
import { metricText, thresholdText } from '#console/alertParts/alertLabels.ts'
import { IncidentLink } from '#console/alertParts/IncidentLink.tsx'
import { OpenFor } from '#console/alertParts/OpenFor.tsx'
import { LeftDevice } from '#console/deviceParts/LeftDevice.tsx'
import { formatDateTime } from '#console/lib/time/time.ts'
import { address } from '#console/router/addressText.ts'
import { Link } from '#console/router/Router.tsx'
import type { AlertDetails } from '#contract/http/alerting/alerts.ts'
import { originText } from '#domain/alerts/alertOrigin.ts'
import { groupTitle } from '#domain/catalogue/fieldId.ts'
import { formatDuration } from '#domain/units/durations.ts'
import { UNKNOWN_TEXT } from '#domain/units/numbers.ts'

/** An alert that was found later than this after its reading belongs to the past. */
const LATE_MS = 15 * 60 * 1000

type Fact = readonly [name: string, value: ReactNode]

interface Props {
  readonly alert: AlertDetails
  /** The strip above the details says some of them already. */
  readonly isBesideHead?: boolean
}

const IN_HEAD: readonly string[] = ['Severity', 'Condition', 'Device', 'Incident']

/** The details of an alert follow rules/alerts 15. */
export function AlertFacts({ alert, isBesideHead = false }: Props) {
  const all: Fact[] = [
    ['Alert', alert.id],
    ['Status', <AlertStatusBadge key="status" statusId={alert.statusId} />],
    ['Severity', <AlertSeverityBadge key="severity" alert={alert} />],
    ['Condition', <ConditionStateBadge key="state" alert={alert} />],
    ['Device', <DeviceLink key="device" alert={alert} />],
    ['Created', formatDateTime(alert.created)],
    ...foundLate(alert),
    ['Open for', <OpenFor key="open" created={alert.created} closed={alert.closed} />],
    ['Field group', groupTitle(alert.et_field_group_name)],
    ['Field', alert.et_field_name],
    ['Value', <b key="value">{metricText(alert)}</b>],
    ['Threshold', thresholdText(alert)],
    ['Defined by', originText(alert.conditionOrigin)],
    ['Raised', alert.activeCount === 1 ? 'once' : `${alert.activeCount} times`],
    ['Action', alert.action_type_name],
    ...(alert.incident ? [['Incident', <IncidentLink key="incident" alert={alert} />] as const] : []),
    ...raisedUnderFacts(alert),
    ...acknowledgedFacts(alert),
    ...closedFacts(alert),
    ...maintenanceFacts(alert),
  ]
  const facts = isBesideHead ? all.filter(([name]) => !IN_HEAD.includes(name)) : all
  return (
    <dl className="alert-facts">
      {facts.map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  )
}

function DeviceLink({ alert: { deviceGuid, device_name, deviceHasLeft } }: { readonly alert: AlertDetails }) {
  if (deviceHasLeft) return <LeftDevice name={device_name} />
  return <Link to={address('/devices/$guid/status', { guid: deviceGuid })}>{device_name}</Link>
}

function foundLate({ created, found }: AlertDetails): readonly Fact[] {
  const lateMs = Date.parse(found) - Date.parse(created)
  return lateMs < LATE_MS ? [] : [['Found', `${formatDateTime(found)}, ${formatDuration(lateMs / 1000)} later`]]
}

/** Recipients of e-mails are notified when the maintenance ends, if the alert is still active. */
function raisedUnderFacts({ maintenance }: AlertDetails): readonly Fact[] {
  if (!maintenance) return []
  const { reason, to } = maintenance
  return [['Raised in', <Words key="window" text={`maintenance until ${formatDateTime(to)}: ${reason}`} />]]
}

function acknowledgedFacts({ acknowledged }: AlertDetails): readonly Fact[] {
  if (!acknowledged) return [['Owner', UNKNOWN_TEXT]]
  const note: readonly Fact[] = acknowledged.note ? [['Note', <Words key="note" text={acknowledged.note} />]] : []
  return [
    ['Owner', acknowledged.ownerName || UNKNOWN_TEXT],
    ['Acknowledged', `${formatDateTime(acknowledged.at)} by ${acknowledged.username}`],
    ...note,
  ]
}

function closedFacts(alert: AlertDetails): readonly Fact[] {
  if (alert.closed === null) return []
  return [
    ['Closed', `${formatDateTime(alert.closed)}${alert.closedBy ? ` by ${alert.closedBy}` : ''}`],
    ['Resolution', alert.close_resolution_name ?? UNKNOWN_TEXT],
    ['Comment', alert.close_comment ? <Words key="comment" text={alert.close_comment} /> : UNKNOWN_TEXT],
  ]
}

/** Entries of the device's log that name this alert say what was done about it on site. */
function maintenanceFacts({ deviceGuid, deviceHasLeft, maintenanceIds }: AlertDetails): readonly Fact[] {
  if (maintenanceIds.length === 0) return []
  const links = maintenanceIds.map((id) =>
    deviceHasLeft ? (
      <span key={id}>Entry {id}</span>
    ) : (
      <Link key={id} to={address('/devices/$guid/maintenance', { guid: deviceGuid, entry: id })}>
        Entry {id}
      </Link>
    ),
  )
  return [
    [
      'Maintenance',
      <span key="maintenance" className="alert-entries">
        {links}
      </span>,
    ],
  ]
}

const Words = ({ text }: { readonly text: string }) => <span className="alert-words">{text}</span>
