import type { CsvColumn } from '#console/lib/csv.ts'
import type { Alert } from '#contract/http/alerting/alerts.ts'
import { ALERT_STATUSES, CONDITION_STATES, nameOf } from '#domain/alerts/alertLabels.ts'
import { originText } from '#domain/alerts/alertOrigin.ts'
import { SEVERITIES } from '#domain/alerts/conditionKinds.ts'
import { deviceModelName } from '#domain/devices/models.ts'

export const ALERT_CSV_COLUMNS: readonly CsvColumn<Alert>[] = [
  { header: 'Id', cell: ({ id }) => id },
  { header: 'Alert', cell: ({ conditionText }) => conditionText },
  { header: 'Device', cell: ({ deviceName }) => deviceName },
  { header: 'Address', cell: ({ deviceAddress }) => deviceAddress },
  { header: 'Model', cell: ({ deviceModelId }) => deviceModelName(deviceModelId) },
  { header: 'Created', cell: ({ created }) => created },
  { header: 'Open minutes', cell: ({ openMinutes }) => openMinutes },
  { header: 'Times active', cell: ({ activeCount }) => activeCount },
  { header: 'Condition state', cell: ({ conditionStateId }) => nameOf(CONDITION_STATES, conditionStateId) },
  { header: 'Severity', cell: ({ severityId }) => nameOf(SEVERITIES, severityId) },
  { header: 'Status', cell: ({ statusId }) => nameOf(ALERT_STATUSES, statusId) },
  { header: 'Closed', cell: ({ closed }) => closed },
  { header: 'Owner', cell: ({ ownerName }) => ownerName },
  { header: 'Raised in maintenance', cell: ({ maintenance }) => maintenance?.reason ?? '' },
  { header: 'Incident', cell: ({ incident }) => incident?.id ?? '' },
  { header: 'Root cause', cell: ({ incident }) => (incident ? (incident.isCause ? 'Yes' : 'No') : '') },
  { header: 'Last change', cell: ({ lastChanged }) => lastChanged },
  {
    header: 'Defined by',
    cell: ({ conditionOrigin }) => (conditionOrigin ? originText(conditionOrigin) : ''),
  },
]
