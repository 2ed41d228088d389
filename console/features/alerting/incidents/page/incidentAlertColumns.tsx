import { alertDetails } from '#console/alertParts/alertDetails.ts'
import { OpenFor } from '#console/alertParts/OpenFor.tsx'
import { SeverityBadge } from '#console/alertParts/SeverityBadge.tsx'
import { LeftDevice } from '#console/deviceParts/LeftDevice.tsx'
import { formatDateTime } from '#console/lib/time/time.ts'
import { address } from '#console/router/addressText.ts'
import { Link } from '#console/router/Router.tsx'
import type { Column, StackedCell } from '#console/ui/table/DataTable.tsx'
import type { IncidentAlert } from '#contract/http/alerting/incidents.ts'
import { toShownAddress } from '#domain/devices/site.ts'
import { formatNumber, UNKNOWN_TEXT } from '#domain/units/numbers.ts'

const Device = ({ alert: { deviceGuid, deviceName, deviceHasLeft } }: { readonly alert: IncidentAlert }) =>
  deviceHasLeft ? (
    <LeftDevice name={deviceName} />
  ) : (
    <Link to={address('/devices/$guid/status', { guid: deviceGuid })}>{deviceName}</Link>
  )

const Severity = ({ alert: { severityId, over } }: { readonly alert: IncidentAlert }) => (
  <SeverityBadge severityId={severityId} isActive={over === null} />
)

const Text = ({ alert: { text, isCause } }: { readonly alert: IncidentAlert }) => (
  <>
    {isCause && <span className="incident-mark">root cause</span>} {text}
  </>
)

/** Whether it is so now, and whether somebody closed it. */
const stateText = ({ over, isOpen }: IncidentAlert) =>
  `${over === null ? 'Active' : 'Resolved'}${isOpen ? '' : ', closed'}`

export const INCIDENT_ALERT_COLUMNS: readonly Column<IncidentAlert>[] = [
  { id: 'severity', header: 'Severity', widthPx: 100, cell: (alert) => <Severity alert={alert} /> },
  {
    id: 'alert',
    header: 'Alert',
    isStrong: true,
    cell: (alert) => <Text alert={alert} />,
    to: ({ alertId }) => alertDetails(alertId),
    title: ({ text }) => text,
  },
  {
    id: 'device',
    header: 'Device',
    widthPx: 140,
    cell: (alert) => <Device alert={alert} />,
    title: ({ deviceName }) => deviceName,
  },
  {
    id: 'address',
    header: 'Address',
    widthPx: 150,
    leaves: 1,
    isDim: true,
    cell: ({ deviceAddress }) => toShownAddress(deviceAddress) || UNKNOWN_TEXT,
    title: ({ deviceAddress }) => deviceAddress,
  },
  { id: 'began', header: 'Began', widthPx: 136, leaves: 4, cell: ({ began }) => formatDateTime(began) },
  {
    id: 'lasts',
    header: 'For',
    widthPx: 76,
    leaves: 3,
    isRight: true,
    cell: ({ began, over }) => <OpenFor created={began} closed={over} />,
  },
  { id: 'state', header: 'State', widthPx: 92, cell: stateText },
  {
    id: 'times',
    header: 'Times',
    widthPx: 54,
    leaves: 2,
    isRight: true,
    cell: ({ times }) => formatNumber(times),
    title: ({ times }) =>
      times === 1 ? 'Raised once within this incident' : `Raised ${times} times within this incident`,
  },
]

export const STACKED_INCIDENT_ALERT: StackedCell<IncidentAlert> = {
  header: 'Alert',
  cell: (alert, text) => (
    <>
      <b>
        <Device alert={alert} />
      </b>
      <span>{text}</span>
      <span>
        <Severity alert={alert} />
        <span>{stateText(alert)}</span>
      </span>
      <span className="is-dim">
        {formatDateTime(alert.began)} · <OpenFor created={alert.began} closed={alert.over} />
      </span>
    </>
  ),
}
